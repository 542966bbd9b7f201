/* SPDX-License-Identifier: Apache-2.0 */
/*
 * golden.h - texts that are held against files in tests/unit/render/golden.
 * With GS_REFRESH=1 in the environment the files are written again: then read
 * the difference.
 */
#ifndef TESTS_LIB_GOLDEN_H
#define TESTS_LIB_GOLDEN_H

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "cases.h"

/* The file is called prefix and name. */
static inline void golden_compare(const char *prefix, const char *name,
	const struct buf *got)
{
	struct buf path = BUF_INIT, want = BUF_INIT;
	FILE *f;
	int c;

	buf_printf(&path, "%s/tests/unit/render/golden/%s%s", GS_SOURCE_DIR,
	    prefix, name);
	if (getenv("GS_REFRESH")) {
		f = fopen(buf_str(&path), "w");
		assert_non_null(f);
		assert_int_equal(fwrite(got->ptr, 1, got->len, f), got->len);
		assert_int_equal(fclose(f), 0);
	}
	f = fopen(buf_str(&path), "r");
	assert_non_null(f);
	while ((c = fgetc(f)) != EOF)
		buf_add_char(&want, (char)c);
	assert_int_equal(fclose(f), 0);
	assert_string_equal(buf_str(got), buf_str(&want));
	buf_release(&path);
	buf_release(&want);
}

#endif
