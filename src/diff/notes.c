/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notes.c - what can't be compared: other intervals, kernels, CPUs, servers;
 * figures that one side lacks; catalogs that were not read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/when.h"
#include "diff/diff_int.h"
#include "view/asked.h"
#include "view/report.h"

static void add(struct diff *d, struct buf *text)
{
	report_add_note(&d->report, buf_str(text));
	buf_release(text);
}

static void note_intervals(struct diff *d)
{
	char a[WHEN_SPAN_MAX], b[WHEN_SPAN_MAX];
	struct buf text = BUF_INIT;

	if (d->a.report.interval_ns == d->report.interval_ns)
		return;
	when_span(a, d->a.report.interval_ns);
	when_span(b, d->report.interval_ns);
	buf_printf(&text, "ticks are every %s in A, every %s in B: what comes "
	    "and goes between them was seen differently", a, b);
	add(d, &text);
}

static void note_servers(struct diff *d)
{
	const char *a = d->side[0].header->server_version;
	const char *b = d->side[1].header->server_version;
	struct buf text = BUF_INIT;

	if (!a || !b || !*a || !*b || strcmp(a, b) == 0)
		return;
	buf_printf(&text, "another server: A %.80s; B %.80s", a, b);
	add(d, &text);
}

/* ---- hosts -------------------------------------------------------------- */

static const struct host *only_host(const struct world *w)
{
	const struct host *only = NULL;
	size_t i, n = 0;

	for (i = 0; i < world_hosts(w); i++) {
		if (world_is_host(world_host(w, i))) {
			only = world_host(w, i);
			n++;
		}
	}
	return n == 1 ? only : NULL;
}

static const struct host *host_named(const struct world *w, const char *name)
{
	size_t i;

	for (i = 0; i < world_hosts(w); i++) {
		const struct host *h = world_host(w, i);

		if (world_is_host(h) && h->name && strcmp(h->name, name) == 0)
			return h;
	}
	return NULL;
}

/* Facts that make figures of a host differ. */
static const unsigned facts[] = { COL(HOST, KERNEL), COL(HOST, MACHINE),
	COL(HOST, CPUS) };

static void add_fact(struct buf *to, const struct world *w,
	const struct host *h, unsigned col)
{
	const struct row *r = host_row(h);
	struct span s;
	uint64_t v;

	if (!r || !row_get(r, col, &v))
		return;
	if (!metric_is_text(metric_get(ENTITY_HOST, col))) {
		buf_printf(to, "%llu", (unsigned long long)v);
		return;
	}
	s = row_text(w, r, col);
	buf_add(to, s.ptr, GS_MIN(span_len(s), 80));
}

static void note_fact(struct diff *d, const struct host *a,
	const struct host *b, unsigned col)
{
	struct buf x = BUF_INIT, y = BUF_INIT, text = BUF_INIT;

	add_fact(&x, d->a.engine.world, a, col);
	add_fact(&y, d->b.engine.world, b, col);
	if (x.len > 0 && y.len > 0 && strcmp(buf_str(&x), buf_str(&y)) != 0) {
		buf_printf(&text, "%s: %s is %s in A, %s in B", b->name,
		    metric_get(ENTITY_HOST, col)->name, buf_str(&x),
		    buf_str(&y));
		add(d, &text);
	}
	buf_release(&x);
	buf_release(&y);
}

static void note_hosts(struct diff *d)
{
	const struct world *wa = d->a.engine.world, *wb = d->b.engine.world;
	size_t i, k;

	for (i = 0; i < world_hosts(wb); i++) {
		const struct host *b = world_host(wb, i), *a;

		if (!world_is_host(b) || !b->name)
			continue;
		a = only_host(wb) == b ? only_host(wa) : NULL;
		a = a ? a : host_named(wa, b->name);
		for (k = 0; a && k < GS_LEN(facts); k++)
			note_fact(d, a, b, facts[k]);
	}
}

/* ---- figures ------------------------------------------------------------ */

