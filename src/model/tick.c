/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tick.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "model/header.h"

/* Larger arrays are rare: a key of very many rows, or an attack. */
#define LARGE_BYTES ((size_t)16 << 20)

static const struct {
	enum event_kind kind;
	const char *name;
	bool has_value;
	unsigned weight;
} event_kinds[] = {
	{ EVENT_NOTE, "note", false, 1 },
	{ EVENT_HOLE, "hole", true, 2 },
	{ EVENT_CLOCK_STEP, "clock set", true, 2 },
	{ EVENT_HOST_UP, "host up", false, 0 },
	{ EVENT_HOST_DOWN, "host down", false, 2 },
	{ EVENT_REFUSED, "refused", false, 1 },
	{ EVENT_START, "start", false, 0 },
	{ EVENT_STOP, "stop", false, 0 },
	{ EVENT_LATE, "late", false, 1 },
	{ EVENT_HOST_CONNECTING, "connecting", false, 0 },
	{ EVENT_HOST_LATE, "host late", true, 1 },
	{ EVENT_DATABASE_UP, "database up", false, 1 },
	{ EVENT_DATABASE_DOWN, "database down", false, 2 },
	{ EVENT_SEGMENT, "segment", false, 2 },
	{ EVENT_SESSION, "session", false, 0 },
	{ EVENT_MARK, "mark", false, 3 },
	{ EVENT_HOST_IN_TIME, "host in time", true, 0 },
	{ EVENT_STOOD_STILL, "stood still", true, 2 },
	{ EVENT_SUSPENDED, "suspended", true, 2 },
	{ EVENT_POSTMASTER, "postmaster", false, 2 },
	{ EVENT_CRASH, "crash reset", true, 3 },
	{ EVENT_OOM, "out of memory", true, 3 },
	{ EVENT_REBOOT, "reboot", false, 3 },
};

static size_t find_kind(enum event_kind kind)
{
	size_t i = 0;

	while (i < GS_LEN(event_kinds) && event_kinds[i].kind != kind)
		i++;
	return i;
}

const char *event_name(enum event_kind kind)
{
	size_t i = find_kind(kind);

	return i < GS_LEN(event_kinds) ? event_kinds[i].name : "event";
}

bool event_has_value(enum event_kind kind)
{
	size_t i = find_kind(kind);

	return i < GS_LEN(event_kinds) && event_kinds[i].has_value;
}

unsigned event_weight(enum event_kind kind)
{
	size_t i = find_kind(kind);

	return i < GS_LEN(event_kinds) ? event_kinds[i].weight : 1;
}

static void delta_init(struct delta *d, enum entity_id e)
{
	*d = (struct delta) { .entity = e };
	d->col = gs_calloc(entity_get(e)->ncols, sizeof(*d->col));
}

static void delta_release(struct delta *d)
{
	unsigned i;

	if (!d->col)
		return;
	for (i = 0; i < entity_get(d->entity)->ncols; i++) {
		free(d->col[i].slot);
		free(d->col[i].diff);
		free(d->col[i].gone);
	}
	free(d->col);
	free(d->closed);
	free(d->opened);
	free(d->ended);
	free(d->sum);
	free(d->waited);
	*d = (struct delta) { 0 };
}

bool delta_is_empty(const struct delta *d)
{
	uint64_t any = d->n_closed | d->n_opened | d->n_ended | d->n_sum |
	    d->n_waited;
	size_t w;

	for (w = 0; w < COL_WORDS_MAX; w++)
		any |= d->used[w];
	return any == 0;
}

void delta_reset(struct delta *d)
{
	size_t w;

	if (delta_is_empty(d))
		return; /* as most are */
	d->n_closed = d->n_opened = d->n_ended = 0;
	d->n_sum = d->n_waited = 0;
	for (w = 0; w < COL_WORDS_MAX; w++) {
		uint64_t bits = d->used[w];

		for (; bits; bits &= bits - 1) {
			struct delta_col *c =
			    &d->col[w * 64 + gs_ctz64(bits)];

			c->n = c->n_gone = 0;
		}
		d->used[w] = 0;
	}
}

void delta_close_slot(struct delta *d, uint32_t slot, enum row_close why)
{
	GS_GROW(d->closed, &d->closed_cap, d->n_closed + 1);
	d->closed[d->n_closed++] = (struct slot_note) { slot, why };
}

void delta_open_slot(struct delta *d, uint32_t slot, enum row_open how)
{
	GS_GROW(d->opened, &d->opened_cap, d->n_opened + 1);
	d->opened[d->n_opened++] = (struct slot_note) { slot, how };
}

void delta_end_slot(struct delta *d, uint32_t slot, enum row_close why)
{
	GS_GROW(d->ended, &d->ended_cap, d->n_ended + 1);
	d->ended[d->n_ended++] = (struct slot_note) { slot, why };
}

