/* SPDX-License-Identifier: Apache-2.0 */
#include "format/tickcode_int.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "format/crc32c.h"
#include "format/frame.h"
#include "format/groupcode.h"
#include "format/headcode.h"
#include "format/tickparts.h"
#include "format/varint.h"
#include "model/header.h"

#define KEY_TAG_LEN 5u /* the field with its number */
#define KEY_TAG_FIELD (10u << 3 | 5u) /* fixed32 */

/* So much of a key is compressed at a time, if it is to take little memory. */
#define STASH_BYTES ((size_t)1 << 20)

struct tickcode *tickcode_new(int level)
{
	struct tickcode *c = gs_calloc(1, sizeof(*c));

	pbarena_init(&c->arena);
	c->wanted = UINT64_MAX;
	c->level = level;
	tickcode_open_zstd(c);
	return c;
}

void tickcode_be_dense(struct tickcode *c)
{
	c->dense = true;
}

void tickcode_be_bare(struct tickcode *c)
{
	c->bare = true;
}

void tickcode_free(struct tickcode *c)
{
	if (!c)
		return;
	pbarena_release(&c->arena);
	buf_release(&c->hosts);
	buf_release(&c->head);
	buf_release(&c->begin);
	buf_release(&c->tail);
	stash_drop(&c->stash);
	tickcode_close_zstd(c);
	free(c);
}

/* ---- encode ---------------------------------------------------------- */

static char *text_or_empty(char *s)
{
	static char empty[] = "";

	return s ? s : empty;
}

static Gpsnap__V1__Setting **pack_settings(struct pbarena *a,
	const struct header_setting *from, size_t n)
{
	Gpsnap__V1__Setting **m = pbarena_must_alloc(a, n * sizeof(*m));
	size_t i;

	for (i = 0; i < n; i++) {
		m[i] = pbarena_must_alloc(a, sizeof(**m));
		gpsnap__v1__setting__init(m[i]);
		m[i]->name = text_or_empty(from[i].name);
		m[i]->value = text_or_empty(from[i].value);
	}
	return m;
}

static Gpsnap__V1__Host *pack_host(struct pbarena *a,
	const struct header_host *from)
{
	Gpsnap__V1__Host *m = pbarena_must_alloc(a, sizeof(*m));

	gpsnap__v1__host__init(m);
	m->index = from->index;
	m->name = text_or_empty(from->name);
	m->catalog = from->catalog;
	m->server_version = text_or_empty(from->server_version);
	m->setting = pack_settings(a, from->setting, from->n_setting);
	m->n_setting = from->n_setting;
	return m;
}

static void pack_header_lists(struct pbarena *a, const struct header *h,
	Gpsnap__V1__Header *m)
{
	size_t i;

	m->host = pbarena_must_alloc(a, h->n_host * sizeof(*m->host));
	for (i = 0; i < h->n_host; i++)
		m->host[i] = pack_host(a, &h->host[i]);
	m->n_host = h->n_host;
	m->refused = pbarena_must_alloc(a, h->n_refused * sizeof(*m->refused));
	for (i = 0; i < h->n_refused; i++) {
		m->refused[i] = pbarena_must_alloc(a, sizeof(**m->refused));
		gpsnap__v1__refused__init(m->refused[i]);
		m->refused[i]->what = text_or_empty(h->refused[i].what);
		m->refused[i]->why = text_or_empty(h->refused[i].why);
	}
	m->n_refused = h->n_refused;
	m->setting = pack_settings(a, h->setting, h->n_setting);
	m->n_setting = h->n_setting;
	m->server_version = text_or_empty(h->server_version);
}

static void pack_origin(struct pbarena *a, const struct header *h,
	Gpsnap__V1__Header *m)
{
	size_t i;

	m->edited = text_or_empty(h->edited);
	m->thinned_ns = h->thinned_ns;
	m->source = pbarena_must_alloc(a, h->n_source * sizeof(*m->source));
	for (i = 0; i < h->n_source; i++) {
		struct header_source *from = &h->source[i];

		m->source[i] = pbarena_must_alloc(a, sizeof(**m->source));
		gpsnap__v1__source__init(m->source[i]);
		m->source[i]->recording_id.data = from->recording_id;
		m->source[i]->recording_id.len = RECORDING_ID_LEN;
		m->source[i]->started_ns = from->started_ns;
		m->source[i]->clock_ns = from->clock_ns;
		m->source[i]->recorder_host =
		    text_or_empty(from->recorder_host);
	}
	m->n_source = h->n_source;
}

