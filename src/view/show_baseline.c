/* SPDX-License-Identifier: Apache-2.0 */
#include "view/show_baseline.h"

#include "query/compare.h"
#include "view/report.h"

struct reading {
	struct baseline *b;
	const struct view_use *use;
	const struct show_source *src;
	const struct range *range;
};

static int add_table(void *ctx, const struct engine *e)
{
	struct reading *u = ctx;

	u->b->grid = view_grid(u->use, e);
	report_fill(&u->b->report, e, u->range, u->src->last_ns,
	    &u->src->zone);
	report_drop_marks(&u->b->report); /* not needed */
	return 0;
}

int baseline_read(struct baseline *b, const struct show_source *src,
	const struct ask *ask, const struct range *r, struct gs_err *err)
{
	struct range whole = { r->from_ns, r->to_ns, 0 };
	struct reading u = { .b = b, .src = src, .range = &whole };
	struct range_result res;
	struct view_use *use;
	struct engine e;
	int status;

	engine_init(&e, src->interval_ns);
	e.leaps = src->leaps && ask_leaps(ask);
	e.gists = src->leaps && ask_takes_gists(ask);
	use = view_open(ask_view(ask), &e, ask_of_view(ask));
	u.use = use;
	status = range_run(&whole, src->cursor, &e, add_table, &u, &res, err);
	if (status == GS_OK && !b->grid)
		status = report_nothing(&whole, &src->zone, src->first_ns,
		    src->last_ns, err);
	if (status < 0)
		gs_err_prefix(err, "--baseline");
	view_close(use);
	engine_release(&e);
	return status;
}

void baseline_release(struct baseline *b)
{
	report_release(&b->report);
	grid_free(b->grid);
	*b = (struct baseline) { NULL, { 0 } };
}

int baseline_compare(const struct baseline *b, const struct ask *ask,
	const struct grid *g, struct grid **ret, struct gs_err *err)
{
	const struct view *v = ask_view(ask);
	size_t n_key = ask_of_view(ask)->n_key;
	struct compare_ask how = { .view = view_name(v), .n_key = n_key,
		.sort = n_key ? view_group_sort(v)
		              : view_default_sort(v),
		.fixed = view_is_fixed(v),
		.nested = ask_of_view(ask)->nested,
		.normalize = ask_of_view(ask)->normal.on };
	int r = compare_grids(g, b->grid, &how, ret, err);

	if (r < 0)
		gs_err_prefix(err, "--baseline");
	return r;
}