void delta_add_sum(struct delta *d, uint32_t slot, struct tick_sum sum)
{
	GS_GROW(d->sum, &d->sum_cap, d->n_sum + 1);
	d->sum[d->n_sum] = sum;
	d->sum[d->n_sum++].slot = slot;
}

void delta_add_waited(struct delta *d, const struct tick_waited *waited)
{
	GS_GROW(d->waited, &d->waited_cap, d->n_waited + 1);
	d->waited[d->n_waited++] = *waited;
}

static int compare_sums(const void *x, const void *y)
{
	const struct tick_sum *a = x, *b = y;

	if (a->of != b->of)
		return (int)a->of - (int)b->of;
	if (a->col != b->col)
		return (int)a->col - (int)b->col;
	return a->slot < b->slot ? -1 : a->slot > b->slot;
}

void delta_sort_sums(struct delta *d)
{
	if (d->n_sum > 1)
		qsort(d->sum, d->n_sum, sizeof(*d->sum), compare_sums);
}

static void mark_used(struct delta *d, unsigned col)
{
	d->used[col / 64] |= UINT64_C(1) << (col % 64);
}

static inline void change(struct delta *d, unsigned col, uint32_t slot,
	uint64_t diff)
{
	struct delta_col *c = &d->col[col];

	if (c->n == c->slot_cap || c->n == c->diff_cap) {
		GS_GROW(c->slot, &c->slot_cap, c->n + 1);
		GS_GROW(c->diff, &c->diff_cap, c->n + 1);
	}
	c->slot[c->n] = slot;
	c->diff[c->n++] = diff;
}

void delta_change(struct delta *d, unsigned col, uint32_t slot, uint64_t diff)
{
	mark_used(d, col);
	change(d, col, slot, diff);
}

void delta_gone(struct delta *d, unsigned col, uint32_t slot)
{
	struct delta_col *c = &d->col[col];

	mark_used(d, col);
	GS_GROW(c->gone, &c->gone_cap, c->n_gone + 1);
	c->gone[c->n_gone++] = slot;
}

/* Those of 64 columns that are in both rows, with other values. */
static uint64_t moved(uint64_t both, const uint64_t *was, const uint64_t *now)
{
	uint64_t bits, ret = 0;

	for (bits = both; bits; bits &= bits - 1) {
		unsigned bit = gs_ctz64(bits);

		ret |= (uint64_t)(was[bit] != now[bit]) << bit;
	}
	return ret;
}

/* Changes of 64 columns, from the first one on; an absent cell's value is 0. */
static void change_word(struct delta *d, unsigned first, uint32_t slot,
	uint64_t changed, const uint64_t *was, const uint64_t *now)
{
	const struct metric *metric = &entity_get(d->entity)->metrics[first];
	uint64_t bits;

	d->used[first / 64] |= changed;
	for (bits = changed; bits; bits &= bits - 1) {
		unsigned bit = gs_ctz64(bits);
		bool whole = !was || metric_is_text(&metric[bit]);

		change(d, first + bit, slot,
		    whole ? now[bit] : now[bit] - was[bit]);
	}
}

size_t delta_row(struct delta *d, uint32_t slot, struct cells was,
	struct cells now)
{
	unsigned first, ncols = entity_get(d->entity)->ncols;
	size_t n = 0;

	for (first = 0; first < ncols; first += 64) {
		uint64_t had = was.val ? was.present[first / 64] : 0;
		uint64_t has = now.present[first / 64], gone = had & ~has;
		uint64_t changed = (has & ~had) | (had & has
		    ? moved(had & has, was.val + first, now.val + first) : 0);

		n += gs_popcount64(changed) + gs_popcount64(gone);
		change_word(d, first, slot, changed,
		    was.val ? was.val + first : NULL, now.val + first);
		for (; gone; gone &= gone - 1)
			delta_gone(d, first + gs_ctz64(gone), slot);
	}
	return n;
}

static void block_init(struct block *b)
{
	int e;

	*b = (struct block) { 0 };
	for (e = 0; e < ENTITY_COUNT; e++)
		delta_init(&b->ent[e], (enum entity_id)e);
}

static void block_release(struct block *b)
{
	int e;

	for (e = 0; e < ENTITY_COUNT; e++)
		delta_release(&b->ent[e]);
}

static void block_reset(struct block *b)
{
	int e;

	b->host = 0;
	b->clock = (struct sample_clock) { 0 };
	for (e = 0; e < ENTITY_COUNT; e++)
		delta_reset(&b->ent[e]);
}

