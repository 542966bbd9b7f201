/* SPDX-License-Identifier: Apache-2.0 */
#include "model/world_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/header.h"

/* ---- world ----------------------------------------------------------- */

/* The text columns of every entity, and those of the identity, as masks. */
static void find_columns(struct world *w)
{
	int e;
	unsigned i;

	for (e = 0; e < ENTITY_COUNT; e++) {
		const struct entity *en = entity_get((enum entity_id)e);

		for (i = 0; i < en->n_text; i++)
			w->text_mask[e][en->text_col[i] / 64] |= UINT64_C(1)
			    << (en->text_col[i] % 64);
		for (i = 0; i < en->ncols; i++) {
			if (en->metrics[i].flags & F_ID)
				w->id_mask[e][i / 64] |= UINT64_C(1) << (i % 64);
		}
	}
}

struct world *world_new(void)
{
	struct world *w = gs_calloc(1, sizeof(*w));

	w->texts = texts_new();
	w->budget = budget_own();
	find_columns(w);
	return w;
}

void world_set_budget(struct world *w, struct gs_budget *b)
{
	w->budget = b;
}

size_t world_text_bytes(const struct world *w)
{
	return w->text_bytes;
}

struct world *world_new_plain(void)
{
	struct world *w = world_new();

	w->plain = true;
	return w;
}

struct world *world_new_resting(void)
{
	struct world *w = world_new_plain();

	w->resting = true;
	return w;
}

void world_stay_awake(struct world *w, size_t bytes)
{
	w->awake_max_bytes = bytes;
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
	free(h->server);
	free(h);
}

/* Frees rows that the previous tick closed. */
static void forget_closed(struct world *w)
{
	size_t i;

	for (i = 0; i < w->n_touched; i++) {
		if (w->touched[i]->closed)
			world_row_forget(w, w->touched[i]);
	}
	w->n_touched = 0;
	w->touched_of = 0;
}

