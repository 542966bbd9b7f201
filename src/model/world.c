#include "model/world.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/header.h"

/* Rows of all hosts together: what a crafted file may make us hold. */
#define ROWS_MAX (1u << 20)

/* Slots of all tables together, open or not: a row in slot 1,000,000 of each
 * of 4,096 hosts must not take all memory.  64 MiB of pointers. */
#define SLOTS_MAX ((size_t)8 << 20)

/* Open addressing over the rows that a key may continue. */
struct match {
	struct row **bucket;
	size_t n_bucket, cap;
};

struct world {
	struct host **host; /* by position */
	size_t n_host, host_cap;
	struct host **by_index; /* by index in the recording, NULL: none */
	size_t by_index_cap;
	struct texts *texts;
	uint64_t text_mask[ENTITY_COUNT][COL_WORDS_MAX];
	uint32_t *map; /* the stream's text ids to ours, each referenced */
	size_t map_len, map_cap;
	struct row **touched;
	size_t n_touched, touched_cap;
	struct row **fresh; /* rows that the key at hand brings */
	size_t fresh_cap;
	struct match match;
	uint64_t ticks;
	uint32_t serial;
	size_t n_rows;
	size_t n_slots; /* room of all tables */
	bool lost;
};

/* ---- rows ------------------------------------------------------------ */

/* The text columns of every entity, as masks. */
static void find_texts(struct world *w)
{
	int e;
	unsigned i;

	for (e = 0; e < ENTITY_COUNT; e++) {
		const struct entity *en = entity_get((enum entity_id)e);

		for (i = 0; i < en->ncols; i++) {
			if (metric_is_text(&en->metrics[i]))
				w->text_mask[e][i / 64] |= UINT64_C(1)
				    << (i % 64);
		}
	}
}

static void each_text(struct world *w, enum entity_id e, struct cells c,
	void (*fn)(struct texts *, uint32_t))
{
	size_t words = COL_WORDS(entity_get(e)->ncols);
	size_t i;

	for (i = 0; i < words; i++) {
		uint64_t bits = w->text_mask[e][i] & c.present[i];

		for (; bits; bits &= bits - 1)
			fn(w->texts, (uint32_t)c.val[i * 64 +
			    gs_ctz64(bits)]);
	}
}

static struct row *row_new(struct world *w, struct host *h, enum entity_id e)
{
	size_t words = cells_words(e);
	struct row *r = gs_calloc(1, sizeof(*r) + words * sizeof(uint64_t));

	r->entity = e;
	r->host = h;
	r->now = cells_over(e, (uint64_t *)(void *)(r + 1));
	r->was = cells_new(e); /* goes before the row does: row_forget() */
	r->holds = 1;
	w->n_rows++;
	return r;
}

void row_hold(struct row *r)
{
	r->holds++;
}

void row_drop(struct row *r)
{
	if (--r->holds == 0)
		free(r);
}

/* The world gives its own reference back; texts of cells stay alive no
 * longer, so that whoever holds the row must not read them any more. */
static void row_forget(struct world *w, struct row *r)
{
	each_text(w, r->entity, r->now, texts_unref);
	each_text(w, r->entity, r->was, texts_unref);
	cells_free(r->was);
	r->was = (struct cells) { 0 };
	w->n_rows--;
	row_drop(r);
}

static void touch(struct world *w, struct row *r)
{
	if (r->touched_tick == w->ticks)
		return;
	r->touched_tick = w->ticks;
	each_text(w, r->entity, r->was, texts_unref);
	cells_copy(r->entity, r->was, r->now);
	each_text(w, r->entity, r->was, texts_ref);
	GS_GROW(w->touched, &w->touched_cap, w->n_touched + 1);
	w->touched[w->n_touched++] = r;
}

static void row_opened(struct world *w, struct row *r, enum row_open how)
{
	r->opened = how == OPEN_BORN ? OPEN_BORN : OPEN_APPEARED;
	r->first_ns = r->host->clock.wall_ns;
	r->first_tick = w->ticks;
	r->serial = w->serial++;
	r->touched_tick = w->ticks;
	GS_GROW(w->touched, &w->touched_cap, w->n_touched + 1);
	w->touched[w->n_touched++] = r;
}

