/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_slope.c - how fast a value changes: slope().
 *
 * Of each row one value per STEP_NS is kept, for as long as SPAN_NS.  The slope is
 * that of the line from the oldest of these to the newest value: a file system that
 * fills and is emptied in turn has none.
 *
 * Limits: ROWS_MAX rows; of further rows nothing is known.
 */
#include <stdlib.h>

#include <uthash.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "query/filter_int.h"

#define ROWS_MAX 4096u

#define SPAN_NS (600 * GS_NSEC_PER_SEC)
#define STEP_NS (10 * GS_NSEC_PER_SEC)
#define KEPT (SPAN_NS / STEP_NS)

/* A shorter time says nothing of the next hour. */
#define SPAN_MIN_NS (120 * GS_NSEC_PER_SEC)

struct point {
	int64_t ns;
	double v;
};

struct track {
	struct point kept[KEPT]; /* a ring */
	size_t first, n;
	struct point newest;
};

struct course {
	uint64_t id;
	struct track col[FUNCTION_COLS];
	UT_hash_handle hh;
};

static void keep(struct track *t, struct point p)
{
	const struct point *last = &t->kept[(t->first + t->n - 1) % KEPT];

	t->newest = p;
	while (t->n > 0 && p.ns - t->kept[t->first].ns > SPAN_NS) {
		t->first = (t->first + 1) % KEPT;
		t->n--;
	}
	if (t->n == KEPT || (t->n > 0 && p.ns - last->ns < STEP_NS))
		return;
	t->kept[(t->first + t->n) % KEPT] = p;
	t->n++;
}

static struct course *find(const struct filter *f, uint64_t id)
{
	struct course *c = NULL;

	HASH_FIND(hh, f->course, &id, sizeof(id), c);
	return c;
}

static struct course *course_of(struct filter *f, uint64_t id)
{
	struct course *c = find(f, id);

	if (c || HASH_COUNT(f->course) >= ROWS_MAX)
		return c;
	c = gs_calloc(1, sizeof(*c));
	c->id = id;
	HASH_ADD(hh, f->course, id, sizeof(c->id), c);
	return c;
}

void filter_slope_note(struct filter *f, const struct grid *g)
{
	size_t i, k;

	for (i = 0; f->n_slope > 0 && i < g->n_row; i++) {
		struct course *c = g->row[i].others ? NULL
		    : course_of(f, g->row[i].id);
		double v;

		for (k = 0; c && k < f->n_slope; k++) {
			if (filter_number(&g->row[i].cell[f->slope_col[k]],
			    &v))
				keep(&c->col[k], (struct point) { g->to_ns, v });
		}
	}
}

bool filter_slope_value(const struct filter *f, const struct term *t,
	uint64_t id, double *ret)
{
	const struct course *c = find(f, id);
	const struct track *k = c ? &c->col[t->slot] : NULL;
	const struct point *old = k ? &k->kept[k->first] : NULL;
	int64_t ns = k && k->n > 0 ? k->newest.ns - old->ns : 0;

	if (ns < SPAN_MIN_NS)
		return false;
	*ret = (k->newest.v - old->v) * (double)GS_NSEC_PER_SEC / (double)ns;
	return true;
}

void filter_slope_forget(struct filter *f)
{
	struct course *c, *next;

	HASH_ITER (hh, f->course, c, next) {
		HASH_DEL(f->course, c);
		free(c);
	}
}
