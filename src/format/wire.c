/* SPDX-License-Identifier: Apache-2.0 */
#include "format/wire.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "format/blockcode.h"
#include "format/fields.h"
#include "format/varint.h"

/* A larger number is not a valid length. */
#define WIRE_LENGTH_LIKELY (UINT64_C(1) << 30)

struct wire_codec {
	struct pbarena arena;
	struct gs_budget budget; /* for decoding, if limited */
	bool dense; /* the last request takes columns together */
};

struct wire_codec *wire_codec_new(void)
{
	struct wire_codec *c = gs_calloc(1, sizeof(*c));

	pbarena_init(&c->arena);
	return c;
}

void wire_codec_free(struct wire_codec *c)
{
	if (!c)
		return;
	pbarena_release(&c->arena);
	free(c);
}

void wire_codec_limit(struct wire_codec *c)
{
	c->budget.limit_bytes = WIRE_DECODE_MAX;
	c->arena.budget = &c->budget;
}

static void put_message(const ProtobufCMessage *m, struct buf *out)
{
	buf_add_varint(out, protobuf_c_message_get_packed_size(m));
	pb_add(m, out);
}

void wire_put_request(const struct request *r, struct buf *out)
{
	Gpsnap__V1__Request m = GPSNAP__V1__REQUEST__INIT;

	m.sequence = r->sequence;
	m.with = r->with;
	m.busiest = r->busiest;
	m.chosen = r->chosen;
	m.n_pid = r->n_pid;
	m.pid = (uint32_t *)(uintptr_t)r->pid; /* only read */
	m.n_comm = r->n_comm;
	m.comm = (char **)(uintptr_t)r->comm;
	m.heap_interval_s = r->heap_interval_s;
	m.dense = true;
	put_message(&m.base, out);
}

void wire_put_answer(struct wire_codec *c, const struct answer *a,
	struct buf *out)
{
	Gpsnap__V1__Answer m = GPSNAP__V1__ANSWER__INIT;
	Gpsnap__V1__Hello hello = GPSNAP__V1__HELLO__INIT;
	const struct tick *t = &a->tick;
	struct described d;

	pbarena_reset(&c->arena);
	if (a->has_hello) {
		hello.protocol = a->hello.protocol;
		hello.version = (char *)(uintptr_t)a->hello.version;
		memset(&d, 0xff, sizeof(d)); /* all metrics */
		blockcode_pack_entities(&c->arena, &d, &hello.entity,
		    &hello.n_entity);
		m.hello = &hello;
	}
	if (t->n_block > 0)
		m.block = blockcode_pack_block(&c->arena, t->block[0],
		    c->dense);
	blockcode_pack_texts(&c->arena, t, &m.text, &m.n_text);
	blockcode_pack_events(&c->arena, t, &m.event, &m.n_event);
	put_message(&m.base, out);
}

/* The length prefix: returns its size; *ret_body is the message's. */
static int64_t prefix(const void *p, size_t len, uint64_t *ret_body,
	struct gs_err *err)
{
	size_t n = gs_get_varint(p, len, ret_body);

	if (n == 0)
		return 0;
	if (n != (size_t)-1 && *ret_body > WIRE_MESSAGE_MAX &&
	    *ret_body <= WIRE_LENGTH_LIKELY)
		return gs_fail(err, GS_E_PROTOCOL,
		    "an answer of %" PRIu64 " bytes: the limit is %u",
		    *ret_body, WIRE_MESSAGE_MAX);
	if (n == (size_t)-1 || *ret_body > WIRE_MESSAGE_MAX)
		return gs_fail(err, GS_E_PROTOCOL,
		    "no message length at the start of an answer (got bytes "
		    "0x%02x 0x%02x)", ((const unsigned char *)p)[0],
		    len > 1 ? ((const unsigned char *)p)[1] : 0);
	return (int64_t)n;
}