static void row_closed(struct world *w, struct row *r, enum row_close why)
{
	touch(w, r);
	/* 0 would be open; others are a newer version's */
	r->closed = why >= CLOSE_EXITED && why <= CLOSE_UNSEEN ? why
	                                                       : CLOSE_EXITED;
	r->last_ns = r->host->prev.wall_ns;
}

struct span row_text(const struct world *w, const struct row *r,
	unsigned col)
{
	if (!cells_has(r->now, col))
		return span_of("", 0);
	return texts_get(w->texts, (uint32_t)r->now.val[col]);
}

/* ---- world ----------------------------------------------------------- */

struct world *world_new(void)
{
	struct world *w = gs_calloc(1, sizeof(*w));

	w->texts = texts_new();
	find_texts(w);
	return w;
}

static void host_free(struct host *h)
{
	int e;
	size_t i;

	for (e = 0; e < ENTITY_COUNT; e++) {
		for (i = 0; i < h->table[e].n_slot; i++) {
			if (!h->table[e].slot[i])
				continue;
			cells_free(h->table[e].slot[i]->was);
			row_drop(h->table[e].slot[i]);
		}
		free(h->table[e].slot);
	}
	free(h->name);
	free(h);
}

/* Rows that the tick before closed are freed now. */
static void forget_closed(struct world *w)
{
	size_t i;

	for (i = 0; i < w->n_touched; i++) {
		if (w->touched[i]->closed)
			row_forget(w, w->touched[i]);
	}
	w->n_touched = 0;
}

void world_free(struct world *w)
{
	size_t i;

	if (!w)
		return;
	forget_closed(w);
	for (i = 0; i < w->n_host; i++)
		host_free(w->host[i]);
	texts_free(w->texts);
	free(w->host);
	free(w->by_index);
	free(w->map);
	free(w->touched);
	free(w->fresh);
	free(w->match.bucket);
	free(w);
}

void world_lost(struct world *w)
{
	w->lost = true;
}

uint64_t world_ticks(const struct world *w)
{
	return w->ticks;
}

size_t world_hosts(const struct world *w)
{
	return w->n_host;
}

struct host *world_host(const struct world *w, size_t i)
{
	return w->host[i];
}

struct texts *world_texts(const struct world *w)
{
	return w->texts;
}

struct row *const *world_touched(const struct world *w, size_t *ret_n)
{
	*ret_n = w->n_touched;
	return w->touched;
}

static struct host *host_of(struct world *w, uint32_t index)
{
	struct host *h;

	while (w->by_index_cap <= index) {
		size_t old = w->by_index_cap;

		GS_GROW(w->by_index, &w->by_index_cap, (size_t)index + 1);
		memset(w->by_index + old, 0,
		    (w->by_index_cap - old) * sizeof(*w->by_index));
	}
	h = w->by_index[index];
	if (h)
		return h;
	h = gs_calloc(1, sizeof(*h));
	h->index = index;
	h->name = gs_strdup("");
	GS_GROW(w->host, &w->host_cap, w->n_host + 1);
	w->host[w->n_host++] = h;
	w->by_index[index] = h;
	return h;
}

/* ---- texts ----------------------------------------------------------- */

static void clear_map(struct world *w)
{
	size_t i;

	for (i = 0; i < w->map_len; i++)
		texts_unref(w->texts, w->map[i]);
	w->map_len = 0;
}

static void take_texts(struct world *w, const struct tick *t)
{
	size_t i;

	for (i = 0; i < t->n_text; i++) {
		uint32_t id = t->text[i].id;
		uint32_t own = texts_intern(w->texts,
		    t->bytes.ptr ? t->bytes.ptr + t->text[i].off : "",
		    t->text[i].len, NULL);

		GS_GROW(w->map, &w->map_cap, (size_t)id + 1);
		while (w->map_len <= id)
			w->map[w->map_len++] = 0;
		texts_unref(w->texts, w->map[id]);
		w->map[id] = own;
	}
}

static void set_text(struct world *w, struct row *r, unsigned col,
	uint32_t own)
{
	texts_ref(w->texts, own);
	if (cells_has(r->now, col))
		texts_unref(w->texts, (uint32_t)r->now.val[col]);
	cells_set(r->now, col, own);
}

