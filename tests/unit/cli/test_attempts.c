/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work whose pieces may end the process: which of them later children leave out, and
 * what is printed.
 */
#include "cli/attempts.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "cases.h"
#include "cli/console.h"

#define PIECES 4

/* How each piece ends: it is done, fails, is killed, or exits by itself. */
struct work {
	const char *name;
	const char *ends; /* 'd', 'f', 'k', 'x' per piece */
	const char *done; /* the pieces that were begun, child by child */
	int status;
};

static const struct work works[] = {
	{ "all is done", "dddd", "0123\n", EXIT_DONE },
	{ "one fails", "dfdd", "0123\n", EXIT_DONE },
	{ "the first is killed", "kddd", "0\n123\n", EXIT_CANNOT },
	{ "the last is killed", "dddk", "0123\n012\n", EXIT_CANNOT },
	{ "two are killed", "kkdd", "0\n1\n23\n", EXIT_CANNOT },
	{ "all are killed", "kkkk", "0\n1\n2\n3\n\n", EXIT_CANNOT },
	{ "one fails, one exits", "fxdd", "01\n23\n", EXIT_CANNOT },
};

/* Standard output is a file meanwhile. */
struct output {
	FILE *file;
	int was;
};

static void catch(struct output *o)
{
	(void)fflush(stdout);
	o->file = tmpfile();
	assert_non_null(o->file);
	o->was = dup(STDOUT_FILENO);
	assert_true(dup2(fileno(o->file), STDOUT_FILENO) >= 0);
}

static void give_back(struct output *o, char *to, size_t size)
{
	ssize_t n;

	(void)fflush(stdout);
	assert_true(dup2(o->was, STDOUT_FILENO) >= 0);
	(void)close(o->was);
	n = pread(fileno(o->file), to, size - 1, 0);
	assert_true(n >= 0);
	to[n] = '\0';
	(void)fclose(o->file);
}

static void say(char c)
{
	(void)!write(STDOUT_FILENO, &c, 1);
}

static int run(struct attempts *a, void *ctx)
{
	const struct work *w = ctx;
	int i;

	for (i = 0; i < PIECES; i++) {
		char name[] = { (char)('0' + i), '\0' };

		if (!attempts_begin(a, name))
			continue;
		say(name[0]);
		if (w->ends[i] == 'k' || w->ends[i] == 'x')
			say('\n');
		if (w->ends[i] == 'k')
			(void)raise(SIGKILL);
		if (w->ends[i] == 'x')
			_exit(EXIT_CANNOT);
		attempts_end(a, w->ends[i] == 'd');
	}
	say('\n');
	return EXIT_DONE;
}

static void pieces(void **state)
{
	const struct work *w = *state;
	struct output o;
	char got[256];
	int status;

	catch(&o);
	status = attempts_run(run, (void *)(uintptr_t)w);
	give_back(&o, got, sizeof(got));
	assert_string_equal(got, w->done);
	assert_int_equal(status, w->status);
}

static int nothing(struct attempts *a, void *ctx)
{
	(void)a;
	(void)ctx;
	return EXIT_DONE;
}

/* What is in the buffer is not the children's to write. */
static void buffered(void **state)
{
	struct output o;
	char got[256];

	(void)state;
	catch(&o);
	(void)fputs("before\n", stdout);
	assert_int_equal(attempts_run(nothing, NULL), EXIT_DONE);
	give_back(&o, got, sizeof(got));
	assert_string_equal(got, "before\n");
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, pieces, works);
	cases_add(&c, "buffered output", buffered, NULL);
	return cases_run(&c, "attempts");
}
