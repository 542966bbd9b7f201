/* SPDX-License-Identifier: Apache-2.0 */
#include "view/work_counts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "query/grouping.h"

/* What is counted once. */
struct item {
	uintptr_t of;
	int64_t number;
};

/* False: the process is part of none. */
typedef bool (*item_fn)(const struct proc *p, struct item *ret);

static int by_item(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static size_t distinct(struct item *item, size_t n)
{
	size_t i, kept = 0;

	if (n > 1)
		qsort(item, n, sizeof(*item), by_item);
	for (i = 0; i < n; i++)
		kept += i == 0 || by_item(&item[i - 1], &item[i]) != 0;
	return kept;
}

/* Exited children are of no session any more; threads are counted by their
 * processes. */
static struct cell count(const struct figure_env *v, const struct group *g,
	item_fn fn)
{
	struct group_rows rows = figure_rows(v, g);
	struct item *item;
	size_t i, n = 0;

	if (g->residual || !v->cache)
		return (struct cell) { .kind = CELL_ABSENT };
	item = gs_calloc(rows.n + 1, sizeof(*item));
	for (i = 0; i < rows.n; i++) {
		const struct proc *p = sessions_proc(v->engine->sessions,
		    rows.row[i].row);

		n += p && p->session && p->session->kind != SESSION_OS &&
		    !p->session->own && fn(p, &item[n]);
	}
	n = distinct(item, n);
	free(item);
	return cell_int((int64_t)n);
}

static bool item_session(const struct proc *p, struct item *ret)
{
	*ret = (struct item) { .of = (uintptr_t)p->session };
	return true;
}

static bool item_active(const struct proc *p, struct item *ret)
{
	return p->session->class != SESSION_OTHER && item_session(p, ret);
}

static bool item_segment(const struct proc *p, struct item *ret)
{
	*ret = (struct item) { p->server, p->title.seg };
	return p->title.has_seg && p->title.seg >= 0;
}

static bool item_slice(const struct proc *p, struct item *ret)
{
	*ret = (struct item) { (uintptr_t)p->session, p->title.slice };
	return p->title.has_slice;
}

struct cell work_sessions(FIGURE_ARGS)
{
	return count(v, g, item_session);
}

struct cell work_active_sessions(FIGURE_ARGS)
{
	return count(v, g, item_active);
}

struct cell work_segments(FIGURE_ARGS)
{
	return count(v, g, item_segment);
}

struct cell work_slices(FIGURE_ARGS)
{
	return count(v, g, item_slice);
}
