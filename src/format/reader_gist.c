/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader_gist.c - finds and reads the gists of a file (gistframe.h).
 *
 * They are listed when there may be one that is asked for.  One that can't be read is
 * as good as none.
 */
#include "format/reader_int.h"

#include <stdlib.h>

#include "base/mem.h"
#include "format/repair.h"

void reader_drop_gists(struct reader *r)
{
	struct reader_gists *g = &r->gists;

	free(g->place);
	tickcode_free(g->code);
	ungrouper_free(g->open);
	gist_release(&g->now);
	buf_release(&g->base.raw);
	tick_release(&g->tick);
	budget_give(r->src.budget, g->charged);
	budget_give(r->src.budget, g->base_charged);
	*g = (struct reader_gists) { .tick = TICK_INIT };
}

/* ---- which there are ---------------------------------------------------- */

/* Notes the gist of len bytes that ends at `end`. */
static void note_gist(struct reader *r, uint64_t end, size_t len)
{
	struct reader_gists *g = &r->gists;
	char head[GISTFRAME_HEAD];
	struct gist_place place = { .offset = end - len, .len = len };

	/* there is no more than one from each tick */
	if (g->n_place == r->index.n || !source_peek(&r->src, place.offset,
	    head, sizeof(head)) || !gistframe_head(head, len, &place.is))
		return;
	GS_GROW(g->place, &g->place_cap, g->n_place + 1);
	g->place[g->n_place++] = place;
}

static bool peek_tail(struct reader *r, struct reader_beside *b)
{
	return b->end >= b->begin + sizeof(b->tail) && source_peek(&r->src,
	    b->end - sizeof(b->tail), b->tail, sizeof(b->tail));
}

/* They are between its ticks and its repair frame. */
bool reader_beside(struct reader *r, const struct frame_entry *e,
	struct reader_beside *ret)
{
	struct frame_index f;

	if (!reader_index_of(r, e, &f) || !f.summary)
		return false;
	ret->begin = e->offset + FRAME_INDEX_LEN;
	ret->end = ret->begin + repair_covers(f.comp_len);
	return peek_tail(r, ret);
}

bool reader_beside_pass(struct reader *r, struct reader_beside *b, size_t len)
{
	if (len == 0 || len > b->end - b->begin)
		return false;
	b->end -= len;
	return peek_tail(r, b);
}

static void list_group(struct reader *r, const struct frame_entry *e)
{
	struct reader_beside b;
	bool more = reader_beside(r, e, &b);

	while (more) {
		size_t gist = gistframe_len(b.tail);

		if (gist > 0 && gist <= b.end - b.begin)
			note_gist(r, b.end, gist);
		more = reader_beside_pass(r, &b, gist > 0 ? gist
		    : summaryframe_len(b.tail));
	}
}

static int by_place(const void *pa, const void *pb)
{
	const struct gist_place *a = pa, *b = pb;

	if (a->is.from_seq != b->is.from_seq)
		return a->is.from_seq < b->is.from_seq ? -1 : 1;
	return (a->is.from_ns > b->is.from_ns) - (a->is.from_ns <
	    b->is.from_ns);
}

static void list_all(struct reader *r)
{
	const struct frame_entry *e;
	uint64_t last = READER_NOTHING;
	size_t n, i;

	if (r->gists.listed || !r->src.seekable ||
	    reader_index(r, &e, &n, NULL) < 0)
		return;
	r->gists.listed = true;
	for (i = 0; i < n; i++) {
		if (e[i].offset != last)
			list_group(r, &e[i]);
		last = e[i].offset;
	}
	if (r->gists.n_place > 0)
		qsort(r->gists.place, r->gists.n_place,
		    sizeof(*r->gists.place), by_place);
}

/* Some frame has something beside its ticks, of the key at `from` up to the first tick
 * after that time.  Most gists that begin there and end by then stand there, and a
 * summary does with their last key; a file as it is recorded has nothing, and as many
 * frames as ticks. */
static bool has_any(struct reader *r, const struct frame_entry *e, size_t n,
	size_t from, int64_t until_ns)
{
	struct reader_gists *g = &r->gists;
	struct reader_beside b;
	size_t i;

	if (from < g->bare.from || from > g->bare.to)
		g->bare.from = g->bare.to = from;
	for (i = g->bare.to; i < n && (i == from ||
	    e[i - 1].wall_ns <= until_ns); i++) {
		if ((i == from || e[i].offset != e[i - 1].offset) &&
		    reader_beside(r, &e[i], &b))
			return true;
		g->bare.to = i + 1;
	}
	return false;
}

