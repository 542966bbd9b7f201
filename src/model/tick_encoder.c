/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tick_encoder_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
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
				encoder_drop_cells(m, (enum entity_id)e,
				    &b->row[k]);
			free(b->row);
			free(b->text);
		}
	}
	free(m->host);
	free(m->place);
	free(m->closings.at);
	free(m->sorted);
	free(m->scratch);
	free(m->before);
	free(m->sent);
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

void encoder_no_key(struct tick_encoder *m)
{
	m->no_key = true;
	m->need_key = false;
}

void encoder_forget_texts(struct tick_encoder *m)
{
	m->period_tag = m->next_tag;
	m->period_bytes = 0;
	encoder_forget_sent(m);
}

/* NULL: there was none of that index. */
static struct base_host *find_host(const struct tick_encoder *m,
	uint32_t index)
{
	return index < m->n_place && m->place[index] > 0
	    ? &m->host[m->place[index] - 1] : NULL;
}

static struct base_host *host_of(struct tick_encoder *m, uint32_t index)
{
	struct base_host *h = find_host(m, index);

	if (h)
		return h;
	GS_GROW(m->place, &m->place_cap, (size_t)index + 1);
	while (m->n_place <= index)
		m->place[m->n_place++] = 0;
	GS_GROW(m->host, &m->host_cap, m->n_host + 1);
	h = &m->host[m->n_host++];
	*h = (struct base_host) { .index = index };
	m->place[index] = (uint32_t)m->n_host;
	return h;
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
		encoder_forget_texts(m);
	}
	for (i = 0; i < m->n_host; i++) {
		m->host[i].added = false;
		m->host[i].tick_bytes = 0;
	}
}

static bool key_is_due(const struct tick_encoder *m)
{
	unsigned every = m->header->interval_ns <= GS_NSEC_PER_SEC
	    ? ENCODER_KEY_EVERY_FAST : ENCODER_KEY_EVERY;

	return m->need_key || numbers_run_out(m) ||
	    (!m->no_key && m->since_key + 1 >= every);
}

void encoder_begin(struct tick_encoder *m, int64_t wall_ns)
{
	bool key = key_is_due(m);

	m->seq++;
	if (m->seq == 1)
		m->header->started_ns = wall_ns;
	m->since_key = key ? 0 : m->since_key + 1;
	m->need_key = false;
	start_tick(m, wall_ns, key);
	m->tick.left_out = m->left_out;
	m->tick.skipped = m->skipped;
	m->left_out = m->skipped = 0;
}

bool encoder_is_key(const struct tick_encoder *m)
{
	return m->tick.key;
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
	h->tick_bytes = block_weight(m->tick.block[m->tick.n_block - 1]) +
	    m->tick.bytes.len - texts;
	if (m->give)
		m->give(m->give_arg, m->tick.block[--m->tick.n_block]);
}

static void encode_host(struct tick_encoder *m, struct base_host *h,
	const struct sample_clock *clock, const struct encoder_source *by)
{
	struct block *b = tick_add_block(&m->tick, h->index);
	size_t texts = m->tick.bytes.len, i;
	int e;

	h->added = true;
	h->known = true;
	h->clock = *clock;
	b->clock = *clock;
	for (e = 0; e < ENTITY_COUNT; e++) {
		struct delta *d = &b->ent[e];

		encoder_rows_of(m, &h->ent[e], d, by);
		if (m->tick.key)
			encoder_all_rows(m, &h->ent[e], d);
		/* before the texts of rows that end are forgotten */
		encoder_translate_texts(m, d);
		if (by->rows)
			encoder_sums(m, &h->ent[e], d, by);
		for (i = 0; i < h->ent[e].n_row; i++)
			h->ent[e].row[i].fresh = OPEN_CONTINUED;
	}
	h->src_ticks = world_ticks(by->world);
	block_done(m, h, texts);
}

void encoder_block(
    struct tick_encoder *m, uint32_t index, const struct world *src)
{
	struct base_host *h = host_of(m, index);
	const struct host *from = world_host(src, 0);
	struct encoder_source by = { src, from->table, h->src_ticks, CLOSE_EXITED,
		NULL };

	encode_host(m, h, &from->clock, &by);
}

static void close_up(struct base *b, enum entity_id e)
{
	size_t n_text = entity_get(e)->n_text, i, n = 0;

	for (i = 0; i < b->n_row; i++) {
		if (!b->row[i].packed)
			continue;
		b->row[n] = b->row[i];
		if (n_text > 0)
			memmove(b->text + n * n_text, b->text + i * n_text,
			    n_text * sizeof(*b->text));
		n++;
	}
	b->n_row = n;
}

bool encoder_block_of(struct tick_encoder *m, uint32_t index,
	const struct encoder_rows *src)
{
	struct base_host *h = host_of(m, index);
	struct encoder_source by = { src->world, src->table, h->src_ticks,
		CLOSE_LEFT, src };
	int e;

	if (!h->known)
		by.since = world_ticks(src->world) - 1;
	encode_host(m, h, src->clock, &by);
	for (e = 0; m->tick.key && e < ENTITY_COUNT; e++)
		close_up(&h->ent[e], (enum entity_id)e);
	return m->tick.key;
}

void encoder_choose(struct tick_encoder *m, enum entity_id e,
	const uint64_t col[COL_WORDS_MAX])
{
	size_t w;

	for (w = 0; w < COL_WORDS_MAX; w++)
		m->hidden[e][w] = ~col[w];
}

void encoder_hide_cells(struct tick_encoder *m, encoder_hide_fn *fn, void *arg)
{
	m->hide = fn;
	m->hide_arg = arg;
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

void encoder_skip(struct tick_encoder *m, uint64_t n)
{
	m->skipped = n;
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
		struct base *of = &h->ent[e];

		for (i = 0; i < of->n_row; i++) {
			if (of->row[i].packed)
				encoder_close_row(m, of, &b->ent[e], i,
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
			if (b->row[i].packed)
				encoder_forget_row(m, b, (enum entity_id)e, i);
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
			encoder_all_rows(m, &h->ent[e], &b->ent[e]);
			encoder_translate_texts(m, &b->ent[e]);
		}
		block_done(m, h, texts);
	}
}

size_t encoder_base_bytes(const struct tick_encoder *m, uint32_t index)
{
	const struct base_host *h = find_host(m, index);
	size_t i, n = 0;

	if (index != ENCODER_ALL_HOSTS)
		return h ? h->tick_bytes : 0;
	for (i = 0; i < m->n_host; i++)
		n += m->host[i].tick_bytes;
	return n;
}

struct tick *encoder_end(struct tick_encoder *m)
{
	if (m->tick.key)
		repeat_hosts(m);
	return &m->tick;
}

struct tick *encoder_repeat_as_key(struct tick_encoder *m)
{
	start_tick(m, m->tick.wall_ns, true);
	m->since_key = 0;
	m->need_key = false;
	repeat_hosts(m);
	return &m->tick;
}
