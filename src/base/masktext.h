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

#include <stddef.h>

#include "base/buf.h"

/* Appends the masked text to out. */
void masktext(const char *sql, size_t len, struct buf *out);

#endif
