/* SPDX-License-Identifier: Apache-2.0 */
#include "query/thread_process.h"

#include <stdlib.h>

#include "base/mem.h"

/* The process of a number, at one tick. */
struct thread_process {
	uint64_t host, pid;
	bool closed; /* in this tick */
	bool changed;
	const struct row *row;
};

void thread_processes_release(struct thread_processes *t)
{
	free(t->item);
}

static int compare(const void *a, const void *b)
{
	const struct thread_process *x = a, *y = b;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->closed - y->closed;
}

static void add(struct thread_processes *t, const struct world *w,
	const struct row *r)
{
	uint64_t pid;

	if (!r || !row_get(r, COL(PROCESS, PID), &pid))
		return;
	GS_GROW(t->item, &t->cap, t->n + 1);
	t->item[t->n++] = (struct thread_process) { r->host->index, pid,
		r->closed != 0, r->touched_tick == world_ticks(w), r };
}

static void add_host(struct thread_processes *t, const struct world *w,
	const struct host *h)
{
	const struct table *p = &h->table[ENTITY_PROCESS];
	size_t i;

	for (i = 0; i < p->n_slot; i++)
		add(t, w, p->slot[i]);
}

static void find_all(struct thread_processes *t, const struct world *w)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	if (t->tick == world_ticks(w))
		return;
	t->n = 0;
	t->tick = world_ticks(w);
	for (i = 0; i < world_hosts(w); i++)
		add_host(t, w, world_host(w, i));
	for (i = 0; i < n; i++) {
		if (touched[i]->entity == ENTITY_PROCESS && touched[i]->closed)
			add(t, w, touched[i]);
	}
	if (t->n > 1)
		qsort(t->item, t->n, sizeof(*t->item), compare);
}

static struct thread_process *find(const struct thread_processes *t,
	uint64_t host, uint64_t pid, bool closed)
{
	const struct thread_process key = { .host = host, .pid = pid,
		.closed = closed };

	return t->n ? bsearch(&key, t->item, t->n, sizeof(key), compare) : NULL;
}

static struct thread_process *of_thread(struct thread_processes *t,
	const struct world *w, const struct row *thread)
{
	bool closed = thread->closed != 0;
	struct thread_process *p;
	uint64_t pid;

	find_all(t, w);
	if (!row_get(thread, COL(THREAD, PID), &pid))
		return NULL;
	p = find(t, thread->host->index, pid, closed);
	return p ? p : find(t, thread->host->index, pid, !closed);
}

const struct row *thread_process_find(struct thread_processes *t,
	const struct world *w, const struct row *thread)
{
	const struct thread_process *p = of_thread(t, w, thread);

	return p ? p->row : NULL;
}

static void note_sessions(struct thread_processes *t, const struct sessions *s)
{
	size_t n, i;
	struct session *const *changed = sessions_changed(s, &n);

	for (i = 0; i < n; i++) {
		const struct proc *p;

		for (p = changed[i]->procs; p; p = p->next) {
			uint64_t pid = 0;
			struct thread_process *item;

			(void)row_get(p->row, COL(PROCESS, PID), &pid);
			item = find(t, p->row->host->index, pid,
			    p->row->closed != 0);
			if (item)
				item->changed = true;
		}
	}
}

static bool any_threads(const struct world *w)
{
	size_t i;

	for (i = 0; i < world_hosts(w); i++) {
		if (world_host(w, i)->table[ENTITY_THREAD].n_live > 0)
			return true;
	}
	return false;
}

void thread_process_follow(struct thread_processes *t, const struct world *w,
	const struct sessions *s,
	void (*moved)(void *ctx, struct row *thread), void *ctx)
{
	size_t i, k;

	if (!any_threads(w))
		return;
	find_all(t, w);
	note_sessions(t, s);
	for (i = 0; i < world_hosts(w); i++) {
		const struct table *threads =
		    &world_host(w, i)->table[ENTITY_THREAD];

		for (k = 0; k < threads->n_slot; k++) {
			struct row *r = threads->slot[k];
			const struct thread_process *p;

			if (!r || r->touched_tick == world_ticks(w))
				continue;
			p = of_thread(t, w, r);
			if (p && p->changed)
				moved(ctx, r);
		}
	}
}
