/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cases.h - tables of cases as cmocka tests: each row is a test of its own,
 * named by the row, so that a failure names the row.
 */
#ifndef TESTS_LIB_CASES_H
#define TESTS_LIB_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CASES_MAX 512

struct cases {
	struct CMUnitTest test[CASES_MAX];
	size_t n;
};

static inline void cases_add(struct cases *c, const char *name,
	CMUnitTestFunction fn, const void *row)
{
	struct CMUnitTest t = { name, fn, NULL, NULL, (void *)(uintptr_t)row };

	if (c->n >= CASES_MAX)
		fail_msg("more than %d cases", CASES_MAX);
	c->test[c->n++] = t;
}

/* Rows of an array whose elements have a member name. */
#define CASES_TABLE(c, fn, rows)                                        \
	do {                                                            \
		size_t i_;                                              \
		for (i_ = 0; i_ < sizeof(rows) / sizeof((rows)[0]); i_++) \
			cases_add((c), (rows)[i_].name, (fn), &(rows)[i_]); \
	} while (0)

static inline int cases_run(const struct cases *c, const char *group)
{
	return _cmocka_run_group_tests(group, c->test, c->n, NULL, NULL);
}

#endif
