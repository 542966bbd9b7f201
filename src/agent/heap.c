/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/heap.h"

#include <stdlib.h>

#include "agent/failures.h"
#include "base/mem.h"
#include "format/wire.h"

#define INTERVAL_S 60u /* if the request does not say it */
#define WAITING_MAX 1024u

void heap_init(struct heap *h)
{
	*h = (struct heap) { 0 };
	heap_link_init(&h->link);
}

void heap_release(struct heap *h)
{
	heap_link_release(&h->link);
	free(h->thread);
}

static bool is_wanted(const struct scan *sc)
{
	return (sc->with & WITH_HEAP) && sc->root->own_pids;
}

/* No answer is to come. */
static void forget(const struct procs *ps)
{
	size_t i;

	for (i = 0; i < ps->n; i++)
		ps->proc[i]->heap.waiting = false;
}

/* ---- answers ------------------------------------------------------------------ */

static void add_thread(struct heap *h, const struct heap_answer *a)
{
	if (h->pid != a->pid)
		h->n = 0; /* its end was lost: another process begins */
	h->pid = a->pid;
	if (h->n == HEAP_THREADS_MAX)
		return; /* no such answer is valid */
	GS_GROW(h->thread, &h->cap, h->n + 1);
	h->thread[h->n++] = (struct heap_thread) { .tid = a->tid,
		.has = a->kind == 'T', .start = a->start,
		.allocated = a->allocated, .deallocated = a->deallocated };
}

static int by_tid(const void *a, const void *b)
{
	const struct heap_thread *s = a, *t = b;

	return (s->tid > t->tid) - (s->tid < t->tid);
}

/* What was read before is still true, unless its program is another one. */
static void take_error(struct heap_use *u, int error)
{
	if (error == HEAP_BUSY)
		return;
	heap_use_reset(u);
	u->denied = error == EPERM || error == EACCES;
	u->lacks = error == HEAP_NO_JEMALLOC;
}

static void take(struct heap *h, const struct scan *sc, struct proc *p,
	int error)
{
	struct heap_use *u = &p->heap;
	int64_t asked_ns = u->asked_ns;
	uint64_t clock = u->clock;
	bool had = u->has;

	/* an answer that is late was also read late */
	if (sc->tick > u->asked_tick + 1)
		asked_ns = sc->mono_ns;
	if (error != 0) {
		take_error(u, error);
	} else {
		u->denied = u->lacks = false;
		qsort(h->thread, h->n, sizeof(*h->thread), by_tid);
		(void)heap_use_take(u, h->thread, h->n); /* or as before */
	}
	if (error == 0 || had != u->has)
		u->tick = sc->tick;
	u->waiting = false;
	u->asked_ns = asked_ns;
	u->clock = clock;
}

static void finish(struct heap *h, const struct scan *sc,
	const struct procs *ps, const struct heap_answer *a)
{
	struct proc *p = proc_select_find(ps->proc, ps->n, a->pid);

	if (h->pid != a->pid)
		h->n = 0;
	if (a->error != HEAP_DATABASE)
		failures_note(sc->failures, FAILURES_HEAP, -a->error);
	if (p && p->start == a->start && p->heap.waiting)
		take(h, sc, p, a->error);
	h->n = 0;
	h->pid = 0;
}

void heap_receive(struct heap *h, const struct scan *sc,
	const struct procs *ps)
{
	struct heap_answer a;
	int lost;

	if (!is_wanted(sc)) {
		heap_link_close(&h->link);
		if (sc->request_changed)
			forget(ps);
		return;
	}
	lost = heap_link_receive(&h->link, sc->mono_ns);
	if (lost != 0) {
		failures_note(sc->failures, FAILURES_HEAP, -lost);
		forget(ps);
	}
	while (heap_link_next(&h->link, &a)) {
		if (a.kind == 'P')
			finish(h, sc, ps, &a);
		else
			add_thread(h, &a);
	}
}

/* ---- requests ------------------------------------------------------------------ */

static bool may_ask(const struct scan *sc, const struct proc *p)
{
	bool named = sc->req->chosen && p->by_pid;

	if (!p->open || p->dead || p->denied || p->kthread || p->state == 'Z')
		return false;
	return named || (p->resolved && !p->db && !p->is_server);
}

/* One without jemalloc only has it when it executes another program.  Of others
 * the CPU clock can't tell whether they have run: to be stopped moves it. */
static bool is_due(const struct scan *sc, const struct proc *p)
{
	const struct heap_use *u = &p->heap;
	uint32_t s = sc->req->heap_interval_s;

	if (u->waiting)
		return false;
	if (u->asked_ns == 0)
		return true;
	return sc->mono_ns - u->asked_ns >=
	    (int64_t)(s ? s : INTERVAL_S) * GS_NSEC_PER_SEC &&
	    !(u->lacks && u->clock != 0 && p->clock == u->clock);
}

static bool ask(struct heap *h, const struct scan *sc, struct proc *p)
{
	const struct heap_request r = { .pid = p->pid, .start = p->start,
		.named = sc->req->chosen && p->by_pid };

	if (h->link.waiting >= WAITING_MAX ||
	    !heap_link_start(&h->link, sc->mono_ns) ||
	    !heap_link_ask(&h->link, &r, sc->mono_ns))
		return false;
	p->heap.waiting = true;
	p->heap.asked_ns = sc->mono_ns;
	p->heap.asked_tick = sc->tick;
	p->heap.clock = p->clock;
	return true;
}

void heap_ask(struct heap *h, const struct scan *sc, const struct procs *ps)
{
	size_t i;

	if (!is_wanted(sc))
		return;
	for (i = 0; i < ps->n; i++) {
		struct proc *p = ps->proc[i];

		if (may_ask(sc, p) && is_due(sc, p) && !ask(h, sc, p))
			return; /* the others at a later tick */
	}
}
