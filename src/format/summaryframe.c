/* SPDX-License-Identifier: Apache-2.0 */
#include "format/summaryframe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "format/frame.h"
#include "format/pbarena.h"
#include "format/tickcode.h"
#include "gpsnap.pb-c.h"
#include "model/tick.h"

#define HEAD 16u
#define LEAST (HEAD + SUMMARYFRAME_TAIL)
#define SUMMARIES_FIELD 1u /* Summaries.summary */

static const char summary_tag[BESIDE_TAG] = { 'G', 'P', 'S', 'S' };

struct summarycode {
	struct pbarena arena;
	struct tickcode *zstd;
	struct buf raw; /* of the next frame */
	struct buf one, comp;
};

struct summarycode *summarycode_new(int level)
{
	struct summarycode *c = gs_calloc(1, sizeof(*c));

	pbarena_init(&c->arena);
	c->zstd = tickcode_new(level);
	return c;
}

void summarycode_free(struct summarycode *c)
{
	if (!c)
		return;
	pbarena_release(&c->arena);
	tickcode_free(c->zstd);
	buf_release(&c->raw);
	buf_release(&c->one);
	buf_release(&c->comp);
	free(c);
}

/* ---- writing ------------------------------------------------------------ */

#define TAKE(a, n, type) ((type *)pbarena_must_alloc((a), (n) * sizeof(type)))

static void pack_missing(struct pbarena *a, const struct summary_row *r,
	Gpsnap__V1__SummaryRow *m)
{
	const struct entity *en = entity_get(r->entity);
	unsigned i;

	m->missing = TAKE(a, en->ncols, uint32_t);
	for (i = 0; i < en->ncols; i++) {
		if (r->missing[i / 64] >> (i % 64) & 1)
			m->missing[m->n_missing++] = en->metrics[i].id;
	}
}

static Gpsnap__V1__SummaryRow *pack_row(struct pbarena *a,
	const struct summary *s, const struct summary_row *r)
{
	Gpsnap__V1__SummaryRow *m = TAKE(a, 1, Gpsnap__V1__SummaryRow);
	size_t i;

	gpsnap__v1__summary_row__init(m);
	m->entity = entity_get(r->entity)->id;
	m->host = r->host;
	m->id.data = (uint8_t *)(uintptr_t)summary_id(s, r).ptr;
	m->id.len = r->id_len;
	m->metric = TAKE(a, r->n_peak, uint32_t);
	m->peak = TAKE(a, r->n_peak, int64_t);
	m->n_metric = m->n_peak = r->n_peak;
	for (i = 0; i < r->n_peak; i++) {
		const struct summary_peak *p = &s->peak[r->peak + i];

		m->metric[i] = metric_get(r->entity, p->col)->id;
		m->peak[i] = p->level;
	}
	pack_missing(a, r, m);
	return m;
}

static void pack_marks(struct pbarena *a, const struct summary *s,
	Gpsnap__V1__Summary *m)
{
	size_t i;

	m->mark = TAKE(a, s->n_mark, Gpsnap__V1__Event *);
	m->n_mark = s->n_mark;
	for (i = 0; i < s->n_mark; i++) {
		Gpsnap__V1__Event *e = TAKE(a, 1, Gpsnap__V1__Event);

		gpsnap__v1__event__init(e);
		e->kind = EVENT_MARK;
		e->wall_ns = s->mark[i].wall_ns;
		e->text.data = (uint8_t *)(uintptr_t)summary_mark_text(s,
		    &s->mark[i]).ptr;
		e->text.len = s->mark[i].len;
		m->mark[i] = e;
	}
}

static char *name_of(struct pbarena *a, struct span name)
{
	char *text = TAKE(a, span_len(name) + 1, char);

	memcpy(text, name.ptr, span_len(name));
	text[span_len(name)] = '\0';
	return text;
}

static void pack_figures(struct pbarena *a, const struct summary *s,
	Gpsnap__V1__Summary *m)
{
	size_t i;

	m->figure = TAKE(a, s->n_figure, Gpsnap__V1__Extremes *);
	m->n_figure = s->n_figure;
	for (i = 0; i < s->n_figure; i++) {
		Gpsnap__V1__Extremes *e = TAKE(a, 1, Gpsnap__V1__Extremes);

		gpsnap__v1__extremes__init(e);
		e->name = name_of(a, summary_figure_name(s, &s->figure[i]));
		e->low = s->figure[i].low;
		e->high = s->figure[i].high;
		m->figure[i] = e;
	}
}

