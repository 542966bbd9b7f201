/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blockcode_read.c - decodes protobuf messages to struct tick.
 *
 * Blocks are read where their bytes are (fields.h).
 *
 * All input is checked: slots are below TICK_SLOTS_MAX, counts of rows and
 * values agree, ids of entities and columns occur once.  Unknown entities and
 * metrics are skipped.
 */
#include "format/blockcode.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "format/fields.h"
#include "format/varint.h"

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
static bool slots_of(struct lane gap, uint32_t *to)
{
	uint32_t slot = 0;

	while (gap.n > 0) {
		slot += (uint32_t)gs_unzigzag((uint32_t)lane_next(&gap));
		if (slot >= TICK_SLOTS_MAX)
			return false;
		*to++ = slot;
	}
	return true;
}

static int read_notes(struct lane gap, struct lane why, struct tick *t,
	struct slot_note **note, size_t *cap, size_t *ret_n,
	struct gs_err *err)
{
	bool has_why = why.n > 0;
	uint32_t slot = 0;
	size_t i, n = gap.n;

	if (has_why && why.n != n)
		return bad(err, "reasons do not match slots", why.n);
	if (n > TICK_SLOTS_MAX)
		return bad(err, "too many slots", n);
	if (!ROOM(t, *note, cap, n))
		return no_room(t, err);
	for (i = 0; i < n; i++) {
		slot += (uint32_t)gs_unzigzag((uint32_t)lane_next(&gap));
		if (slot >= TICK_SLOTS_MAX)
			return bad(err, "slot out of bounds", slot);
		(*note)[i] = (struct slot_note) { slot,
			has_why ? (uint32_t)lane_next(&why) : 0 };
	}
	*ret_n = n;
	return GS_OK;
}

/* Rows of a column, for later columns that have the same. */
struct rows {
	const uint32_t *slot;
	size_t n;
};

/* The columns of one entity of a block. */
struct reading {
	const struct blockcode_in *in;
	struct tick *t;
	struct delta *d;
	struct rows before;
	struct gs_err *err;
};

static int check_counts(const struct column_fields *m,
	const struct rows *before, struct gs_err *err)
{
	size_t n = m->diff.n + m->text.n;

	if (m->diff.n != 0 && m->text.n != 0)
		return bad(err, "numbers and texts in metric", m->is.metric);
	if (n > TICK_SLOTS_MAX || m->gone_gap.n > TICK_SLOTS_MAX)
		return bad(err, "too many rows", n);
	if (m->row_gap.n != 0 && m->row_gap.n != n)
		return bad(err, "rows do not match values", m->row_gap.n);
	if (m->row_gap.n == 0 && n != 0 && n != before->n)
		return bad(err, "no rows for values", n);
	return GS_OK;
}

/* Slots in memory of their own, while the block is read. */
static int scratch_slots(const struct reading *u,
	const struct column_fields *m, const char *what, uint32_t **ret)
{
	struct pbarena *a = u->in->scratch;
	size_t n = m->row_gap.n;

	*ret = pbarena_alloc(a, n * sizeof(**ret));
	if (!*ret)
		return pbarena_fail(a, n, what, u->err);
	if (!slots_of(m->row_gap, *ret))
		return bad(u->err, "row out of bounds in metric", m->is.metric);
	return GS_OK;
}

/* A column of an unknown metric: only its rows matter, to the columns after
 * it. */
static int pass_over(struct reading *u, const struct column_fields *m)
{
	uint32_t *slot;
	int r;

	if (m->row_gap.n == 0)
		return GS_OK;
	r = scratch_slots(u, m, "rows of a column", &slot);
	if (r == GS_OK)
		u->before = (struct rows) { slot, m->row_gap.n };
	return r;
}

static int read_rows(struct reading *u, const struct column_fields *m,
	struct delta_col *c)
{
	size_t n = m->diff.n + m->text.n, i;

	if (!ROOM(u->t, c->slot, &c->slot_cap, n))
		return no_room(u->t, u->err);
	if (m->row_gap.n == 0) {
		for (i = 0; i < n; i++) /* most often one */
			c->slot[i] = u->before.slot[i];
		return GS_OK;
	}
	if (!slots_of(m->row_gap, c->slot))
		return bad(u->err, "row out of bounds in metric", m->is.metric);
	u->before = (struct rows) { c->slot, n };
	return GS_OK;
}

