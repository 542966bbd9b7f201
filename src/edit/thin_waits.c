/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thin_waits.c - see thin_waits.h.
 */
#include "edit/thin_waits.h"

#include <stdlib.h>

#include <uthash.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "query/server_waits.h"

/* Of one row. */
struct told {
	uint32_t serial;
	struct row_waited *what;
	size_t n, cap;
	uint32_t seen; /* bit per kind without an event */
	UT_hash_handle hh;
};

struct thin_waits {
	struct server_waits *waits;
	struct told *told; /* by serial */
};

struct thin_waits *thin_waits_new(void)
{
	struct thin_waits *t = gs_calloc(1, sizeof(*t));

	t->waits = server_waits_new(WAITS_BY_BACKEND | WAITS_BY_QUERY, NULL,
	    NULL);
	return t;
}

void thin_waits_free(struct thin_waits *t)
{
	if (!t)
		return;
	thin_waits_written(t);
	server_waits_free(t->waits);
	free(t);
}

void thin_waits_tick(struct thin_waits *t, const struct world *w,
	const struct sessions *sessions, int64_t interval_ns)
{
	server_waits_tick(t->waits, w, sessions, interval_ns);
}

static struct told *told_of(struct thin_waits *t, uint32_t serial)
{
	struct told *to;

	HASH_FIND(hh, t->told, &serial, sizeof(serial), to);
	if (to)
		return to;
	to = gs_calloc(1, sizeof(*to));
	to->serial = serial;
	HASH_ADD(hh, t->told, serial, sizeof(to->serial), to);
	return to;
}

/* Servers share the samples of a host: what is of no activity is told once. */
static bool is_again(struct told *of, const struct row_waited *what)
{
	uint32_t bit = UINT32_C(1) << GS_MIN(what->kind, 31);
	bool again = !what->event[0] && of->seen & bit;

	if (!what->event[0])
		of->seen |= bit;
	return again;
}

static void keep(void *ctx, uint32_t serial, const struct row_waited *what)
{
	struct told *to = told_of(ctx, serial);
	struct row_waited *w;

	if (is_again(to, what))
		return;
	GS_GROW(to->what, &to->cap, to->n + 1);
	w = &to->what[to->n++];
	*w = *what;
	w->event = gs_strdup(what->event);
	w->query = gs_strdup(what->query);
}

void thin_waits_collect(struct thin_waits *t)
{
	server_waits_take(t->waits, keep, t);
}

const struct row_waited *thin_waits_of(const struct thin_waits *t,
	const struct row *r, size_t *ret_n)
{
	struct told *of;

	HASH_FIND(hh, t->told, &r->serial, sizeof(r->serial), of);
	*ret_n = of ? of->n : 0;
	return of ? of->what : NULL;
}

static void told_free(struct told *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		free(t->what[i].event);
		free(t->what[i].query);
	}
	free(t->what);
	free(t);
}

void thin_waits_written(struct thin_waits *t)
{
	struct told *of, *next;

	HASH_ITER(hh, t->told, of, next) {
		HASH_DEL(t->told, of);
		told_free(of);
	}
}
