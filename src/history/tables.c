/* SPDX-License-Identifier: Apache-2.0 */
#include "history/tables.h"

#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"

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
	while (!span_empty(all)) {
		bool any = false;

		if (!scan_until(&all, ',', &word)) {
			word = all;
			all.ptr = all.end;
		}
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

struct grid *history_columns(const struct history_table *t)
{
	static const struct view_ask all = VIEW_ASK_INIT;

	return view_columns(view_find(t->name), &all);
}
