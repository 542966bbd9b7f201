#include "edit/feed.h"

#include <stdlib.h>

#include "base/mem.h"

/* Places of rows that are gone, of an entity of a host of which nothing was
 * said yet. */
#define GAPS_MAX 1024

void feed_init(struct feed *f, struct pick *p, int64_t interval_ns)
{
	*f = (struct feed) { .pick = p, .interval_ns = interval_ns };
	f->world = world_new();
	if (p->n_session > 0)
		feed_need_sessions(f);
}

void feed_need_sessions(struct feed *f)
{
	if (!f->sessions)
		f->sessions = sessions_new();
}

struct lineup *feed_lineup(struct feed *f, size_t i)
{
	GS_GROW(f->lineup, &f->lineup_cap, i + 1);
	while (f->n_lineup <= i)
		f->lineup[f->n_lineup++] = (struct lineup) { 0 };
	return &f->lineup[i];
}

/* ---- places of rows --------------------------------------------------- */

/* Its place + 1, 0: none.  Of all that holds rows, only a feed has a world
 * of its own and may use them so. */
static uintptr_t place_of(const struct row *r)
{
	return (uintptr_t)r->user;
}

static void place(struct row *r, size_t slot)
{
	r->user = (void *)((uintptr_t)slot + 1);
}

static void put_in(struct lineup *l, struct row *r)
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

static void take_out(struct lineup *l, struct row *r)
{
	struct table *t = &l->table[r->entity];

	t->slot[place_of(r) - 1] = NULL;
	t->n_live--;
	r->user = NULL;
	if (!l->said && t->n_slot > 2 * t->n_live + GAPS_MAX)
		close_up(t);
}

static size_t position_of(const struct feed *f, const struct host *h)
{
	size_t i = 0;

	while (world_host(f->world, i) != h)
		i++;
	return i;
}

/* Rows that closed and were kept, of one host or of all (NULL). */
static void let_go(struct feed *f, const struct host *h)
{
	size_t i, kept = 0;

	for (i = 0; i < f->n_ended; i++) {
		struct row *r = f->ended[i];

		if (h && r->host != h) {
			f->ended[kept++] = r;
			continue;
		}
		take_out(feed_lineup(f, position_of(f, r->host)), r);
		world_drop(f->world, r);
	}
	f->n_ended = kept;
}

static void look_at_closed(struct feed *f, struct lineup *l, struct row *r)
{
	bool more = row_ended_late(r);

	if (!place_of(r)) {
		if (!row_is_brief(r) ||
		    !pick_has_row(f->pick, f->sessions, r))
			return;
		put_in(l, r);
	} else if (!f->keeps && !more) {
		take_out(l, r);
		return;
	}
	world_hold(f->world, r);
	GS_GROW(f->ended, &f->ended_cap, f->n_ended + 1);
	f->ended[f->n_ended++] = r;
}

static void look_at(struct feed *f, struct lineup *l, struct row *r)
{
	bool wanted;

	if (r->closed) {
		look_at_closed(f, l, r);
		return;
	}
	wanted = pick_has_row(f->pick, f->sessions, r);
	if (wanted && !place_of(r))
		put_in(l, r);
	else if (!wanted && place_of(r))
		take_out(l, r);
}

/* Which session a row is of may change without the row. */
static void look_at_all(struct feed *f, struct lineup *l,
	const struct table *t)
{
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i])
			look_at(f, l, t->slot[i]);
	}
}

static void look_at_sessions(struct feed *f)
{
	size_t i;

	for (i = 0; i < world_hosts(f->world); i++) {
		const struct host *h = world_host(f->world, i);
		struct lineup *l = feed_lineup(f, i);

		if (!l->wanted)
			continue;
		look_at_all(f, l, &h->table[ENTITY_PROCESS]);
		look_at_all(f, l, &h->table[ENTITY_BACKEND]);
	}
}