static int read_values(struct reading *u, const struct column_fields *m,
	struct delta_col *c)
{
	struct lane diff = m->diff, text = m->text;
	size_t n = diff.n + text.n;
	uint64_t *to;

	if (!ROOM(u->t, c->diff, &c->diff_cap, n))
		return no_room(u->t, u->err);
	for (to = c->diff; diff.n > 0; to++)
		*to = (uint64_t)gs_unzigzag(lane_next(&diff));
	for (; text.n > 0; to++)
		*to = (uint32_t)lane_next(&text);
	c->n = n;
	return GS_OK;
}

/* Sums of an unknown kind are skipped. */
static int read_sums(struct reading *u, const struct column_fields *m,
	const struct metric *metric)
{
	struct delta *d = u->d;
	struct lane diff = m->diff;
	uint32_t *slot;
	int r;

	if (m->is.sum >= SUM_COUNT)
		return GS_OK;
	if (m->row_gap.n != diff.n || m->text.n || m->gone_gap.n ||
	    !metric_is_counter(metric))
		return bad(u->err, "invalid sums in metric", m->is.metric);
	if (diff.n > TICK_SLOTS_MAX - d->n_sum)
		return bad(u->err, "too many sums", diff.n);
	if (!ROOM(u->t, d->sum, &d->sum_cap, d->n_sum + diff.n))
		return no_room(u->t, u->err);
	r = scratch_slots(u, m, "rows of a sum", &slot);
	for (; r == GS_OK && diff.n > 0; slot++)
		delta_add_sum(d, *slot, (struct tick_sum) {
			.col = metric->col, .of = (uint16_t)m->is.sum,
			.amount = (uint64_t)gs_unzigzag(lane_next(&diff)) });
	return r;
}

