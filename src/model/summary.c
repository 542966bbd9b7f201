/* SPDX-License-Identifier: Apache-2.0 */
#include "model/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void summary_release(struct summary *s)
{
	free(s->row);
	free(s->peak);
	free(s->mark);
	free(s->figure);
	buf_release(&s->bytes);
	*s = (struct summary) { 0 };
}

void summary_reset(struct summary *s)
{
	struct summary keep = *s;

	*s = (struct summary) { .row = keep.row, .row_cap = keep.row_cap,
		.peak = keep.peak, .peak_cap = keep.peak_cap,
		.mark = keep.mark, .mark_cap = keep.mark_cap,
		.figure = keep.figure, .figure_cap = keep.figure_cap,
		.bytes = keep.bytes };
	buf_reset(&s->bytes);
}

struct summary_row *summary_add_row(struct summary *s, enum entity_id e,
	uint32_t host, struct span id)
{
	struct summary_row *r;

	GS_GROW(s->row, &s->row_cap, s->n_row + 1);
	r = &s->row[s->n_row++];
	*r = (struct summary_row) { .entity = e, .host = host,
		.id = s->bytes.len, .id_len = span_len(id),
		.peak = s->n_peak };
	buf_add(&s->bytes, id.ptr, span_len(id));
	return r;
}

void summary_add_peak(struct summary *s, unsigned col, int64_t level)
{
	GS_GROW(s->peak, &s->peak_cap, s->n_peak + 1);
	s->peak[s->n_peak++] = (struct summary_peak) { (uint16_t)col, level };
	s->row[s->n_row - 1].n_peak++;
}

void summary_add_mark(struct summary *s, int64_t wall_ns, struct span text)
{
	GS_GROW(s->mark, &s->mark_cap, s->n_mark + 1);
	s->mark[s->n_mark++] = (struct summary_mark) { wall_ns, s->bytes.len,
		span_len(text) };
	buf_add(&s->bytes, text.ptr, span_len(text));
}

void summary_add_figure(struct summary *s, struct span name, double low,
	double high)
{
	GS_GROW(s->figure, &s->figure_cap, s->n_figure + 1);
	s->figure[s->n_figure++] = (struct summary_figure) { s->bytes.len,
		span_len(name), low, high };
	buf_add(&s->bytes, name.ptr, span_len(name));
}

bool summary_name_is(struct span name, const char *view, const char *column)
{
	size_t n = strlen(view);

	return span_len(name) > n && memcmp(name.ptr, view, n) == 0 &&
	    name.ptr[n] == '.' && span_eq(span_of(name.ptr + n + 1,
	    span_len(name) - n - 1), column);
}

const struct summary_figure *summary_find_figure(const struct summary *s,
	const char *view, const char *column)
{
	size_t i;

	for (i = 0; i < s->n_figure; i++) {
		if (summary_name_is(summary_figure_name(s, &s->figure[i]), view,
		    column))
			return &s->figure[i];
	}
	return NULL;
}

/* ---- comparing ---------------------------------------------------------- */

/* The next row of one of these entities, from *at on; NULL: there is none. */
static const struct summary_row *next_row(const struct summary *s,
	uint64_t entities, size_t *at)
{
	while (*at < s->n_row && !(entities & summary_bit(s->row[*at].entity)))
		++*at;
	return *at < s->n_row ? &s->row[(*at)++] : NULL;
}

static bool is_same_row(const struct summary *s, const struct summary_row *a,
	const struct summary *t, const struct summary_row *b)
{
	size_t i;

	if (a->entity != b->entity || a->host != b->host ||
	    a->n_peak != b->n_peak ||
	    !span_same(summary_id(s, a), summary_id(t, b)) ||
	    memcmp(a->missing, b->missing, sizeof(a->missing)) != 0)
		return false;
	for (i = 0; i < a->n_peak; i++) {
		const struct summary_peak *p = &s->peak[a->peak + i];
		const struct summary_peak *q = &t->peak[b->peak + i];

		if (p->col != q->col || p->level != q->level)
			return false;
	}
	return true;
}

static bool has_same_marks(const struct summary *a, const struct summary *b)
{
	size_t i;

	for (i = 0; i < a->n_mark && i < b->n_mark; i++) {
		if (a->mark[i].wall_ns != b->mark[i].wall_ns ||
		    !span_same(summary_mark_text(a, &a->mark[i]),
		    summary_mark_text(b, &b->mark[i])))
			return false;
	}
	return a->n_mark == b->n_mark;
}

static bool has_same_figures(const struct summary *a, const struct summary *b)
{
	size_t i, k;

	for (i = 0; i < a->n_figure; i++) {
		const struct summary_figure *f = &a->figure[i];

		for (k = 0; k < b->n_figure; k++) {
			const struct summary_figure *g = &b->figure[k];

			if (span_same(summary_figure_name(a, f),
			    summary_figure_name(b, g)) &&
			    (f->low < g->low || f->low > g->low ||
			    f->high < g->high || f->high > g->high))
				return false;
		}
	}
	return a->n_figure == 0 || b->n_figure == 0 ||
	    a->covered_ns == b->covered_ns;
}

bool summary_fits(const struct summary *kept, const struct summary *whole)
{
	const struct summary_row *a, *b;
	size_t i = 0, k = 0;

	if (kept->from_seq != whole->from_seq ||
	    kept->to_seq != whole->to_seq || kept->from_ns != whole->from_ns ||
	    kept->to_ns != whole->to_ns || kept->n_ticks != whole->n_ticks ||
	    kept->n_skipped != whole->n_skipped ||
	    (kept->plain & whole->plain) != kept->plain ||
	    !has_same_marks(kept, whole) || !has_same_figures(kept, whole))
		return false;
	do {
		a = next_row(kept, kept->plain, &i);
		b = next_row(whole, kept->plain, &k);
		if (a && (!b || !is_same_row(kept, a, whole, b)))
			return false;
	} while (a);
	return !b;
}
