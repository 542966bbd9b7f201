/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tick_encoder_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/packed.h"

struct tick_encoder *encoder_new(struct header *header)
{
	struct tick_encoder *m = gs_calloc(1, sizeof(*m));
	size_t words = 0;
	int e;

	m->header = header;
	m->texts = texts_new();
	m->need_key = true;
	for (e = 0; e < ENTITY_COUNT; e++)
		words = GS_MAX(words, cells_words((enum entity_id)e));
	m->scratch = gs_calloc(words, sizeof(*m->scratch));
	m->before = gs_calloc(words, sizeof(*m->before));
	m->pack = gs_malloc(PACKED_MAX);
	return m;
}

void encoder_free(struct tick_encoder *m)
{
	size_t i, k;
	int e;

	if (!m)
		return;
	for (i = 0; i < m->n_host; i++) {
		for (e = 0; e < ENTITY_COUNT; e++) {
			struct base *b = &m->host[i].ent[e];

			for (k = 0; k < b->n_row; k++)
				free(b->row[k].bytes);
			free(b->row);
		}
	}
	free(m->host);
	closings_release(&m->closings);
	free(m->scratch);
	free(m->before);
	free(m->pack);
	texts_free(m->texts);
	tick_release(&m->tick);
	header_free(m->header);
	free(m);
}

struct header *encoder_header(struct tick_encoder *m)
{
	return m->header;
}

void encoder_set_header(struct tick_encoder *m, struct header *header)
{
	header_free(m->header);
	m->header = header;
}

void encoder_need_key(struct tick_encoder *m)
{
	m->need_key = true;
}

static struct base_host *host_of(struct tick_encoder *m, uint32_t index)
{
	size_t i;

	for (i = 0; i < m->n_host; i++) {
		if (m->host[i].index == index)
			return &m->host[i];
	}
	GS_GROW(m->host, &m->host_cap, m->n_host + 1);
	m->host[m->n_host] = (struct base_host) { .index = index };
	return &m->host[m->n_host++];
}

/* ---- texts ----------------------------------------------------------- */

/* The id of a text in the recording; adds the text if the reader does not have
 * it. */
static uint32_t id_of_text(struct tick_encoder *m, uint32_t own)
{
	struct span s;

	if (own == 0)
		return 0;
	if (texts_mark(m->texts, own) <= m->period_tag) {
		texts_set_mark(m->texts, own, ++m->next_tag);
		s = texts_get(m->texts, own);
		if (!m->tick.key)
			m->period_bytes += span_len(s);
		tick_add_text(&m->tick, m->next_tag - m->period_tag, s.ptr,
		    span_len(s));
	}
	return texts_mark(m->texts, own) - m->period_tag;
}

/* Deltas have ids of the pool; converts them to ids of the recording. */
static void translate_texts(struct tick_encoder *m, struct delta *d)
{
	const struct entity *en = entity_get(d->entity);
	unsigned col;
	size_t i;

	for (col = 0; col < en->ncols; col++) {
		struct delta_col *c = &d->col[col];

		if (!metric_is_text(&en->metrics[col]))
			continue;
		for (i = 0; i < c->n; i++)
			c->diff[i] = id_of_text(m, (uint32_t)c->diff[i]);
	}
}

static void drop_texts(struct tick_encoder *m, enum entity_id e, struct cells c)
{
	const struct entity *en = entity_get(e);
	unsigned col;

	for (col = 0; col < en->ncols; col++) {
		if (metric_is_text(&en->metrics[col]) && cells_has(c, col))
			texts_unref(m->texts, (uint32_t)c.val[col]);
	}
}

static void hide(const struct tick_encoder *m, enum entity_id e, struct cells c)
{
	size_t w, words = COL_WORDS(entity_get(e)->ncols);

	for (w = 0; w < words; w++) {
		uint64_t bits = c.present[w] & m->hidden[e][w];

		for (; bits; bits &= bits - 1)
			cells_unset(c, (unsigned)(w * 64) + gs_ctz64(bits));
	}
}

