/* SPDX-License-Identifier: Apache-2.0 */
#include "view/show_baseline.h"

#include <stdio.h>

#include "base/compiler.h"
#include "base/when.h"
#include "query/compare.h"
#include "view/report.h"

struct reading {
	struct baseline *b;
	struct view_use *use;
	const struct show_source *src;
	const struct range *range;
};

static int add_table(void *ctx, const struct engine *e)
{
	struct reading *u = ctx;

	u->b->grid = view_grid_last(u->use, e);
	report_fill(&u->b->report, e, u->range, u->src->last_ns,
	    &u->src->zone);
	report_drop_marks(&u->b->report); /* not needed */
	return 0;
}

static int read_table(struct baseline *b, const struct show_source *src,
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
		status = report_nothing(&whole, &res.hole, &src->zone,
		    src->first_ns, src->last_ns, err);
	if (status < 0)
		gs_err_prefix(err, "--baseline");
	view_close(use);
	engine_release(&e);
	return status;
}

int baseline_read(struct baseline *b, const struct show_source *src,
	const struct ask *ask, const struct range *r, struct gs_err *err)
{
	int status;

	do
		status = read_table(b, src, ask, r, err);
	while (status == GS_E_AGAIN);
	return status;
}

bool baseline_overlaps(const struct baseline *b, int64_t from_ns,
	int64_t to_ns)
{
	return b->grid && b->report.from_ns < to_ns &&
	    from_ns < b->report.to_ns;
}

/* Fewer samples: fewer digits. */
static void note_intervals(const struct baseline *b, struct report *rep)
{
	char was[WHEN_SPAN_MAX], now[WHEN_SPAN_MAX], text[160];

	if (b->report.interval_ns == rep->interval_ns)
		return;
	when_span(was, b->report.interval_ns);
	when_span(now, rep->interval_ns);
	(void)snprintf(text, sizeof(text), "ticks are every %s, those of the "
	    "baseline every %s: what comes and goes between them was seen "
	    "differently", now, was); /* fits */
	report_add_note(rep, text);
}

/* A part of the range is compared with itself. */
static void note_overlap(const struct baseline *b, struct report *rep)
{
	char span[WHEN_SPAN_MAX], text[100];

	if (!baseline_overlaps(b, rep->from_ns, rep->to_ns))
		return;
	when_age(span, (double)(GS_MIN(rep->to_ns, b->report.to_ns) -
	    GS_MAX(rep->from_ns, b->report.from_ns)) / 1e9);
	(void)snprintf(text, sizeof(text), "%s of the range are of the "
	    "baseline, too", span); /* fits */
	report_add_note(rep, text);
}

void baseline_tell(const struct baseline *b, struct report *rep)
{
	if (!b->grid)
		return;
	rep->baseline = &b->report;
	note_intervals(b, rep);
	note_overlap(b, rep);
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
		.width = ask_of_view(ask)->compared_width,
		.normalize = ask_of_view(ask)->normal.on };
	int r = compare_grids(g, b->grid, &how, ret, err);

	if (r < 0)
		gs_err_prefix(err, "--baseline");
	return r;
}