int64_t wire_message_len(const void *p, size_t len, struct gs_err *err)
{
	uint64_t body;
	int64_t n = prefix(p, len, &body, err);

	if (n <= 0)
		return n;
	if (len - (size_t)n < body)
		return 0;
	return n + (int64_t)body;
}

/* The bytes of a framed message. */
static int get_body(const void *p, size_t len, struct span *ret,
	struct gs_err *err)
{
	uint64_t body;
	int64_t n = prefix(p, len, &body, err);

	if (n < 0)
		return GS_E_PROTOCOL;
	if (n == 0 || len - (size_t)n != body)
		return gs_fail(err, GS_E_PROTOCOL,
		    "truncated message: %zu bytes", len);
	*ret = span_of((const char *)p + n, (size_t)body);
	return GS_OK;
}

static int invalid(const ProtobufCMessageDescriptor *type, size_t len,
	struct gs_err *err)
{
	return gs_fail(err, GS_E_PROTOCOL, "%zu bytes: not a valid %s", len,
	    type->short_name);
}

/* NULL with err filled if it is invalid. */
static void *unpack(struct wire_codec *c,
	const ProtobufCMessageDescriptor *type, struct span body,
	struct gs_err *err)
{
	void *m = protobuf_c_message_unpack(type, &c->arena.alloc,
	    span_len(body), (const uint8_t *)body.ptr);

	if (!m && c->arena.refused)
		(void)pbarena_fail(&c->arena, span_len(body),
		    type->short_name, err);
	else if (!m)
		(void)invalid(type, span_len(body), err);
	return m;
}

static int too_much(struct gs_err *err, const char *what, size_t n,
	size_t max)
{
	return gs_fail(err, GS_E_LIMIT, "%zu %s: the limit is %zu", n,
	    what, max);
}

static int check_names(const Gpsnap__V1__Request *m, struct gs_err *err)
{
	size_t i;

	if (m->n_pid > WIRE_PIDS_MAX)
		return too_much(err, "process ids", m->n_pid, WIRE_PIDS_MAX);
	if (m->n_comm > WIRE_COMMS_MAX)
		return too_much(err, "names", m->n_comm, WIRE_COMMS_MAX);
	for (i = 0; i < m->n_comm; i++) {
		if (strlen(m->comm[i]) > WIRE_COMM_MAX)
			return too_much(err, "bytes of a name",
			    strlen(m->comm[i]), WIRE_COMM_MAX);
	}
	return 0;
}

int wire_get_request(struct wire_codec *c, const void *p, size_t len,
	struct request *ret, struct gs_err *err)
{
	const Gpsnap__V1__Request *m = NULL;
	struct span body = { NULL, NULL };

	pbarena_reset(&c->arena);
	if (get_body(p, len, &body, err) == GS_OK)
		m = unpack(c, &gpsnap__v1__request__descriptor, body, err);
	if (!m)
		return GS_E_PROTOCOL;
	if (check_names(m, err) < 0)
		return GS_E_LIMIT;
	c->dense = m->dense;
	*ret = (struct request) {
		.sequence = m->sequence,
		.with = m->with,
		.busiest = m->busiest,
		.chosen = m->chosen,
		.pid = m->pid,
		.n_pid = m->n_pid,
		.comm = m->comm,
		.n_comm = m->n_comm,
		.heap_interval_s = m->heap_interval_s,
	};
	return GS_OK;
}

/* ---- what an agent may send --------------------------------------------- */

/* Entities whose rows an agent sends. */
static const bool of_agents[ENTITY_COUNT] = {
	[ENTITY_HOST] = true,
	[ENTITY_CPU] = true,
	[ENTITY_DISK] = true,
	[ENTITY_NET] = true,
	[ENTITY_FS] = true,
	[ENTITY_CGROUP] = true,
	[ENTITY_PROCESS] = true,
	[ENTITY_AGENT] = true,
	[ENTITY_POSTMASTER] = true,
	[ENTITY_THREAD] = true,
	[ENTITY_SOURCE] = true,
	[ENTITY_CGROUP_IO] = true,
};

