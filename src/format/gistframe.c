/* SPDX-License-Identifier: Apache-2.0 */
#include "format/gistframe.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "format/planes.h"
#include "format/varint.h"

#define LEAST (GISTFRAME_HEAD + GISTFRAME_TAIL)

static const char gist_tag[BESIDE_TAG] = { 'G', 'P', 'S', 'K' };
static const char waits_tag[BESIDE_TAG] = { 'G', 'P', 'S', 'W' };
static const char plain_tag[BESIDE_TAG] = { 'G', 'P', 'S', 'J' };
static const char earlier_tag[][BESIDE_TAG] = { { 'G', 'P', 'S', 'H' },
	{ 'G', 'P', 'S', 'I' } };

static const char *const read_tags[] = { gist_tag, waits_tag, plain_tag };

/* That of the frame at p, if it is one that is read. */
static const char *tag_of(const void *p)
{
	size_t i;

	for (i = 0; i < GS_LEN(read_tags); i++) {
		if (memcmp((const char *)p + 8, read_tags[i], BESIDE_TAG) == 0)
			return read_tags[i];
	}
	return gist_tag;
}

void gist_release(struct gist *g)
{
	group_release(&g->list);
	free(g->census);
	free(g->remark);
	gisttext_release(&g->text);
	gistwaits_release(&g->waits);
	gistclock_release(&g->clock);
	buf_release(&g->raw);
	*g = (struct gist) { .raw = BUF_INIT };
}

void gist_reset(struct gist *g)
{
	group_reset(&g->list);
	gisttext_reset(&g->text);
	gistwaits_reset(&g->waits);
	gistclock_reset(&g->clock);
	buf_reset(&g->raw);
	g->n_remark = g->record_len = 0;
}

void gist_add(struct gist *g, const struct group_tick *t,
	const struct tick_census *c)
{
	GS_GROW(g->census, &g->census_cap, g->list.n + 1);
	g->census[g->list.n] = *c;
	group_add(&g->list, t);
}

/* ---- censuses ----------------------------------------------------------- */

#define CENSUS_FIELDS 5

static uint32_t *census_field(struct tick_census *c, size_t i)
{
	uint32_t *const field[CENSUS_FIELDS] = { &c->active, &c->waiting,
		&c->shown, &c->shown_active, &c->shown_waiting };

	return field[i];
}

static void put_censuses(const struct gist *g, struct buf *to)
{
	struct tick_census before = { 0 }, now;
	size_t i, k;

	for (i = 0; i < g->list.n; i++) {
		now = g->census[i];
		for (k = 0; k < CENSUS_FIELDS; k++)
			buf_add_varint(to, gs_zigzag((int64_t)*census_field(&now,
			    k) - (int64_t)*census_field(&before, k)));
		before = now;
	}
}

static bool read_censuses(struct gist *g, struct span *s)
{
	struct tick_census c = { 0 };
	uint64_t d;
	size_t i, k;

	GS_GROW(g->census, &g->census_cap, g->list.n);
	for (i = 0; i < g->list.n; i++) {
		for (k = 0; k < CENSUS_FIELDS; k++) {
			if (!varint_read(s, &d))
				return false;
			*census_field(&c, k) += (uint32_t)gs_unzigzag(d);
		}
		g->census[i] = c;
	}
	return true;
}

/* ---- remarks ------------------------------------------------------------ */

/* Number of the tick of that time among the first n. */
static size_t tick_at(const struct group *l, size_t n, int64_t wall_ns)
{
	size_t low = 0;

	while (low < n) {
		size_t mid = low + (n - low) / 2;

		if (l->tick[mid].wall_ns < wall_ns)
			low = mid + 1;
		else
			n = mid;
	}
	return low;
}

#define REMARK_FIELDS 5