/* ---- one entity ------------------------------------------------------ */

static int bad_slot(struct gs_err *err, const struct delta *d, uint32_t slot,
	const char *what)
{
	return gs_fail(err, GS_E_FORMAT, "%s: slot %" PRIu32 " %s",
	    entity_get(d->entity)->name, slot, what);
}

static int table_reach(struct world *w, struct table *t, uint32_t slot,
	struct gs_err *err)
{
	if (slot >= t->cap) {
		if (w->n_slots - t->cap + slot >= SLOTS_MAX)
			return gs_fail(err, GS_E_LIMIT,
			    "more than %zu slots", SLOTS_MAX);
		w->n_slots -= t->cap;
		GS_GROW(t->slot, &t->cap, (size_t)slot + 1);
		w->n_slots += t->cap;
	}
	while (t->n_slot <= slot)
		t->slot[t->n_slot++] = NULL;
	return GS_OK;
}

static struct row *table_row(const struct table *t, uint32_t slot)
{
	return slot < t->n_slot ? t->slot[slot] : NULL;
}

/* Where reading starts at a key, the slots that it closes were never open:
 * lenient passes over slots that are not. */
static int close_slots(struct world *w, struct table *tab,
	const struct delta *d, bool lenient, struct gs_err *err)
{
	size_t i;

	for (i = 0; i < d->n_closed; i++) {
		struct row *r = table_row(tab, d->closed[i].slot);

		if (!r && lenient)
			continue;
		if (!r)
			return bad_slot(err, d, d->closed[i].slot,
			    "closed but is not open");
		tab->slot[d->closed[i].slot] = NULL;
		tab->n_live--;
		row_closed(w, r, (enum row_close)d->closed[i].why);
	}
	return GS_OK;
}

static int open_slots(struct world *w, struct host *h, struct table *tab,
	const struct delta *d, bool key, struct gs_err *err)
{
	size_t i;

	for (i = 0; i < d->n_opened; i++) {
		uint32_t slot = d->opened[i].slot;
		struct row *r;

		if (table_row(tab, slot))
			return bad_slot(err, d, slot, "opened but is open");
		if (w->n_rows >= ROWS_MAX)
			return gs_fail(err, GS_E_LIMIT,
			    "more than %u rows", ROWS_MAX);
		if (table_reach(w, tab, slot, err) < 0)
			return GS_E_LIMIT;
		r = row_new(w, h, d->entity);
		r->slot = slot;
		r->opened = (enum row_open)d->opened[i].why;
		tab->slot[slot] = r;
		tab->n_live++;
		if (!key)
			row_opened(w, r, r->opened);
	}
	return GS_OK;
}

static int text_of(const struct world *w, uint64_t id, uint32_t *ret,
	struct gs_err *err)
{
	if (id == 0)
		*ret = 0;
	else if (id < w->map_len && w->map[id])
		*ret = w->map[id];
	else
		return gs_fail(err, GS_E_FORMAT,
		    "text %" PRIu64 " was never sent", id);
	return GS_OK;
}

static int change_texts(struct world *w, const struct table *tab,
	const struct delta *d, unsigned col, bool key, struct gs_err *err)
{
	const struct delta_col *c = &d->col[col];
	uint32_t own = 0;
	size_t i;
	int r;

	for (i = 0; i < c->n; i++) {
		struct row *row = table_row(tab, c->slot[i]);

		if (!row)
			return bad_slot(err, d, c->slot[i], "is not open");
		r = text_of(w, c->diff[i], &own, err);
		if (r < 0)
			return r;
		if (!key)
			touch(w, row);
		set_text(w, row, col, own);
	}
	return GS_OK;
}

static int change_numbers(struct world *w, const struct table *tab,
	const struct delta *d, unsigned col, bool key, struct gs_err *err)
{
	const struct delta_col *c = &d->col[col];
	size_t i;

	for (i = 0; i < c->n; i++) {
		struct row *row = table_row(tab, c->slot[i]);

		if (!row)
			return bad_slot(err, d, c->slot[i], "is not open");
		if (!key)
			touch(w, row);
		cells_set(row->now, col, row->now.val[col] + c->diff[i]);
	}
	return GS_OK;
}