static Gpsnap__V1__Header *pack_header(struct tickcode *c,
	const struct header *h)
{
	struct pbarena *a = &c->arena;
	Gpsnap__V1__Header *m = pbarena_must_alloc(a, sizeof(*m));

	gpsnap__v1__header__init(m);
	m->format_version = h->format_version;
	m->compatible = h->compat;
	m->incompatible = h->incompat | (c->dense ? FEATURE_DENSE : 0);
	m->recording_id.data = (uint8_t *)(uintptr_t)h->recording_id;
	m->recording_id.len = sizeof(h->recording_id);
	m->file_number = h->file_number;
	m->started_ns = h->started_ns;
	m->interval_ns = h->interval_ns;
	m->content = h->content;
	m->program_version = text_or_empty(h->program_version);
	m->options = text_or_empty(h->options);
	m->recorder_host = text_or_empty(h->recorder_host);
	pack_header_lists(a, h, m);
	pack_origin(a, h, m);
	blockcode_pack_entities(a, &c->described, &m->entity, &m->n_entity);
	return m;
}

/* Columns of a delta that no key has described yet. */
static void pack_newcomers(struct tickcode *c, const struct tick *t,
	Gpsnap__V1__Tick *m)
{
	struct described *used = &c->used, *known = &c->described;
	uint64_t any = 0;
	size_t w;
	int e;

	for (e = 0; e < ENTITY_COUNT; e++) {
		for (w = 0; w < COL_WORDS_MAX; w++) {
			used->col[e][w] &= ~known->col[e][w];
			known->col[e][w] |= used->col[e][w];
			any |= used->col[e][w];
		}
	}
	if (any && !t->key)
		blockcode_pack_entities(&c->arena, used, &m->entity,
		    &m->n_entity);
}

void tickcode_begin(struct tickcode *c)
{
	c->used = (struct described) { 0 };
	buf_reset(&c->hosts);
	stash_drop(&c->stash);
	c->saves = false;
}

void tickcode_save_memory(struct tickcode *c)
{
	c->saves = true;
}

bool tickcode_is_large(const struct tickcode *c)
{
	return c->stash.n > 0;
}

static void drop_clock(Gpsnap__V1__HostBlock *m)
{
	Gpsnap__V1__HostBlock bare = GPSNAP__V1__HOST_BLOCK__INIT;

	bare.host = m->host;
	bare.entity = m->entity;
	bare.n_entity = m->n_entity;
	*m = bare;
}

void tickcode_add_block(struct tickcode *c, const struct block *b)
{
	Gpsnap__V1__HostBlock *m;

	pbarena_reset(&c->arena);
	described_add(&c->used, b);
	m = blockcode_pack_block(&c->arena, b, c->dense);
	if (c->bare)
		drop_clock(m);
	pb_add_field(&m->base, FIELD_TICK_HOST, &c->hosts);
	if (!c->saves || c->hosts.len < STASH_BYTES)
		return;
	stash_add(&c->stash, c->hosts.ptr, c->hosts.len);
	buf_reset(&c->hosts);
}

/* The memory of a key of very many hosts is not kept for the deltas. */
static void give_back(struct buf *b)
{
	if (b->cap > TICKCODE_KEEP_MAX)
		buf_release(b);
}

/* The tag of a key is a hash of its content, so that a delta does not match a
 * key with other content. */
static void set_key_tag(struct tickcode *c, uint32_t hash)
{
	c->key_tag = hash + (hash == 0); /* 0 means no tag */
}

static void add_key_tag(const struct tickcode *c, struct buf *out)
{
	buf_add_char(out, (char)KEY_TAG_FIELD);
	buf_add_le32(out, c->key_tag);
}

/* Puts bytes before others of b at this offset. */
static void put_before(struct buf *b, size_t at, const struct buf *in)
{
	if (in->len > 0)
		memcpy(b->ptr + at, in->ptr, in->len);
}

/* The hosts are by far the most: they are moved, and not copied. */
static void surround(struct tickcode *c)
{
	struct buf *to = &c->hosts;
	size_t before = c->begin.len + c->head.len;

	(void)buf_reserve(to, before + c->tail.len + KEY_TAG_LEN);
	memmove(to->ptr + before, to->ptr, to->len);
	to->len += before;
	put_before(to, 0, &c->begin);
	put_before(to, c->begin.len, &c->head);
	buf_add(to, c->tail.ptr, c->tail.len);
}

