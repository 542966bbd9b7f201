/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the sockets in /proc/net/unix of recorders that we may ask.  Requests
 * are tested with the whole program (tests/record/test_control.py).
 */
#include "cases.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/ask.h"
#include "tempdir.h"

#define LISTENING "0000000000000000: 00000002 00000000 00010000 0001 01 17 "

static const struct {
	const char *name, *line; /* %u: our uid, or another for root */
	bool want;
} lines[] = {
	{ "recorder", LISTENING "@gpsnap/%u/0123456789abcdef", true },
	{ "kernel without addresses",
	    "12: 2 0 10000 1 01 17 @gpsnap/%u/0123456789abcdef", true },
	{ "its connection", "0000000000000000: 00000003 00000000 00000000 "
	    "0001 03 18 @gpsnap/%u/0123456789abcdef", false },
	{ "a file of that name", LISTENING "gpsnap/%u/0123456789abcdef",
	    false },
	{ "no name", "0000000000000000: 00000002 00000000 00010000 0001 01 "
	    "17", false },
	{ "another program's", LISTENING "@/tmp/.X11-unix/X%u", false },
	{ "no random", LISTENING "@gpsnap/%u/", false },
	{ "no number", LISTENING "@gpsnap/%u", false },
	{ "no hex", LISTENING "@gpsnap/%u/0123456789abcdeg", false },
	{ "too long", LISTENING "@gpsnap/%u/"
	    "0123456789abcdef0123456789abcdef0123456789abcdef", false },
	{ "uid too large", LISTENING "@gpsnap/9%u0000000000/0f", false },
};

static size_t list(const char *line, unsigned uid, size_t *others)
{
	struct tempdir dir;
	struct ask_whom *whom = NULL;
	struct gs_err err;
	const char *path;
	size_t n = 99;
	FILE *f;

	tempdir_make(&dir);
	path = tempdir_file(&dir, "unix");
	f = fopen(path, "w");
	assert_non_null(f);
	(void)fputs("Num       RefCount Protocol Flags    Type St Inode "
	    "Path\n", f);
	for (; *line; line++) {
		if (strncmp(line, "%u", 2) == 0) {
			(void)fprintf(f, "%u", uid);
			line++;
		} else {
			(void)fputc(*line, f);
		}
	}
	(void)fputc('\n', f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(ask_list(path, &whom, &n, others, &err), 0);
	if (n > 0)
		assert_int_equal(whom[0].uid, uid);
	free(whom);
	tempdir_remove(&dir);
	return n;
}

static void test_line(void **state)
{
	const __typeof__(lines[0]) *c = *state;

	size_t others;

	assert_int_equal(list(c->line, (unsigned)geteuid(), &others),
	    c->want);
	assert_int_equal(others, 0);
}

static void test_others(void **state)
{
	size_t others, n = list(LISTENING "@gpsnap/%u/0123456789abcdef",
	    (unsigned)geteuid() + 1, &others);

	(void)state;
	assert_int_equal(n, geteuid() == 0);
	assert_int_equal(others, geteuid() != 0);
}

static void test_nobody_there(void **state)
{
	struct ask_whom whom = { .name = "gpsnap/0/0", .uid = geteuid() };
	struct buf answer = BUF_INIT;
	struct gs_err err;

	(void)state;
	assert_int_equal(ask(&whom, "status", &answer, &err), GS_E_GONE);
	buf_release(&answer);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, test_line, lines);
	cases_add(&c, "other users", test_others, NULL);
	cases_add(&c, "nobody there", test_nobody_there, NULL);
	return cases_run(&c, "ask");
}
