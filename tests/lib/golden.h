/* SPDX-License-Identifier: Apache-2.0 */
/*
 * golden.h - texts that are compared with files.  With GS_REFRESH=1 in the
 * environment, as tests/refresh sets it, the files are written again: then read
 * the difference.
 */
#ifndef TESTS_LIB_GOLDEN_H
#define TESTS_LIB_GOLDEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cases.h"

static inline void golden_write(const char *path, const struct buf *got)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(got->ptr, 1, got->len, f), got->len);
	assert_int_equal(fclose(f), 0);
}

static inline void golden_read(const char *path, struct buf *to)
{
	FILE *f = fopen(path, "r");
	int c;

	if (!f)
		fail_msg("%s is missing: tests/refresh writes it", path);
	while ((c = fgetc(f)) != EOF)
		buf_add_char(to, (char)c);
	assert_int_equal(fclose(f), 0);
}

/* Fails with the first line that differs. */
static inline void golden_same(const char *path, const char *want,
	const char *got)
{
	int line = 1;
	size_t n, m;

	while (n = strcspn(want, "\n"), m = strcspn(got, "\n"),
	    n == m && memcmp(want, got, n) == 0) {
		if (!want[n] && !got[m])
			return;
		if (!want[n] != !got[m])
			break;
		want += n + 1;
		got += m + 1;
		line++;
	}
	fail_msg("%s:%d: is\n%.*s\nthe program gives\n%.*s\n"
	    "if that is right: tests/refresh", path, line, (int)n, want,
	    (int)m, got);
}

static inline void golden_file(const char *path, const struct buf *got)
{
	struct buf want = BUF_INIT;

	if (getenv("GS_REFRESH"))
		golden_write(path, got);
	golden_read(path, &want);
	golden_same(path, buf_str(&want), buf_str(got));
	assert_int_equal(got->len, want.len);
	buf_release(&want);
}

/* The file is in tests/unit/render/golden, and called prefix and name. */
static inline void golden_compare(const char *prefix, const char *name,
	const struct buf *got)
{
	struct buf path = BUF_INIT;

	buf_printf(&path, "%s/tests/unit/render/golden/%s%s", GS_SOURCE_DIR,
	    prefix, name);
	golden_file(buf_str(&path), got);
	buf_release(&path);
}

#endif