static bool hides(const struct tick_encoder *m, enum entity_id e, unsigned col)
{
	return m->hidden[e][col / 64] >> (col % 64) & 1;
}

/* The source's cells with texts of the encoder's pool, each referenced. */
static void adopt_cells(struct tick_encoder *m, const struct world *src,
	const struct row *r, struct cells to)
{
	const struct entity *en = entity_get(r->entity);
	unsigned col;

	cells_copy(r->entity, to, r->now);
	hide(m, r->entity, to);
	for (col = 0; col < en->ncols; col++) {
		struct span s;

		if (!metric_is_text(&en->metrics[col]) || !cells_has(to, col))
			continue;
		s = row_text(src, r, col);
		if (m->change &&
		    !m->change(m->change_arg, r, col, s, &s)) {
			cells_unset(to, col);
			continue;
		}
		to.val[col] = texts_intern(m->texts, s.ptr, span_len(s),
		    NULL);
	}
}

/* ---- one entity ------------------------------------------------------ */

/* The last encoded cells; valid until the next call. */
static struct cells said_cells(struct tick_encoder *m, enum entity_id e,
	const struct said *s)
{
	struct cells c = cells_over(e, m->before);

	packed_get(e, s->bytes, c);
	return c;
}

static void remember(struct tick_encoder *m, enum entity_id e, struct said *s,
	struct cells now)
{
	size_t len = packed_put(e, now, m->pack);

	if (len > s->cap || !s->bytes) {
		/* some spare room: counters get longer from time to time */
		s->cap = (uint32_t)(len + len / 8 + 16);
		free(s->bytes);
		s->bytes = gs_malloc(s->cap);
	}
	memcpy(s->bytes, m->pack, len);
}

static void forget_said(
    struct tick_encoder *m, enum entity_id e, struct said *s)
{
	drop_texts(m, e, said_cells(m, e, s));
	free(s->bytes);
	s->bytes = NULL;
}

static void close_said(struct tick_encoder *m, struct delta *d, struct said *s,
	enum row_close why)
{
	delta_close_slot(d, s->slot, why);
	forget_said(m, d->entity, s);
}

/* One host of the source, and what was encoded of it before. */
struct said_by {
	const struct world *world;
	const struct table *table; /* by entity */
	uint64_t since; /* ticks of the world already encoded */
	enum row_close gone; /* why rows close that the source did not close */
	const struct encoder_rows *rows; /* NULL: no sums */
};

static void close_gone(struct tick_encoder *m, struct base *b, struct delta *d,
	const struct said_by *by)
{
	const struct table *tab = &by->table[d->entity];
	bool listed = false;
	enum row_close why;
	size_t i;

	for (i = 0; i < b->n_row; i++) {
		struct said *s = &b->row[i];

		if (!s->bytes)
			continue;
		if (i < tab->n_slot && tab->slot[i] &&
		    tab->slot[i]->serial == s->serial)
			continue;
		if (!listed)
			closings_list(&m->closings, by->world, d->entity);
		listed = true;
		/* if the source still knows why */
		why = closings_why(&m->closings, s->serial);
		close_said(m, d, s, why ? why : by->gone);
	}
}

static struct said *said_of(struct base *b, uint32_t slot)
{
	GS_GROW(b->row, &b->row_cap, (size_t)slot + 1);
	while (b->n_row <= slot)
		b->row[b->n_row++] = (struct said) { 0 };
	return &b->row[slot];
}

/* How a row opens that was not encoded yet. */
static enum row_open how_opened(const struct tick_encoder *m,
	const struct said_by *by, const struct row *r)
{
	if (r->first_tick > by->since)
		return r->opened;
	return m->tick.key ? OPEN_CONTINUED : OPEN_APPEARED;
}

