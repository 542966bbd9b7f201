/*
 * views_spill.c - the table of temporary files: by process, and what no
 * living process owns, by host.
 */
#include "base/compiler.h"
#include "metric/unit.h"
#include "model/diff.h"
#include "view/label_figures.h"
#include "view/labelcol.h"
#include "view/view_int.h"

static const struct cell absent = { .kind = CELL_ABSENT };

/* Rows about orphans have the host's own row as their subject. */
static struct cell of_host(const struct figure_env *v, unsigned col)
{
	const struct row *r = v->subject;
	struct unit_env env = diff_env(r->host);
	uint64_t n;

	if (!row_get(r, col, &n))
		return absent;
	return cell_real(unit_to_base(
	    (enum unit_id)metric_get(ENTITY_HOST, col)->unit, (int64_t)n,
	    &env));
}

/* What a process leaves behind when it ends is removed, or an orphan. */
static bool has_exited(const struct group *g)
{
	return g->row && g->row->closed == CLOSE_EXITED;
}

/* Of a process that is not seen any more, nobody knows. */
static struct cell at_the_end(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	if (!g->row || !g->row->closed)
		return figure_sum(v, f, g);
	return has_exited(g) ? cell_real(0) : absent;
}

static struct cell bytes(const struct figure_env *v, const struct figure *f,
	const struct group *g)
{
	return g ? at_the_end(v, f, g) : of_host(v, COL(HOST, SPILL_ORPHANS));
}

static struct cell files(const struct figure_env *v, const struct figure *f,
	const struct group *g)
{
	return g ? at_the_end(v, f, g)
	         : of_host(v, COL(HOST, SPILL_ORPHAN_FILES));
}

static struct cell operator(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	(void)f;
	return figure_text(v, g ? lens_label(g)->operator : "(orphans)");
}

static struct cell host(const struct figure_env *v, const struct figure *f,
	const struct group *g)
{
	const struct row *r = v->subject;

	return g ? labelcol_host(v, f, g) : figure_text(v, r->host->name);
}

static struct cell query(const struct figure_env *v, const struct figure *f,
	const struct group *g)
{
	const struct session *s = lens_label(g)->session;
	struct label n = { .query = s ? s->query : NULL };
	const struct group of = { .label = &n };

	return labelcol_query(v, f, &of);
}

static struct cell segment(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	const struct label *n = lens_label(g);
	const struct instance *i = n->postmaster
	    ? instances_find(figure_instances(v), n->host, n->postmaster)
	    : NULL;

	(void)f;
	return i && i->has_content ? cell_int(i->content) : absent;
}

static const struct figure spill[] = {
	SESSION_FIGURE,
	{ .col = { .name = "query", .title = "QUERY", .quantity = Q_TEXT,
	    .min_width = 120, .help = "query that the session runs now" },
	  .fn = query, .scale = 1 },
	SERVER_FIGURE,
	USER_FIGURE(80),
	{ .col = { .name = "host", .title = "HOST", .quantity = Q_TEXT,
	    .min_width = 80, .help = "host" },
	  .fn = host, .scale = 1, .alone = true },
	{ .col = { .name = "segment", .title = "SEG", .quantity = Q_ID,
	    .min_width = 80, .help = "segment; -1: the coordinator" },
	  .fn = segment, .scale = 1 },
	PID_FIGURE,
	{ .col = { .name = "state", .title = "STATE", .quantity = Q_TEXT,
	    .min_width = 120, .help = "as in processes" },
	  .fn = labelcol_process_state, .scale = 1 },
	{ .col = { .name = "operator", .title = "OPERATOR", .quantity = Q_TEXT,
	    .min_width = 80, .help = "operator that wrote most of it, where names of files tell; (orphans): files of no living process" },
	  .fn = operator, .scale = 1, .n_from = 1, .from = { COL(PROCESS, SPILL_OPERATOR) }, .alone = true },
	{ .col = { .name = "spill", .title = "SPILL", .quantity = Q_BYTES,
	    .min_width = 80, .help = "temporary files at the end; 0 of a process that has ended", .additive = true },
	  .fn = bytes, .scale = 1, .n_from = 1, .from = { COL(PROCESS, SPILL) }, .alone = true },
	{ .col = { .name = "spill_peak", .title = "PEAK", .quantity = Q_BYTES,
	    .min_width = 80, .help = "most at any tick" },
	  .fn = figure_peak, .scale = 1, .n_from = 1, .from = { COL(PROCESS, SPILL) } },
	{ .col = { .name = "files", .title = "FILES", .quantity = Q_COUNT,
	    .min_width = 80, .help = "number of files at the end", .additive = true },
	  .fn = files, .scale = 1, .n_from = 1, .from = { COL(PROCESS, SPILL_FILES) }, .alone = true },
};

static void list_spill(struct view_sink *to)
{
	const struct figure_env *v = view_env(to);
	const struct world *w = v->engine->world;
	uint64_t orphans;
	double peak;
	size_t i;

	for (i = 0; i < rollup_count(v->rollup); i++) {
		const struct group *g = rollup_get(v->rollup, i);

		if (!g->residual && group_peak(v->rollup, g,
		    COL(PROCESS, SPILL), &peak) && peak > 0)
			view_put(to, NULL, g);
	}
	for (i = 0; i < world_hosts(w); i++) {
		const struct row *r = host_row(world_host(w, i));

		if (r && row_get(r, COL(HOST, SPILL_ORPHANS), &orphans) &&
		    orphans > 0)
			view_put(to, r, NULL);
	}
}

static const struct view_rows rows = { .list = list_spill };

const struct view view_spill = {
	.name = "spill",
	.help = "temporary files by process; those of none, by host",
	.lens = LENS_ROW,
	.entity = ENTITY_PROCESS,
	.figure = spill,
	.n_figure = GS_LEN(spill),
	.sort = "spill,spill_peak",
	.rows = &rows,
	.groups = true,
};
