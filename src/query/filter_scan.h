/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_scan.h - the words of a condition (filter.h).  Private to src/query.
 */
#ifndef GS_QUERY_FILTER_SCAN_H
#define GS_QUERY_FILTER_SCAN_H

#include <stdbool.h>

#include "base/compiler.h"
#include "base/err.h"
#include "base/scan.h"

enum op {
	OP_AND,
	OP_OR,
	OP_NOT,
	OP_EQ,
	OP_NE,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_MATCH,
	OP_NO_MATCH,
	OP_ABSENT,
	OP_PRESENT,
	OP_MAX,
	OP_NOT_MAX
};

enum token_kind { T_END, T_WORD, T_QUOTED, T_OP, T_AND, T_OR, T_NOT, T_OPEN,
	T_CLOSE };

struct token {
	enum token_kind kind;
	enum op op; /* T_OP */
	struct span text; /* T_WORD, T_QUOTED: without quotes */
};

struct filter_scan {
	const char *start, *at; /* at: where the token begins */
	struct span rest;
	struct token tok;
	struct gs_err *err;
};

#define FILTER_SCAN_INIT(TEXT, ERR) \
	{ .start = TEXT, .at = TEXT, .rest = span_str(TEXT), .err = ERR }

/* Moves to the next token. */
int filter_scan(struct filter_scan *p);

/* Fails with the position of the token. */
GS_PRINTF(2, 3) int filter_fail(const struct filter_scan *p, const char *fmt,
	...);

/* Fails: "expected WHAT, got ..." */
int filter_expected(const struct filter_scan *p, const char *what);

/* Case is ignored. */
bool filter_word_is(struct span s, const char *text);

#endif
