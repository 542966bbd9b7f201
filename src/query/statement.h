/* SPDX-License-Identifier: Apache-2.0 */
/*
 * statement.h - statements: queries of one shape.
 *
 * Queries are of one statement if the server's query ids are equal; without
 * these, if their shapes are (base/sqlshape.h).
 */
#ifndef GS_QUERY_STATEMENT_H
#define GS_QUERY_STATEMENT_H

#include "analysis/sessions.h"

struct statement {
	uint64_t key; /* differs from that of any other */
	char *text; /* shape of the first text that was seen; never "" */
	bool has_id;
	int64_t id; /* the server's query id */
};

/* The statements of a recording, as far as they were asked for.  There are at
 * most STATEMENTS_MAX; all further ones are "(others)". */
#define STATEMENTS_MAX 16384u

struct statements;

struct statements *statements_new(void);
void statements_free(struct statements *s);

/* The statement of a query that is not mixed; NULL: neither text nor id are known.
 * All results are valid until statements_free(). */
const struct statement *statement_of_query(struct statements *s,
	const struct query *q);

/* The statement that the session runs, or ran last; NULL: not known. */
const struct statement *statement_of_session(struct statements *s,
	const struct session *n);

/* The statement that stands for what the session did in the last tick: the one
 * that it runs; else the last one, if it began in this tick.  NULL: none is
 * known. */
const struct statement *statement_of_tick(struct statements *s,
	const struct world *w, const struct session *n);

#endif