static void exchange(struct buf *a, struct buf *b)
{
	struct buf was = *a;

	*a = *b;
	*b = was;
}

/* Fields are in the order of their numbers, as if packed in one call: head (1
 * to 5), hosts (6), tail (7 to 9, and 11), tag (10).  Returns the length of them all, the
 * beginning of the record included. */
static size_t pack_around(struct tickcode *c, const struct tick *t)
{
	Gpsnap__V1__Tick head = GPSNAP__V1__TICK__INIT;
	Gpsnap__V1__Tick tail = GPSNAP__V1__TICK__INIT;
	size_t len;

	pbarena_reset(&c->arena);
	head.seq = c->bare ? 0 : t->seq;
	head.wall_ns = c->bare ? 0 : t->wall_ns;
	head.key = t->key;
	tail.left_out = t->left_out;
	tail.skipped = t->skipped;
	pack_newcomers(c, t, &tail);
	if (t->header)
		head.header = pack_header(c, t->header);
	if (!c->bare)
		blockcode_pack_texts(&c->arena, t, &head.text, &head.n_text);
	blockcode_pack_events(&c->arena, t, &tail.event, &tail.n_event);
	buf_reset(&c->head);
	pb_add(&head.base, &c->head);
	buf_reset(&c->tail);
	pb_add(&tail.base, &c->tail);
	len = c->head.len + c->stash.raw_len + c->hosts.len + c->tail.len +
	    KEY_TAG_LEN;
	varint_begin_record(&c->begin, FIELD_RECORD_TICK, len);
	return c->begin.len + len;
}

void tickcode_end(struct tickcode *c, const struct tick *t, struct buf *out)
{
	(void)pack_around(c, t);
	surround(c);
	if (t->key)
		set_key_tag(c, frame_crc32c(c->hosts.ptr + c->begin.len,
		    c->hosts.len - c->begin.len));
	add_key_tag(c, &c->hosts);
	exchange(&c->hosts, out);
	give_back(&c->head);
	give_back(&c->hosts);
}

/* A key on its way into a frame, with the hash of what passed. */
struct passing {
	struct tickstream stream;
	uint32_t crc;
};

static void pass(void *arg, const char *p, size_t len)
{
	struct passing *s = arg;

	s->crc = crc32c_update(s->crc, p, len);
	tickstream_add(&s->stream, p, len);
}

size_t tickcode_end_large(struct tickcode *c, const struct tick *t,
	struct buf *out)
{
	size_t len = pack_around(c, t);
	struct passing s = { .crc = ~0u };

	buf_reset(out);
	if (len > FRAME_RAW_MAX)
		return len;
	tickstream_begin(&s.stream, c, len, out);
	tickstream_add(&s.stream, c->begin.ptr, c->begin.len);
	pass(&s, c->head.ptr, c->head.len);
	stash_take(&c->stash, pass, &s);
	pass(&s, buf_str(&c->hosts), c->hosts.len);
	pass(&s, buf_str(&c->tail), c->tail.len);
	set_key_tag(c, ~s.crc);
	buf_reset(&c->tail);
	add_key_tag(c, &c->tail);
	tickstream_add(&s.stream, c->tail.ptr, c->tail.len);
	tickstream_end(&s.stream);
	give_back(&c->head);
	return len;
}

void tickcode_encode(struct tickcode *c, const struct tick *t,
	struct buf *out)
{
	size_t i;

	tickcode_begin(c);
	for (i = 0; i < t->n_block; i++)
		tickcode_add_block(c, t->block[i]);
	tickcode_end(c, t, out);
}

void tickcode_encode_again(struct tickcode *c, const struct tick *t,
	struct buf *out)
{
	tickcode_encode(c, t, out);
	out->len -= sizeof(t->key_tag);
	buf_add_le32(out, t->key_tag);
}

/* ---- decode ---------------------------------------------------------- */

/* All of a tick except its n_host hosts. */
static int read_fields(const Gpsnap__V1__Tick *m, size_t n_host,
	struct tick *ret, struct gs_err *err)
{
	int r = GS_OK;

