/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/heap_use.h"

#include <string.h>

#include "base/mem.h"

void heap_use_reset(struct heap_use *u)
{
	*u = (struct heap_use) { .thread = u->thread, .cap = u->cap };
}

void heap_use_leave(struct heap_use *u)
{
	u->n = 0;
	u->ended[0] = u->ended[1] = 0;
	u->has = u->denied = false;
	u->clock = 0; /* to be asked for again although it has not run */
}

static const struct heap_thread *find(const struct heap_thread *t, size_t n,
	uint32_t tid)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t[mid].tid < tid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && t[lo].tid == tid ? &t[lo] : NULL;
}

/* The same thread, whose counters did not start over. */
static bool goes_on(const struct heap_thread *was,
	const struct heap_thread *now)
{
	return now && now->start == was->start && (!now->has ||
	    (now->allocated >= was->allocated &&
	    now->deallocated >= was->deallocated));
}

/* Those that are not among the threads now, or started over, count as ended. */
static void end_threads(struct heap_use *u, const struct heap_thread *thread,
	size_t n)
{
	size_t i;

	for (i = 0; i < u->n; i++) {
		struct heap_thread *was = &u->thread[i];

		if (!was->has || goes_on(was, find(thread, n, was->tid)))
			continue;
		u->ended[0] += was->allocated;
		u->ended[1] += was->deallocated;
		was->has = false;
	}
}

bool heap_use_take(struct heap_use *u, struct heap_thread *thread, size_t n)
{
	uint64_t sum[2];
	bool complete = true;
	size_t i;

	end_threads(u, thread, n);
	sum[0] = u->ended[0];
	sum[1] = u->ended[1];
	for (i = 0; i < n; i++) {
		const struct heap_thread *was = find(u->thread, u->n,
		    thread[i].tid);

		if (!thread[i].has && was && was->has)
			thread[i] = *was; /* it could not be read now */
		complete &= thread[i].has;
		sum[0] += thread[i].allocated;
		sum[1] += thread[i].deallocated;
	}
	GS_GROW(u->thread, &u->cap, n);
	memcpy(u->thread, thread, n * sizeof(*thread));
	u->n = n;
	if (!complete)
		return false;
	memcpy(u->sum, sum, sizeof(sum));
	u->has = true;
	return true;
}

void heap_use_set(const struct heap_use *u, struct cells c)
{
	if (!u->has)
		return;
	cells_set(c, COL(PROCESS, HEAP_ALLOCATED), u->sum[0]);
	cells_set(c, COL(PROCESS, HEAP_DEALLOCATED), u->sum[1]);
}

void heap_use_set_thread(const struct heap_use *u, uint32_t tid,
	uint64_t start, struct cells c)
{
	const struct heap_thread *t = find(u->thread, u->n, tid);

	if (!t || !t->has || t->start != start)
		return;
	cells_set(c, COL(THREAD, HEAP_ALLOCATED), t->allocated);
	cells_set(c, COL(THREAD, HEAP_DEALLOCATED), t->deallocated);
}
