/* SPDX-License-Identifier: Apache-2.0 */
/*
 * masktext.h - removes literals and secrets from the text of a query.
 *
 * Works on any bytes, even an incomplete statement: a scanner of SQL tokens as
 * PostgreSQL and Greenplum define them, without a grammar.  String constants
 * of every kind ('...', E'...', U&'...', B'...', X'...', $tag$...$tag$),
 * numbers with their signs and the bodies of COPY ... FROM stdin are replaced;
 * comments are
 * removed, since they may hold anything; a run of white space becomes one
 * space.  A token that is cut by the end of the text is masked to the end.
 */
#ifndef GS_BASE_MASKTEXT_H
#define GS_BASE_MASKTEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/scan.h"

/* Appends the masked text to out. */
void masktext(const char *sql, size_t len, struct buf *out);

/* Replaces names. */
struct masktext_names {
	/* Appends the replacement of a name, which is a word; if it appends
	 * nothing, "?" is used.  The name is as the catalog has it: without
	 * quotes, and in lower case if it was unquoted.  Unicode escapes
	 * stay. */
	void (*put)(void *arg, struct span name, struct buf *out);
	void *arg;
	bool objects; /* the text is only a name: no word is a keyword */
};

/* The same, and replaces names: all words, quoted or not, that are neither SQL
 * keywords nor names of the catalogs (sqlwords.h). */
void masktext_names(const char *sql, size_t len,
	const struct masktext_names *names, struct buf *out);

#endif
