/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare_nested.c - which row of a comparison is part of which: by its keys,
 * since its parts may be of another range.
 */
#include <stdlib.h>
#include <uthash.h>

#include "base/buf.h"
#include "base/mem.h"
#include "query/compare_int.h"

struct named {
	char *keys;
	size_t nest;
	UT_hash_handle hh;
};

/* The first `level` keys of a row. */
static void name(struct buf *b, const struct grid *g,
	const struct grid_row *row, unsigned level)
{
	size_t i;

	buf_reset(b);
	for (i = 0; i < g->n_col; i++) {
		const struct cell *c = &row->cell[i];
		bool text = c->kind == CELL_TEXT;
		uint64_t len = text ? c->len : 0;

		if (g->col[i].key == 0 || g->col[i].key > level)
			continue;
		buf_add_char(b, text ? 't' : '-');
		buf_add(b, &len, sizeof(len));
		if (text)
			buf_add(b, c->text, len);
	}
}

static void add(struct named **all, const struct buf *keys, size_t nest)
{
	struct named *n = gs_calloc(1, sizeof(*n));

	n->keys = gs_strndup(buf_str(keys), keys->len);
	n->nest = nest;
	HASH_ADD_KEYPTR(hh, *all, n->keys, keys->len, n);
}

void compare_nest(struct grid *g)
{
	struct named *all = NULL, *n, *tmp;
	struct buf keys = BUF_INIT;
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		name(&keys, g, &g->row[i], g->row[i].level);
		g->row[i].nest = i + 1;
		add(&all, &keys, i + 1);
	}
	for (i = 0; i < g->n_row; i++) {
		name(&keys, g, &g->row[i], g->row[i].level - 1);
		n = NULL;
		HASH_FIND(hh, all, buf_str(&keys), keys.len, n);
		g->row[i].above = n ? n->nest : 0;
	}
	HASH_ITER (hh, all, n, tmp) {
		HASH_DEL(all, n);
		free(n->keys);
		free(n);
	}
	buf_release(&keys);
}
