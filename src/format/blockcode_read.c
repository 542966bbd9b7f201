/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blockcode_read.c - decodes protobuf messages to struct tick.
 *
 * All input is checked: slots are below TICK_SLOTS_MAX, counts of rows and
 * values agree, ids of entities and columns occur once.  Unknown entities and
 * metrics are skipped.
 */
#include "format/blockcode.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"

static int bad(struct gs_err *err, const char *what, uint64_t got)
{
	return gs_fail(err, GS_E_FORMAT, "%s: got %" PRIu64, what, got);
}

static int no_room(const struct tick *t, struct gs_err *err)
{
	return budget_fail(t->budget, err, "changes of rows");
}

/* Charges the tick for growing one of its arrays from *cap to n elements;
 * updates *cap.  False if the budget does not allow it. */
static bool charge(struct tick *t, size_t *cap, size_t n, size_t len)
{
	size_t want = *cap ? n + GS_MIN(n / 4, 1024) : n;

	if (!tick_charge(t, (want - *cap) * len))
		return false;
	*cap = want;
	return true;
}

/* ROOM(tick, array, &cap, n): room for n elements; false as charge(). */
#define ROOM(t, p, cap, n)                                              \
	((n) <= *(cap) || (charge((t), (cap), (n), sizeof(*(p))) &&     \
	((p) = gs_realloc((p), *(cap) * sizeof(*(p)))) != NULL))

/* Turns gaps into slots at to; false if one is out of bounds. */
static bool slots_of(const int32_t *gap, size_t n, uint32_t *to)
{
	uint32_t slot = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		slot += (uint32_t)gap[i];
		if (slot >= TICK_SLOTS_MAX)
			return false;
		to[i] = slot;
	}
	return true;
}

static int read_notes(const int32_t *gap, size_t n, const uint32_t *why,
	size_t n_why, struct tick *t, struct slot_note **note, size_t *cap,
	size_t *ret_n, struct gs_err *err)
{
	uint32_t slot = 0;
	size_t i;

	if (n_why != 0 && n_why != n)
		return bad(err, "reasons do not match slots", n_why);
	if (n > TICK_SLOTS_MAX)
		return bad(err, "too many slots", n);
	if (!ROOM(t, *note, cap, n))
		return no_room(t, err);
	for (i = 0; i < n; i++) {
		slot += (uint32_t)gap[i];
		if (slot >= TICK_SLOTS_MAX)
			return bad(err, "slot out of bounds", slot);
		(*note)[i] = (struct slot_note) { slot,
			n_why ? why[i] : 0 };
	}
	*ret_n = n;
	return GS_OK;
}

/* Rows of a column, for later columns that have the same. */
struct rows {
	const uint32_t *slot;
	size_t n;
};

static int check_counts(const Gpsnap__V1__Column *m, const struct rows *before,
	struct gs_err *err)
{
	size_t n = m->n_diff + m->n_text;

	if (m->n_diff != 0 && m->n_text != 0)
		return bad(err, "numbers and texts in metric", m->metric);
	if (n > TICK_SLOTS_MAX || m->n_gone_gap > TICK_SLOTS_MAX)
		return bad(err, "too many rows", n);
	if (m->n_row_gap != 0 && m->n_row_gap != n)
		return bad(err, "rows do not match values", m->n_row_gap);
	if (m->n_row_gap == 0 && n != 0 && n != before->n)
		return bad(err, "no rows for values", n);
	return GS_OK;
}

/* A column of an unknown metric: only its rows matter, to the columns after
 * it. */
static int pass_over(const Gpsnap__V1__Column *m, struct rows *before,
	struct pbarena *a, struct gs_err *err)
{
	uint32_t *slot;

	if (m->n_row_gap == 0)
		return GS_OK;
	slot = pbarena_alloc(a, m->n_row_gap * sizeof(*slot));
	if (!slot)
		return pbarena_fail(a, m->n_row_gap, "rows of a column", err);
	if (!slots_of(m->row_gap, m->n_row_gap, slot))
		return bad(err, "row out of bounds in metric", m->metric);
	*before = (struct rows) { slot, m->n_row_gap };
	return GS_OK;
}