static void pack(struct pbarena *a, const struct summary *s,
	Gpsnap__V1__Summary *m)
{
	size_t i;
	int e;

	gpsnap__v1__summary__init(m);
	m->from_seq = s->from_seq;
	m->from_wall_ns = s->from_ns;
	m->to_seq = s->to_seq;
	m->to_wall_ns = s->to_ns;
	m->ticks = s->n_ticks;
	m->skipped = s->n_skipped;
	m->entity = TAKE(a, ENTITY_COUNT, uint32_t);
	for (e = 0; e < ENTITY_COUNT; e++) {
		if (s->plain & summary_bit((enum entity_id)e))
			m->entity[m->n_entity++] =
			    entity_get((enum entity_id)e)->id;
	}
	m->row = TAKE(a, s->n_row, Gpsnap__V1__SummaryRow *);
	m->n_row = s->n_row;
	for (i = 0; i < s->n_row; i++)
		m->row[i] = pack_row(a, s, &s->row[i]);
	pack_marks(a, s, m);
	pack_figures(a, s, m);
	m->covered_ns = (uint64_t)s->covered_ns;
}

void summarycode_add(struct summarycode *c, const struct summary *s)
{
	Gpsnap__V1__Summary m;

	pbarena_reset(&c->arena);
	pack(&c->arena, s, &m);
	buf_reset(&c->one);
	pb_add_field(&m.base, SUMMARIES_FIELD, &c->one);
	if (c->raw.len + c->one.len <= SUMMARYFRAME_RAW_MAX)
		buf_add(&c->raw, c->one.ptr, c->one.len);
}

bool summarycode_is_empty(const struct summarycode *c)
{
	return c->raw.len == 0;
}

bool summarycode_put(struct summarycode *c, struct buf *to)
{
	size_t start;

	if (c->raw.len == 0)
		return false;
	tickcode_compress(c->zstd, c->raw.ptr, c->raw.len, &c->comp);
	start = besideframe_begin(summary_tag, to);
	buf_add_le32(to, (uint32_t)c->raw.len);
	buf_add(to, c->comp.ptr, c->comp.len);
	besideframe_end(summary_tag, start, to);
	buf_reset(&c->raw);
	return true;
}

/* ---- reading ------------------------------------------------------------ */

void summaries_release(struct summaries *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		summary_release(&s->item[i]);
	free(s->item);
	budget_give(s->budget, s->charged);
	*s = (struct summaries) { .budget = s->budget };
}

size_t summaryframe_len(const void *tail)
{
	return besideframe_len(summary_tag, tail, LEAST);
}

static bool is_whole(const unsigned char *p, size_t len)
{
	return besideframe_is_whole(summary_tag, p, len, LEAST) &&
	    gs_get_le32(p + 12) <= SUMMARYFRAME_RAW_MAX;
}

/* Without a byte they have no address. */
static struct span bytes_of(const ProtobufCBinaryData *b)
{
	return b->len > 0 ? span_of((const char *)b->data, b->len)
	                  : span_str("");
}

static int bad(struct gs_err *err, const char *what)
{
	return gs_fail(err, GS_E_FORMAT, "summary: %s", what);
}

/* Levels in order of columns; each column once. */
static bool is_in_order(struct summary *s, const struct summary_row *r)
{
	struct summary_peak *p = s->peak ? &s->peak[r->peak] : NULL;
	size_t i, k;

	for (i = 1; i < r->n_peak; i++) {
		struct summary_peak one = p[i];

		for (k = i; k > 0 && p[k - 1].col > one.col; k--)
			p[k] = p[k - 1];
		p[k] = one;
		if (k > 0 && p[k - 1].col == one.col)
			return false;
	}
	return true;
}

static int read_row(const Gpsnap__V1__SummaryRow *m, struct summary *to,
	struct gs_err *err)
{
	int e = entity_by_file_id(m->entity);
	const struct metric *metric;
	struct summary_row *r;
	size_t i;

	if (m->host >= TICK_HOSTS_MAX || m->id.len > SUMMARY_ID_MAX ||
	    m->n_metric != m->n_peak || m->n_metric > COLS_MAX)
		return bad(err, "a row out of bounds");
	if (e < 0)
		return GS_OK;
	r = summary_add_row(to, (enum entity_id)e, m->host, bytes_of(&m->id));
	for (i = 0; i < m->n_missing; i++) {
		metric = metric_by_file_id(r->entity, m->missing[i]);
		if (metric && metric_is_counter(metric))
			r->missing[metric->col / 64] |= UINT64_C(1) <<
			    (metric->col % 64);
	}
	for (i = 0; i < m->n_metric; i++) {
		metric = metric_by_file_id(r->entity, m->metric[i]);
		if (metric && !metric_is_counter(metric) &&
		    !metric_is_text(metric))
			summary_add_peak(to, metric->col, m->peak[i]);
	}
	return is_in_order(to, r) ? GS_OK : bad(err, "a metric occurs twice");
}

static int read_marks(const Gpsnap__V1__Summary *m, struct summary *to,
	struct gs_err *err)
{
	size_t i;

