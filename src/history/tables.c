/* SPDX-License-Identifier: Apache-2.0 */
#include "history/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/mem.h"

const struct history_table history_tables[] = {
	{ "sessions", "session", true, "work of sessions" },
	{ "queries", "session", true, "work of queries" },
	{ "processes", "session", false, "work of processes" },
	{ "segments", "host", true, "work of segments" },
	{ "skew", "session", true, "balance of queries over segments" },
	{ "spill", "session", true, "spill files of queries" },
	{ "connections", NULL, true, "connections and their limits" },
	{ "hosts", "host", true, "CPU, memory, network of hosts" },
	{ "disks", "host", true, "block devices" },
	{ "nets", "host", true, "network interfaces" },
	{ "filesystems", "host", true, "file systems with data" },
	{ "system_event", NULL, true, "what backends waited for" },
	{ "session_event", NULL, true, "what each backend waited for" },
	{ "query_event", NULL, true, "what each query waited for" },
	{ "events", NULL, true, "what happened: hosts that came and went, "
	    "holes, marks, restarts" },
	{ "cgroup_io", "host", false, "what control groups read and write on "
	    "each device" },
};

const size_t n_history_tables = GS_LEN(history_tables);

_Static_assert(GS_LEN(history_tables) <= 64, "a bit for each");

static int no_table(struct span word, struct gs_err *err)
{
	struct buf names = BUF_INIT;
	size_t i;

	for (i = 0; i < n_history_tables; i++)
		buf_printf(&names, "%s, ", history_tables[i].name);
	(void)gs_fail(err, GS_E_USAGE, "no table %.*s; there are:\n%sall",
	    (int)GS_MIN(span_len(word), (size_t)60), word.ptr,
	    buf_str(&names));
	buf_release(&names);
	return GS_E_USAGE;
}

int history_choose(const char *list, uint64_t *ret, struct gs_err *err)
{
	struct span all = span_str(list ? list : ""), word;
	uint64_t bits = 0;
	size_t i;

	for (i = 0; !list && i < n_history_tables; i++)
		bits |= (uint64_t)history_tables[i].usual << i;
	while (scan_item(&all, ',', &word)) {
		bool any = false;

		for (i = 0; i < n_history_tables; i++) {
			if (!span_eq(word, history_tables[i].name) &&
			    !span_eq(word, "all"))
				continue;
			bits |= UINT64_C(1) << i;
			any = true;
		}
		if (!any)
			return no_table(word, err);
	}
	if (bits == 0)
		return gs_fail(err, GS_E_USAGE, "expected names of tables");
	*ret = bits;
	return GS_OK;
}

/* ---- metrics ----------------------------------------------------------- */

static const struct view_ask plain = VIEW_ASK_INIT;

struct history_metrics {
	struct of_table {
		struct view_ask ask;
		struct view_metric *metric; /* of ask; owned */
		size_t cap;
	} table[GS_LEN(history_tables)];
};

/* A column has the full name of its metric only if the view has a column with
 * the short name. */
static bool has_column(const struct view *v, const char *name)
{
	struct grid *g = view_columns(v, &plain);
	bool found = false;
	size_t i;

	for (i = 0; i < g->n_col; i++)
		found |= strcmp(g->col[i].name, name) == 0;
	grid_free(g);
	return found;
}

static bool has_metric(const struct view_ask *ask, const struct metric *m)
{
	size_t i;

	for (i = 0; i < ask->n_metric; i++) {
		if (ask->metric[i].metric == m)
			return true;
	}
	return false;
}

static int add_metric(struct history_metrics *m, struct span word,
	struct gs_err *err)
{
	struct view_metric one = { 0 };
	bool any = false;
	size_t i;

	for (i = 0; i < GS_LEN(history_tables); i++) {
		const struct view *v = view_find(history_tables[i].name);
		struct of_table *t = &m->table[i];

		if (!view_find_metric(v, word.ptr, span_len(word), &one) ||
		    !one.full)
			continue;
		any = true;
		if (has_metric(&t->ask, one.metric))
			continue;
		one.full = has_column(v, one.metric->name);
		GS_GROW(t->metric, &t->cap, t->ask.n_metric + 1);
		t->metric[t->ask.n_metric++] = one;
		t->ask.metric = t->metric;
	}
	if (!any)
		return gs_fail(err, GS_E_USAGE, "expected KIND.METRIC of a "
		    "kind that a table is made of, such as process.pss, got "
		    "%.*s", (int)GS_MIN(span_len(word), (size_t)60),
		    word.ptr);
	return GS_OK;
}

int history_metrics_new(const char *list, struct history_metrics **ret,
	struct gs_err *err)
{
	struct history_metrics *m = gs_calloc(1, sizeof(*m));
	struct span all = span_str(list ? list : ""), word;
	size_t i;
	int r = GS_OK;

	for (i = 0; i < GS_LEN(history_tables); i++)
		m->table[i].ask = plain;
	while (r == GS_OK && list && grid_next_name(&all, &word))
		r = add_metric(m, word, err);
	if (r < 0)
		history_metrics_free(m);
	else
		*ret = m;
	return r;
}

void history_metrics_free(struct history_metrics *m)
{
	size_t i;

	for (i = 0; m && i < GS_LEN(history_tables); i++)
		free(m->table[i].metric);
	free(m);
}

const struct view_ask *history_ask(const struct history_metrics *m, size_t i)
{
	return m ? &m->table[i].ask : &plain;
}

struct grid *history_columns(const struct history_metrics *m, size_t i)
{
	return view_columns(view_find(history_tables[i].name),
	    history_ask(m, i));
}