static int read_rows(const Gpsnap__V1__Column *m, struct tick *t,
	struct delta_col *c, struct rows *before, struct gs_err *err)
{
	size_t n = m->n_diff + m->n_text;

	if (!ROOM(t, c->slot, &c->slot_cap, n))
		return no_room(t, err);
	if (m->n_row_gap == 0) {
		if (n)
			memcpy(c->slot, before->slot, n * sizeof(*c->slot));
		return GS_OK;
	}
	if (!slots_of(m->row_gap, n, c->slot))
		return bad(err, "row out of bounds in metric", m->metric);
	*before = (struct rows) { c->slot, n };
	return GS_OK;
}

static int read_values(const Gpsnap__V1__Column *m, struct tick *t,
	struct delta_col *c, struct gs_err *err)
{
	size_t n = m->n_diff + m->n_text;
	size_t i;

	if (!ROOM(t, c->diff, &c->diff_cap, n))
		return no_room(t, err);
	if (m->n_diff)
		memcpy(c->diff, m->diff, n * sizeof(*c->diff));
	for (i = 0; i < m->n_text; i++)
		c->diff[i] = m->text[i];
	c->n = n;
	return GS_OK;
}

/* Sums of an unknown kind are skipped. */
static int read_sums(const Gpsnap__V1__Column *m, struct tick *t,
	struct delta *d, const struct metric *metric, struct pbarena *a,
	struct gs_err *err)
{
	size_t n = m->n_diff, i;
	uint32_t *slot;

	if ((unsigned)m->sum >= SUM_COUNT)
		return GS_OK;
	if (m->n_row_gap != n || m->n_text || m->n_gone_gap ||
	    !metric_is_counter(metric))
		return bad(err, "invalid sums in metric", m->metric);
	if (n > TICK_SLOTS_MAX - d->n_sum)
		return bad(err, "too many sums", n);
	slot = pbarena_alloc(a, n * sizeof(*slot));
	if (!slot)
		return pbarena_fail(a, n, "rows of a sum", err);
	if (!ROOM(t, d->sum, &d->sum_cap, d->n_sum + n))
		return no_room(t, err);
	if (!slots_of(m->row_gap, n, slot))
		return bad(err, "row out of bounds in metric", m->metric);
	for (i = 0; i < n; i++)
		delta_add_sum(d, slot[i], (struct tick_sum) {
			.col = metric->col, .of = (uint16_t)m->sum,
			.amount = (uint64_t)m->diff[i] });
	return GS_OK;
}

static bool is_used(const struct delta *d, const struct metric *metric)
{
	return d->used[metric->col / 64] >> (metric->col % 64) & 1;
}

static void mark_used(struct delta *d, const struct metric *metric)
{
	d->used[metric->col / 64] |= UINT64_C(1) << (metric->col % 64);
}

static int read_column(const Gpsnap__V1__Column *m, struct tick *t,
	struct delta *d, struct rows *before, struct pbarena *a,
	struct gs_err *err)
{
	const struct metric *metric = metric_by_file_id(d->entity, m->metric);
	struct delta_col *c;
	int r = check_counts(m, before, err);

	if (r < 0)
		return r;
	if (!metric)
		return pass_over(m, before, a, err);
	if (m->sum)
		return read_sums(m, t, d, metric, a, err);
	c = &d->col[metric->col];
	if (is_used(d, metric))
		return bad(err, "metric occurs twice", m->metric);
	if ((metric_is_text(metric) ? m->n_diff : m->n_text) != 0)
		return bad(err, "values of the wrong kind in metric",
		    m->metric);
	r = read_rows(m, t, c, before, err);
	if (r == GS_OK)
		r = read_values(m, t, c, err);
	if (r < 0)
		return r;
	if (!ROOM(t, c->gone, &c->gone_cap, m->n_gone_gap))
		return no_room(t, err);
	if (!slots_of(m->gone_gap, m->n_gone_gap, c->gone))
		return bad(err, "row out of bounds in metric", m->metric);
	c->n_gone = m->n_gone_gap;
	if (c->n || c->n_gone)
		mark_used(d, metric);
	return GS_OK;
}