/* A host may be given its name late: the rows that it has come then. */
static void look_at_hosts(struct feed *f)
{
	size_t i;
	int e;

	for (i = 0; i < world_hosts(f->world); i++) {
		const struct host *h = world_host(f->world, i);
		struct lineup *l = feed_lineup(f, i);

		if (h->blocks == 0 || l->wanted ||
		    !pick_has_host(f->pick, h))
			continue;
		l->wanted = true;
		for (e = 0; e < ENTITY_COUNT; e++)
			look_at_all(f, l, &h->table[e]);
	}
}

static void look_at_touched(struct feed *f)
{
	size_t i, n;
	struct row *const *touched = world_touched(f->world, &n);
	const struct host *host = NULL;
	struct lineup *l = NULL;

	for (i = 0; i < n; i++) {
		/* rows of a host stand together */
		if (touched[i]->host != host) {
			host = touched[i]->host;
			l = feed_lineup(f, position_of(f, host));
		}
		if (l->wanted)
			look_at(f, l, touched[i]);
	}
}

/* A key holds everything that there is. */
static void look_at_gone(struct feed *f, bool key)
{
	size_t i;

	for (i = 0; i < world_hosts(f->world); i++) {
		struct lineup *l = feed_lineup(f, i);
		bool sampled = world_host(f->world, i)->sampled;

		l->absent = !sampled && (key || l->absent);
		if (key)
			l->gone = l->said && !sampled;
	}
}

/* ---- life ------------------------------------------------------------ */

static void lineup_release(struct lineup *l)
{
	int e;

	for (e = 0; e < ENTITY_COUNT; e++)
		free(l->table[e].slot);
}

void feed_release(struct feed *f)
{
	size_t i;

	if (f->world)
		let_go(f, NULL);
	free(f->ended);
	for (i = 0; i < f->n_lineup; i++)
		lineup_release(&f->lineup[i]);
	free(f->lineup);
	sessions_free(f->sessions);
	world_free(f->world);
	header_free(f->header);
	*f = (struct feed) { 0 };
}

/* ---- ticks ------------------------------------------------------------ */

int feed_tick(struct feed *f, const struct tick *t, struct gs_err *err)
{
	uint64_t before = world_ticks(f->world);
	int r;

	if (!f->keeps)
		let_go(f, NULL);
	f->begins = false;
	r = world_apply(f->world, t, err);

	/* a tick that failed half-way has opened and closed rows, too */
	if (r < 0 && world_ticks(f->world) == before)
		return r;
	if (f->sessions)
		sessions_tick(f->sessions, f->world, t->wall_ns);
	look_at_touched(f);
	look_at_hosts(f);
	look_at_gone(f, t->key);
	if (f->pick->n_session > 0)
		look_at_sessions(f);
	if (r == GS_OK && t->header) {
		header_free(f->header);
		f->header = header_dup(t->header);
		if (t->header->interval_ns > 0)
			f->interval_ns = t->header->interval_ns;
	}
	return r;
}

void feed_lost(struct feed *f)
{
	world_lost(f->world);
}

void feed_begin(struct feed *f)
{
	let_go(f, NULL);
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

void feed_forget(
    struct feed *f, size_t i, struct tick_encoder *m, uint32_t index)
{
	struct lineup *l = feed_lineup(f, i);

	encoder_forget(m, index);
	l->said = l->gone = false;
}

void feed_say(struct feed *f, size_t i, struct tick_encoder *m, uint32_t index,
	const struct sample_clock *clock)
{
	struct lineup *l = feed_lineup(f, i);
	struct encoder_rows rows = { f->world, clock, l->table,
		f->begins ? no_sums : f->sums, f->sums_ctx };
	bool anew;
	int e;

	l->said = true;
	anew = encoder_block_of(m, index, &rows);
	let_go(f, world_host(f->world, i));
	if (!anew)
		return;
	for (e = 0; e < ENTITY_COUNT; e++)
		close_up(&l->table[e]);
}
