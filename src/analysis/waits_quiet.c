/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_quiet.c - what need not be asked again.
 *
 * Most processes do nothing for long: their samples are counted together when
 * something of them is new, or when somebody asks.  These are idle processes
 * without a query, which the catalog does not know: their activity comes from a
 * title alone.  Those who are awake are looked at in each sample, in order of
 * their slots, as all of them would be; what they are is asked again if their
 * title or session has changed.
 *
 * It relies on the lists of what a tick changed: touched rows and changed
 * sessions.  Where such a list was missed, all are awake.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/waits_int.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "model/diff.h"

/* Nobody else says what it does. */
static bool is_alone(const struct session *n)
{
	return !n || (!n->own && !n->backend && !n->query);
}

void waits_quiet_note(struct waits *s, const struct proc *p,
	const struct wait_sample *l)
{
	struct seen *b;

	if (l->part == WAIT_IO_WORKER)
		return;
	b = s->seen[l->row->serial];
	b->told = !p->session || !p->session->backend;
	b->quiet = l->what.kind < WAIT_CPU && l->n_share == 0 &&
	    !b->backend.query && is_alone(p->session);
}

static struct seen *seen_of_row(const struct waits *s, const struct row *r)
{
	return r->serial < s->seen_cap ? s->seen[r->serial] : NULL;
}

/* The process as it was in the sample before; NULL: it was not. */
static struct seen *seen_before(const struct waits *s, const struct proc *p,
	const struct stream *from)
{
	struct seen *b = seen_of_row(s, p->row);

	return b && b->stream == from && b->sample + 1 == from->number ? b
	                                                               : NULL;
}

struct seen *waits_quiet(const struct waits *s, const struct proc *p,
	const struct stream *from)
{
	struct seen *b = seen_before(s, p, from);

	return b && b->quiet ? b : NULL;
}

const struct wait_backend *waits_told(const struct waits *s,
	const struct proc *p, const struct stream *from)
{
	const struct seen *b = seen_before(s, p, from);

	return b && b->told ? &b->backend : NULL;
}

/* ---- asleep ----------------------------------------------------------- */

/* Its samples since it fell asleep. */
static void catch_up(struct seen *b)
{
	const struct stream *t = b->stream;
	uint64_t n = t->slept.n - b->slept.n;

	if (n > 0)
		waits_sample_many(b, n, t->slept_number, t->slept_wall_ns,
		    t->slept.time_ns - b->slept.time_ns);
	waits_work_slept(b);
	b->slept = t->slept;
}

static void wake(struct waits *s, struct seen *b)
{
	if (!b->asleep)
		return;
	catch_up(b);
	b->asleep = false;
	waits_list_lively(s, b);
}

void waits_catch_up(struct waits *s)
{
	size_t i;

	for (i = 0; i < s->n_all; i++) {
		if (s->all[i]->asleep)
			catch_up(s->all[i]);
		waits_settle_work(s->all[i]);
		s->total.segments |= s->all[i]->backend.content >= 0;
	}
}

static void unlist(struct waits *s)
{
	size_t i, kept = 0;

	for (i = 0; i < s->n_lively; i++) {
		struct seen *b = s->lively[i];

		b->listed = b->backend.open && !b->asleep;
		if (b->listed)
			s->lively[kept++] = b;
	}
	s->n_lively = kept;
}

void waits_sleep(struct waits *s)
{
	struct stream *t, *next;
	size_t i, kept;

	HASH_ITER(hh, s->hosts, t, next) {
		for (i = kept = 0; i < t->n_awake; i++) {
			struct row *r = t->awake[i];
			struct seen *b = seen_of_row(s, r);

			if (b && b->quiet && b->n_run == 1 &&
			    b->sample == t->number) {
				b->asleep = true;
				b->slept = t->slept;
			} else {
				t->awake[kept++] = r;
			}
		}
		t->n_awake = kept;
	}
	unlist(s);
}

/* ---- awake ------------------------------------------------------------ */

static void add_awake(struct stream *t, struct row *r)
{
	GS_GROW(t->awake, &t->awake_cap, t->n_awake + 1);
	t->awake[t->n_awake++] = r;
}

void waits_wake_all(struct waits *s, struct stream *t)
{
	const struct table *all = &t->host->table[ENTITY_PROCESS];
	size_t i;

	for (i = 0; i < s->n_all; i++) {
		if (s->all[i]->stream == t)
			wake(s, s->all[i]);
	}
	t->n_awake = 0;
	for (i = 0; i < all->n_slot; i++) {
		if (all->slot[i])
			add_awake(t, all->slot[i]);
	}
}

/* Rows that the tick closed are on the lists for the last time. */
static void forget_closed(struct waits *s)
{
	struct stream *t, *next;
	size_t i, kept;

	HASH_ITER(hh, s->hosts, t, next) {
		for (i = kept = 0; i < t->n_awake; i++) {
			if (!t->awake[i]->closed)
				t->awake[kept++] = t->awake[i];
		}
		t->n_awake = kept;
	}
}

