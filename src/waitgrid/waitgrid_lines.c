/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waitgrid_lines.c - lines with a time in each of several windows, and the
 * columns of these.  The lines are those of the longest window, which contains
 * the others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/when.h"
#include "waitgrid/waitgrid_int.h"

void wait_lines_init(struct wait_lines *l, const struct wait_window *w,
	size_t n, const struct wait_ask *a, unsigned by)
{
	size_t k;

	*l = (struct wait_lines) { .window = w, .n_window = n };
	for (k = 0; k < n; k++)
		wait_items_init(&l->of[k], w[k].waits, a, by);
}

void wait_lines_release(struct wait_lines *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->line[i].name);
	free(l->line);
	for (i = 0; i < l->n_window; i++)
		wait_items_release(&l->of[i]);
	*l = (struct wait_lines) { .n = 0 };
}

const struct wait_items *wait_lines_all(const struct wait_lines *l)
{
	return &l->of[l->n_window - 1];
}

struct wait_line *wait_lines_add(struct wait_lines *l, const char *kind,
	const char *name, bool shares)
{
	struct wait_line *line;

	GS_GROW(l->line, &l->cap, l->n + 1);
	line = &l->line[l->n++];
	*line = (struct wait_line) { .kind = kind, .name = gs_strdup(name),
		.shares = shares };
	return line;
}

struct wait_line *wait_lines_add_event(struct wait_lines *l,
	const char *kind, const char *name, const struct wait_event *e)
{
	struct wait_line *line = wait_lines_add(l, kind, name,
	    wait_event_works(e));
	size_t k;

	for (k = 0; k < l->n_window; k++) {
		const struct wait_item *it = wait_items_find(&l->of[k], e);

		if (it)
			line->at[k] = (struct wait_at) { it->time_ns,
				it->segment->time_ns, it->sum->samples };
	}
	return line;
}

/* ---- columns --------------------------------------------------------- */

const char *wait_window_title(struct grid *g, const struct wait_window *w,
	const char *prefix)
{
	char span[WHEN_SPAN_MAX], text[WHEN_SPAN_MAX + 32];

	when_span(span, w->length_ns);
	(void)snprintf(text, sizeof(text), "%s%s", prefix, span);
	return grid_text(g, text, strlen(text) + 1).ptr;
}

void wait_lines_add_cols(const struct wait_lines *l, struct grid *g,
	const struct grid_col *one, size_t n_one)
{
	size_t k;

	if (l->n_window == 1) {
		for (k = 0; k < n_one; k++) {
			struct grid_col c = one[k];

			if (c.min_width == GRID_ON_REQUEST &&
			    l->of[0].total.segments)
				c.min_width = 80;
			grid_add_col(g, &c);
		}
		return;
	}
	for (k = 0; k < l->n_window; k++) {
		const struct wait_window *w = &l->window[k];
		struct grid_col time = { .title = wait_window_title(g, w,
			"LAST "), .name = wait_window_title(g, w, "seconds_"),
			.quantity = Q_SECONDS, .min_width = 80,
			.help = "time in that window" };
		struct grid_col share = { .title = "DB%",
			.name = wait_window_title(g, w, "db_percent_"),
			.quantity = Q_PERCENT, .min_width = 80,
			.help = "its share of DB time in that window" };

		grid_add_col(g, &time);
		grid_add_col(g, &share);
	}
}

/* Time, share, average, of segments, samples. */
static void put_one(const struct wait_lines *l, const struct wait_line *line,
	struct cell *c)
{
	const struct wait_items *of = &l->of[0];
	const struct wait_at *at = &line->at[0];

	c[0] = wait_seconds(at->ns);
	if (line->shares)
		c[1] = wait_percent(at->ns, of->db_time_ns);
	c[2] = wait_average(at->ns, of->total.covered_ns);
	if (of->total.segments && at->segment_ns != WAIT_NOT_SAID)
		c[3] = wait_average(at->segment_ns, of->total.covered_ns);
	if (at->samples > 0)
		c[4] = cell_count(at->samples);
}

static void put_line(const struct wait_lines *l, size_t i, struct grid_row *r,
	size_t first)
{
	const struct wait_line *line = &l->line[i];
	size_t k;

	if (l->n_window == 1) {
		put_one(l, line, &r->cell[first]);
		return;
	}
	for (k = 0; k < l->n_window; k++) {
		struct cell *c = &r->cell[first + 2 * k];

		if (!l->window[k].filled)
			continue;
		c[0] = wait_seconds(line->at[k].ns);
		if (line->shares)
			c[1] = wait_percent(line->at[k].ns,
			    l->of[k].db_time_ns);
	}
}

bool wait_line_is_seen(const struct wait_lines *l, size_t i)
{
	const struct wait_at *at = l->line[i].at;
	size_t k;

	for (k = 0; k < l->n_window; k++) {
		if (l->window[k].filled && (at[k].ns > 0 ||
		    at[k].segment_ns > 0))
			return true;
	}
	return false;
}

void wait_lines_list(const struct wait_lines *l, struct grid *g, bool kinds,
	bool (*is_shown)(const struct wait_lines *l, size_t i))
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		struct grid_row *r;
		size_t at = 0;

		if (!is_shown(l, i))
			continue;
		r = grid_add_row(g);
		if (kinds)
			r->cell[at++] = wait_text(g, l->line[i].kind);
		r->cell[at++] = wait_text(g, l->line[i].name);
		put_line(l, i, r, at);
	}
	g->n_total = g->n_row;
}