/* Adds the changes of the row in slot i; in a key only updates the base. */
static void say_row(struct tick_encoder *m, struct base *b, struct delta *d,
	const struct said_by *by, size_t i)
{
	const struct row *r = by->table[d->entity].slot[i];
	enum entity_id e = d->entity;
	struct said *s = said_of(b, (uint32_t)i);
	struct cells now = cells_over(e, m->scratch);
	struct cells none = { NULL, NULL };
	struct cells was = s->bytes ? said_cells(m, e, s) : none;

	adopt_cells(m, by->world, r, now);
	if (!s->bytes) {
		s->serial = r->serial;
		s->slot = b->next_slot++;
		s->fresh = how_opened(m, by, r);
		if (!m->tick.key)
			delta_open_slot(d, s->slot, s->fresh);
	}
	if (!m->tick.key)
		(void)delta_row(d, s->slot, was, now);
	if (was.val)
		drop_texts(m, e, was);
	remember(m, e, s, now);
}

/* Sums of the row since it was last encoded. */
static const struct tick_sum *sums_of(const struct said_by *by,
	const struct row *r, size_t *ret_n)
{
	*ret_n = 0;
	if (!by->rows)
		return NULL;
	if (by->rows->sums)
		return by->rows->sums(by->rows->ctx, r, ret_n);
	if (r->sum_tick == r->touched_tick && r->sum_tick > by->since)
		*ret_n = r->n_sum;
	return r->sum;
}

/* True if the row closed without further changes. */
static bool is_told(struct tick_encoder *m, const struct base *b,
	const struct said_by *by, size_t i, const struct row *r)
{
	struct cells now = cells_over(r->entity, m->scratch);
	struct cells was;
	size_t n;

	(void)sums_of(by, r, &n);
	if (n > 0 || i >= b->n_row || !b->row[i].bytes)
		return false;
	was = said_cells(m, r->entity, &b->row[i]);
	adopt_cells(m, by->world, r, now);
	n = memcmp(was.present, now.present, cells_words(r->entity) *
	    sizeof(*was.present)) == 0;
	drop_texts(m, r->entity, now);
	return n > 0;
}

/* Rows that closed stay in the base until their sums are encoded. */
static void say_sums(struct tick_encoder *m, struct base *b, struct delta *d,
	const struct said_by *by)
{
	const struct table *tab = &by->table[d->entity];
	size_t i, k, n;

	for (i = 0; i < tab->n_slot && i < b->n_row; i++) {
		const struct row *r = tab->slot[i];
		const struct tick_sum *sum;

		if (!r || !b->row[i].bytes || r->touched_tick <= by->since)
			continue;
		sum = sums_of(by, r, &n);
		for (k = 0; k < n; k++) {
			if (!hides(m, d->entity, sum[k].col))
				delta_add_sum(d, b->row[i].slot, sum[k]);
		}
		if (r->closed) {
			delta_end_slot(d, b->row[i].slot, r->closed);
			forget_said(m, d->entity, &b->row[i]);
		}
	}
	delta_sort_sums(d);
}

static void say_entity(struct tick_encoder *m, struct base *b, struct delta *d,
	const struct said_by *by)
{
	const struct table *tab = &by->table[d->entity];
	size_t i;

	close_gone(m, b, d, by);
	for (i = 0; i < tab->n_slot; i++) {
		const struct row *r = tab->slot[i];

		if (!r || (r->touched_tick <= by->since &&
		    i < b->n_row && b->row[i].bytes))
			continue;
		if (r->closed && is_told(m, b, by, i, r))
			close_said(m, d, &b->row[i], r->closed);
		else
			say_row(m, b, d, by, i);
	}
}

/* Adds all rows of the base, with new slots. */
static void say_all(struct tick_encoder *m, struct base *b, struct delta *d)
{
	struct cells none = { NULL, NULL };
	size_t i;

	b->next_slot = 0;
	for (i = 0; i < b->n_row; i++) {
		struct said *s = &b->row[i];

		if (!s->bytes)
			continue;
		s->slot = b->next_slot++;
		delta_open_slot(d, s->slot, s->fresh);
		(void)delta_row(d, s->slot, none,
		    said_cells(m, d->entity, s));
	}
}

static void settle(struct base *b)
{
	size_t i;

	for (i = 0; i < b->n_row; i++)
		b->row[i].fresh = OPEN_CONTINUED;
}

