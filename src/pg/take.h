/* SPDX-License-Identifier: Apache-2.0 */
/*
 * take.h - results of queries become rows: each column of a result is named
 * like the metric that it is, or as pg_stat_activity calls it.  A time may come
 * as the server writes it (DateStyle ISO).
 */
#ifndef GS_PG_TAKE_H
#define GS_PG_TAKE_H

#include <libpq-fe.h>

#include "base/buf.h"
#include "pg/catalog.h"
#include "pg/rowset.h"

/* Bytes of a text that are kept; of the text of a query, as the options
 * say. */
#define TAKE_TEXT_MAX 1024

struct take {
	struct rowset *rowset;
	enum entity_id entity;
	uint32_t part;
	size_t limit; /* rows */
	enum query_text query_text;
	size_t query_text_size;
	struct buf *scratch;
	bool coordinator; /* backends of it, whose content is -1 */
	/* Sees each row before it is put, may add cells; was.val is NULL for
	 * a new row.  May be NULL. */
	void (*each)(void *arg, struct cells was, struct cells now);
	void *arg;
};

/* Replaces the rows of that part of the entity.  Returns how many there are
 * now; *ret_cut is how many more the result had.  Columns of other names, and
 * values that are none of the metric, are left out. */
size_t take_rows(const struct take *t, const PGresult *r, size_t *ret_cut);

/* Bytes of text that make at most max, at the edge of a character. */
size_t take_cut(struct span text, size_t max);

#endif