static int read_dense_column(const Gpsnap__V1__Columns *m, size_t i,
	uint32_t id, struct rows rows, struct tick *t, struct delta *d,
	struct gs_err *err)
{
	const struct metric *metric = metric_by_file_id(d->entity, id);
	struct delta_col *c;

	if (!metric)
		return GS_OK;
	if (metric_is_text(metric))
		return bad(err, "values of the wrong kind in metric", id);
	if (is_used(d, metric))
		return bad(err, "metric occurs twice", id);
	c = &d->col[metric->col];
	if (!ROOM(t, c->slot, &c->slot_cap, rows.n) ||
	    !ROOM(t, c->diff, &c->diff_cap, rows.n))
		return no_room(t, err);
	c->n = densecode_column(m, i, rows.slot, rows.n, c->slot, c->diff);
	if (c->n > 0)
		mark_used(d, metric);
	return GS_OK;
}

/* Columns of the same rows. */
static int read_dense(const Gpsnap__V1__Columns *m, struct tick *t,
	struct delta *d, struct pbarena *a, struct gs_err *err)
{
	uint32_t *slot, id = 0;
	size_t n, i;
	int r = GS_OK;

	if (!densecode_rows(m, &n) || n > TICK_SLOTS_MAX)
		return bad(err, "values do not match rows", m->n_diff);
	slot = pbarena_alloc(a, n * sizeof(*slot));
	if (!slot)
		return pbarena_fail(a, n, "rows of columns", err);
	slot[0] = 0;
	if (!slots_of(m->row_gap, m->n_row_gap, slot))
		return bad(err, "row out of bounds", m->n_row_gap);
	for (i = 0; r == GS_OK && i < m->n_metric_gap; i++) {
		id += (uint32_t)m->metric_gap[i];
		r = read_dense_column(m, i, id, (struct rows) { slot, n }, t, d,
		    err);
	}
	return r;
}

static int read_waited(Gpsnap__V1__Waited *const *m, size_t n, struct tick *t,
	struct delta *d, struct gs_err *err)
{
	size_t i;

	if (!ROOM(t, d->waited, &d->waited_cap, n))
		return no_room(t, err);
	for (i = 0; i < n; i++) {
		struct tick_waited w = { m[i]->slot, m[i]->kind, m[i]->event,
			m[i]->query, m[i]->has_query_id, m[i]->query_id,
			{ 0 } };

		if (w.slot >= TICK_SLOTS_MAX)
			return bad(err, "slot out of bounds", w.slot);
		if (m[i]->n_amount > 0)
			memcpy(w.amount, m[i]->amount, GS_MIN(m[i]->n_amount,
			    WAITED_AMOUNTS) * sizeof(w.amount[0]));
		delta_add_waited(d, &w);
	}
	return GS_OK;
}

static int read_entity(const Gpsnap__V1__EntityDelta *m, struct tick *t,
	struct delta *d, struct pbarena *a, struct gs_err *err)
{
	struct rows before = { NULL, 0 };
	size_t i;
	int r;

	if (!delta_is_empty(d))
		return bad(err, "entity occurs twice", m->entity);
	r = read_notes(m->closed_gap, m->n_closed_gap, m->closed_why,
	    m->n_closed_why, t, &d->closed, &d->closed_cap, &d->n_closed, err);
	if (r == GS_OK)
		r = read_notes(m->opened_gap, m->n_opened_gap, m->opened_how,
		    m->n_opened_how, t, &d->opened, &d->opened_cap,
		    &d->n_opened, err);
	if (r == GS_OK)
		r = read_notes(m->ended_gap, m->n_ended_gap, m->ended_why,
		    m->n_ended_why, t, &d->ended, &d->ended_cap,
		    &d->n_ended, err);
	for (i = 0; r == GS_OK && i < m->n_columns; i++)
		r = read_dense(m->columns[i], t, d, a, err);
	for (i = 0; r == GS_OK && i < m->n_column; i++)
		r = read_column(m->column[i], t, d, &before, a, err);
	if (r == GS_OK)
		r = read_waited(m->waited, m->n_waited, t, d, err);
	return r;
}

