/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_work.c - what the processes of backends used in the range.
 *
 * As in any view: a process that began or ended in the range used nothing before
 * and after that; of one that was not seen for a while nobody knows, and that time
 * is not covered.
 *
 * A thinned recording tells what a process did whose backend was not there at each of
 * the ticks that were left out.
 */
#include "analysis/waits_told.h"
#include "model/diff.h"

/* A process at a tick. */
struct working {
	const struct row *process;
	uint64_t tick;
	bool whole; /* all that it ever used counts */
};

static void add_counter(const struct working *p, unsigned col, bool *ret_has,
	uint64_t *to)
{
	uint64_t d;

	if (!row_get(p->process, col, &d))
		return;
	*ret_has = true;
	if (p->whole || (p->process->touched_tick == p->tick &&
	    diff_counter(p->process, col, &d)))
		*to += d;
}

static void add_ticks(const struct working *p, unsigned col,
	struct wait_work *to)
{
	uint64_t ticks = 0;

	add_counter(p, col, &to->has_cpu, &ticks);
	to->cpu_us += ticks * diff_tick_ns(p->process->host) / 1000;
}

static void take_memory(const struct row *p, struct wait_work *to)
{
	uint64_t anon, swap = 0;

	to->has_memory = row_get(p, COL(PROCESS, RSS_ANON), &anon) ||
	    row_get(p, COL(PROCESS, PRIVATE), &anon);
	if (!to->has_memory)
		return;
	if (row_get(p, COL(PROCESS, RSS_ANON), &anon))
		(void)row_get(p, COL(PROCESS, VM_SWAP), &swap);
	to->memory = (anon + swap) * 1024;
}

static void add_work(const struct working *p, struct wait_work *to)
{
	uint64_t cpu_us;

	take_memory(p->process, to);
	/* untouched rows did not run */
	if (row_get(p->process, COL(PROCESS, CPU), &cpu_us)) {
		add_counter(p, COL(PROCESS, CPU), &to->has_cpu, &to->cpu_us);
	} else { /* its CPU clock can't be read */
		add_ticks(p, COL(PROCESS, UTIME), to);
		add_ticks(p, COL(PROCESS, STIME), to);
	}
	add_counter(p, COL(PROCESS, READ_BYTES), &to->has_io, &to->io_bytes);
	add_counter(p, COL(PROCESS, WRITE_BYTES), &to->has_io, &to->io_bytes);
}

/* It is at work on that host, as it was in the tick before, or unseen since then. */
static void take_time(struct seen *b, const struct stream *home, bool born)
{
	int64_t before_ns = gs_difference(home->elapsed_ns,
	    diff_elapsed_ns(home->host));

	if (b->home != home) {
		b->apart = b->home || !born;
		b->whole = !b->home && born;
		b->before.unseen_ns = b->home || born ? 0 : before_ns;
		b->home = home;
		b->unseen_ns = born ? 0 : before_ns;
	} else if (before_ns > b->work_to_ns) {
		b->apart = true;
		b->unseen_ns = gs_sum(b->unseen_ns, gs_difference(before_ns,
		    b->work_to_ns));
	}
	b->work_to_ns = home->elapsed_ns;
}

/* What the process used before this tick. */
static void take_before(struct working at, struct before *ret)
{
	struct wait_work now = { .covered_ns = 0 }, all = { .covered_ns = 0 };

	add_work(&at, &now);
	at.whole = true;
	add_work(&at, &all);
	ret->cpu_us = all.cpu_us - now.cpu_us;
	ret->io_bytes = all.io_bytes - now.io_bytes;
}

static void take_process(struct waits *s, const struct world *w,
	struct seen *b, const struct row *p)
{
	bool born = p->opened == OPEN_BORN && p->first_tick > s->from_tick;
	struct working at = { p, world_ticks(w), born && !b->home };

	if (!b->home && !born)
		take_before(at, &b->before);
	take_time(b, waits_stream_of(s, p->host), born);
	add_work(&at, &b->backend.work);
}

void waits_add_work(struct waits *s, const struct world *w)
{
	size_t i;

	for (i = 0; i < s->n_lively; i++) {
		struct seen *b = s->lively[i];
		const struct row *p = NULL;

		if (!b->backend.open || !b->row || b->row->closed ||
		    b->told_tick == world_ticks(w))
			continue;
		if (b->row->entity == ENTITY_PROCESS) {
			p = b->row;
		} else if (s->process) {
			p = s->process(s->ctx, b->row);
			waits_set_worker(s, b, p);
		}
		if (p && p->host->sampled)
			take_process(s, w, b, p);
	}
}

void waits_work_slept(struct seen *b)
{
	if (b->home)
		b->work_to_ns = b->home->elapsed_ns;
}

void waits_settle_work(struct seen *b)
{
	if (b->home)
		b->backend.work.covered_ns = gs_difference(b->ended
		    ? b->home->elapsed_ns : b->work_to_ns, b->unseen_ns);
}

void waits_forget_work(struct seen *b)
{
	b->backend.work = (struct wait_work) { .covered_ns = 0 };
	b->home = NULL;
	b->before = (struct before) { .unseen_ns = 0 };
	b->whole = b->apart = false;
}

/* ---- ticks that are left out ------------------------------------------ */

