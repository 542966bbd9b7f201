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
 * So are the coordinator's backends of the catalog that are idle by their row alone,
 * until that row changes, or the process works.
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

/* As it was in the sample before; NULL: it was not. */
static struct seen *seen_before(const struct waits *s, const struct row *r,
	const struct stream *from)
{
	struct seen *b = seen_of_row(s, r);

	return b && b->stream == from && b->sample + 1 == from->number ? b
	                                                               : NULL;
}

/* By its session it may be the recorder's own, of which the row of an executor says
 * nothing: only the coordinator's. */
void waits_quiet_note_row(struct waits *s, const struct wait_sample *l)
{
	struct seen *b;

	if (l->part == WAIT_IO_WORKER)
		return;
	b = s->seen[l->row->serial];
	b->told = l->content < 0;
	b->quiet = b->told && l->what.kind < WAIT_CPU && !l->by_state;
}

struct seen *waits_quiet(const struct waits *s, const struct row *r,
	const struct stream *from)
{
	struct seen *b = seen_before(s, r, from);

	return b && b->quiet ? b : NULL;
}

const struct wait_backend *waits_told(const struct waits *s,
	const struct row *r, const struct stream *from)
{
	const struct seen *b = seen_before(s, r, from);

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

/* If its process works, that wakes it. */
static bool may_sleep(const struct waits *s, const struct seen *b,
	const struct stream *t)
{
	return b->quiet && b->n_run == 1 && b->sample == t->number &&
	    (b->row->entity == ENTITY_PROCESS || b->worker ||
	    !(s->by & WAITS_BY_BACKEND));
}

static void sleep_in(struct waits *s, struct stream *t)
{
	size_t i, kept = 0;

	for (i = 0; i < t->n_awake; i++) {
		struct row *r = t->awake[i];
		struct seen *b = seen_of_row(s, r);

		if (b && b->stream == t && may_sleep(s, b, t)) {
			b->asleep = true;
			b->slept = t->slept;
		} else {
			t->awake[kept++] = r;
		}
	}
	t->n_awake = kept;
}

void waits_sleep(struct waits *s)
{
	struct stream *t, *next;

	sleep_in(s, &s->catalog[COORDINATOR]);
	HASH_ITER(hh, s->hosts, t, next)
		sleep_in(s, t);
	unlist(s);
}

/* ---- awake ------------------------------------------------------------ */

static void add_awake(struct stream *t, struct row *r)
{
	GS_GROW(t->awake, &t->awake_cap, t->n_awake + 1);
	t->awake[t->n_awake++] = r;
}

static const struct table *rows_of(const struct stream *t)
{
	return &t->host->table[t->host->catalog ? ENTITY_BACKEND
	                                        : ENTITY_PROCESS];
}

void waits_wake_sleepers(struct waits *s, const struct stream *t)
{
	size_t i;

	for (i = 0; i < s->n_all; i++) {
		if (s->all[i]->stream == t)
			wake(s, s->all[i]);
	}
}

void waits_wake_all(struct waits *s, struct stream *t)
{
	const struct table *all = rows_of(t);
	size_t i;

	waits_wake_sleepers(s, t);
	t->n_awake = 0;
	for (i = 0; i < all->n_slot; i++) {
		if (all->slot[i])
			add_awake(t, all->slot[i]);
	}
}

static void forget_closed_in(struct stream *t)
{
	size_t i, kept = 0;

	for (i = 0; i < t->n_awake; i++) {
		if (!t->awake[i]->closed)
			t->awake[kept++] = t->awake[i];
	}
	t->n_awake = kept;
}

/* Rows that the tick closed are on the lists for the last time. */
static void forget_closed(struct waits *s)
{
	struct stream *t, *next;

	forget_closed_in(&s->catalog[COORDINATOR]);
	HASH_ITER(hh, s->hosts, t, next)
		forget_closed_in(t);
}

/* Who samples the row; NULL: nobody. */
static struct stream *stream_of_row(struct waits *s, const struct row *r)
{
	const struct host *h = r->host;
	struct stream *t = &s->catalog[COORDINATOR];

	if (r->entity == ENTITY_BACKEND)
		return t->host == h ? t : NULL;
	HASH_FIND_PTR(s->hosts, &h, t);
	return t;
}

static void note_news(struct waits *s, struct row *r, bool retitled)
{
	struct seen *b = seen_of_row(s, r);
	struct stream *t = stream_of_row(s, r);

	if (b) {
		wake(s, b);
		b->quiet = false;
		b->told &= !retitled;
	}
	if (t && !r->closed)
		add_awake(t, r);
}

/* The process of a backend has worked, or has ended. */
static void note_worked(struct waits *s, const struct row *process)
{
	struct seen *b = waits_of_worker(s, process);

	if (!b)
		return;
	if (b->asleep && !b->row->closed)
		add_awake(&s->catalog[COORDINATOR], b->row);
	wake(s, b);
	if (process->closed)
		waits_set_worker(s, b, NULL);
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
			    sizeof(struct row_entry));
	}
}

static void note_touched(struct waits *s, const struct world *w)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	for (i = 0; i < n; i++) {
		if (i % GS_FETCH_ROWS == 0)
			fetch_seen(s, touched + i, GS_MIN(n - i, GS_FETCH_ROWS));
		if (touched[i]->entity == ENTITY_PROCESS) {
			note_news(s, touched[i], false);
			note_worked(s, touched[i]);
		} else if (touched[i]->entity == ENTITY_BACKEND) {
			note_news(s, touched[i], true);
		}
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
		waits_set_worker(s, s->all[i], NULL);
		s->all[i]->quiet = s->all[i]->told = false;
	}
	s->catalog[COORDINATOR].n_awake = 0;
	s->catalog[COORDINATOR].all = true;
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

void waits_look(struct stream *t, waits_look_fn look, void *ctx)
{
	const struct table *all = rows_of(t);
	size_t i;

	note_due(t, all->n_slot);
	t->n_awake = 0;
	for (i = 0; i * 64 < all->n_slot; i++) {
		while (t->due[i]) {
			struct row *r = all->slot[i * 64 + take_bit(
			    &t->due[i])];

			if (look(ctx, r))
				add_awake(t, r);
		}
	}
}
