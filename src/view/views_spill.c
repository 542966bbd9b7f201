/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_spill.c - the table of temporary files: by process, and files without a
 * living process, by host.
 */
#include "base/compiler.h"
#include "metric/unit.h"
#include "model/diff.h"
#include "query/columns.h"
#include "query/labelcol.h"
#include "view/label_figures.h"
#include "view/view_int.h"

static const struct cell absent = { .kind = CELL_ABSENT };

/* The subject of rows of orphans is the host's own row. */
static struct cell of_host(const struct figure_env *v, unsigned col)
{
	const struct row *r = v->subject;
	struct unit_env env = diff_env(r->host);
	uint64_t n;

	if (!row_get(r, col, &n))
		return absent;
	return cell_real(metric_in_base(metric_get(ENTITY_HOST, col), n, &env));
}

/* Files of an ended process are removed, or orphans. */
static bool has_exited(const struct group *g)
{
	return g->row && g->row->closed == CLOSE_EXITED;
}

/* Unknown for a process that is not seen any more. */
static struct cell at_the_end(FIGURE_ARGS)
{
	if (!g->row || !g->row->closed)
		return figure_sum(v, f, g);
	return has_exited(g) ? cell_real(0) : absent;
}

static struct cell bytes(FIGURE_ARGS)
{
	return g ? at_the_end(v, f, g) : of_host(v, COL(HOST, SPILL_ORPHANS));
}

static struct cell files(FIGURE_ARGS)
{
	return g ? at_the_end(v, f, g)
	         : of_host(v, COL(HOST, SPILL_ORPHAN_FILES));
}

static struct cell operator(FIGURE_ARGS)
{
	return figure_text(v, g ? grouping_label(g)->operator : "(orphans)");
}

static struct cell host(FIGURE_ARGS)
{
	const struct row *r = v->subject;

	return g ? labelcol_host(v, f, g) : figure_text(v, r->host->name);
}

static struct cell query(FIGURE_ARGS)
{
	const struct session *s = grouping_label(g)->session;
	struct label n = { .query = s ? s->query : NULL };
	const struct group of = { .label = &n };

	return labelcol_query(v, f, &of);
}

static struct cell segment(FIGURE_ARGS)
{
	const struct label *n = grouping_label(g);
	const struct instance *i = n->postmaster
	    ? instances_find(figure_instances(v), n->host, n->postmaster)
	    : NULL;

	return i && i->has_content ? cell_int(i->content) : absent;
}

static const struct figure spill[] = {
	SESSION_FIGURE,
	COLUMN("query", "QUERY", Q_TEXT, 120, "query that the session runs now", BY(query)),
	SERVER_FIGURE,
	USER_FIGURE(80),
	COLUMN("host", "HOST", Q_TEXT, 80, "host", ALONE(host)),
	COLUMN("segment", "SEG", Q_ID, 80, "segment; -1: the coordinator", BY(segment)),
	PID_FIGURE,
	COLUMN("state", "STATE", Q_TEXT, 120, "as in processes", BY(labelcol_process_state), VARIES),
	COLUMN("operator", "OPERATOR", Q_TEXT, 80,
	    "operator that wrote most of it, if file names show it; (orphans): files of no living process",
	    ALONE(operator), FROM(PROCESS, SPILL_OPERATOR)),
	COLUMN("spill", "SPILL", Q_BYTES, 80,
	    "temporary files at the end; 0 of a process that has ended",
	    ALONE(bytes), FROM(PROCESS, SPILL), ADDS),
	COLUMN("spill_peak", "PEAK", Q_BYTES, 80, "highest sum at any tick", PEAK(PROCESS, SPILL)),
	COLUMN("files", "FILES", Q_COUNT, 80, "number of files at the end",
	    ALONE(files), FROM(PROCESS, SPILL_FILES), ADDS),
};

static bool has_spilled(const struct rollup *r, const struct group *g)
{
	double peak;

	return !g->residual && group_peak(r, g, COL(PROCESS, SPILL), &peak) &&
	    peak > 0;
}

static void list_spill(struct view_sink *to)
{
	const struct figure_env *v = view_env(to);
	const struct world *w = v->engine->world;
	uint64_t orphans;
	size_t i;

	for (i = 0; i < rollup_count(v->rollup); i++) {
		const struct group *g = rollup_get(v->rollup, i);

		if (has_spilled(v->rollup, g))
			view_put(to, NULL, g);
	}
	for (i = 0; i < world_hosts(w); i++) {
		const struct row *r = host_row(world_host(w, i));

		if (r && row_get(r, COL(HOST, SPILL_ORPHANS), &orphans) &&
		    orphans > 0)
			view_put(to, r, NULL);
	}
}

static const struct view_rows rows = { .list = list_spill,
	.needs = has_spilled };

ROW_VIEW(spill, PROCESS, "temporary files by process; files without a process, by host",
    "spill,spill_peak", .rows = &rows, .groups = true);