/* The fields of a remark as they are stored. */
static void remark_fields(const struct gist *g, size_t i,
	uint64_t ret[REMARK_FIELDS])
{
	static const struct tick_remark none;
	const struct tick_remark *r = &g->remark[i];
	const struct tick_remark *before = i > 0 ? r - 1 : &none;

	ret[0] = r->tick - before->tick;
	ret[1] = r->host;
	ret[2] = gs_zigzag((int64_t)r->slot - (int64_t)before->slot);
	ret[3] = r->kind;
	ret[4] = remark_is_time(r->kind)
	    ? r->tick - tick_at(&g->list, r->tick, r->value)
	    : (uint64_t)r->value;
}

static void put_remarks(const struct gist *g, struct buf *to,
	struct breaks *breaks)
{
	uint64_t field[REMARK_FIELDS];
	size_t i, k;

	for (k = 0; k < REMARK_FIELDS; k++) {
		breaks_add(breaks, to->len);
		for (i = 0; i < g->n_remark; i++) {
			remark_fields(g, i, field);
			buf_add_varint(to, field[k]);
		}
	}
}

/* The remark after g->n_remark of them, from fields at distances of n. */
static bool take_remark(struct gist *g, const uint64_t *field, size_t n)
{
	static const struct tick_remark none;
	struct tick_remark *r = &g->remark[g->n_remark];
	const struct tick_remark *before = g->n_remark > 0 ? r - 1 : &none;
	uint64_t value = field[4 * n];

	if (field[0] >= g->list.n - before->tick ||
	    field[n] >= TICK_HOSTS_MAX || field[3 * n] >= REMARK_COUNT)
		return false;
	r->tick = before->tick + (uint32_t)field[0];
	r->host = (uint32_t)field[n];
	r->slot = before->slot + (uint32_t)gs_unzigzag(field[2 * n]);
	r->kind = (enum remark_kind)field[3 * n];
	g->n_remark++;
	if (!remark_is_time(r->kind)) {
		r->value = (int64_t)value;
		return r->slot < TICK_SLOTS_MAX && r->value >= 0;
	}
	if (r->slot >= TICK_SLOTS_MAX || value > r->tick)
		return false;
	r->value = g->list.tick[r->tick - value].wall_ns;
	return true;
}

static bool read_remarks(struct gist *g, struct span *s, size_t n)
{
	size_t n_field = n * REMARK_FIELDS, i;
	uint64_t *field;
	bool ok = true;

	if (n_field > span_len(*s)) /* a byte each at least */
		return false;
	field = gs_calloc(n_field + 1, sizeof(*field));
	for (i = 0; ok && i < n_field; i++)
		ok = varint_read(s, &field[i]);
	GS_GROW(g->remark, &g->remark_cap, n);
	g->n_remark = 0;
	for (i = 0; ok && i < n; i++)
		ok = take_remark(g, &field[i], n);
	free(field);
	return ok;
}

/* ---- writing ------------------------------------------------------------ */

/* Replaces to by the bytes that are compressed. */
static void put_raw(const struct gist *g, struct buf *to,
	struct breaks *breaks)
{
	buf_reset(to);
	buf_add(to, g->raw.ptr, g->record_len);
	/* a record of ours */
	(void)planes_split(to->ptr, to->len, PLANES_OF_GIST, breaks);
	breaks_add(breaks, to->len);
	group_put_ticks(&g->list, to);
	breaks_add(breaks, to->len);
	put_censuses(g, to);
	put_remarks(g, to, breaks);
	gisttext_put(&g->text, to, breaks);
	if (g->waits.any)
		gistwaits_put(&g->waits, to, breaks);
	gistclock_put(&g->clock, to);
}

static struct span base_bytes(const struct gist_base *base)
{
	size_t len = GS_MIN(base->raw.len, GISTFRAME_BASE_MAX);

	return len > 0 ? span_of(base->raw.ptr + base->raw.len - len, len)
	               : span_str("");
}

