/* SPDX-License-Identifier: Apache-2.0 */
/*
 * masktext.h - takes literals and secrets out of the text of a query.
 *
 * Works on any bytes, complete statement or not: a scanner of SQL's tokens as
 * PostgreSQL and Greenplum know them, no grammar.  String constants of every
 * kind ('...', E'...', U&'...', B'...', X'...', $tag$...$tag$), numbers and
 * the bodies of COPY ... FROM stdin are replaced; comments go, as people write
 * anything there; what is left is spaced as it was, with runs of white space
 * as one space.  A token that is cut by the end of the text is masked to the
 * end.
 */
#ifndef GS_BASE_MASKTEXT_H
#define GS_BASE_MASKTEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/scan.h"

/* Appends the masked text to out. */
void masktext(const char *sql, size_t len, struct buf *out);

/* Who replaces names. */
struct masktext_names {
	/* Appends what stands for a name, which is a word; nothing: "?".  The
	 * name is as the catalog has it: without quotes, and in lower case
	 * where it had none.  Unicode escapes stay. */
	void (*put)(void *arg, struct span name, struct buf *out);
	void *arg;
	bool objects; /* the text is a name alone: no word is SQL's */
};

/* The same without names: all words that are neither SQL's own nor of the
 * catalogs (sqlwords.h), whether they are in quotes or not. */
void masktext_names(const char *sql, size_t len,
	const struct masktext_names *names, struct buf *out);

#endif