	for (i = 0; i < m->n_mark; i++) {
		const ProtobufCBinaryData *text = &m->mark[i]->text;

		if (text->len > SUMMARY_MARK_MAX)
			return bad(err, "a mark out of bounds");
		summary_add_mark(to, m->mark[i]->wall_ns, bytes_of(text));
	}
	return GS_OK;
}

/* NaN is no bound. */
static int read_figures(const Gpsnap__V1__Summary *m, struct summary *to,
	struct gs_err *err)
{
	size_t i;

	if (m->n_figure > SUMMARY_FIGURES_MAX)
		return bad(err, "too many figures");
	for (i = 0; i < m->n_figure; i++) {
		const Gpsnap__V1__Extremes *e = m->figure[i];
		struct span name = span_str(e->name);

		if (isnan(e->low) || isnan(e->high) ||
		    span_len(name) > SUMMARY_NAME_MAX)
			return bad(err, "a figure out of bounds");
		summary_add_figure(to, name, e->low, e->high);
	}
	return GS_OK;
}

static int read_one(const Gpsnap__V1__Summary *m, struct summary *to,
	struct gs_err *err)
{
	int s = GS_OK;
	size_t i;

	if (m->to_seq <= m->from_seq || m->ticks != m->to_seq - m->from_seq ||
	    !tick_time_ok(m->from_wall_ns) || !tick_time_ok(m->to_wall_ns) ||
	    m->to_wall_ns <= m->from_wall_ns || m->skipped > INT64_MAX ||
	    m->covered_ns > INT64_MAX)
		return bad(err, "a stretch out of bounds");
	to->from_seq = m->from_seq;
	to->from_ns = m->from_wall_ns;
	to->to_seq = m->to_seq;
	to->to_ns = m->to_wall_ns;
	to->n_ticks = m->ticks;
	to->n_skipped = m->skipped;
	to->covered_ns = (int64_t)m->covered_ns;
	for (i = 0; i < m->n_entity; i++) {
		int e = entity_by_file_id(m->entity[i]);

		if (e >= 0)
			to->plain |= summary_bit((enum entity_id)e);
	}
	for (i = 0; s == GS_OK && i < m->n_row; i++)
		s = read_row(m->row[i], to, err);
	if (s == GS_OK)
		s = read_marks(m, to, err);
	return s == GS_OK ? read_figures(m, to, err) : s;
}

/* At most, since arrays grow by halves. */
static size_t room_for(const Gpsnap__V1__Summaries *m)
{
	size_t bytes = m->n_summary * sizeof(struct summary), i, k;

	for (i = 0; i < m->n_summary; i++) {
		const Gpsnap__V1__Summary *s = m->summary[i];

		bytes += s->n_row * sizeof(struct summary_row) + 256;
		for (k = 0; k < s->n_figure; k++)
			bytes += strlen(s->figure[k]->name) +
			    sizeof(struct summary_figure);
		for (k = 0; k < s->n_mark; k++)
			bytes += s->mark[k]->text.len +
			    sizeof(struct summary_mark);
		for (k = 0; k < s->n_row; k++)
			bytes += s->row[k]->id.len + s->row[k]->n_peak *
			    sizeof(struct summary_peak);
	}
	return bytes * 2;
}

static int read_all(const Gpsnap__V1__Summaries *m, struct summaries *ret,
	struct gs_err *err)
{
	size_t room = room_for(m), i;
	int s = GS_OK;

	if (!budget_take(ret->budget, room))
		return budget_fail(ret->budget, err, "summaries");
	ret->charged = room;
	GS_GROW(ret->item, &ret->cap, m->n_summary);
	for (i = 0; s == GS_OK && i < m->n_summary; i++) {
		ret->item[ret->n] = (struct summary) { 0 };
		s = read_one(m->summary[i], &ret->item[ret->n++], err);
	}
	return s;
}

int summarycode_read(struct summarycode *c, const void *p, size_t len,
	struct summaries *ret, struct gs_err *err)
{
	Gpsnap__V1__Summaries *m;
	int s;

	if (!is_whole(p, len))
		return bad(err, "damaged");
	if (!budget_fits(ret->budget, gs_get_le32((const char *)p + 12)))
		return budget_fail(ret->budget, err, "summaries");
	s = tickcode_decompress(c->zstd, (const char *)p + HEAD,
	    len - HEAD - SUMMARYFRAME_TAIL, gs_get_le32((const char *)p + 12),
	    &c->one, err);
	if (s < 0)
		return s;
	pbarena_reset(&c->arena);
	m = gpsnap__v1__summaries__unpack(&c->arena.alloc, c->one.len,
	    (const uint8_t *)c->one.ptr);
	if (!m)
		return pbarena_fail(&c->arena, c->one.len, "summaries", err);
	s = read_all(m, ret, err);
	if (s < 0)
		summaries_release(ret);
	return s;
}