struct sums {
	size_t opened, cells, columns, entities;
};

static int not_an_answer(struct span part, struct gs_err *err)
{
	return invalid(&gpsnap__v1__answer__descriptor, span_len(part), err);
}

static int add_columns(struct sums *s, size_t columns, size_t cells,
	struct gs_err *err)
{
	s->columns += columns;
	s->cells += cells;
	if (s->columns > WIRE_COLUMNS_MAX)
		return too_much(err, "columns", s->columns, WIRE_COLUMNS_MAX);
	if (s->cells > WIRE_CELLS_MAX)
		return too_much(err, "values", s->cells, WIRE_CELLS_MAX);
	return GS_OK;
}

/* A column is checked when it is read. */
static int check_column(void *ctx, uint32_t entity, struct column_fields *c,
	struct gs_err *err)
{
	(void)entity;
	if (c->is.sum)
		return gs_fail(err, GS_E_PROTOCOL,
		    "sums, which no agent sends");
	return add_columns(ctx, 1, c->row_gap.n + c->diff.n + c->text.n +
	    c->gone_gap.n, err);
}

/* Columns of the same rows, together. */
static int check_columns(struct span columns, struct sums *s,
	struct gs_err *err)
{
	struct columns_fields m;

	return columns_fields_read(&m, columns)
	    ? add_columns(s, m.metric_gap.n, m.row_gap.n + m.diff.n, err)
	    : not_an_answer(columns, err);
}

static int check_opened(struct lane gap, struct sums *s, struct gs_err *err)
{
	uint32_t slot = 0;

	s->opened += gap.n;
	if (s->opened > WIRE_ROWS_MAX)
		return too_much(err, "new rows", s->opened, WIRE_ROWS_MAX);
	while (gap.n > 0) {
		slot += (uint32_t)gs_unzigzag((uint32_t)lane_next(&gap));
		if (slot >= WIRE_SLOTS_MAX)
			return gs_fail(err, GS_E_LIMIT,
			    "row number %u: must be below %u", slot,
			    WIRE_SLOTS_MAX);
	}
	return 0;
}

static int check_entity(struct span entity, struct sums *s,
	struct gs_err *err)
{
	struct delta_fields m;
	struct span one;
	int e, r;

	if (!delta_fields_read(&m, entity))
		return not_an_answer(entity, err);
	e = entity_by_file_id(m.entity);
	if (e >= 0 && !of_agents[e])
		return gs_fail(err, GS_E_PROTOCOL,
		    "rows of %s, which no agent sends",
		    entity_get((enum entity_id)e)->name);
	if (m.ended_gap.n > 0)
		return gs_fail(err, GS_E_PROTOCOL,
		    "rows that end late, which no agent sends");
	if (m.n_waited > 0)
		return gs_fail(err, GS_E_PROTOCOL,
		    "what rows waited for, which no agent sends");
	if (++s->entities > WIRE_COLUMNS_MAX)
		return too_much(err, "entities", s->entities,
		    WIRE_COLUMNS_MAX);
	r = check_opened(m.opened_gap, s, err);
	while (r == 0 && m.n_columns-- > 0 &&
	    message_next(&entity, FIELD_DELTA_COLUMNS, &one))
		r = check_columns(one, s, err);
	return r;
}

/* All but its single columns. */
static int check_block(struct span block, struct sums *s, struct gs_err *err)
{
	struct block_fields m;
	struct span one;
	int r = 0;

	if (!block_fields_read(&m, block))
		return not_an_answer(block, err);
	while (r == 0 && message_next(&block, FIELD_BLOCK_ENTITY, &one))
		r = check_entity(one, s, err);
	return r;
}