static void put_head(const struct gist *g, size_t raw_len,
	const struct gist_base *base, struct buf *to)
{
	const struct group_tick *first = &g->list.tick[0];
	const struct group_tick *last = &g->list.tick[g->list.n - 1];
	bool has_base = base->raw.len > 0;

	buf_add_le32(to, (uint32_t)raw_len);
	buf_add_le32(to, (uint32_t)g->list.n);
	buf_add_le32(to, (uint32_t)g->n_remark);
	beside_add_le64(to, first->seq);
	beside_add_le64(to, (uint64_t)first->wall_ns);
	beside_add_le64(to, last->seq);
	beside_add_le64(to, (uint64_t)last->wall_ns);
	buf_add_le32(to, (uint32_t)g->record_len);
	beside_add_le64(to, has_base ? base->seq : 0);
	beside_add_le64(to, has_base ? (uint64_t)base->ns : 0);
}

/* Takes the bytes. */
static void become_base(struct gist_base *base, const struct gist *g,
	struct buf *raw)
{
	buf_release(&base->raw);
	*base = (struct gist_base) { .seq = g->list.tick[0].seq,
		.ns = g->list.tick[0].wall_ns, .raw = *raw };
	*raw = (struct buf)BUF_INIT;
}

void gistframe_put(struct tickcode *zstd, const struct gist *g,
	struct gist_base *base, struct buf *to)
{
	struct buf raw = BUF_INIT, comp = BUF_INIT;
	struct breaks breaks = { .at = NULL };
	const char *tag = g->waits.any ? waits_tag : gist_tag;
	size_t start;

	put_raw(g, &raw, &breaks);
	tickcode_compress_after(zstd, base_bytes(base), raw.ptr, raw.len,
	    &breaks, &comp);
	start = besideframe_begin(tag, to);
	put_head(g, raw.len, base, to);
	buf_add(to, comp.ptr, comp.len);
	besideframe_end(tag, start, to);
	if (base->raw.len == 0)
		become_base(base, g, &raw);
	breaks_release(&breaks);
	buf_release(&raw);
	buf_release(&comp);
}

/* ---- reading ------------------------------------------------------------ */

size_t gistframe_len(const void *tail)
{
	size_t len = 0, i;

	for (i = 0; len == 0 && i < GS_LEN(read_tags); i++)
		len = besideframe_len(read_tags[i], tail, LEAST);
	for (i = 0; len == 0 && i < GS_LEN(earlier_tag); i++)
		len = besideframe_len(earlier_tag[i], tail, BESIDE_TAIL);
	return len;
}

bool gistframe_head(const void *p, size_t len, struct gist_head *ret)
{
	const unsigned char *at = p;

	if (len < LEAST || !besideframe_begins(tag_of(p), p, len))
		return false;
	ret->plain_texts = tag_of(p) == plain_tag;
	ret->has_waits = tag_of(p) == waits_tag;
	ret->raw_len = gs_get_le32(at + 12);
	ret->n = gs_get_le32(at + 16);
	ret->n_remark = gs_get_le32(at + 20);
	ret->from_seq = gs_get_le64(at + 24);
	ret->from_ns = (int64_t)gs_get_le64(at + 32);
	ret->to_seq = gs_get_le64(at + 40);
	ret->to_ns = (int64_t)gs_get_le64(at + 48);
	ret->record_len = gs_get_le32(at + 56);
	ret->base_seq = gs_get_le64(at + 60);
	ret->base_ns = (int64_t)gs_get_le64(at + 68);
	return ret->raw_len <= GISTFRAME_RAW_MAX &&
	    ret->record_len <= ret->raw_len &&
	    ret->n_remark <= GISTFRAME_REMARKS_MAX && ret->n > 1 &&
	    ret->n <= GROUP_TICKS_MAX && ret->to_seq > ret->from_seq &&
	    ret->to_seq - ret->from_seq == ret->n - 1 &&
	    tick_time_ok(ret->from_ns) && tick_time_ok(ret->to_ns);
}

