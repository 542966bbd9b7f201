/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A spool gives back what it was given, in memory and in a file.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "cases.h"
#include "sysstat/spool.h"

static const struct amount {
	const char *name;
	size_t bytes;
	bool file;
} amounts[] = {
	{ "nothing", 0, false },
	{ "little", 10, false },
	{ "as much as memory takes", SPOOL_MEMORY - 7, false },
	{ "more", SPOOL_MEMORY * 2 + 12345, true },
};

static bool take(void *arg, const char *p, size_t len)
{
	buf_add(arg, p, len);
	return true;
}

static bool refuse(void *arg, const char *p, size_t len)
{
	(void)arg;
	(void)p;
	(void)len;
	return false;
}

static void fill(struct spool *s, struct buf *want, size_t bytes)
{
	char piece[7];
	size_t i, n;

	for (i = 0; i < bytes; i += n) {
		n = GS_MIN(sizeof(piece), bytes - i);
		memset(piece, 'a' + (int)(i / sizeof(piece) % 26), n);
		spool_add(s, piece, n);
		buf_add(want, piece, n);
	}
}

/* Twice, since it is used again after the next boot. */
static void test_amount(void **state)
{
	const struct amount *a = *state;
	struct spool s = SPOOL_INIT;
	int turn;

	for (turn = 0; turn < 2; turn++) {
		struct buf want = BUF_INIT, got = BUF_INIT;

		fill(&s, &want, a->bytes + (size_t)turn);
		assert_int_equal(s.file != NULL, a->file);
		assert_true(spool_flush(&s, take, &got));
		assert_int_equal(got.len, want.len);
		assert_string_equal(buf_str(&got), buf_str(&want));
		buf_release(&want);
		buf_release(&got);
	}
	spool_release(&s);
}

static void test_refused(void **state)
{
	struct spool s = SPOOL_INIT;

	(void)state;
	spool_add(&s, "x", 1);
	assert_false(spool_flush(&s, refuse, NULL));
	spool_release(&s);
}

static void test_no_file(void **state)
{
	struct spool s = SPOOL_INIT;
	struct buf got = BUF_INIT;

	(void)state;
	s.file = fopen("/dev/full", "w");
	assert_non_null(s.file);
	fill(&s, &got, SPOOL_MEMORY + 1);
	assert_false(spool_flush(&s, take, &got));
	assert_int_equal(s.error, ENOSPC);
	buf_release(&got);
	spool_release(&s);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_amount, amounts);
	cases_add(&c, "refused", test_refused, NULL);
	cases_add(&c, "a full disk", test_no_file, NULL);
	return cases_run(&c, "sysstat/spool");
}