static int remove_cells(struct world *w, const struct table *tab,
	const struct delta *d, unsigned col, bool key, struct gs_err *err)
{
	const struct delta_col *c = &d->col[col];
	bool text = metric_is_text(metric_get(d->entity, col));
	size_t i;

	for (i = 0; i < c->n_gone; i++) {
		struct row *row = table_row(tab, c->gone[i]);

		if (!row)
			return bad_slot(err, d, c->gone[i], "is not open");
		if (!key)
			touch(w, row);
		if (text && cells_has(row->now, col))
			texts_unref(w->texts, (uint32_t)row->now.val[col]);
		cells_unset(row->now, col);
	}
	return GS_OK;
}

static int change_columns(struct world *w, const struct table *tab,
	const struct delta *d, bool key, struct gs_err *err)
{
	size_t word;
	int r = GS_OK;

	for (word = 0; word < COL_WORDS_MAX; word++) {
		uint64_t bits = d->used[word];

		for (; r == GS_OK && bits; bits &= bits - 1) {
			unsigned col = (unsigned)(word * 64) +
			    gs_ctz64(bits);

			if (metric_is_text(metric_get(d->entity, col)))
				r = change_texts(w, tab, d, col, key, err);
			else
				r = change_numbers(w, tab, d, col, key, err);
			if (r == GS_OK)
				r = remove_cells(w, tab, d, col, key, err);
		}
	}
	return r;
}

/* ---- keys ------------------------------------------------------------ */

static bool same_identity(const struct row *a, const struct row *b)
{
	const struct entity *en = entity_get(a->entity);
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		if (!(en->metrics[i].flags & F_ID))
			continue;
		if (cells_has(a->now, i) != cells_has(b->now, i) ||
		    a->now.val[i] != b->now.val[i])
			return false;
	}
	return true;
}

static size_t hash_identity(const struct row *r)
{
	const struct entity *en = entity_get(r->entity);
	uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		if (en->metrics[i].flags & F_ID) {
			h = (h ^ r->now.val[i]) *
			    UINT64_C(0xff51afd7ed558ccd);
			h ^= h >> 32;
		}
	}
	return (size_t)h;
}

static void match_fill(struct match *m, struct row *const *old, size_t n_old,
	size_t n_live)
{
	size_t i, k;

	m->n_bucket = 16;
	while (m->n_bucket < n_live * 2)
		m->n_bucket *= 2;
	GS_GROW(m->bucket, &m->cap, m->n_bucket);
	memset(m->bucket, 0, m->n_bucket * sizeof(*m->bucket));
	for (i = 0; i < n_old; i++) {
		if (!old[i])
			continue;
		k = hash_identity(old[i]) & (m->n_bucket - 1);
		while (m->bucket[k])
			k = (k + 1) & (m->n_bucket - 1);
		m->bucket[k] = old[i];
	}
}

/* A row that was taken keeps its bucket, so that chains stay whole; it is
 * told by its slot pointing to no slot until settle_key() is done.  A second
 * row of the same identity is thus a row of its own. */
#define TAKEN UINT32_MAX

static struct row *match_take(struct match *m, const struct row *r)
{
	size_t k = hash_identity(r) & (m->n_bucket - 1);

	for (; m->bucket[k]; k = (k + 1) & (m->n_bucket - 1)) {
		struct row *old = m->bucket[k];

		if (old->slot != TAKEN && same_identity(old, r)) {
			old->slot = TAKEN;
			return old;
		}
	}
	return NULL;
}

/* The row goes on with what the key says of it. */
static void continue_row(struct world *w, struct row *old, struct row *fresh)
{
	size_t len = cells_words(old->entity) * sizeof(uint64_t);

	if (memcmp(old->now.present, fresh->now.present, len) != 0) {
		touch(w, old);
		each_text(w, old->entity, old->now, texts_unref);
		cells_copy(old->entity, old->now, fresh->now);
		each_text(w, old->entity, old->now, texts_ref);
	}
	row_forget(w, fresh);
}

/* A row that the key calls continued and that we did not know started in the
 * part that we did not see, or before. */