size_t gistframe_memory(const struct gist_head *h)
{
	size_t fields = REMARK_FIELDS * sizeof(uint64_t);
	size_t text = 2 * GS_MIN(h->raw_len, 2 * (size_t)TICK_TEXT_BYTES_MAX);

	return h->raw_len + (h->plain_texts ? 0 : text) + (h->has_waits
	    ? gistwaits_memory(h->raw_len - h->record_len) : 0) +
	    h->n * (sizeof(struct group_tick) +
	    sizeof(struct tick_census)) + h->n_remark *
	    (sizeof(struct tick_remark) + fields);
}

/* The ticks follow each other, from key to key. */
static bool is_stretch(const struct group *l, const struct gist_head *h)
{
	const struct group_tick *t = l->tick;
	size_t i;

	for (i = 0; i < l->n; i++) {
		if (t[i].seq != h->from_seq + i || t[i].left_out > 0 ||
		    (i > 0 && t[i].wall_ns <= t[i - 1].wall_ns))
			return false;
	}
	return t[0].kind == FRAME_KEY && t[l->n - 1].kind == FRAME_KEY &&
	    t[l->n - 1].wall_ns == h->to_ns;
}

/* What follows the record. */
static bool read_rest(struct gist *g, const struct gist_head *h)
{
	struct span rest = span_of(g->raw.ptr + h->record_len,
	    h->raw_len - h->record_len);

	g->record_len = h->record_len;
	return group_parse_ticks(&g->list, &rest, h->n, h->from_seq,
	    h->from_ns) && is_stretch(&g->list, h) &&
	    read_censuses(g, &rest) && read_remarks(g, &rest, h->n_remark) &&
	    gisttext_open(&g->text, &rest, h->plain_texts) &&
	    (!h->has_waits || gistwaits_open(&g->waits, &rest, h->n)) &&
	    gistclock_open(&g->clock, rest) &&
	    planes_join(g->raw.ptr, h->record_len, PLANES_OF_GIST);
}

/* The content of a whole frame. */
static int decompress(struct tickcode *zstd, const void *p, size_t len,
	const struct gist_head *h, struct span base, struct buf *ret,
	struct gs_err *err)
{
	if (!besideframe_is_whole(tag_of(p), p, len, LEAST))
		return gs_fail(err, GS_E_FORMAT, "gist: damaged");
	return tickcode_decompress_after(zstd, base,
	    (const char *)p + GISTFRAME_HEAD, len - LEAST, h->raw_len, ret,
	    err);
}

static bool is_base(const struct gist_base *base, const struct gist_head *of)
{
	return base->raw.len > 0 && base->seq == of->base_seq &&
	    base->ns == of->base_ns;
}

int gistframe_read(struct tickcode *zstd, const void *p, size_t len,
	const struct gist_base *base, struct gist *ret, struct gs_err *err)
{
	struct gist_head h;
	int r;

	if (!gistframe_head(p, len, &h) ||
	    (h.base_seq > 0 && !is_base(base, &h)))
		return gs_fail(err, GS_E_FORMAT, "gist: damaged, or its base");
	r = decompress(zstd, p, len, &h, h.base_seq > 0 ? base_bytes(base)
	    : span_str(""), &ret->raw, err);
	if (r == GS_OK && !read_rest(ret, &h))
		r = gs_fail(err, GS_E_FORMAT, "gist: what it says is damaged");
	return r;
}

int gistframe_read_base(struct tickcode *zstd, const void *p, size_t len,
	struct gist_base *ret, struct gs_err *err)
{
	struct gist_head h;

	if (!gistframe_head(p, len, &h) || h.base_seq > 0)
		return gs_fail(err, GS_E_FORMAT, "gist: not a base");
	ret->seq = h.from_seq;
	ret->ns = h.from_ns;
	return decompress(zstd, p, len, &h, span_str(""), &ret->raw, err);
}
