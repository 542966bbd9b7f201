/* SPDX-License-Identifier: Apache-2.0 */
#include "view/uncollected.h"

#include <string.h>

#include "view/view_int.h"

/* name: as in --collect. */
static const struct collected {
	const char *view, *name;
	const char *why; /* it is not there */
	bool grows; /* figures are differences of two answers */
} all[] = {
	{ "pgstatements", "pgstatements",
	    "the database that the recorder was connected to had no extension "
	    "pg_stat_statements (it takes shared_preload_libraries, a restart, and "
	    "CREATE EXTENSION), or --collect left it out", true },
	{ "workfiles", "workfiles",
	    "Greenplum and Cloudberry have it, with record --collect +workfiles",
	    false },
	{ "vmems", "vmem",
	    "Greenplum and Cloudberry have it, if --collect does not leave it out",
	    false },
	{ "replicas", "replication", "--collect left out replication", false },
	{ "databases", "databases", "the server was not asked for it: --collect "
	    "left it out, or the recorder's version does not know it", false },
	{ "wal", "wal", "the server was not asked for it: --collect left it out, "
	    "or the recorder's version does not know it", false },
	{ "slots", "slots", "the server was not asked for it: --collect left it "
	    "out, or the recorder's version does not know it", false },
	{ "progress", "progress", "the server was not asked for it: --collect "
	    "left it out, or the recorder's version does not know it", false },
};

static const struct collected *collected_of(const struct view *v)
{
	size_t i;

	for (i = 0; i < GS_LEN(all); i++) {
		if (strcmp(all[i].view, v->name) == 0)
			return &all[i];
	}
	return NULL;
}

/* The row of a collector; ret_any: the catalog has some. */
static const struct row *find(const struct world *w, const struct host *c,
	const char *name, bool *ret_any)
{
	const struct table *t = &c->table[ENTITY_COLLECTOR];
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		const struct row *r = t->slot[i];

		*ret_any |= r != NULL;
		if (r && span_eq(row_text(w, r, COL(COLLECTOR, NAME)), name))
			return r;
	}
	return NULL;
}

/* Answers so far, if these are too few for figures. */
static void note_rare(const struct collected *c, const struct row *r,
	struct buf *to)
{
	uint64_t runs = 0, period_ms = 0;

	(void)row_get(r, COL(COLLECTOR, RUNS), &runs); /* absent counts as 0 */
	(void)row_get(r, COL(COLLECTOR, PERIOD), &period_ms);
	if (runs == 0)
		buf_printf(to, "%s: the server has not answered yet, or refused "
		    "it: gpsnap info says why", c->view);
	else if (runs == 1)
		buf_printf(to, "%s: the server has answered once: figures are "
		    "what grew between two answers, which are %.0fs apart",
		    c->view, (double)period_ms / 1000);
}

/* The row of the collector of a view, of any server.  ret_any: as of find(). */
static const struct row *collector(const struct engine *e,
	const struct collected *c, bool *ret_any)
{
	const struct row *r = NULL;
	const struct host *h;
	size_t i;

	*ret_any = false;
	for (i = 0; !r && (h = world_catalog(e->world, i)) != NULL; i++)
		r = find(e->world, h, c->name, ret_any);
	return r;
}

bool uncollected_note(const struct engine *e, const struct view *v,
	struct buf *to)
{
	const struct collected *c = collected_of(v);
	bool any;

	if (!c || collector(e, c, &any) || !any)
		return false;
	buf_printf(to, "%s: not recorded: %s", c->view, c->why);
	return true;
}

bool uncollected_rare_note(const struct engine *e, const struct view *v,
	struct buf *to)
{
	const struct collected *c = collected_of(v);
	const struct row *r;
	size_t before = to->len;
	bool any;

	if (!c || !c->grows)
		return false;
	r = collector(e, c, &any);
	if (r)
		note_rare(c, r, to);
	return to->len > before;
}
