/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/row_filter.h"

#include <stdlib.h>

#include "base/mem.h"

/* Frees slots of rows that are gone, of an entity of a host that was not
 * written yet. */
#define GAPS_MAX 1024

void row_filter_init(struct row_filter *f, struct pick *p, int64_t interval_ns)
{
	*f = (struct row_filter) { .pick = p, .pace = { .interval_ns = interval_ns } };
	f->world = world_new();
	if (p->n_session > 0)
		row_filter_need_sessions(f);
}

void row_filter_need_sessions(struct row_filter *f)
{
	if (!f->sessions)
		f->sessions = sessions_new();
}

struct host_rows *row_filter_host(struct row_filter *f, size_t i)
{
	GS_GROW(f->host_rows, &f->host_cap, i + 1);
	while (f->n_host <= i)
		f->host_rows[f->n_host++] = (struct host_rows) { 0 };
	return &f->host_rows[i];
}

/* ---- places of rows --------------------------------------------------- */

/* Its slot + 1, 0: none.  Only a filter may use the row in this way, since it
 * has a private world. */
static uintptr_t place_of(const struct row *r)
{
	return (uintptr_t)r->user;
}

static void place(struct row *r, size_t slot)
{
	r->user = (void *)((uintptr_t)slot + 1);
}

static void insert_row(struct host_rows *l, struct row *r)
{
	struct table *t = &l->table[r->entity];

	GS_GROW(t->slot, &t->cap, t->n_slot + 1);
	place(r, t->n_slot);
	t->slot[t->n_slot++] = r;
	t->n_live++;
}

static void close_up(struct table *t)
{
	size_t i, n = 0;

	for (i = 0; i < t->n_slot; i++) {
		if (!t->slot[i])
			continue;
		place(t->slot[i], n);
		t->slot[n++] = t->slot[i];
	}
	t->n_slot = n;
}

static void remove_row(struct host_rows *l, struct row *r)
{
	struct table *t = &l->table[r->entity];

	t->slot[place_of(r) - 1] = NULL;
	t->n_live--;
	r->user = NULL;
	if (!l->written && t->n_slot > 2 * t->n_live + GAPS_MAX)
		close_up(t);
}

static size_t position_of(const struct row_filter *f, const struct host *h)
{
	size_t i = 0;

	while (world_host(f->world, i) != h)
		i++;
	return i;
}

/* Closed rows that were kept, of one host or of all (NULL). */
static void release_ended(struct row_filter *f, const struct host *h)
{
	size_t i, kept = 0;

	for (i = 0; i < f->n_ended; i++) {
		struct row *r = f->ended[i];

		if (h && r->host != h) {
			f->ended[kept++] = r;
			continue;
		}
		remove_row(row_filter_host(f, position_of(f, r->host)), r);
		world_drop(f->world, r);
	}
	f->n_ended = kept;
}

static void update_closed(
    struct row_filter *f, struct host_rows *l, struct row *r)
{
	bool more = row_ended_late(r);

	if (!place_of(r)) {
		if (!row_is_brief(r) ||
		    !pick_has_row(f->pick, f->sessions, r))
			return;
		insert_row(l, r);
	} else if (!f->keeps && !more) {
		remove_row(l, r);
		return;
	}
	world_hold(f->world, r);
	GS_GROW(f->ended, &f->ended_cap, f->n_ended + 1);
	f->ended[f->n_ended++] = r;
}

static void update_row(struct row_filter *f, struct host_rows *l, struct row *r)
{
	bool wanted;

	if (r->closed) {
		update_closed(f, l, r);
		return;
	}
	wanted = pick_has_row(f->pick, f->sessions, r);
	if (wanted && !place_of(r))
		insert_row(l, r);
	else if (!wanted && place_of(r))
		remove_row(l, r);
}

/* The session of a row may change without the row. */
static void update_rows(struct row_filter *f, struct host_rows *l,
	const struct table *t)
{
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i])
			update_row(f, l, t->slot[i]);
	}
}

static void update_sessions(struct row_filter *f)
{
	size_t i;

	for (i = 0; i < world_hosts(f->world); i++) {
		const struct host *h = world_host(f->world, i);
		struct host_rows *l = row_filter_host(f, i);

		if (!l->wanted)
			continue;
		update_rows(f, l, &h->table[ENTITY_PROCESS]);
		update_rows(f, l, &h->table[ENTITY_BACKEND]);
	}
}

/* A host may get its name late: its rows are added then. */
static void update_hosts(struct row_filter *f)
{
	size_t i;
	int e;

	for (i = 0; i < world_hosts(f->world); i++) {
		const struct host *h = world_host(f->world, i);
		struct host_rows *l = row_filter_host(f, i);

		if (h->blocks == 0 || l->wanted ||
		    !pick_has_host(f->pick, h))
			continue;
		l->wanted = true;
		for (e = 0; e < ENTITY_COUNT; e++)
			update_rows(f, l, &h->table[e]);
	}
}