static int read_gone(struct reading *u, const struct column_fields *m,
	struct delta_col *c)
{
	if (!ROOM(u->t, c->gone, &c->gone_cap, m->gone_gap.n))
		return no_room(u->t, u->err);
	if (!slots_of(m->gone_gap, c->gone))
		return bad(u->err, "row out of bounds in metric", m->is.metric);
	c->n_gone = m->gone_gap.n;
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

static int read_cells(struct reading *u, const struct column_fields *m,
	const struct metric *metric)
{
	struct delta_col *c = &u->d->col[metric->col];
	int r;

	if (is_used(u->d, metric))
		return bad(u->err, "metric occurs twice", m->is.metric);
	if ((metric_is_text(metric) ? m->diff.n : m->text.n) != 0)
		return bad(u->err, "values of the wrong kind in metric",
		    m->is.metric);
	r = read_rows(u, m, c);
	if (r == GS_OK)
		r = read_values(u, m, c);
	if (r == GS_OK)
		r = read_gone(u, m, c);
	if (c->n || c->n_gone)
		mark_used(u->d, metric);
	return r;
}

/* The most frequent column: numbers in the rows of the column before.  False: it is
 * another one, or there is no room. */
static inline bool read_plain(struct reading *u, const struct column_fields *m,
	const struct metric *metric)
{
	struct delta_col *c = &u->d->col[metric->col];
	struct lane diff = m->diff;
	size_t n = diff.n, i;

	if (n == 0 || n != u->before.n || n > c->slot_cap || n > c->diff_cap ||
	    m->row_gap.n || m->text.n || m->gone_gap.n || m->is.sum ||
	    is_used(u->d, metric) || metric_is_text(metric))
		return false;
	for (i = 0; i < n; i++) {
		c->slot[i] = u->before.slot[i];
		c->diff[i] = (uint64_t)gs_unzigzag(lane_next(&diff));
	}
	c->n = n;
	mark_used(u->d, metric);
	return true;
}

static int read_column(struct reading *u, const struct column_fields *m)
{
	const struct metric *metric = metric_by_file_id(u->d->entity, m->is.metric);
	int r;

	if (metric && read_plain(u, m, metric))
		return GS_OK;
	r = check_counts(m, &u->before, u->err);
	if (r < 0)
		return r;
	if (!metric)
		return pass_over(u, m);
	return m->is.sum ? read_sums(u, m, metric) : read_cells(u, m, metric);
}

/* The next values of diff are those of this column. */
static int read_dense_column(struct reading *u, const struct columns_fields *m,
	uint32_t id, struct rows rows, struct lane *diff)
{
	const struct metric *metric = metric_by_file_id(u->d->entity, id);
	struct delta_col *c = metric ? &u->d->col[metric->col] : NULL;
	size_t i;

	if (metric && metric_is_text(metric))
		return bad(u->err, "values of the wrong kind in metric", id);
	if (metric && is_used(u->d, metric))
		return bad(u->err, "metric occurs twice", id);
	if (c && (!ROOM(u->t, c->slot, &c->slot_cap, rows.n) ||
	    !ROOM(u->t, c->diff, &c->diff_cap, rows.n)))
		return no_room(u->t, u->err);
	for (i = 0; i < rows.n; i++) {
		uint64_t v = (uint64_t)gs_unzigzag(lane_next(diff));

		if (c)
			c->diff[i] = v;
	}
	if (!c)
		return GS_OK;
	c->n = densecode_column(c->diff, m->running, m->padded, rows.slot,
	    rows.n, c->slot, c->diff);
	if (c->n > 0)
		mark_used(u->d, metric);
	return GS_OK;
}

/* Columns of the same rows. */
static int read_dense(struct reading *u, const struct columns_fields *m)
{
	struct lane ids = m->metric_gap, diff = m->diff;
	uint32_t *slot, id = 0;
	size_t n;
	int r = GS_OK;

	if (!densecode_rows(ids.n, m->row_gap.n, diff.n, &n) ||
	    n > TICK_SLOTS_MAX)
		return bad(u->err, "values do not match rows", diff.n);
	slot = pbarena_alloc(u->in->scratch, n * sizeof(*slot));
	if (!slot)
		return pbarena_fail(u->in->scratch, n, "rows of columns",
		    u->err);
	slot[0] = 0;
	if (!slots_of(m->row_gap, slot))
		return bad(u->err, "row out of bounds", m->row_gap.n);
	while (r == GS_OK && ids.n > 0) {
		id += (uint32_t)gs_unzigzag((uint32_t)lane_next(&ids));
		r = read_dense_column(u, m, id, (struct rows) { slot, n },
		    &diff);
	}
	return r;
}

static int each_dense(struct reading *u, const struct delta_fields *m)
{
	struct span rest = m->bytes, one;
	struct columns_fields c;
	uint32_t n = m->n_columns;
	int r = GS_OK;

	while (r == GS_OK && n-- > 0 &&
	    message_next(&rest, FIELD_DELTA_COLUMNS, &one))
		r = columns_fields_read(&c, one) ? read_dense(u, &c)
		    : bad(u->err, "no columns", span_len(one));
	return r;
}

static int read_waited(struct reading *u, const struct waited_fields *m)
{
	struct tick_waited w = { m->slot, m->kind, m->event, m->query,
		m->has_query_id != 0, m->query_id, { 0 } };
	struct lane amount = m->amount;
	size_t i;

	if (w.slot >= TICK_SLOTS_MAX)
		return bad(u->err, "slot out of bounds", w.slot);
	for (i = 0; i < WAITED_AMOUNTS && amount.n > 0; i++)
		w.amount[i] = gs_unzigzag(lane_next(&amount));
	delta_add_waited(u->d, &w);
	return GS_OK;
}

static int each_waited(struct reading *u, const struct delta_fields *m)
{
	struct span rest = m->bytes, one;
	struct waited_fields w;
	uint32_t n = m->n_waited;
	int r = GS_OK;

	if (n > 0 && !ROOM(u->t, u->d->waited, &u->d->waited_cap,
	    u->d->n_waited + n))
		return no_room(u->t, u->err);
	while (r == GS_OK && n-- > 0 &&
	    message_next(&rest, FIELD_DELTA_WAITED, &one))
		r = waited_fields_read(&w, one) ? read_waited(u, &w)
		    : bad(u->err, "no waits", span_len(one));
	return r;
}

/* The rows that come and go. */
static int read_lives(struct reading *u, const struct delta_fields *m)
{
	struct delta *d = u->d;
	int r = read_notes(m->closed_gap, m->closed_why, u->t, &d->closed,
	    &d->closed_cap, &d->n_closed, u->err);

	if (r == GS_OK)
		r = read_notes(m->opened_gap, m->opened_how, u->t, &d->opened,
		    &d->opened_cap, &d->n_opened, u->err);
	if (r == GS_OK)
		r = read_notes(m->ended_gap, m->ended_why, u->t, &d->ended,
		    &d->ended_cap, &d->n_ended, u->err);
	return r;
}

/* A column, whose values may be elsewhere. */
static int find_and_read(void *ctx, uint32_t entity, struct column_fields *c,
	struct gs_err *err)
{
	struct reading *u = ctx;
	const struct column_values *v = u->in->values;
	int r = v ? v->find(v->ctx, entity, c, err) : GS_OK;