bool waits_tells_work(const struct seen *b, int64_t *amount)
{
	const struct wait_work *k = &b->backend.work;

	if (!b->home || (b->backend.open && !b->apart &&
	    b->work_to_ns == b->home->elapsed_ns) ||
	    (b->work_to_ns == 0 && !k->has_cpu && !k->has_io &&
	    (b->backend.open || b->ended)))
		return false;
	amount[WORK_FLAGS] = (k->has_cpu ? WORK_HAS_CPU : 0) |
	    (k->has_io ? WORK_HAS_IO : 0) |
	    (k->has_memory ? WORK_HAS_MEMORY : 0) |
	    (b->whole ? WORK_IS_WHOLE : 0) | (b->ended ? WORK_HAS_ENDED : 0);
	amount[CPU_US] = (int64_t)k->cpu_us;
	amount[IO_BYTES] = (int64_t)k->io_bytes;
	amount[MEMORY] = (int64_t)k->memory;
	amount[UNSEEN_TIME] = b->unseen_ns;
	amount[TIME_SINCE] = gs_difference(b->home->elapsed_ns, b->work_to_ns);
	amount[TIME_BEFORE] = b->before.unseen_ns;
	amount[CPU_BEFORE_US] = (int64_t)b->before.cpu_us;
	amount[IO_BEFORE] = (int64_t)b->before.io_bytes;
	return true;
}

void waits_take_work(struct waits *s)
{
	struct stream *t, *next;
	size_t i;

	s->from_tick = s->tick;
	HASH_ITER(hh, s->hosts, t, next)
		t->elapsed_ns = 0;
	for (i = 0; i < s->n_all; i++) {
		struct seen *b = s->all[i];

		b->backend.work = (struct wait_work) { .covered_ns = 0 };
		b->unseen_ns = b->work_to_ns = 0;
		b->before = (struct before) { .unseen_ns = 0 };
		b->whole = b->apart = false;
	}
}

static const struct host *only_host(const struct world *w)
{
	const struct host *found = NULL;
	size_t i;

	for (i = 0; i < world_hosts(w); i++) {
		if (world_host(w, i)->catalog)
			continue;
		if (found)
			return NULL;
		found = world_host(w, i);
	}
	return found;
}

static const struct row *process_of(const struct waits *s, const struct row *r)
{
	if (r->entity == ENTITY_PROCESS)
		return r;
	return s->process ? s->process(s->ctx, r) : NULL;
}

/* Where the process of a backend is; NULL: not known. */
static const struct host *home_of(const struct world *w,
	const struct sessions *sessions, const struct seen *b,
	const struct row *r, const struct row *p)
{
	const struct dbserver *of;

	if (p)
		return p->host;
	if (b->home)
		return b->home->host;
	of = sessions && b->backend.content < 0
	    ? sessions_server_of_catalog(sessions, r->host) : NULL;
	return of && of->host ? of->host : only_host(w);
}

/* It was not seen before this tick: what its process did before counts if it began in
 * the range. */
static void add_told_before(struct seen *b, const int64_t *amount, bool born)
{
	b->whole = born || (amount[WORK_FLAGS] & WORK_IS_WHOLE);
	if (!b->whole) {
		b->before = (struct before) { gs_sum(b->unseen_ns,
			amount[TIME_BEFORE]), (uint64_t)amount[CPU_BEFORE_US],
			(uint64_t)amount[IO_BEFORE] };
		return;
	}
	/* none of these if it began since the tick before */
	b->backend.work.cpu_us += (uint64_t)amount[CPU_BEFORE_US];
	b->backend.work.io_bytes += (uint64_t)amount[IO_BEFORE];
	b->unseen_ns = gs_difference(0, amount[TIME_BEFORE]);
}

static void add_told_time(struct seen *b, const struct stream *home,
	const int64_t *amount, bool born)
{
	int64_t before_ns = gs_difference(home->elapsed_ns,
	    home->host->sampled ? diff_elapsed_ns(home->host) : 0);
	bool first = !b->home;

	if (b->home != home)
		b->unseen_ns = before_ns;
	else if (before_ns > b->work_to_ns)
		waits_add(&b->unseen_ns, gs_difference(before_ns,
		    b->work_to_ns));
	b->home = home;
	if (first)
		add_told_before(b, amount, born);
	waits_add(&b->unseen_ns, amount[UNSEEN_TIME]);
	b->work_to_ns = gs_difference(home->elapsed_ns, amount[TIME_SINCE]);
}

static bool is_told_right(const int64_t *amount)
{
	unsigned i;

	for (i = WORK_FLAGS; i <= IO_BEFORE; i++) {
		if (amount[i] < 0)
			return false;
	}
	return true;
}

void waits_add_told_work(struct waits *s, const struct world *w,
	const struct sessions *sessions, struct seen *b, const struct row *r,
	const int64_t *amount)
{
	const struct row *p = process_of(s, r);
	const struct host *h = home_of(w, sessions, b, r, p);
	struct wait_work *to = &b->backend.work;
	uint64_t pid;

	b->told_tick = world_ticks(w);
	b->ended = (amount[WORK_FLAGS] & WORK_HAS_ENDED) != 0;
	b->apart = true;
	if (!h || !is_told_right(amount))
		return;
	if (!p && row_get(r, COL(BACKEND, PID), &pid))
		p = waits_ended_process(&s->ended, w, h, pid);
	add_told_time(b, waits_stream_of(s, h), amount, p &&
	    p->opened == OPEN_BORN && p->first_tick > s->from_tick);
	to->has_cpu |= (amount[WORK_FLAGS] & WORK_HAS_CPU) != 0;
	to->has_io |= (amount[WORK_FLAGS] & WORK_HAS_IO) != 0;
	to->cpu_us += (uint64_t)amount[CPU_US];
	to->io_bytes += (uint64_t)amount[IO_BYTES];
	if (!(amount[WORK_FLAGS] & WORK_HAS_MEMORY))
		return;
	to->has_memory = true;
	to->memory = (uint64_t)amount[MEMORY];
}