static void update_touched(struct row_filter *f)
{
	size_t i, n;
	struct row *const *touched = world_touched(f->world, &n);
	const struct host *host = NULL;
	struct host_rows *l = NULL;

	for (i = 0; i < n; i++) {
		/* rows of a host are contiguous */
		if (touched[i]->host != host) {
			host = touched[i]->host;
			l = row_filter_host(f, position_of(f, host));
		}
		if (l->wanted)
			update_row(f, l, touched[i]);
	}
}

/* A key holds the full state. */
static void update_gone(struct row_filter *f, bool key)
{
	size_t i;

	for (i = 0; i < world_hosts(f->world); i++) {
		struct host_rows *l = row_filter_host(f, i);
		bool sampled = world_host(f->world, i)->sampled;

		l->absent = !sampled && (key || l->absent);
		if (key)
			l->gone = l->written && !sampled;
	}
}

/* ---- life ------------------------------------------------------------ */

static void host_rows_release(struct host_rows *l)
{
	int e;

	for (e = 0; e < ENTITY_COUNT; e++)
		free(l->table[e].slot);
}

void row_filter_release(struct row_filter *f)
{
	size_t i;

	if (f->world)
		release_ended(f, NULL);
	free(f->ended);
	for (i = 0; i < f->n_host; i++)
		host_rows_release(&f->host_rows[i]);
	free(f->host_rows);
	sessions_free(f->sessions);
	world_free(f->world);
	header_free(f->header);
	*f = (struct row_filter) { 0 };
}

/* ---- ticks ------------------------------------------------------------ */

int row_filter_tick(
    struct row_filter *f, const struct tick *t, struct gs_err *err)
{
	uint64_t before = world_ticks(f->world);
	int r;

	if (!f->keeps)
		release_ended(f, NULL);
	f->begins = false;
	r = world_apply(f->world, t, err);

	/* a tick that failed half-way has opened and closed rows, too */
	if (r < 0 && world_ticks(f->world) == before)
		return r;
	if (f->sessions)
		sessions_tick(f->sessions, f->world, t->wall_ns);
	update_touched(f);
	update_hosts(f);
	update_gone(f, t->key);
	if (f->pick->n_session > 0)
		update_sessions(f);
	if (r == GS_OK && t->header) {
		header_free(f->header);
		f->header = header_dup(t->header);
		if (t->header->interval_ns > 0)
			f->pace = header_pace(t->header);
	}
	return r;
}

void row_filter_lost(struct row_filter *f)
{
	world_lost(f->world);
}

void row_filter_begin(struct row_filter *f)
{
	release_ended(f, NULL);
	f->begins = true;
}

static const struct tick_sum *no_sums(void *ctx, const struct row *r,
	size_t *ret_n)
{
	(void)ctx;
	(void)r;
	*ret_n = 0;
	return NULL;
}

static const struct row_waited *no_waited(void *ctx, const struct row *r,
	size_t *ret_n)
{
	(void)ctx;
	(void)r;
	*ret_n = 0;
	return NULL;
}

void row_filter_forget(
    struct row_filter *f, size_t i, struct tick_encoder *m, uint32_t index)
{
	struct host_rows *l = row_filter_host(f, i);

	encoder_forget(m, index);
	l->written = l->gone = false;
}

static const uint64_t *hidden_of(void *arg, const struct row *r)
{
	const struct row_filter *f = arg;

	return pick_hidden(f->pick, f->sessions, r);
}

void row_filter_columns(struct row_filter *f, struct tick_encoder *m)
{
	const struct pick *p = f->pick;
	int e;

	for (e = 0; p->some_columns && e < ENTITY_COUNT; e++)
		encoder_choose(m, (enum entity_id)e, p->col[e]);
	if (p->n_session > 0)
		encoder_hide_cells(m, hidden_of, f);
}

void row_filter_encode(struct row_filter *f, size_t i, struct tick_encoder *m,
    uint32_t index, const struct sample_clock *clock)
{
	struct host_rows *l = row_filter_host(f, i);
	struct encoder_rows rows = { .world = f->world, .clock = clock,
		.table = l->table, .sums = f->begins ? no_sums : f->sums,
		.waited = f->begins ? no_waited : f->waited,
		.ctx = f->sums_ctx };
	bool has_gaps;
	int e;

	l->written = true;
	has_gaps = encoder_block_of(m, index, &rows);
	release_ended(f, world_host(f->world, i));
	if (!has_gaps)
		return;
	for (e = 0; e < ENTITY_COUNT; e++)
		close_up(&l->table[e]);
}