static bool has_values(const struct grid *g, size_t col)
{
	size_t i;

	for (i = 0; i < g->n_row; i++) {
		if (g->row[i].cell[col].kind != CELL_ABSENT)
			return true;
	}
	return false;
}

/* Only of columns that people see by default. */
static void list_missing(const struct grid *has, const struct grid *lacks,
	struct buf *to)
{
	size_t i;

	for (i = 0; i < has->n_col; i++) {
		if (has->n_row > 0 && lacks->n_row > 0 &&
		    compare_floor(has->col[i].quantity) > 0 &&
		    has->col[i].min_width <= 80 && has_values(has, i) &&
		    !has_values(lacks, i))
			buf_printf(to, "%s%s", to->len ? ", " : "",
			    has->col[i].name);
	}
}

static const char *title_of(const struct diff_section *s)
{
	return s->title ? s->title : s->words.view;
}

static void note_missing(struct diff *d, size_t i, const struct reading *has,
	const struct reading *lacks)
{
	struct buf names = BUF_INIT, text = BUF_INIT;

	list_missing(has->grid[i], lacks->grid[i], &names);
	if (names.len > 0) {
		buf_printf(&text, "%s: only %c has %s",
		    title_of(&d->section[i]), has->letter, buf_str(&names));
		add(d, &text);
	}
	buf_release(&names);
}

/* All rows are new then, or gone: what was not recorded looks the same. */
static void note_none(struct diff *d, size_t i, const struct reading *has,
	const struct reading *lacks)
{
	struct buf text = BUF_INIT;

	if (d->section[i].hidden || has->grid[i]->n_row == 0 ||
	    lacks->grid[i]->n_row > 0)
		return;
	buf_printf(&text, "%s: %c has none, or they were not recorded",
	    title_of(&d->section[i]), lacks->letter);
	add(d, &text);
}

static void note_unasked(struct diff *d, const struct reading *r,
	struct diff_result *ret)
{
	struct asked asked = { .n = 0 };
	struct buf b = BUF_INIT, text = BUF_INIT;
	bool missing = false;
	size_t i;

	asked_add(&asked, &r->engine);
	for (i = 0; i < d->n && !missing; i++) {
		buf_reset(&b);
		missing = asked_note(&asked, ask_view(d->section[i].ask), &b);
	}
	if (missing) {
		buf_printf(&text, "%c: %s", r->letter, buf_str(&b));
		add(d, &text);
		ret->unrecorded = true;
	}
	buf_release(&b);
	asked_release(&asked);
}

/* Sections that people are not shown. */
static void note_equal(struct diff *d)
{
	struct buf text = BUF_INIT;
	size_t i;

	for (i = 0; d->o->for_people && i < d->n; i++) {
		if (d->section[i].about)
			about_name_empty(d, &d->section[i], &text);
		else if (d->section[i].lines && !d->section[i].hidden &&
		    d->section[i].grid->n_row == 0)
			buf_printf(&text, "%s%s", text.len ? ", " : "",
			    title_of(&d->section[i]));
	}
	if (text.len == 0)
		return;
	if (d->n_filtered > 0)
		buf_printf(&text, ": --where fits none of %zu line%s",
		    d->n_filtered, d->n_filtered == 1 ? "" : "s");
	else
		buf_add_str(&text, d->o->entity ? ": no figures"
		    : ": nothing differs by more than noise");
	add(d, &text);
}

void notes_add(struct diff *d, struct diff_result *ret)
{
	size_t i;

	note_intervals(d);
	note_servers(d);
	note_hosts(d);
	for (i = 0; i < d->n; i++) {
		note_missing(d, i, &d->a, &d->b);
		note_missing(d, i, &d->b, &d->a);
		note_none(d, i, &d->a, &d->b);
		note_none(d, i, &d->b, &d->a);
	}
	note_unasked(d, &d->a, ret);
	note_unasked(d, &d->b, ret);
	note_equal(d);
}
