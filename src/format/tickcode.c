/* SPDX-License-Identifier: Apache-2.0 */
#include "format/tickcode.h"

#include <inttypes.h>
#include <stdlib.h>

#include <zstd.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "format/blockcode.h"
#include "format/frame.h"
#include "format/groupcode.h"
#include "format/headcode.h"
#include "format/tickparts.h"
#include "format/varint.h"
#include "model/header.h"

/* Scratch memory that is kept from tick to tick, of each kind. */
#define KEEP_MAX ((size_t)4 << 20)

#define KEY_TAG_LEN 5u /* the field with its number */
#define KEY_TAG_FIELD (10u << 3 | 5u) /* fixed32 */

struct tickcode {
	struct pbarena arena;
	struct described described;
	struct described used; /* columns of the blocks since tickcode_begin() */
	struct buf hosts; /* these blocks, as fields `host` of Tick */
	struct buf head, tail; /* the fields before and after them */
	struct buf begin; /* of the record */
	uint32_t key_tag; /* of the last encoded key */
	uint64_t wanted; /* entities to decode, a bit each */
	bool dense, bare;
	int level;
	ZSTD_CCtx *cctx;
	ZSTD_DCtx *dctx;
};

/* For groups of some MiB: zstd's tables for this level are for much longer inputs, and
 * too large for the caches of a CPU; these find as much in less time.  Matches of three
 * bytes, which it has at higher levels only, are 1 to 2 % of the bytes. */
static const struct {
	ZSTD_cParameter is;
	int value;
} kept_parameters[] = {
	{ ZSTD_c_hashLog, 18 }, { ZSTD_c_chainLog, 20 },
	{ ZSTD_c_searchLog, 4 }, { ZSTD_c_minMatch, 3 },
	{ ZSTD_c_targetLength, 128 },
};

/* Valid parameters can not be refused; the library clamps a level that is out of
 * range. */
static void set_level(struct tickcode *c, int level)
{
	size_t i;

	(void)ZSTD_CCtx_setParameter(c->cctx, ZSTD_c_compressionLevel, level);
	for (i = 0; level == TICKCODE_KEPT_LEVEL && i < GS_LEN(kept_parameters); i++)
		(void)ZSTD_CCtx_setParameter(c->cctx, kept_parameters[i].is,
		    kept_parameters[i].value);
}

struct tickcode *tickcode_new(int level)
{
	struct tickcode *c = gs_calloc(1, sizeof(*c));

	pbarena_init(&c->arena);
	c->wanted = UINT64_MAX;
	c->level = level;
	c->cctx = ZSTD_createCCtx();
	c->dctx = ZSTD_createDCtx();
	if (!c->cctx || !c->dctx)
		gs_out_of_memory();
	set_level(c, level);
	(void)ZSTD_CCtx_setParameter(c->cctx, ZSTD_c_checksumFlag, 1);
	(void)ZSTD_CCtx_setParameter(c->cctx, ZSTD_c_contentSizeFlag, 1);
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
	(void)ZSTD_freeCCtx(c->cctx); /* cannot fail on a live context */
	(void)ZSTD_freeDCtx(c->dctx);
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
}

/* The memory of a key of very many hosts is not kept for the deltas. */
static void give_back(struct buf *b)
{
	if (b->cap > KEEP_MAX)
		buf_release(b);
}

/* The tag of a key is a hash of its content, so that a delta does not match a
 * key with other content.  The fields before it start at from. */
static void add_key_tag(struct tickcode *c, bool key, struct buf *out,
	size_t from)
{
	if (key) {
		c->key_tag = frame_crc32c(out->ptr + from, out->len - from);
		c->key_tag += c->key_tag == 0; /* 0 means no tag */
	}
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
 * to 5), hosts (6), tail (7 to 9), tag (10). */
