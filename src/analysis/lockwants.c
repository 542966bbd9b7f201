/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockwants.c - the locks that somebody waits for: holders and waiters by
 * object.
 */
#include "analysis/lockgraph_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/compiler.h"
#include "base/mem.h"

/* ---- modes ------------------------------------------------------------- */

static const char *const mode_names[] = {
	"", "AccessShareLock", "RowShareLock", "RowExclusiveLock",
	"ShareUpdateExclusiveLock", "ShareLock", "ShareRowExclusiveLock",
	"ExclusiveLock", "AccessExclusiveLock",
};

/* Bit m of row n: n conflicts with m.  PostgreSQL's table (lock.c). */
static const unsigned conflicts[] = {
	0,
	1u << 8,
	1u << 7 | 1u << 8,
	1u << 5 | 1u << 6 | 1u << 7 | 1u << 8,
	1u << 4 | 1u << 5 | 1u << 6 | 1u << 7 | 1u << 8,
	1u << 3 | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 8,
	1u << 3 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7 | 1u << 8,
	1u << 2 | 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7 | 1u << 8,
	1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7 |
	    1u << 8,
};

/* 0: a mode that blocks nobody (SIReadLock). */
static int mode_of(struct span s)
{
	int m;

	for (m = 1; m < (int)GS_LEN(mode_names); m++) {
		if (span_eq(s, mode_names[m]))
			return m;
	}
	return 0;
}

bool lockwants_conflict(int mode, int with)
{
	return conflicts[mode] >> with & 1;
}

/* ---- locks ------------------------------------------------------------- */

/* Columns that identify the locked object; equal texts have equal ids. */
static const unsigned object_cols[] = {
	COL(LOCK, CONTENT), COL(LOCK, TYPE), COL(LOCK, DATABASE),
	COL(LOCK, RELATION), COL(LOCK, PAGE), COL(LOCK, TUPLE),
	COL(LOCK, VIRTUALXID), COL(LOCK, XID), COL(LOCK, CLASSID),
	COL(LOCK, OBJID), COL(LOCK, OBJSUBID),
};

_Static_assert(GS_LEN(object_cols) == LOCK_OBJECT_COLS, "all are compared");

static bool is_queue(struct span type)
{
	return span_eq(type, "resource queue");
}

static int64_t from_usec(uint64_t usec)
{
	int64_t v = (int64_t)usec;

	if (v > INT64_MAX / 1000 || v < INT64_MIN / 1000)
		return 0;
	return v * 1000;
}

int64_t lockwants_not_before_query(const struct row *b, int64_t since_ns)
{
	uint64_t v;

	if (!b || !row_get(b, COL(BACKEND, QUERY_START), &v))
		return since_ns;
	return GS_MAX(since_ns, from_usec(v));
}

/* Locks are sampled less often than titles, and titles show when it did not
 * wait. */
static int64_t seen_since(struct lockholders *of, const struct row *r,
	const struct row *b)
{
	const struct proc *p = b || !of->sessions ? NULL
	    : lockholders_proc(of, (int64_t)lock_cell(r,
	    COL(LOCK, CONTENT)), lock_cell(r, COL(LOCK, PID)));
	int64_t ns;

	if (of->sessions && sessions_seen_to_wait(of->sessions, p, b, &ns))
		return lockwants_not_before_query(b,
		    gs_difference(of->h->clock.wall_ns, ns));
	return lockwants_not_before_query(b, r->first_ns);
}

static const struct row *backend_of(const struct lockholders *of,
	const struct row *r)
{
	return lockholders_backend(of, (int64_t)lock_cell(r,
	    COL(LOCK, CONTENT)), lock_cell(r, COL(LOCK, PID)));
}

static void read_lock(const struct lockholders *of, const struct row *r,
	struct lockwants *ret)
{
	struct lockwant *l = &ret->lock[ret->n];
	const struct row *b;
	size_t i;
	uint64_t v;

	*l = (struct lockwant) { .row = r };
	l->mode = mode_of(row_text(of->w, r, COL(LOCK, MODE)));
	if (l->mode == 0 || is_queue(row_text(of->w, r, COL(LOCK, TYPE))))
		return;
	for (i = 0; i < LOCK_OBJECT_COLS; i++) {
		if (row_get(r, object_cols[i], &l->object[i]))
			l->object[LOCK_OBJECT_COLS] |= UINT64_C(1) << i;
	}
	l->granted = lock_cell(r, COL(LOCK, GRANTED)) != 0;
	l->since_ns = row_get(r, COL(LOCK, WAIT_START), &v)
	    ? from_usec(v) : r->first_ns;
	b = backend_of(of, r);
	if (b && row_get(b, COL(BACKEND, QUERY_START), &v))
		l->then_ns = from_usec(v);
	ret->n++;
}

static int compare_wants(const void *pa, const void *pb)
{
	const struct lockwant *a = pa, *b = pb;
	size_t i;

	for (i = 0; i <= LOCK_OBJECT_COLS; i++) {
		if (a->object[i] != b->object[i])
			return a->object[i] < b->object[i] ? -1 : 1;
	}
	if (a->granted != b->granted)
		return a->granted ? -1 : 1;
	if (a->since_ns != b->since_ns)
		return a->since_ns < b->since_ns ? -1 : 1;
	if (a->then_ns != b->then_ns)
		return a->then_ns < b->then_ns ? -1 : 1;
	return a->row->serial < b->row->serial ? -1
	    : a->row->serial > b->row->serial;
}

static bool same_object(const struct lockwant *a, const struct lockwant *b)
{
	return memcmp(a->object, b->object, sizeof(a->object)) == 0;
}

size_t lockwants_object_end(const struct lockwants *l, size_t from)
{
	size_t k;

	for (k = from + 1; k < l->n &&
	    same_object(&l->lock[from], &l->lock[k]); k++)
		;
	return k;
}

/* Keeps only locks that somebody waits for. */
static void keep_wanted(struct lockwants *l)
{
	size_t from, end, kept = 0;

	for (from = 0; from < l->n; from = end) {
		end = lockwants_object_end(l, from);
		if (l->lock[end - 1].granted)
			continue; /* waiters come last */
		memmove(l->lock + kept, l->lock + from,
		    (end - from) * sizeof(*l->lock));
		kept += end - from;
	}
	l->n = kept;
}

/* Keeps only locks that still exist. */
static void drop_ended(struct lockholders *of, struct lockwants *l)
{
	size_t i, kept = 0;

	for (i = 0; i < l->n; i++) {
		struct lockwant k = l->lock[i];
		const struct row *b = backend_of(of, k.row);

		if (!lockholders_has(of, k.row, b, k.granted))
			continue;
		k.told = b && cells_has(b->now, COL(BACKEND, BLOCKERS));
		k.waits_ns = k.granted ||
		    cells_has(k.row->now, COL(LOCK, WAIT_START))
		    ? k.since_ns : seen_since(of, k.row, b);
		l->lock[kept++] = k;
	}
	l->n = kept;
}

void lockwants_init(struct lockwants *l, struct lockholders *of)
{
	const struct table *t = &of->h->table[ENTITY_LOCK];
	size_t i;

	*l = (struct lockwants) {
		.lock = gs_calloc(t->n_live + 1, sizeof(*l->lock)) };
	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i])
			read_lock(of, t->slot[i], l);
	}
	qsort(l->lock, l->n, sizeof(*l->lock), compare_wants);
	keep_wanted(l);
	drop_ended(of, l);
	keep_wanted(l);
}

void lockwants_release(struct lockwants *l)
{
	free(l->lock);
}