	return r == GS_OK ? read_column(u, c) : r;
}

static int read_entity(struct reading *u, const struct delta_fields *m)
{
	const struct column_values *v = u->in->values;
	int r;

	if (!delta_is_empty(u->d))
		return bad(u->err, "entity occurs twice", m->entity);
	u->before = (struct rows) { NULL, 0 };
	r = read_lives(u, m);
	if (r == GS_OK)
		r = each_dense(u, m);
	if (r == GS_OK)
		r = each_shaped(v ? v->shapes : NULL, m->entity, &m->columns,
		    find_and_read, u, u->err);
	return r == GS_OK ? each_waited(u, m) : r;
}

/* The entity of a block, or its values only, if it is not wanted or unknown. */
static int take_entity(struct reading *u, const struct delta_fields *m,
	struct block *to)
{
	const struct column_values *v = u->in->values;
	int e = entity_by_file_id(m->entity), r;

	if (e < 0 || !(u->in->wanted >> e & 1))
		return v ? each_shaped(v->shapes, m->entity, &m->columns, v->find,
		    v->ctx, u->err) : GS_OK;
	u->d = &to->ent[e];
	r = read_entity(u, m);
	if (r < 0 && r != GS_E_MEMORY)
		gs_err_prefix(u->err, "host %u, %s", to->host,
		    entity_get((enum entity_id)e)->name);
	return r;
}

/* Which of the clocks, and what it says. */
static int check_clocks(const struct block_fields *m, struct gs_err *err)
{
	const struct {
		const char *wrong;
		int64_t ns;
	} clocks[] = {
		{ "wall clock out of bounds", m->wall_ns },
		{ "monotonic clock out of bounds", m->mono_ns },
		{ "boot clock out of bounds", m->boot_ns },
	};
	size_t i;

	for (i = 0; i < GS_LEN(clocks); i++) {
		if (!tick_time_ok(clocks[i].ns))
			return gs_fail(err, GS_E_FORMAT, "%s: got %" PRId64
			    " ns", clocks[i].wrong, clocks[i].ns);
	}
	return GS_OK;
}

static int read_clock(const struct block_fields *m, struct block *ret,
	struct gs_err *err)
{
	if (m->host >= TICK_HOSTS_MAX)
		return bad(err, "host out of bounds", m->host);
	if (check_clocks(m, err) < 0)
		return GS_E_FORMAT;
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
	return GS_OK;
}

int blockcode_read_block(const struct blockcode_in *in, struct span bytes,
	struct tick *t, struct block *ret, struct gs_err *err)
{
	struct reading u = { .in = in, .t = t, .err = err };
	struct block_fields m;
	struct delta_fields d;
	struct span one;
	int r;

	if (!block_fields_read(&m, bytes))
		return bad(err, "no host", span_len(bytes));
	r = read_clock(&m, ret, err);
	while (r == GS_OK && message_next(&bytes, FIELD_BLOCK_ENTITY, &one)) {
		if (!delta_fields_read(&d, one))
			return bad(err, "no entity", span_len(one));
		r = take_entity(&u, &d, ret);
	}
	return r;
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

bool blockcode_room_of_texts(struct tick *t, size_t n, size_t bytes)
{
	return ROOM(t, t->text, &t->text_cap, t->n_text + n) &&
	    room_of_bytes(t, bytes);
}

int blockcode_read_texts(Gpsnap__V1__Text *const *m, size_t n,
	struct tick *ret, struct gs_err *err)
{
	size_t i, bytes = 0;

	for (i = 0; i < n; i++)
		bytes += m[i]->text.len;
	if (!blockcode_room_of_texts(ret, n, bytes))
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