void world_free(struct world *w)
{
	size_t i;

	if (!w)
		return;
	forget_closed(w);
	for (i = 0; i < w->n_awake; i++)
		row_drop(w->awake[i]);
	for (i = 0; i < w->n_host; i++)
		host_free(w->host[i]);
	texts_free(w->texts);
	free(w->host);
	free(w->by_index);
	free(w->map);
	free(w->catalog);
	free(w->touched);
	free(w->awake);
	free(w->fresh);
	free(w->match.bucket);
	free(w->match.after);
	budget_give(w->budget, w->charged);
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

bool world_is_thinned(const struct world *w)
{
	return w->thinned_ns > 0;
}

int64_t world_thinned_ns(const struct world *w)
{
	return w->thinned_ns;
}

size_t world_hosts(const struct world *w)
{
	return w->n_host;
}

struct host *world_host(const struct world *w, size_t i)
{
	return w->host[i];
}

struct host *world_host_of(const struct world *w, uint32_t index)
{
	return index < w->by_index_cap ? w->by_index[index] : NULL;
}

bool world_is_host(const struct host *h)
{
	return !h->catalog && (h->named || h->blocks > 0);
}

struct host *world_catalog(const struct world *w, size_t i)
{
	return i < w->n_catalog ? w->catalog[i] : NULL;
}

/* They are in the order of the hosts, and few; a host stays one. */
static void set_catalog(struct world *w, struct host *h)
{
	size_t k;

	if (h->catalog)
		return;
	h->catalog = true;
	w->n_catalog = 0;
	for (k = 0; k < w->n_host; k++) {
		if (!w->host[k]->catalog)
			continue;
		GS_GROW(w->catalog, &w->catalog_cap, w->n_catalog + 1);
		w->catalog[w->n_catalog++] = w->host[k];
	}
}

struct row *const *world_touched(const struct world *w, size_t *ret_n)
{
	*ret_n = w->n_touched;
	return w->touched;
}

bool world_touches(const struct world *w, enum entity_id e)
{
	return w->touched_of >> e & 1;
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

/* Checks the most that the texts of a tick can take, before it is known which
 * of them are new; their real size is charged afterwards. */
static bool fit_texts(const struct world *w, const struct tick *t)
{
	size_t n = t->bytes.len + t->n_text * TEXTS_EXTRA, i;
	uint32_t last = 0;

	for (i = 0; i < t->n_text; i++)
		last = GS_MAX(last, t->text[i].id);
	if (last >= w->map_cap)
		n += (size_t)last * sizeof(*w->map) * 3 / 2;
	return budget_fits(w->budget, n);
}

/* Texts are freed with their last reference: adjusts the charge to their
 * present size. */
static void charge_texts(struct world *w)
{
	size_t now = texts_bytes(w->texts) + w->map_cap * sizeof(*w->map);

	if (!w->budget)
		return;
	budget_give(w->budget, w->text_bytes);
	w->charged -= w->text_bytes;
	budget_charge(w->budget, now);
	w->charged += now;
	w->text_bytes = now;
}

static int apply_texts(struct world *w, const struct tick *t,
	struct gs_err *err)
{
	size_t i;

	if (t->n_text > 0 && !fit_texts(w, t))
		return budget_fail(w->budget, err, "texts");
	for (i = 0; i < t->n_text; i++) {
		uint32_t id = t->text[i].id;
		uint32_t own = texts_intern(w->texts,
		    tick_text_at(t, t->text[i].off),
		    t->text[i].len, NULL);

		GS_GROW(w->map, &w->map_cap, (size_t)id + 1);
		while (w->map_len <= id)
			w->map[w->map_len++] = 0;
		texts_unref(w->texts, w->map[id]);
		w->map[id] = own;
	}
	charge_texts(w);
	return GS_OK;
}

/* ---- hosts ----------------------------------------------------------- */

static void close_rows(struct world *w, struct host *h, enum entity_id e,
	enum row_close why)
{
	struct table *tab = &h->table[e];
	size_t i;

	for (i = 0; i < tab->n_slot; i++) {
		if (tab->slot[i])
			world_row_closed(w, tab->slot[i], why);
	}
	tab->n_slot = tab->n_live = 0;
}

/* Boot id of the host, as one of our text ids, if its row is open. */
static bool boot_id(const struct host *h, uint64_t *ret)
{
	const struct row *r = host_row(h);

	return r && row_peek(r, COL(HOST, BOOT_ID), ret);
}

/* Hosts have the names that the recorder uses for them, since two hosts may
 * report the same name.  Only the recorder's own host has the name it reports,
 * which differs if it is a captured tree. */
static void name_host(struct world *w, struct host *h)
{
	const struct row *r = host_row(h);
	struct span s;

	if (!r || (w->names_hosts && h->listed))
		return;
	s = row_peek_text(w, r, COL(HOST, NAME));
	if (span_empty(s) || span_eq(s, h->name))
		return;
	free(h->name);
	h->name = gs_strndup(s.ptr, span_len(s));
}

/* Pids and start times are meaningless after a reboot: rows end with it.  The
 * entity host is the first of a block, so the new boot id is known here. */
static void note_boot(struct world *w, struct host *h)
{
	bool first = h->boot == 0;
	uint64_t now;
	int e;

	if (!boot_id(h, &now) || now == 0 || now == h->boot)
		return;
	texts_ref(w->texts, (uint32_t)now); /* a host may return */
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
		if (key)
			r = world_apply_key(w, h, &b->ent[e], err);
		else if (!delta_is_empty(&b->ent[e])) /* as most are */
			r = world_apply_delta(w, h, &b->ent[e], err);
		if (e == ENTITY_HOST)
			note_boot(w, h);
	}
	h->begins = host_row(h) && host_row(h)->first_tick == w->ticks;
	name_host(w, h);
	if (h->table[ENTITY_CLUSTER].n_live > 0)
		set_catalog(w, h);
	if (r < 0 && r != GS_E_MEMORY)
		gs_err_prefix(err, "host %" PRIu32, b->host);
	return r;
}

static bool names_hosts(const struct header *hd)
{
	const struct header_host *only = NULL;
	size_t i, n = 0;

	for (i = 0; i < hd->n_host; i++) {
		if (hd->host[i].catalog)
			continue;
		only = &hd->host[i];
		n++;
	}
	return n > 1 || (n == 1 && hd->recorder_host &&
	    hd->recorder_host[0] != '\0' &&
	    strcmp(only->name, hd->recorder_host) != 0);
}

/* A header says it also while the server does not answer. */
static void apply_server(struct host *h, const struct header_host *is)
{
	const char *name = header_server_name(is);

	if (!name)
		return;
	free(h->server);
	h->server = gs_strdup(name);
}

static void apply_names(struct world *w, const struct header *hd)
{
	size_t i;

	if (!hd)
		return;
	w->thinned_ns = GS_MAX(hd->thinned_ns, 0);
	w->names_hosts = names_hosts(hd);
	for (i = 0; i < w->n_host; i++)
		w->host[i]->named = false;
	for (i = 0; i < hd->n_host; i++) {
		struct host *h;

		if (hd->host[i].index >= TICK_HOSTS_MAX)
			continue;
		h = host_of(w, hd->host[i].index);
		if (hd->host[i].catalog)
			set_catalog(w, h);
		h->listed = h->named = true;
		if (h->catalog) {
			const struct header_host is = header_server(hd, i);

			apply_server(h, &is);
		}
		if (h->name[0] == '\0' || (w->names_hosts &&
			strcmp(h->name, hd->host[i].name) != 0)) {
			free(h->name);
			h->name = gs_strdup(hd->host[i].name);
		}
	}
}

/* A key is complete: a host that it does not name has no rows. */
static void close_unnamed(struct world *w)
{
	size_t i;
	int e;

	for (i = 0; i < w->n_host; i++) {
		if (w->host[i]->sampled)
			continue;
		for (e = 0; e < ENTITY_COUNT; e++) {
			close_rows(w, w->host[i], (enum entity_id)e,
			    CLOSE_HOST_LOST);
			world_shrink(w, &w->host[i]->table[e]);
		}
	}
}

int world_apply(struct world *w, const struct tick *t, struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	if (w->lost && !t->key)
		return gs_fail(err, GS_E_FORMAT,
		    "tick %" PRIu64 " needs a key before it", t->seq);
	if (t->renumbers) {
		clear_map(w);
		return world_renumber(w, err);
	}
	forget_closed(w);
	w->ticks++;
	for (i = 0; i < w->n_host; i++)
		w->host[i]->sampled = false;
	if (t->key)
		clear_map(w);
	r = apply_texts(w, t, err);
	apply_names(w, t->header);
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
	if (w->resting)
		world_rest(w, t->key);
	w->lost = r < 0;
	if (r < 0 && r != GS_E_MEMORY) /* err has the message */
		gs_err_prefix(err, "tick %" PRIu64, t->seq);
	return r;
}
