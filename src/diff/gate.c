/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gate.c - whether a condition holds for some row: --fail-if.
 *
 * With a kind of row before its columns ("process.cpu_ratio > 2") it is about
 * the table of that view, in the groups of its section, else about the only
 * table there is.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "diff/diff_int.h"
#include "query/filter.h"
#include "query/view_key.h"
#include "render/cell.h"
#include "view/find.h"

#define SHOWN_MAX 10

static void note_prefix(void *ctx, struct span name)
{
	struct span key;

	*(bool *)ctx |= scan_until(&name, '.', &key);
}

static bool has_prefix(const char *text)
{
	bool has = false;

	filter_names(text, note_prefix, &has);
	return has;
}

int gate_choose(struct diff *d, struct gs_err *err)
{
	const char *text = d->o->fail_if, *view;
	const char *only = d->n == 1 ? d->section[0].words.view : NULL;
	size_t i;
	int r = find_view(text, has_prefix(text) ? NULL : only, &view, err);

	if (r < 0) {
		gs_err_prefix(err, "--fail-if");
		return r;
	}
	for (i = 0; i < d->n; i++) {
		if (strcmp(d->section[i].words.view, view) == 0)
			break;
	}
	d->gate = i;
	d->gate_lines = !has_prefix(text) && d->section[i].lines;
	if (i < d->n)
		return GS_OK;
	if (d->side[0].segment)
		return gs_fail(err, GS_E_USAGE, "--fail-if: %s can't be "
		    "compared by segment here", view);
	d->section[d->n++] = (struct diff_section) { .title = view,
		.words = { .view = view, .compared = true,
		    .wait = WAIT_ASK_INIT }, .hidden = true };
	return GS_OK;
}

/* ---- rows --------------------------------------------------------------- */

struct naming {
	const struct grid *g;
	bool *named; /* per column */
};

static void note_name(void *ctx, struct span name)
{
	struct naming *n = ctx;
	struct span key, rest = name;
	int col;

	name = scan_until(&rest, '.', &key) ? rest : name;
	col = grid_find_col(n->g, name.ptr, span_len(name));
	if (col >= 0)
		n->named[col] = true;
}

/* The columns that say which row it is, and those of the condition. */
static bool *choose_columns(const struct diff *d, const struct grid *g)
{
	struct naming n = { g, gs_calloc(g->n_col + 1, sizeof(bool)) };
	int change = grid_find_col(g, "change", strlen("change"));
	int i;

	for (i = 0; i <= change; i++)
		n.named[i] = g->col[i].min_width <= 80;
	if (d->gate_lines)
		n.named[compare_line_col(g, LINE_METRIC)] = true;
	filter_names(d->o->fail_if, note_name, &n);
	return n.named;
}

static void say_row(const struct diff *d, const struct grid *g,
	const bool *named, const struct grid_row *row,
	const struct show_output *out)
{
	struct cell_style style = { .utf8 = d->o->utf8 };
	struct buf b = BUF_INIT;
	size_t i, n = 0;

	buf_add_str(&b, "--fail-if holds:");
	for (i = 0; i < g->n_col; i++) {
		if (!named[i] || cell_is_absent(&row->cell[i]))
			continue;
		buf_printf(&b, "%s %s ", n++ ? "," : "", g->col[i].name);
		style.fine = g->col[i].fine;
		cell_add_text(&b, grid_quantity(&g->col[i], row),
		    &row->cell[i], &style);
	}
	out->note(out->ctx, buf_str(&b));
	buf_release(&b);
}

static void say(const struct diff *d, const struct grid *g,
	const struct show_output *out)
{
	bool *named = choose_columns(d, g);
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < g->n_row && i < SHOWN_MAX; i++)
		say_row(d, g, named, &g->row[i], out);
	if (g->n_row > SHOWN_MAX) {
		buf_printf(&b, "--fail-if holds: and %zu more",
		    g->n_row - SHOWN_MAX);
		out->note(out->ctx, buf_str(&b));
	}
	buf_release(&b);
	free(named);
}

int gate_check(struct diff *d, const struct show_output *out, size_t *ret_n,
	struct gs_err *err)
{
	struct when_env when = diff_when(d);
	struct grid *g = NULL;
	struct filter *f;
	int r = diff_compare(d, d->gate, d->gate_lines, &g, err);

	if (r < 0)
		return r;
	f = filter_new(d->o->fail_if, g, &when, err);
	if (!f) {
		gs_err_prefix(err, "--fail-if");
		grid_free(g);
		return GS_E_USAGE;
	}
	filter_grid(f, g);
	*ret_n = g->n_row;
	say(d, g, out);
	filter_free(f);
	grid_free(g);
	return GS_OK;
}