static void note_news(struct waits *s, struct row *r, bool retitled)
{
	const struct host *h = r->host;
	struct seen *b = seen_of_row(s, r);
	struct stream *t;

	if (b) {
		wake(s, b);
		b->quiet = false;
		b->told &= !retitled;
	}
	HASH_FIND_PTR(s->hosts, &h, t);
	if (t && !r->closed)
		add_awake(t, r);
}

/* What is kept of processes is on its way together, and not waited for one by
 * one. */
static void fetch_seen(const struct waits *s, struct row *const *rows, size_t n)
{
	const struct seen *b[GS_FETCH_ROWS];
	size_t i, n_seen = 0;

	for (i = 0; i < n; i++) {
		if (rows[i]->entity == ENTITY_PROCESS &&
		    rows[i]->serial < s->seen_cap)
			gs_fetch(&s->seen[rows[i]->serial], sizeof(*s->seen));
	}
	for (i = 0; i < n; i++) {
		b[n_seen] = rows[i]->entity == ENTITY_PROCESS
		    ? seen_of_row(s, rows[i]) : NULL;
		if (b[n_seen])
			gs_fetch(b[n_seen++], sizeof(struct seen));
	}
	for (i = 0; i < n_seen; i++)
		gs_fetch(b[i]->run, sizeof(*b[i]->run));
	for (i = 0; i < n_seen; i++) {
		if (b[i]->n_run > 0)
			gs_fetch(b[i]->run[0].entry,
			    offsetof(struct row_entry, row.segment));
	}
}

static void note_touched(struct waits *s, const struct world *w)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	for (i = 0; i < n; i++) {
		if (i % GS_FETCH_ROWS == 0)
			fetch_seen(s, touched + i, GS_MIN(n - i, GS_FETCH_ROWS));
		if (touched[i]->entity == ENTITY_PROCESS)
			note_news(s, touched[i], false);
	}
}

static void note_changed(struct waits *s, const struct sessions *sessions)
{
	size_t n, i;
	struct session *const *changed = sessions_changed(sessions, &n);
	const struct proc *p;

	for (i = 0; i < n; i++) {
		for (p = changed[i]->procs; p; p = p->next)
			note_news(s, p->row, true);
	}
}

/* Rows of the lists may be gone. */
static void forget_all(struct waits *s)
{
	struct stream *t, *next;
	size_t i;

	for (i = 0; i < s->n_all; i++) {
		wake(s, s->all[i]);
		s->all[i]->quiet = s->all[i]->told = false;
	}
	HASH_ITER(hh, s->hosts, t, next) {
		t->n_awake = 0;
		t->all = true;
	}
}

void waits_wake(struct waits *s, const struct world *w,
	const struct sessions *sessions)
{
	bool follows = s->tick + 1 == world_ticks(w);

	s->tick = world_ticks(w);
	if (!follows || !sessions) {
		forget_all(s);
		return;
	}
	forget_closed(s);
	note_touched(s, w);
	note_changed(s, sessions);
}

void waits_count_asleep(struct waits *s, struct stream *t)
{
	int64_t now_ns = t->host->clock.wall_ns;

	/* a run that ends before it began, or that does not go on, is the
	 * matter of each */
	if (t->all || t->weight_ns == 0 || now_ns < t->slept_wall_ns)
		waits_wake_all(s, t);
	t->all = false;
	t->slept.n++;
	t->slept.time_ns += t->weight_ns;
	t->slept_number = t->number;
	t->slept_wall_ns = now_ns;
}

static void note_due(struct stream *t, size_t n_slot)
{
	size_t i, n = n_slot / 64 + 1, old = t->due_cap;

	GS_GROW(t->due, &t->due_cap, n);
	if (t->due_cap > old)
		memset(t->due + old, 0,
		    (t->due_cap - old) * sizeof(*t->due));
	for (i = 0; i < t->n_awake; i++)
		t->due[t->awake[i]->slot / 64] |= UINT64_C(1) <<
		    t->awake[i]->slot % 64;
}

/* The lowest of the bits, and removes it. */
static size_t take_bit(uint64_t *bits)
{
	size_t i = (size_t)__builtin_ctzll(*bits);

	*bits &= *bits - 1;
	return i;
}

void waits_look(struct stream *t, const struct sessions *sessions,
	waits_look_fn look, void *ctx)
{
	const struct table *all = &t->host->table[ENTITY_PROCESS];
	size_t i;

	note_due(t, all->n_slot);
	t->n_awake = 0;
	for (i = 0; i * 64 < all->n_slot; i++) {
		while (t->due[i]) {
			struct row *r = all->slot[i * 64 + take_bit(
			    &t->due[i])];
			const struct proc *p = sessions_proc(sessions, r);

			if (!p || look(ctx, p))
				add_awake(t, r);
		}
	}
}