void tick_release(struct tick *t)
{
	size_t i;

	for (i = 0; i < t->block_made; i++) {
		block_release(t->block[i]);
		free(t->block[i]);
	}
	free(t->block);
	free(t->text);
	free(t->event);
	header_free(t->header);
	buf_release(&t->bytes);
	budget_give(t->budget, t->charged);
	*t = (struct tick)TICK_INIT;
}

void tick_reset(struct tick *t)
{
	t->seq = t->left_out = t->skipped = 0;
	t->wall_ns = 0;
	t->key = t->renumbers = t->was_key = t->has_census = false;
	t->unsampled = false;
	t->n_remark = t->n_wait = 0;
	t->key_tag = 0;
	header_free(t->header);
	t->header = NULL;
	t->n_block = t->n_text = t->n_event = 0;
	buf_reset(&t->bytes);
}

/* The array at `to` with room for n items, which are copied. */
static void *copied(void *to, size_t *cap, const void *from, size_t n,
	size_t len)
{
	if (n > *cap)
		to = gs_grow(to, cap, n, len);
	if (n > 0)
		memcpy(to, from, n * len);
	return to;
}

/* Of two structs, the array p with its numbers of items and of room. */
#define COPY(to, from, p, n, cap)                                       \
	((to)->p = copied((to)->p, &(to)->cap, (from)->p, (from)->n,    \
	    sizeof(*(to)->p)), (to)->n = (from)->n)

static void copy_delta(struct delta *to, const struct delta *from)
{
	size_t w;

	COPY(to, from, closed, n_closed, closed_cap);
	COPY(to, from, opened, n_opened, opened_cap);
	COPY(to, from, ended, n_ended, ended_cap);
	COPY(to, from, sum, n_sum, sum_cap);
	COPY(to, from, waited, n_waited, waited_cap);
	for (w = 0; w < COL_WORDS_MAX; w++) {
		uint64_t bits = from->used[w];

		to->used[w] = bits;
		for (; bits; bits &= bits - 1) {
			size_t col = w * 64 + gs_ctz64(bits);
			struct delta_col *c = &to->col[col];

			COPY(c, &from->col[col], slot, n, slot_cap);
			COPY(c, &from->col[col], diff, n, diff_cap);
			COPY(c, &from->col[col], gone, n_gone, gone_cap);
		}
	}
}

void tick_copy(struct tick *to, const struct tick *from)
{
	size_t i;
	int e;

	tick_reset(to);
	to->seq = from->seq;
	to->left_out = from->left_out;
	to->skipped = from->skipped;
	to->wall_ns = from->wall_ns;
	to->key = from->key;
	to->renumbers = from->renumbers;
	to->was_key = from->was_key;
	to->has_census = from->has_census;
	to->census = from->census;
	to->key_tag = from->key_tag;
	to->header = from->header ? header_dup(from->header) : NULL;
	for (i = 0; i < from->n_block; i++) {
		struct block *b = tick_add_block(to, from->block[i]->host);

		b->clock = from->block[i]->clock;
		for (e = 0; e < ENTITY_COUNT; e++)
			copy_delta(&b->ent[e], &from->block[i]->ent[e]);
	}
	COPY(to, from, text, n_text, text_cap);
	COPY(to, from, event, n_event, event_cap);
	buf_add(&to->bytes, from->bytes.ptr, from->bytes.len);
}

static size_t delta_bytes(const struct delta *d)
{
	const struct entity *en = entity_get(d->entity);
	size_t n = en->ncols * sizeof(*d->col) +
	    (d->closed_cap + d->opened_cap + d->ended_cap) *
	    sizeof(*d->closed) + d->sum_cap * sizeof(*d->sum) +
	    d->waited_cap * sizeof(*d->waited);
	unsigned i;

	for (i = 0; i < en->ncols; i++)
		n += (d->col[i].slot_cap + d->col[i].gone_cap) *
		    sizeof(*d->col[i].slot) +
		    d->col[i].diff_cap * sizeof(*d->col[i].diff);
	return n;
}

size_t tick_bytes(const struct tick *t)
{
	size_t n = t->bytes.cap + t->text_cap * sizeof(*t->text) +
	    t->event_cap * sizeof(*t->event);
	size_t i;
	int e;

	for (i = 0; i < t->block_made; i++) {
		n += sizeof(**t->block);
		for (e = 0; e < ENTITY_COUNT; e++)
			n += delta_bytes(&t->block[i]->ent[e]);
	}
	return n;
}

/* A value with its row number takes about three bytes. */
size_t block_weight(const struct block *b)
{
	size_t n = sizeof(b->clock);
	unsigned col;
	int e;

	for (e = 0; e < ENTITY_COUNT; e++) {
		const struct delta *d = &b->ent[e];

		n += (d->n_closed + d->n_opened) * 2;
		for (col = 0; col < entity_get(d->entity)->ncols; col++)
			n += d->col[col].n * 3 + d->col[col].n_gone;
	}
	return n;
}