void tickcode_end(struct tickcode *c, const struct tick *t, struct buf *out)
{
	Gpsnap__V1__Tick head = GPSNAP__V1__TICK__INIT;
	Gpsnap__V1__Tick tail = GPSNAP__V1__TICK__INIT;
	size_t len;

	pbarena_reset(&c->arena);
	head.seq = c->bare ? 0 : t->seq;
	head.wall_ns = c->bare ? 0 : t->wall_ns;
	head.key = t->key;
	tail.left_out = t->left_out;
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
	len = c->head.len + c->hosts.len + c->tail.len + KEY_TAG_LEN;
	varint_begin_record(&c->begin, FIELD_RECORD_TICK, len);
	surround(c);
	add_key_tag(c, t->key, &c->hosts, c->begin.len);
	exchange(&c->hosts, out);
	give_back(&c->head);
	give_back(&c->hosts);
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
	struct span tick;
	int r;

	pbarena_reset(&c->arena);
	if (!from->group)
		return tickparts_of(ret, from->record) ? GS_OK
		    : no_record(c, ret, err);
	r = ungrouper_tick(from->group, from->number, &tick, ret_values, err);
	if (r < 0)
		return r;
	return tickparts_of_tick(ret, tick) ? GS_OK : no_record(c, ret, err);
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

/* ---- zstd ------------------------------------------------------------ */

void tickcode_compress_after(struct tickcode *c, struct span before,
	const void *p, size_t len, struct buf *out)
{
	size_t bound = ZSTD_compressBound(len);
	size_t n;

	buf_reset(out);
	(void)ZSTD_CCtx_refPrefix(c->cctx, before.ptr, span_len(before));
	n = ZSTD_compress2(c->cctx, buf_reserve(out, bound), bound, p, len);
	if (ZSTD_isError(n)) /* the buffer is large enough, parameters are valid */
		gs_out_of_memory();
	out->len = n;
	out->ptr[n] = '\0';
}

void tickcode_compress(struct tickcode *c, const void *p, size_t len,
	struct buf *out)
{
	tickcode_compress_after(c, span_str(""), p, len, out);
}

void tickcode_compress_key(struct tickcode *c, const void *p, size_t len,
	struct buf *out)
{
	bool more = c->level >= TICKCODE_LEVEL &&
	    c->level < TICKCODE_KEY_LEVEL && len <= TICKCODE_KEY_BYTES;

	if (more)
		set_level(c, TICKCODE_KEY_LEVEL);
	tickcode_compress(c, p, len, out);
	if (more)
		set_level(c, c->level);
}

/* A buffer that is freed after the next frame gets no room to grow. */
static char *room_for(struct buf *b, size_t len)
{
	if (len > KEEP_MAX && len >= b->cap) {
		buf_release(b);
		b->cap = len + 1;
		b->ptr = gs_malloc(b->cap);
		b->ptr[0] = '\0';
	}
	return buf_reserve(b, len);
}

int tickcode_decompress_after(struct tickcode *c, struct span before,
	const void *p, size_t len, size_t raw_len, struct buf *out,
	struct gs_err *err)
{
	unsigned long long claims = ZSTD_getFrameContentSize(p, len);
	size_t n;

	if (raw_len > FRAME_RAW_MAX || claims != raw_len)
		return gs_fail(err, GS_E_FORMAT,
		    "frame holds %llu bytes, its index says %zu", claims,
		    raw_len);
	buf_reset(out);
	(void)ZSTD_DCtx_refPrefix(c->dctx, before.ptr, span_len(before));
	n = ZSTD_decompressDCtx(c->dctx, room_for(out, raw_len), raw_len, p,
	    len);
	if (ZSTD_isError(n))
		return gs_fail(err, GS_E_FORMAT, "decompress: %s",
		    ZSTD_getErrorName(n));
	if (n != raw_len)
		return gs_fail(err, GS_E_FORMAT,
		    "frame gave %zu bytes, its index says %zu", n, raw_len);
	out->len = n;
	out->ptr[n] = '\0';
	return GS_OK;
}

int tickcode_decompress(struct tickcode *c, const void *p, size_t len,
	size_t raw_len, struct buf *out, struct gs_err *err)
{
	return tickcode_decompress_after(c, span_str(""), p, len, raw_len, out,
	    err);
}
