/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_ended.c - the process of a backend that a tick ended, which belongs to no
 * session any more.
 *
 * It is found by its number, once per tick among all that ended; two of one number are
 * none.
 */
#include <stdlib.h>

#include "analysis/waits_told.h"
#include "base/mem.h"

static int compare(const void *a, const void *b)
{
	const struct ended *x = a, *y = b;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static void find_all(struct ended_processes *e, const struct world *w)
{
	size_t i, n;
	struct row *const *touched = world_touched(w, &n);

	e->n = 0;
	e->tick = world_ticks(w);
	for (i = 0; i < n; i++) {
		const struct row *r = touched[i];

		if (r->entity != ENTITY_PROCESS || !r->closed)
			continue;
		GS_GROW(e->item, &e->cap, e->n + 1);
		e->item[e->n++] = (struct ended) { r->host->index,
			process_server_pid(r), r };
	}
	if (e->n > 1)
		qsort(e->item, e->n, sizeof(*e->item), compare);
}

const struct row *waits_ended_process(struct ended_processes *e,
	const struct world *w, const struct host *h, uint64_t pid)
{
	const struct ended key = { .host = h->index, .pid = pid };
	const struct ended *at;

	if (e->tick != world_ticks(w))
		find_all(e, w);
	at = e->n > 0 ? bsearch(&key, e->item, e->n, sizeof(key), compare) : NULL;
	if (!at || (at > e->item && compare(at - 1, at) == 0) ||
	    (at + 1 < e->item + e->n && compare(at, at + 1) == 0))
		return NULL;
	return at->row;
}