static bool may_have(struct reader *r, uint64_t seq, int64_t wall_ns,
	int64_t until_ns)
{
	const struct frame_entry *e;
	size_t n, from;

	if (r->gists.listed)
		return true;
	if (!r->src.seekable || reader_index(r, &e, &n, NULL) < 0)
		return false;
	from = reader_find_key(r, e, n, seq, wall_ns);
	return from < n && has_any(r, e, n, from, until_ns);
}

size_t reader_count_gists(struct reader *r, uint64_t *ret_bytes)
{
	const struct gist_place *p;
	size_t i, n = 0;

	list_all(r);
	p = r->gists.place;
	*ret_bytes = 0;
	for (i = 0; i < r->gists.n_place; i++) {
		*ret_bytes += p[i].len;
		n += i == 0 || by_place(&p[i - 1], &p[i]) != 0;
	}
	return n;
}

/* ---- one ---------------------------------------------------------------- */

static const struct gist_place *find(const struct reader_gists *g,
	uint64_t from_seq, int64_t from_ns)
{
	const struct gist_place key = { .is = { .from_seq = from_seq,
		.from_ns = from_ns } };

	return g->n_place > 0 ? bsearch(&key, g->place, g->n_place,
	    sizeof(*g->place), by_place) : NULL;
}

bool reader_gist(struct reader *r, uint64_t from_seq, int64_t from_ns,
	int64_t until_ns, int64_t *ret_to_ns)
{
	struct reader_gists *g = &r->gists;
	const struct gist_place *found;

	if (!may_have(r, from_seq, from_ns, until_ns))
		return false;
	list_all(r);
	found = find(g, from_seq, from_ns);
	if (!found)
		return false;
	g->found = (size_t)(found - g->place);
	*ret_to_ns = found->is.to_ns;
	return true;
}

/* The file has these very ticks, and none of them is damaged. */
static bool fits(struct reader *r, const struct group *l)
{
	const struct frame_entry *e;
	size_t n, from, i, k;

	if (reader_index(r, &e, &n, NULL) < 0)
		return false;
	from = reader_find_key(r, e, n, l->tick[0].seq, l->tick[0].wall_ns);
	for (i = 0, k = from; i < l->n && k < n; i++, k++) {
		/* a key may be repeated where a file was continued */
		while (k < n && i > 0 && e[k].seq == l->tick[i - 1].seq)
			k++;
		if (k == n || e[k].seq != l->tick[i].seq ||
		    e[k].wall_ns != l->tick[i].wall_ns ||
		    (e[k].kind == FRAME_KEY) !=
		    (l->tick[i].kind == FRAME_KEY))
			return false;
	}
	return i == l->n && reader_are_whole(r, e, from, k - 1);
}

static bool charge(struct reader *r, size_t *charged, size_t bytes)
{
	budget_give(r->src.budget, *charged);
	*charged = 0;
	if (!budget_take(r->src.budget, bytes))
		return false;
	*charged = bytes;
	return true;
}

/* Nothing is told of the first one but that slots begin again. */
static void make_first(struct reader_gists *g)
{
	const struct group_tick *t = &g->now.list.tick[0];

	tick_reset(&g->tick);
	g->tick.seq = t->seq;
	g->tick.wall_ns = t->wall_ns;
	g->tick.renumbers = true;
}

/* The next tick after that, as the list of the gist has it. */
static int read_tick(struct reader_gists *g, struct gs_err *err)
{
	const struct group_tick *t = &g->now.list.tick[g->next];
	int s = tickcode_read(g->code, g->open, g->next - 1, &g->tick, err);

	g->tick.seq = t->seq;
	g->tick.wall_ns = t->wall_ns;
	if (s == GS_OK && (g->tick.left_out > 0 || g->tick.key ||
	    g->tick.n_text > 0 ||
	    !gisttext_give(&g->now.text, &g->tick) ||
	    !gistclock_give(&g->now.clock, &g->tick)))
		s = gs_fail(err, GS_E_FORMAT, "gist: no such tick");
	return s;
}

static const char *bytes_of(struct reader *r, const struct gist_place *place)
{
	const char *p = NULL;

	return source_get(&r->src, place->offset, place->len, &p, NULL) ==
	    (int64_t)place->len ? p : NULL;
}

/* A gist that is of no use costs the time to read it, and its ticks are read after
 * it.  What has more of them than that is read tick by tick. */
#define VAIN_MAX 8
#define PASSED_MAX 64 /* honest ones, of somebody else */