bool tick_charge(struct tick *t, size_t bytes)
{
	if (!budget_take(t->budget, bytes))
		return false;
	t->charged += t->budget ? bytes : 0;
	return true;
}

static size_t block_bytes(void)
{
	size_t n = sizeof(struct block) + sizeof(struct block *);
	int e;

	for (e = 0; e < ENTITY_COUNT; e++)
		n += entity_get((enum entity_id)e)->ncols *
		    sizeof(struct delta_col);
	return n;
}

bool tick_charge_block(struct tick *t)
{
	return !t->budget || t->n_block < t->block_made ||
	    tick_charge(t, block_bytes());
}

bool tick_is_large(const struct tick *t)
{
	return t->charged > LARGE_BYTES &&
	    t->charged - LARGE_BYTES > t->block_made * block_bytes();
}

struct block *tick_add_block(struct tick *t, uint32_t host)
{
	struct block *b;

	if (t->n_block == t->block_made) {
		GS_GROW(t->block, &t->block_cap, t->n_block + 1);
		b = gs_malloc(sizeof(*b));
		block_init(b);
		t->block[t->block_made++] = b;
	}
	b = t->block[t->n_block++];
	block_reset(b);
	b->host = host;
	return b;
}

void tick_add_text(struct tick *t, uint32_t id, const char *p, size_t len)
{
	GS_GROW(t->text, &t->text_cap, t->n_text + 1);
	t->text[t->n_text++] = (struct text) { id, t->bytes.len, len };
	buf_add(&t->bytes, p, len);
}

void tick_add_event(struct tick *t, enum event_kind kind, int64_t wall_ns,
	uint32_t host, int64_t value, const char *text, size_t len)
{
	GS_GROW(t->event, &t->event_cap, t->n_event + 1);
	t->event[t->n_event++] = (struct event) { .kind = kind,
		.wall_ns = wall_ns, .value = value, .host = host,
		.off = t->bytes.len, .len = len };
	buf_add(&t->bytes, text, len);
}

static const struct event *lost_event(const struct tick *t)
{
	size_t i;

	for (i = 0; i < t->n_event; i++) {
		if (t->event[i].kind == EVENT_HOLE && t->event[i].value > 0)
			return &t->event[i];
	}
	return NULL;
}

uint64_t tick_lost_before(const struct tick *t)
{
	const struct event *e = lost_event(t);

	return e ? (uint64_t)e->value : 0;
}

struct span tick_lost_why(const struct tick *t)
{
	const struct event *e = lost_event(t);

	return e ? span_of(buf_str(&t->bytes) + e->off, e->len)
	         : span_of("", 0);
}

static bool says_late(const struct tick *t)
{
	bool late = false, set = false;
	size_t i;

	for (i = 0; i < t->n_event; i++) {
		enum event_kind k = t->event[i].kind;

		late |= k == EVENT_LATE || k == EVENT_STOOD_STILL ||
		    k == EVENT_SUSPENDED;
		set |= k == EVENT_CLOCK_STEP;
	}
	return late && !set;
}

int64_t tick_due_of(const struct tick *t, int64_t before_ns,
	struct tick_pace was)
{
	return !t->header || t->header->interval_ns <= 0
	    ? tick_instant(t->wall_ns, was) : tick_due(t->wall_ns, before_ns,
	        header_pace(t->header), was);
}

/* Multiples between those of two ticks. */
static uint64_t due_between(int64_t from_ns, int64_t to_ns, int64_t interval_ns)
{
	/* a late tick is that of the multiple before it */
	int64_t n = tick_nominal(to_ns, interval_ns) / interval_ns -
	    tick_nominal(from_ns, interval_ns) / interval_ns - 1;

	return n > 0 ? (uint64_t)n : 0;
}

uint64_t tick_skipped_before(const struct tick *t, int64_t before_ns,
	int64_t interval_ns)
{
	if (interval_ns <= 0 || before_ns >= t->wall_ns)
		return 0;
	if (t->skipped > 0)
		return GS_MIN(t->skipped, (uint64_t)(t->wall_ns - before_ns) /
		    GS_NSEC_PER_MSEC);
	return says_late(t) ? due_between(before_ns, t->wall_ns, interval_ns) : 0;
}

bool tick_skipped_all(const struct tick *t, int64_t before_ns, int64_t sampled_ns)
{
	return sampled_ns > 0 && t->skipped > 0 && before_ns < t->wall_ns &&
	    t->skipped == due_between(before_ns, t->wall_ns, sampled_ns);
}

void tick_clear_closed(struct tick *t)
{
	size_t i;
	int e;

	for (i = 0; i < t->n_block; i++) {
		for (e = 0; e < ENTITY_COUNT; e++)
			t->block[i]->ent[e].n_closed = 0;
	}
}
