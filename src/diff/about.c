/* SPDX-License-Identifier: Apache-2.0 */
/*
 * about.c - lines in sections by what their figures are about: scheduling,
 * memory, IO ...  People see a table for each, programs one with them all.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "diff/diff_int.h"
#include "metric/section.h"

/* Those without a section of their own are last. */
static enum metric_section section_at(size_t i)
{
	return (enum metric_section)((i + 1) % SECTION_COUNT);
}

bool about_is_asked(const struct diff *d)
{
	return d->o->sections && (d->o->entity || (d->o->words.group_by &&
	    !d->o->words.view));
}

static bool is_section(struct span name)
{
	size_t i;

	for (i = 0; i < SECTION_COUNT; i++) {
		if (span_eq(name, metric_section_name(section_at(i))))
			return true;
	}
	return span_eq(name, "all");
}

int about_check(const struct diff *d, struct gs_err *err)
{
	struct span rest = span_str(d->o->sections), name;
	struct buf all = BUF_INIT;
	size_t i;
	int r = GS_OK;

	for (i = 0; i < SECTION_COUNT; i++)
		buf_printf(&all, "%s, ", metric_section_name(section_at(i)));
	while (r == GS_OK && grid_next_name(&rest, &name)) {
		if (!is_section(name))
			r = gs_fail(err, GS_E_USAGE, "--sections: no section "
			    "\"%.*s\" of an entity or of groups; there are: "
			    "%sall", (int)GS_MIN(span_len(name), 60), name.ptr,
			    buf_str(&all));
	}
	buf_release(&all);
	return r;
}

static bool is_asked(const struct diff *d, enum metric_section s)
{
	return grid_list_has(d->o->sections, metric_section_name(s)) ||
	    grid_list_has(d->o->sections, "all");
}

static enum metric_section section_named(const struct cell *c)
{
	size_t i;

	for (i = 0; c->kind == CELL_TEXT && i < SECTION_COUNT; i++) {
		if (span_eq(cell_span(c), metric_section_name(section_at(i))))
			return section_at(i);
	}
	return SECTION_OTHER; /* "new", without a figure */
}

void about_note(struct diff *d, size_t section)
{
	struct diff_section *s = &d->section[section];
	const struct grid *g = s->grid;
	size_t col = compare_line_col(g, LINE_SECTION), i;

	s->about = gs_calloc(g->n_row + 1, sizeof(*s->about));
	for (i = 0; i < g->n_row; i++)
		s->about[i] = (unsigned char)section_named(
		    &g->row[i].cell[col]);
}

static bool has(const struct diff_section *s, enum metric_section about)
{
	return s->grid->n_row > 0 && memchr(s->about, (int)about,
	    s->grid->n_row);
}

void about_name_empty(const struct diff *d, const struct diff_section *s,
	struct buf *to)
{
	size_t i;

	for (i = 0; i < SECTION_COUNT; i++) {
		if (is_asked(d, section_at(i)) && !has(s, section_at(i)))
			buf_printf(to, "%s%s", to->len ? ", " : "",
			    metric_section_name(section_at(i)));
	}
}

/* Adds the rows of one section to a grid that shares them. */
static void take(struct grid *part, const struct diff *d,
	const struct diff_section *s, enum metric_section about)
{
	size_t i, n = 0, limit = d->o->words.limit;

	for (i = 0; i < s->grid->n_row; i++) {
		if (s->about[i] != about)
			continue;
		if (limit == 0 || n++ < limit)
			part->row[part->n_row++] = s->grid->row[i];
		part->n_total++;
	}
}

static bool print_one(struct grid *part, const struct diff_section *s,
	enum metric_section about, const struct show_output *out)
{
	struct buf title = BUF_INIT;
	bool ok;

	buf_printf(&title, "%s, %s", s->title, metric_section_name(about));
	form_title(part, buf_str(&title), part->n_total);
	ok = out->grid(out->ctx, part);
	buf_release(&title);
	part->n_row = part->n_total = 0;
	return ok;
}

bool about_print(const struct diff *d, const struct diff_section *s,
	const struct show_output *out)
{
	struct grid part = *s->grid;
	size_t i;
	bool ok = true;

	part.row = gs_calloc(s->grid->n_row + 1, sizeof(*part.row));
	part.n_row = part.n_total = 0;
	for (i = 0; ok && i < SECTION_COUNT; i++) {
		if (!is_asked(d, section_at(i)))
			continue;
		take(&part, d, s, section_at(i));
		if (d->o->for_people && part.n_row > 0)
			ok = print_one(&part, s, section_at(i), out);
	}
	if (ok && !d->o->for_people)
		ok = out->grid(out->ctx, &part);
	free(part.row);
	return ok;
}