static enum row_open birth_of(const struct row *r)
{
	const struct entity *en = entity_get(r->entity);
	const struct host *h = r->host;
	uint64_t hz = 100, start = 0;
	unsigned i;

	if (r->opened != OPEN_CONTINUED || !en->has_birth || h->blocks < 2)
		return r->opened;
	for (i = 0; i < h->table[ENTITY_HOST].n_slot; i++) {
		if (h->table[ENTITY_HOST].slot[i])
			(void)row_get(h->table[ENTITY_HOST].slot[i],
			    COL(HOST, CLOCK_TICKS), &hz);
	}
	for (i = 0; i < en->ncols; i++) {
		if (en->metrics[i].flags & F_BIRTH &&
		    !row_get(r, i, &start))
			return OPEN_APPEARED;
	}
	if (hz == 0 || hz > 1000000 || start / hz > INT64_MAX / 2000000000)
		return OPEN_APPEARED;
	return (int64_t)(start / hz) * 1000000000 +
	    (int64_t)(start % hz * 1000000000 / hz) >= h->prev.boot_ns
	    ? OPEN_BORN : OPEN_APPEARED;
}

/* Brings together the rows before (old) and the rows of the key (in tab). */
static void settle_key(struct world *w, struct table *tab,
	struct row *const *old, size_t n_old, size_t n_old_live)
{
	size_t i;

	match_fill(&w->match, old, n_old, n_old_live);
	for (i = 0; i < tab->n_slot; i++) {
		struct row *r = tab->slot[i];
		struct row *before = r ? match_take(&w->match, r) : NULL;

		if (before) {
			tab->slot[i] = before;
			continue_row(w, before, r);
		} else if (r) {
			row_opened(w, r, birth_of(r));
		}
	}
	for (i = 0; i < n_old; i++) {
		if (old[i] && old[i]->slot != TAKEN)
			row_closed(w, old[i], CLOSE_UNSEEN);
	}
	for (i = 0; i < tab->n_slot; i++) {
		if (tab->slot[i])
			tab->slot[i]->slot = (uint32_t)i;
	}
}

static int apply_key_entity(struct world *w, struct host *h,
	const struct delta *d, struct gs_err *err)
{
	struct table *tab = &h->table[d->entity];
	struct row **old;
	size_t n_old, n_live;
	int r = GS_OK;

	/* After a loss the closed slots are of a numbering that was not
	 * seen: what is missing then closes as unseen. */
	if (!w->lost)
		r = close_slots(w, tab, d, true, err);
	n_old = tab->n_slot;
	n_live = tab->n_live;
	GS_GROW(w->fresh, &w->fresh_cap, n_old);
	old = w->fresh;
	if (n_old)
		memcpy(old, tab->slot, n_old * sizeof(*old));
	tab->n_slot = tab->n_live = 0;
	if (r == GS_OK)
		r = open_slots(w, h, tab, d, true, err);
	if (r == GS_OK)
		r = change_columns(w, tab, d, true, err);
	settle_key(w, tab, old, n_old, n_live);
	return r;
}

static int apply_delta_entity(struct world *w, struct host *h,
	const struct delta *d, struct gs_err *err)
{
	struct table *tab = &h->table[d->entity];
	/* a reboot has closed all rows already */
	int r = close_slots(w, tab, d, h->rebooted, err);

	if (r == GS_OK)
		r = open_slots(w, h, tab, d, false, err);
	if (r == GS_OK)
		r = change_columns(w, tab, d, false, err);
	return r;
}

/* ---- hosts ----------------------------------------------------------- */

static void close_rows(struct world *w, struct host *h, enum entity_id e,
	enum row_close why)
{
	struct table *tab = &h->table[e];
	size_t i;

	for (i = 0; i < tab->n_slot; i++) {
		if (tab->slot[i])
			row_closed(w, tab->slot[i], why);
	}
	tab->n_slot = tab->n_live = 0;
}

/* Boot id of the host, as one of our text ids, if its row is open. */
static bool boot_id(const struct host *h, uint64_t *ret)
{
	const struct table *tab = &h->table[ENTITY_HOST];
	size_t i;

	for (i = 0; i < tab->n_slot; i++) {
		if (tab->slot[i])
			return row_get(tab->slot[i], COL(HOST, BOOT_ID), ret);
	}
	return false;
}