/* ---- ticks ----------------------------------------------------------- */

/* Slots and text ids of a period grow with every row and text; long before a
 * reader's limits a key restarts them. */
static bool numbers_run_out(const struct tick_encoder *m)
{
	size_t slots = 0, i;
	int e;

	if (m->next_tag - m->period_tag > TICK_TEXTS_MAX / 2 ||
	    m->period_bytes > ENCODER_TEXTS_MAX)
		return true;
	for (i = 0; i < m->n_host; i++) {
		for (e = 0; e < ENTITY_COUNT; e++) {
			uint32_t n = m->host[i].ent[e].next_slot;

			slots += n; /* many hosts may have few each */
			if (n > TICK_SLOTS_MAX / 2 || slots > ENCODER_SLOTS_MAX)
				return true;
		}
	}
	return false;
}

static void start_tick(struct tick_encoder *m, int64_t wall_ns, bool key)
{
	size_t i;

	tick_reset(&m->tick);
	m->tick.seq = m->seq;
	m->tick.wall_ns = wall_ns;
	m->tick.key = key;
	if (key) {
		m->tick.header = header_dup(m->header);
		m->period_tag = m->next_tag;
		m->period_bytes = 0;
	}
	for (i = 0; i < m->n_host; i++) {
		m->host[i].added = false;
		m->host[i].said_bytes = 0;
	}
}

void encoder_begin(struct tick_encoder *m, int64_t wall_ns)
{
	bool key = m->need_key || m->since_key + 1 >= ENCODER_KEY_EVERY ||
	    numbers_run_out(m);

	m->seq++;
	if (m->seq == 1)
		m->header->started_ns = wall_ns;
	m->since_key = key ? 0 : m->since_key + 1;
	m->need_key = false;
	start_tick(m, wall_ns, key);
	m->tick.left_out = m->left_out;
	m->left_out = 0;
}

void encoder_give_blocks(struct tick_encoder *m,
	void (*fn)(void *arg, const struct block *b), void *arg)
{
	m->give = fn;
	m->give_arg = arg;
}

/* The newest block is complete; texts is the size of texts before it. */
static void block_done(
    struct tick_encoder *m, struct base_host *h, size_t texts)
{
	h->said_bytes = block_weight(m->tick.block[m->tick.n_block - 1]) +
	    m->tick.bytes.len - texts;
	if (m->give)
		m->give(m->give_arg, m->tick.block[--m->tick.n_block]);
}

static void say_host(struct tick_encoder *m, struct base_host *h,
	const struct sample_clock *clock, const struct said_by *by)
{
	struct block *b = tick_add_block(&m->tick, h->index);
	size_t texts = m->tick.bytes.len;
	int e;

	h->added = true;
	h->known = true;
	h->clock = *clock;
	b->clock = *clock;
	for (e = 0; e < ENTITY_COUNT; e++) {
		struct delta *d = &b->ent[e];

		say_entity(m, &h->ent[e], d, by);
		if (m->tick.key)
			say_all(m, &h->ent[e], d);
		if (by->rows)
			say_sums(m, &h->ent[e], d, by);
		settle(&h->ent[e]);
		translate_texts(m, d);
	}
	h->src_ticks = world_ticks(by->world);
	block_done(m, h, texts);
}

void encoder_block(
    struct tick_encoder *m, uint32_t index, const struct world *src)
{
	struct base_host *h = host_of(m, index);
	const struct host *from = world_host(src, 0);
	struct said_by by = { src, from->table, h->src_ticks, CLOSE_EXITED,
		NULL };

	say_host(m, h, &from->clock, &by);
}

static void close_up(struct base *b)
{
	size_t i, n = 0;

	for (i = 0; i < b->n_row; i++) {
		if (b->row[i].bytes)
			b->row[n++] = b->row[i];
	}
	b->n_row = n;
}

