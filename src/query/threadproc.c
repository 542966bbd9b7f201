/* SPDX-License-Identifier: Apache-2.0 */
#include "query/threadproc.h"

#include <stdlib.h>

#include "base/mem.h"

struct threadproc_entry {
	uint64_t host, pid;
	const struct row *row;
};

static int compare(const void *a, const void *b)
{
	const struct threadproc_entry *x = a, *y = b;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

static void add_host(struct threadproc *t, const struct host *h)
{
	const struct table *tab = &h->table[ENTITY_PROCESS];
	size_t i;

	for (i = 0; i < tab->n_slot; i++) {
		const struct row *r = tab->slot[i];
		uint64_t pid;

		if (!r || !row_get(r, COL(PROCESS, PID), &pid))
			continue;
		GS_GROW(t->entry, &t->cap, t->n + 1);
		t->entry[t->n++] = (struct threadproc_entry) { h->index, pid,
			r };
	}
}

static void fill(struct threadproc *t, const struct world *w)
{
	size_t i;

	t->n = 0;
	t->tick = world_ticks(w);
	for (i = 0; i < world_hosts(w); i++)
		add_host(t, world_host(w, i));
	if (t->n > 1)
		qsort(t->entry, t->n, sizeof(*t->entry), compare);
}

const struct row *threadproc_find(struct threadproc *t,
	const struct world *w, const struct row *thread)
{
	struct threadproc_entry key = { .host = thread->host->index }, *e;

	if (t->tick != world_ticks(w))
		fill(t, w);
	if (t->n == 0 || !row_get(thread, COL(THREAD, PID), &key.pid))
		return NULL;
	e = bsearch(&key, t->entry, t->n, sizeof(*t->entry), compare);
	return e ? e->row : NULL;
}

void threadproc_release(struct threadproc *t)
{
	free(t->entry);
	*t = (struct threadproc) { 0 };
}