static void name_host(struct world *w, struct host *h)
{
	const struct table *tab = &h->table[ENTITY_HOST];
	size_t i;

	for (i = 0; i < tab->n_slot; i++) {
		struct span s;

		if (!tab->slot[i])
			continue;
		s = row_text(w, tab->slot[i], COL(HOST, NAME));
		if (!span_empty(s) && !span_eq(s, h->name)) {
			free(h->name);
			h->name = gs_strndup(s.ptr, span_len(s));
		}
	}
}

/* Pids and start times mean nothing across a reboot: rows end with it.  The
 * entity host is the first of a block, so that its new boot id is known. */
static void note_boot(struct world *w, struct host *h)
{
	bool first = h->boot == 0;
	uint64_t now;
	int e;

	if (!boot_id(h, &now) || now == 0 || now == h->boot)
		return;
	texts_ref(w->texts, (uint32_t)now); /* a host may come back */
	texts_unref(w->texts, h->boot);
	h->boot = (uint32_t)now;
	h->boot_ids++;
	if (first)
		return;
	h->gap = true;
	h->rebooted = true;
	for (e = ENTITY_HOST + 1; e < ENTITY_COUNT; e++)
		close_rows(w, h, (enum entity_id)e, CLOSE_EXITED);
}

static int apply_block(struct world *w, const struct block *b, bool key,
	struct gs_err *err)
{
	struct host *h = host_of(w, b->host);
	int e, r = GS_OK;

	h->rebooted = false;
	h->prev = h->clock;
	h->clock = b->clock;
	h->sampled = true;
	h->gap = h->blocks == 0 || w->lost ||
	    h->prev.connection != h->clock.connection;
	h->blocks++;
	for (e = 0; r == GS_OK && e < ENTITY_COUNT; e++) {
		r = key ? apply_key_entity(w, h, &b->ent[e], err)
		        : apply_delta_entity(w, h, &b->ent[e], err);
		if (e == ENTITY_HOST)
			note_boot(w, h);
	}
	name_host(w, h);
	if (r < 0)
		gs_err_prefix(err, "host %" PRIu32, b->host);
	return r;
}

static void take_names(struct world *w, const struct header *hd)
{
	size_t i;

	for (i = 0; hd && i < hd->n_host; i++) {
		struct host *h;

		if (hd->host[i].index >= TICK_HOSTS_MAX)
			continue;
		h = host_of(w, hd->host[i].index);
		if (h->name[0] == '\0') {
			free(h->name);
			h->name = gs_strdup(hd->host[i].name);
		}
	}
}

/* A key holds everything: a host that it does not name has no rows. */
static void close_unnamed(struct world *w)
{
	size_t i;
	int e;

	for (i = 0; i < w->n_host; i++) {
		if (w->host[i]->sampled)
			continue;
		for (e = 0; e < ENTITY_COUNT; e++)
			close_rows(w, w->host[i], (enum entity_id)e,
			    CLOSE_HOST_LOST);
	}
}

int world_apply(struct world *w, const struct tick *t, struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	if (w->lost && !t->key)
		return gs_fail(err, GS_E_FORMAT,
		    "tick %" PRIu64 " needs a key before it", t->seq);
	forget_closed(w);
	w->ticks++;
	for (i = 0; i < w->n_host; i++)
		w->host[i]->sampled = false;
	if (t->key)
		clear_map(w);
	take_texts(w, t);
	take_names(w, t->header);
	for (i = 0; r == GS_OK && i < t->n_block; i++) {
		if (t->block[i]->host < w->by_index_cap &&
		    w->by_index[t->block[i]->host] &&
		    w->by_index[t->block[i]->host]->sampled)
			r = gs_fail(err, GS_E_FORMAT,
			    "host %" PRIu32 " occurs twice",
			    t->block[i]->host);
		else
			r = apply_block(w, t->block[i], t->key, err);
	}
	if (t->key)
		close_unnamed(w);
	w->lost = r < 0;
	if (r < 0)
		gs_err_prefix(err, "tick %" PRIu64, t->seq);
	return r;
}