bool encoder_block_of(struct tick_encoder *m, uint32_t index,
	const struct encoder_rows *src)
{
	struct base_host *h = host_of(m, index);
	struct said_by by = { src->world, src->table, h->src_ticks,
		CLOSE_LEFT, src };
	int e;

	if (!h->known)
		by.since = world_ticks(src->world) - 1;
	say_host(m, h, src->clock, &by);
	for (e = 0; m->tick.key && e < ENTITY_COUNT; e++)
		close_up(&h->ent[e]);
	return m->tick.key;
}

void encoder_choose(struct tick_encoder *m, enum entity_id e,
	const uint64_t col[COL_WORDS_MAX])
{
	size_t w;

	for (w = 0; w < COL_WORDS_MAX; w++)
		m->hidden[e][w] = ~col[w];
}

void encoder_change_texts(
    struct tick_encoder *m, encoder_text_fn *fn, void *arg)
{
	m->change = fn;
	m->change_arg = arg;
}

void encoder_set_seq(struct tick_encoder *m, uint64_t seq)
{
	m->seq = seq - 1;
}

void encoder_leave_out(struct tick_encoder *m, uint64_t n)
{
	m->left_out = n;
}

void encoder_host_lost(struct tick_encoder *m, uint32_t index)
{
	struct base_host *h = host_of(m, index);
	struct block *b;
	int e;
	size_t i;

	if (!h->known || h->added)
		return;
	b = tick_add_block(&m->tick, index);
	b->clock = h->clock;
	h->added = true;
	h->known = false;
	h->src_ticks = 0;
	for (e = 0; e < ENTITY_COUNT; e++) {
		for (i = 0; i < h->ent[e].n_row; i++) {
			if (h->ent[e].row[i].bytes)
				close_said(m, &b->ent[e], &h->ent[e].row[i],
				    CLOSE_HOST_LOST);
		}
	}
	block_done(m, h, m->tick.bytes.len);
}

void encoder_forget(struct tick_encoder *m, uint32_t index)
{
	struct base_host *h = host_of(m, index);
	size_t i;
	int e;

	m->need_key = true;
	h->known = false;
	h->src_ticks = 0;
	for (e = 0; e < ENTITY_COUNT; e++) {
		struct base *b = &h->ent[e];

		for (i = 0; i < b->n_row; i++) {
			if (!b->row[i].bytes)
				continue;
			drop_texts(m, (enum entity_id)e, said_cells(m,
			    (enum entity_id)e, &b->row[i]));
			free(b->row[i].bytes);
		}
		b->n_row = 0;
		b->next_slot = 0;
	}
}

void encoder_event(struct tick_encoder *m, enum event_kind kind,
    int64_t wall_ns, uint32_t host, int64_t value, const char *text)
{
	tick_add_event(&m->tick, kind, wall_ns, host, value, text,
	    strlen(text));
}

/* Hosts that did not answer are in a key with their last state. */
static void repeat_hosts(struct tick_encoder *m)
{
	size_t i;
	int e;

	for (i = 0; i < m->n_host; i++) {
		struct base_host *h = &m->host[i];
		size_t texts = m->tick.bytes.len;
		struct block *b;

		if (h->added || !h->known)
			continue;
		b = tick_add_block(&m->tick, h->index);
		b->clock = h->clock;
		for (e = 0; e < ENTITY_COUNT; e++) {
			say_all(m, &h->ent[e], &b->ent[e]);
			translate_texts(m, &b->ent[e]);
		}
		block_done(m, h, texts);
	}
}

size_t encoder_base_bytes(const struct tick_encoder *m, uint32_t index)
{
	size_t i, n = 0;

	for (i = 0; i < m->n_host; i++) {
		if (index == ENCODER_ALL_HOSTS || m->host[i].index == index)
			n += m->host[i].said_bytes;
	}
	return n;
}

const struct tick *encoder_end(struct tick_encoder *m)
{
	if (m->tick.key)
		repeat_hosts(m);
	return &m->tick;
}

const struct tick *encoder_repeat_as_key(struct tick_encoder *m)
{
	start_tick(m, m->tick.wall_ns, true);
	m->since_key = 0;
	m->need_key = false;
	repeat_hosts(m);
	return &m->tick;
}
