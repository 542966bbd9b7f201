/* SPDX-License-Identifier: Apache-2.0 */
#include "diff/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "diff/only_hosts.h"
#include "view/report.h"

static int take_tables(void *ctx, const struct engine *e)
{
	struct reading *r = ctx;
	const struct show_source *src = r->side->src;
	size_t i;

	for (i = 0; i < r->n; i++)
		r->grid[i] = view_grid(r->use[i], e);
	src->head(src->ctx, &r->report);
	report_fill(&r->report, e, &r->side->range, src->last_ns, &src->zone);
	report_drop_marks(&r->report);
	return 0;
}

static void open_views(struct reading *r, struct ask *const *ask, size_t n)
{
	size_t i;

	r->n = n;
	r->use = gs_calloc(n + 1, sizeof(*r->use));
	r->grid = gs_calloc(n + 1, sizeof(*r->grid));
	for (i = 0; i < n; i++)
		r->use[i] = view_open(ask_view(ask[i]), &r->engine,
		    ask_of_view(ask[i]));
}

/* ---- host and segment --------------------------------------------------- */

static int no_host(const struct reading *r, struct gs_err *err)
{
	const struct header *h = r->side->header;
	struct buf names = BUF_INIT;
	size_t i;

	for (i = 0; i < h->n_host; i++) {
		if (!h->host[i].catalog)
			buf_printf(&names, "%s%s", names.len ? ", " : "",
			    h->host[i].name);
	}
	(void)gs_fail(err, GS_E_USAGE, "--host %.60s: no such host among %s",
	    r->side->host, buf_str(&names));
	buf_release(&names);
	return GS_E_USAGE;
}

static int check_host(const struct reading *r, struct gs_err *err)
{
	size_t i;

	if (!r->side->host)
		return GS_OK;
	for (i = 0; i < r->report.n_host; i++) {
		if (strcmp(r->report.host[i], r->side->host) == 0)
			return GS_OK;
	}
	return no_host(r, err);
}

static bool is_text(const struct cell *c, const char *text)
{
	char number[32];

	if (c->kind == CELL_TEXT)
		return span_eq(cell_span(c), text);
	(void)snprintf(number, sizeof(number), "%lld", (long long)c->i);
	return c->kind == CELL_INT && strcmp(number, text) == 0;
}

static size_t keep_segment(struct grid *g, const char *segment)
{
	int col = grid_find_col(g, "segment", strlen("segment"));
	size_t i, n = 0;

	for (i = 0; col >= 0 && i < g->n_row; i++) {
		if (is_text(&g->row[i].cell[col], segment))
			g->row[n++] = g->row[i];
	}
	g->n_row = g->n_total = n;
	return n;
}

static int keep_segments(struct reading *r, struct gs_err *err)
{
	size_t i, n = 0;

	if (!r->side->segment)
		return GS_OK;
	for (i = 0; i < r->n; i++)
		n += keep_segment(r->grid[i], r->side->segment);
	return n > 0 ? GS_OK : gs_fail(err, GS_E_USAGE,
	    "--segment %.60s: nothing in this range is of such a segment",
	    r->side->segment);
}

/* ---- the pass ----------------------------------------------------------- */

static int pass(struct reading *r, struct gs_err *err)
{
	const struct diff_side *s = r->side;
	struct only_hosts *only = s->host
	    ? only_hosts_new(s->src->cursor, &s->host, 1) : NULL;
	struct cursor c = only ? only_hosts_cursor(only) : s->src->cursor;
	struct range_result res = { 0 };
	int status = range_run(&s->range, c, &r->engine, take_tables, r, &res,
	    err);

	only_hosts_free(only);
	r->n_holes = res.n_holes;
	if (status == GS_OK && !res.any)
		status = report_nothing(&s->range, &res.hole, &s->src->zone,
		    s->src->first_ns, s->src->last_ns, err);
	return status;
}

int reading_run(struct reading *r, const struct diff_side *side, char letter,
	struct ask *const *ask, size_t n, struct gs_err *err)
{
	int status;

	*r = (struct reading) { .side = side, .letter = letter };
	engine_init(&r->engine, side->src->interval_ns);
	open_views(r, ask, n);
	status = pass(r, err);
	if (status == GS_OK)
		status = check_host(r, err);
	if (status == GS_OK)
		status = keep_segments(r, err);
	if (status < 0)
		gs_err_prefix(err, "%c", letter);
	return status;
}

void reading_release(struct reading *r)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		grid_free(r->grid[i]);
		view_close(r->use[i]);
	}
	free(r->grid);
	free(r->use);
	report_release(&r->report);
	engine_release(&r->engine);
	*r = (struct reading) { .n = 0 };
}