	ret->seq = m->seq;
	ret->left_out = m->left_out;
	ret->skipped = m->skipped;
	ret->wall_ns = m->wall_ns;
	ret->key = m->key;
	ret->key_tag = m->key_tag;
	if (!tick_time_ok(m->wall_ns))
		r = gs_fail(err, GS_E_FORMAT, "time out of bounds: %" PRId64,
		    m->wall_ns);
	if (r == GS_OK && m->header)
		r = headcode_read(m->header, &ret->header, err);
	if (r == GS_OK && n_host > TICK_HOSTS_MAX)
		r = gs_fail(err, GS_E_FORMAT, "%zu hosts in a tick", n_host);
	if (r == GS_OK)
		r = blockcode_read_texts(m->text, m->n_text, ret, err);
	if (r == GS_OK)
		r = blockcode_read_events(m->event, m->n_event, ret, err);
	return r;
}

/* The source of a tick. */
struct from {
	struct span record;
	struct ungrouper *group; /* NULL: the record */
	size_t number; /* in the group */
};

static int no_record(struct tickcode *c, const struct tickparts *p,
	struct gs_err *err)
{
	return pbarena_fail(&c->arena, span_len(p->bytes), "record", err);
}

/* For each host. */
struct unpacking {
	struct blockcode_in in;
	struct tick *ret;
	struct gs_err *err;
};

static int unpack_block(void *ctx, struct span host)
{
	const struct unpacking *u = ctx;

	pbarena_reset(u->in.scratch);
	if (!tick_charge_block(u->ret))
		return budget_fail(u->ret->budget, u->err, "hosts");
	return blockcode_read_block(&u->in, host, u->ret,
	    tick_add_block(u->ret, 0), u->err);
}

static int split(struct tickcode *c, const struct from *from,
	struct tickparts *ret, struct column_values *ret_values,
	struct gs_err *err)
{
	bool texts = c->wanted == UINT64_MAX;
	struct span tick;
	int r;

	pbarena_reset(&c->arena);
	if (!from->group)
		return tickparts_of(ret, from->record, texts) ? GS_OK
		    : no_record(c, ret, err);
	r = ungrouper_tick(from->group, from->number, &tick, ret_values, err);
	if (r < 0)
		return r;
	return tickparts_of_tick(ret, tick, texts) ? GS_OK : no_record(c, ret, err);
}

/* All but the hosts. */
static int read_rest(struct tickcode *c, const struct tickparts *p,
	struct tick *ret, struct gs_err *err)
{
	const Gpsnap__V1__Tick *m = NULL;
	uint8_t *rest = pbarena_alloc(&c->arena, p->rest_len);

	if (rest) {
		tickparts_rest(p, rest);
		m = gpsnap__v1__tick__unpack(&c->arena.alloc, p->rest_len,
		    rest);
	}
	return m ? read_fields(m, p->n_host, ret, err)
	         : no_record(c, p, err);
}

static int read_tick(struct tickcode *c, const struct from *from,
	struct tick *ret, struct gs_err *err)
{
	struct column_values values;
	struct unpacking u = { { &c->arena, c->wanted,
		from->group ? &values : NULL }, ret, err };
	struct tickparts p;
	int r = split(c, from, &p, &values, err);

	ret->budget = c->arena.budget;
	if (r == GS_OK)
		r = read_rest(c, &p, ret, err);
	if (r == GS_OK)
		r = tickparts_hosts(&p, unpack_block, &u);
	if (r == GS_OK && from->group)
		ungrouper_done(from->group);
	return r;
}

void tickcode_only(struct tickcode *c, uint64_t entities)
{
	c->wanted = entities;
}

/* The tick keeps its arrays for the next one: if they leave too little memory,
 * frees them and reads again. */
static int read_in_room(struct tickcode *c, const struct from *from,
	struct tick *ret, struct gs_err *err)
{
	bool fresh = ret->charged == 0;
	int r = read_tick(c, from, ret, err);

	if (r != GS_E_MEMORY || fresh)
		return r;
	tick_release(ret);
	return read_tick(c, from, ret, err);
}

/* The memory of a key of very many rows is not kept for the deltas, which
 * allocate what they need. */
static void begin_tick(struct tick *t)
{
	bool is_large = t->budget && tick_is_large(t);

	if (is_large)
		tick_release(t);
	else
		tick_reset(t);
}

int tickcode_decode(struct tickcode *c, const void *p, size_t len,
	struct tick *ret, struct gs_err *err)
{
	begin_tick(ret);
	return read_in_room(c, &(struct from) { .record = span_of(p, len) },
	    ret, err);
}

int tickcode_read(struct tickcode *c, struct ungrouper *group, size_t i,
	struct tick *ret, struct gs_err *err)
{
	begin_tick(ret);
	return read_in_room(c, &(struct from) { .group = group, .number = i },
	    ret, err);
}