int blockcode_read_block(struct pbarena *a, const Gpsnap__V1__HostBlock *m,
	struct tick *t, struct block *ret, struct gs_err *err)
{
	size_t i;

	if (m->host >= TICK_HOSTS_MAX)
		return bad(err, "host out of bounds", m->host);
	if (!tick_time_ok(m->wall_ns) || !tick_time_ok(m->mono_ns) ||
	    !tick_time_ok(m->boot_ns))
		return bad(err, "clock out of bounds", (uint64_t)m->wall_ns);
	ret->host = m->host;
	ret->clock = (struct sample_clock) {
		.connection = m->connection,
		.sequence = m->sequence,
		.wall_ns = m->wall_ns,
		.mono_ns = m->mono_ns,
		.boot_ns = m->boot_ns,
		.rtt_ns = m->rtt_ns,
		.offset_ns = m->offset_ns,
	};
	for (i = 0; i < m->n_entity; i++) {
		int e = entity_by_file_id(m->entity[i]->entity);
		int r;

		if (e < 0)
			continue;
		r = read_entity(m->entity[i], t, &ret->ent[e], a, err);
		if (r == GS_E_MEMORY)
			return r;
		if (r < 0) {
			gs_err_prefix(err, "host %u, %s", m->host,
			    entity_get((enum entity_id)e)->name);
			return r;
		}
	}
	return GS_OK;
}

/* Room for n more bytes of texts. */
static bool room_of_bytes(struct tick *t, size_t n)
{
	struct buf *b = &t->bytes;

	if (b->len + n + 1 <= b->cap)
		return true;
	if (!ROOM(t, b->ptr, &b->cap, b->len + n + 1))
		return false;
	b->ptr[b->len] = '\0';
	return true;
}

int blockcode_read_texts(Gpsnap__V1__Text *const *m, size_t n,
	struct tick *ret, struct gs_err *err)
{
	size_t i, bytes = 0;

	for (i = 0; i < n; i++)
		bytes += m[i]->text.len;
	if (!ROOM(ret, ret->text, &ret->text_cap, ret->n_text + n) ||
	    !room_of_bytes(ret, bytes))
		return budget_fail(ret->budget, err, "texts");
	for (i = 0; i < n; i++) {
		if (m[i]->id == 0 || m[i]->id >= TICK_TEXTS_MAX)
			return bad(err, "text id out of bounds", m[i]->id);
		if (m[i]->text.len > TICK_TEXT_BYTES_MAX)
			return bad(err, "text too long", m[i]->text.len);
		tick_add_text(ret, m[i]->id, (const char *)m[i]->text.data,
		    m[i]->text.len);
	}
	return GS_OK;
}

int blockcode_read_events(Gpsnap__V1__Event *const *m, size_t n,
	struct tick *ret, struct gs_err *err)
{
	size_t i, bytes = 0;

	for (i = 0; i < n; i++)
		bytes += m[i]->text.len;
	if (!ROOM(ret, ret->event, &ret->event_cap, ret->n_event + n) ||
	    !room_of_bytes(ret, bytes))
		return budget_fail(ret->budget, err, "events");
	for (i = 0; i < n; i++) {
		if (m[i]->host > TICK_HOSTS_MAX)
			return bad(err, "host out of bounds", m[i]->host);
		if (!tick_time_ok(m[i]->wall_ns))
			return bad(err, "time out of bounds",
			    (uint64_t)m[i]->wall_ns);
		if (m[i]->text.len > TICK_TEXT_BYTES_MAX)
			return bad(err, "text too long", m[i]->text.len);
		tick_add_event(ret, (enum event_kind)m[i]->kind,
		    m[i]->wall_ns,
		    m[i]->host ? m[i]->host - 1 : EVENT_NO_HOST,
		    m[i]->value, (const char *)m[i]->text.data,
		    m[i]->text.len);
	}
	return GS_OK;
}