/* A base costs the time to decompress it, each time that the gist before had another
 * one: in a file that was put together of archives, and of such as one goes back and
 * forth in.  That is no more than a few times what gists of use take, or, of a file
 * that was made to be slow, a few seconds in all. */
#define BASE_BYTES_FREE (64 * (uint64_t)GISTFRAME_RAW_MAX)
#define BASE_BYTES_EACH 4 /* per byte of such a gist */

static bool may_read_base(const struct reader_gists *g, size_t raw_len)
{
	return g->base_bytes + raw_len <= BASE_BYTES_FREE +
	    BASE_BYTES_EACH * g->used_bytes;
}

/* Room for a base.  Memory stays, as pages that are new cost more than what is put into
 * them. */
static bool make_room(struct reader *r, size_t len)
{
	struct reader_gists *g = &r->gists;

	if (len < g->base.raw.cap)
		buf_reset(&g->base.raw);
	else
		buf_release(&g->base.raw);
	return charge(r, &g->base_charged, GS_MAX(g->base.raw.cap, len));
}

/* What the gist is compressed after; most often it is that of the gist before. */
static bool read_base(struct reader *r, const struct gist_head *of)
{
	struct reader_gists *g = &r->gists;
	const struct gist_place *place;
	const char *p;
	struct gs_err err;

	if (of->base_seq == 0 || (g->base.raw.len > 0 &&
	    g->base.seq == of->base_seq && g->base.ns == of->base_ns))
		return true;
	buf_reset(&g->base.raw);
	place = find(g, of->base_seq, of->base_ns);
	if (!place || !may_read_base(g, place->is.raw_len))
		return false;
	if (!make_room(r, place->is.raw_len)) {
		buf_release(&g->base.raw); /* what is not charged */
		return false;
	}
	g->base_bytes += place->is.raw_len;
	p = bytes_of(r, place);
	if (p && gistframe_read_base(g->code, p, place->len, &g->base,
	    &err) == GS_OK)
		return true;
	buf_release(&g->base.raw);
	(void)charge(r, &g->base_charged, 0);
	return false;
}

static bool read_gist(struct reader *r, const struct gist_place *place)
{
	struct reader_gists *g = &r->gists;
	const char *p;
	struct gs_err err;

	if (!g->code)
		g->code = tickcode_new(TICKCODE_LEVEL);
	if (!g->open)
		g->open = ungrouper_new();
	gist_reset(&g->now);
	if (!charge(r, &g->charged, gistframe_memory(&place->is)) ||
	    !read_base(r, &place->is))
		return false;
	p = bytes_of(r, place);
	if (!p || gistframe_read(g->code, p, place->len, &g->base, &g->now,
	    &err) < 0 || !fits(r, &g->now.list) || ungrouper_open(g->open, g->now.raw.ptr,
	    g->now.record_len, g->now.list.n - 1, &err) < 0)
		return false;
	g->used_bytes += place->is.raw_len;
	g->tick.budget = r->src.budget;
	g->next = g->remark = 0;
	return true;
}

bool reader_take_gist(struct reader *r, struct gist_about *ret)
{
	struct reader_gists *g = &r->gists;
	bool ok = g->vain < VAIN_MAX && g->passed < PASSED_MAX &&
	    read_gist(r, &g->place[g->found]);

	g->vain += !ok;
	if (ok)
		*ret = (struct gist_about) { g->now.waits.any,
			g->now.waits.from == g->now.list.n,
			g->now.waits.relations };
	return ok;
}

void reader_pass_gist(struct reader *r)
{
	r->gists.passed++;
}

/* What the gist says beside the tick. */
static void add_beside(struct reader_gists *g)
{
	const struct gist *now = &g->now;
	size_t first = g->remark;

	g->tick.was_key = now->list.tick[g->next].kind == FRAME_KEY;
	g->tick.has_census = true;
	g->tick.census = now->census[g->next];
	gistwaits_give(&now->waits, g->next, &g->tick);
	while (g->remark < now->n_remark &&
	    now->remark[g->remark].tick <= g->next)
		g->remark++;
	if (g->remark > first)
		g->tick.remark = &now->remark[first];
	g->tick.n_remark = g->remark - first;
}

int reader_next_gist(struct reader *r, struct tick **ret, bool *ret_last,
	struct gs_err *err)
{
	struct reader_gists *g = &r->gists;
	int s = GS_OK;

	if (g->next == 0)
		make_first(g);
	else
		s = read_tick(g, err);
	if (s < 0)
		return s;
	if (g->next > 0)
		add_beside(g);
	*ret = &g->tick;
	*ret_last = ++g->next == g->now.list.n;
	return GS_OK;
}
