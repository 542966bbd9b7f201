/* SPDX-License-Identifier: Apache-2.0 */
#include "sandbox/inherited.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"

/* The same on all architectures; headers may be older. */
#define SYS_CLOSE_RANGE 436

struct numbers {
	unsigned *v;
	size_t n, cap;
};

static void add(struct numbers *to, unsigned fd)
{
	GS_GROW(to->v, &to->cap, to->n + 1);
	to->v[to->n++] = fd;
}

static bool has(const struct numbers *in, unsigned fd)
{
	size_t i;

	for (i = 0; i < in->n; i++) {
		if (in->v[i] == fd)
			return true;
	}
	return false;
}

/* The path may be a part of the word, as in --dsn passfile=/dev/fd/3. */
static void add_named(struct numbers *to, const char *word,
	const char *before)
{
	const char *p = word;

	while ((p = strstr(p, before)) != NULL) {
		char *end;
		unsigned long fd;

		p += strlen(before);
		fd = strtoul(p, &end, 10);
		if (end != p && *p >= '0' && *p <= '9' && fd < INT_MAX)
			add(to, (unsigned)fd);
	}
}

static void add_words(struct numbers *to, char *const *word)
{
	for (; word && *word; word++) {
		add_named(to, *word, "/dev/fd/");
		add_named(to, *word, "/self/fd/");
	}
}

static int by_number(const void *x, const void *y)
{
	unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;

	return a < b ? -1 : a > b;
}

static long close_range_of(unsigned from, unsigned to)
{
	return from > to ? 0 : syscall(SYS_CLOSE_RANGE, from, to, 0);
}

static long close_between(const struct numbers *keep)
{
	unsigned from = STDERR_FILENO + 1;
	size_t i;

	for (i = 0; i < keep->n; i++) {
		if (keep->v[i] < from)
			continue;
		if (keep->v[i] > from &&
		    close_range_of(from, keep->v[i] - 1) < 0)
			return -1;
		from = keep->v[i] + 1;
	}
	return close_range_of(from, UINT_MAX);
}

/* Kernels before 5.9.  Descriptors are closed later: the directory is open
 * while it is read. */
static void close_listed(const struct numbers *keep)
{
	struct numbers found = { 0 };
	DIR *d = opendir("/proc/self/fd");
	struct dirent *e;
	size_t i;

	while (d && (e = readdir(d)) != NULL) {
		unsigned fd = (unsigned)strtoul(e->d_name, NULL, 10);

		if (e->d_name[0] != '.' && fd > STDERR_FILENO &&
		    !has(keep, fd))
			add(&found, fd);
	}
	if (d)
		(void)closedir(d); /* only read from */
	for (i = 0; i < found.n; i++)
		(void)close((int)found.v[i]); /* that of d is closed */
	free(found.v);
}

void inherited_close(char *const *argv, char *const *env)
{
	struct numbers keep = { 0 };

	add_words(&keep, argv);
	add_words(&keep, env);
	if (keep.n > 1)
		qsort(keep.v, keep.n, sizeof(*keep.v), by_number);
	if (close_between(&keep) < 0)
		close_listed(&keep);
	free(keep.v);
}
