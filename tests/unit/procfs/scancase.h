/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scancase.h - a scanner, its input, and the cells it sets.
 *
 * Every case is also run over all prefixes of its input, each in memory of
 * exactly that size, so that a sanitizer detects a scanner that reads beyond a
 * truncated file.
 */
#ifndef TESTS_UNIT_PROCFS_SCANCASE_H
#define TESTS_UNIT_PROCFS_SCANCASE_H

#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "cases.h"
#include "celltext.h"

struct scancase {
	const char *name;
	void (*scan)(struct span text, struct cells c);
	const char *input;
	const char *expected;
};

static inline void scancase_cut(const struct scancase *k, enum entity_id e,
	size_t len)
{
	char *p = malloc(len ? len : 1);
	struct cells c = cells_new(e);

	memcpy(p, k->input, len);
	k->scan(span_of(p, len), c);
	cells_free(c);
	free(p);
}

static inline void scancase_run(const struct scancase *k, enum entity_id e)
{
	struct cells c = cells_new(e);
	struct buf got = BUF_INIT;
	size_t i;

	k->scan(span_of(k->input, strlen(k->input)), c);
	celltext_add(&got, e, c, " ");
	assert_string_equal(buf_str(&got), k->expected);
	for (i = 0; i < strlen(k->input); i++)
		scancase_cut(k, e, i);
	cells_free(c);
	buf_release(&got);
}

#endif