/* GS_E_PROTOCOL if an agent must not send it, GS_E_LIMIT if it is too much. */
static int check_answer(const Gpsnap__V1__Answer *m, struct gs_err *err)
{
	size_t i;

	if (m->n_text > WIRE_TEXTS_MAX)
		return too_much(err, "texts", m->n_text, WIRE_TEXTS_MAX);
	if (m->n_event > WIRE_EVENTS_MAX)
		return too_much(err, "events", m->n_event, WIRE_EVENTS_MAX);
	for (i = 0; i < m->n_text; i++) {
		if (m->text[i]->id >= WIRE_TEXT_IDS_MAX)
			return gs_fail(err, GS_E_LIMIT,
			    "text number %u: must be below %u",
			    m->text[i]->id, WIRE_TEXT_IDS_MAX);
	}
	return 0;
}

/* An answer whose block is apart from the rest, which is small. */
struct parts {
	struct span block;
	size_t n_block;
	char *rest;
	size_t rest_len;
};

static int take_part(void *ctx, const struct field *f)
{
	struct parts *p = ctx;

	if (f->number == FIELD_ANSWER_BLOCK) {
		p->block = f->body;
		p->n_block++;
		return f->wire == WIRE_BYTES ? GS_OK : GS_E_FORMAT;
	}
	memcpy(p->rest + p->rest_len, f->whole.ptr, span_len(f->whole));
	p->rest_len += span_len(f->whole);
	return GS_OK;
}

/* All of the answer but its block, or NULL. */
static const Gpsnap__V1__Answer *get_rest(struct wire_codec *c,
	struct span body, struct parts *p, struct gs_err *err)
{
	*p = (struct parts) { .rest = pbarena_alloc(&c->arena,
	    span_len(body)) };
	if (!p->rest) {
		(void)pbarena_fail(&c->arena, span_len(body), "Answer", err);
		return NULL;
	}
	if (each_field(body, take_part, p) < 0 || p->n_block > 1) {
		(void)not_an_answer(body, err);
		return NULL;
	}
	return unpack(c, &gpsnap__v1__answer__descriptor,
	    span_of(p->rest, p->rest_len), err);
}

int wire_get_answer(struct wire_codec *c, const void *p, size_t len,
	struct answer *ret, struct gs_err *err)
{
	struct sums sums = { 0 };
	const struct column_values check = { .find = check_column,
		.ctx = &sums };
	const struct blockcode_in in = { .scratch = &c->arena,
		.wanted = UINT64_MAX, .values = &check };
	const Gpsnap__V1__Answer *m = NULL;
	struct parts parts;
	struct span body = { NULL, NULL };
	int r;

	pbarena_reset(&c->arena);
	if (get_body(p, len, &body, err) == GS_OK)
		m = get_rest(c, body, &parts, err);
	if (!m)
		return GS_E_PROTOCOL;
	r = check_answer(m, err);
	if (r == 0 && parts.n_block > 0)
		r = check_block(parts.block, &sums, err);
	if (r < 0)
		return r;
	if (tick_is_large(&ret->tick))
		tick_release(&ret->tick);
	tick_reset(&ret->tick);
	ret->tick.budget = c->arena.budget;
	ret->has_hello = m->hello != NULL;
	ret->tick.key = ret->has_hello; /* then it is also full */
	if (m->hello)
		ret->hello = (struct hello) { m->hello->protocol,
			m->hello->version };
	if (parts.n_block > 0)
		r = blockcode_read_block(&in, parts.block, &ret->tick,
		    tick_add_block(&ret->tick, 0), err);
	if (r == GS_OK)
		r = blockcode_read_texts(m->text, m->n_text, &ret->tick, err);
	if (r == GS_OK)
		r = blockcode_read_events(m->event, m->n_event, &ret->tick,
		    err);
	if (ret->tick.n_block > 0)
		ret->tick.block[0]->host = 0;
	return r;
}
