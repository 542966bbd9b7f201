/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode.h - turns query results into rows.  Each column of a result has the
 * name of its metric, or its name in pg_stat_activity.  A time may be in the
 * server's format (DateStyle ISO).
 */
#ifndef GS_PG_DECODE_H
#define GS_PG_DECODE_H

#include <libpq-fe.h>

#include "base/buf.h"
#include "pg/catalog_options.h"
#include "pg/rowset.h"

/* Bytes of a text that are kept; for query texts the options set the limit. */
#define DECODE_TEXT_MAX 1024

struct decode {
	struct rowset *rowset;
	enum entity_id entity;
	uint32_t part;
	size_t limit; /* rows */
	enum query_text query_text;
	size_t query_text_size;
	struct buf *scratch;
	bool coordinator; /* the rows are its backends: content is -1 */
	bool born; /* new rows began after the answer before */
	/* Called with each row before it is put; may add cells; was.val is
	 * NULL for a new row.  May be NULL. */
	void (*each)(void *arg, struct cells was, struct cells now);
	void *arg;
};

/* Replaces the rows of that part of the entity.  Returns how many there are
 * now; *ret_cut is how many more the result had.  Unknown columns and invalid
 * values are left out. */
size_t decode_rows(const struct decode *t, const PGresult *r, size_t *ret_cut);

/* Length of text cut to at most max bytes, at the end of a character. */
size_t decode_cut(struct span text, size_t max);

#endif
