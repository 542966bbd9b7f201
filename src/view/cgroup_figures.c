/* SPDX-License-Identifier: Apache-2.0 */
#include "view/cgroup_figures.h"

#include <string.h>

#include "base/scan.h"
#include "query/grouping.h"

static const struct cell absent = { .kind = CELL_ABSENT };

static bool take(struct span *path, const char *name)
{
	if (!span_starts(*path, name))
		return false;
	path->ptr += strlen(name);
	return true;
}

bool resgroup_number(struct span path, uint64_t *ret, bool *ret_top)
{
	uint64_t v;

	if (!take(&path, "/gpdb/") && !take(&path, "/gpdb.service/"))
		return false;
	if (!scan_u64(&path, &v) ||
	    !(span_empty(path) || span_starts(path, "/")))
		return false;
	*ret = v;
	*ret_top = span_empty(path);
	return true;
}

const struct row *resgroup_row(const struct world *w, uint64_t number)
{
	const struct row *found = NULL;
	const struct host *h;
	size_t i, k;

	for (i = 0; (h = world_catalog(w, i)) != NULL; i++) {
		const struct table *t = &h->table[ENTITY_GROUP];

		for (k = 0; k < t->n_slot; k++) {
			uint64_t oid;

			if (!t->slot[k] || !row_get(t->slot[k],
			    COL(GROUP, OID), &oid) || oid != number)
				continue;
			if (found)
				return NULL;
			found = t->slot[k];
		}
	}
	return found;
}

struct cell cgroup_quota(FIGURE_ARGS)
{
	uint64_t most, period;

	if (!g->row || !row_peek(g->row, f->from[0], &most))
		return absent;
	if (most == METRIC_MAX)
		return cell_max();
	if (!row_peek(g->row, f->from[1], &period) || period == 0)
		return absent;
	return cell_real(100.0 * (double)most / (double)period);
}

struct cell cgroup_resource_group(FIGURE_ARGS)
{
	const char *path = grouping_label(g)->name;
	const struct world *w = v->engine->world;
	const struct row *r = NULL;
	struct span text;
	uint64_t number;
	bool top;

	if (path && resgroup_number(span_str(path), &number, &top))
		r = resgroup_row(w, number);
	if (!r)
		return absent;
	text = row_text(w, r, COL(GROUP, NAME));
	return span_empty(text) ? absent
	    : cell_text(grid_text(v->grid, text.ptr, span_len(text)));
}
