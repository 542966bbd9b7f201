/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thin_edge.c - ticks that stay because of what happens there.
 *
 * What is told by the moment at which a row came, went or grew would be told of the
 * next tick that stays: rows of database servers, and kills for lack of memory.  These
 * are rare, so both sides of each stay.
 */
#include "edit/thin.h"

#include <string.h>

#include "model/diff.h"

/* The text of a tick; empty if it has none of that number. */
static struct span text_of(const struct tick *t, uint64_t id)
{
	size_t i;

	for (i = 0; i < t->n_text; i++) {
		if (t->text[i].id == id)
			return span_of(tick_text_at(t, t->text[i].off),
			    t->text[i].len);
	}
	return span_of("", 0);
}

/* A delta has the boot id only if it changed. */
static bool boots(const struct world *w, const struct host *h,
	const struct tick *t, const struct block *b)
{
	const struct delta_col *c =
	    &b->ent[ENTITY_HOST].col[COL(HOST, BOOT_ID)];
	const struct row *r = host_row(h);
	struct span was;

	if (c->n == 0 || !t->key || !r)
		return c->n > 0;
	was = row_text(w, r, COL(HOST, BOOT_ID));
	return c->diff[0] != 0 && (span_len(was) !=
	    span_len(text_of(t, c->diff[0])) || memcmp(was.ptr,
	    text_of(t, c->diff[0]).ptr, span_len(was)) != 0);
}

static bool separates(const struct event *e)
{
	return e->kind == EVENT_HOLE || e->kind == EVENT_CLOCK_STEP ||
	    e->kind == EVENT_HOST_DOWN;
}

/* Rows of the entity came or went.  A key has all that exist. */
static bool turns(const struct host *h, const struct tick *t,
	const struct block *b, enum entity_id e)
{
	const struct delta *d = &b->ent[e];

	if (t->key)
		return d->n_opened != h->table[e].n_live;
	return d->n_opened + d->n_closed + d->n_ended > 0;
}

/* The counter of one of the host's rows is another than before. */
static bool grows(const struct host *h, const struct tick *t,
	const struct block *b, enum entity_id e, unsigned col)
{
	const struct delta_col *c = &b->ent[e].col[col];
	size_t i;

	for (i = 0; i < c->n; i++) {
		const struct row *r = c->slot[i] < h->table[e].n_slot
		    ? h->table[e].slot[c->slot[i]] : NULL;
		uint64_t was;

		if (r && row_get(r, col, &was) && (t->key ? c->diff[i] != was
		    : c->diff[i] != 0))
			return true;
	}
	return false;
}

static bool kills(const struct host *h, const struct tick *t, const struct block *b)
{
	return grows(h, t, b, ENTITY_HOST, COL(HOST, OOM_KILL)) ||
	    (!(host_row(h) && cells_has(host_row(h)->now, COL(HOST, OOM_KILL))) &&
	    grows(h, t, b, ENTITY_CGROUP, COL(CGROUP, OOM_KILL)));
}

static bool is_edge(const struct world *w, const struct tick *t,
	const struct block *b)
{
	const struct host *h = world_host_of(w, b->host);

	return !h || h->blocks == 0 ||
	    h->clock.connection != b->clock.connection || boots(w, h, t, b) ||
	    turns(h, t, b, ENTITY_CLUSTER) ||
	    turns(h, t, b, ENTITY_POSTMASTER) || kills(h, t, b);
}

static bool has_killed(const struct row *r)
{
	uint64_t d;

	return (r->entity == ENTITY_HOST &&
	    diff_counter(r, COL(HOST, OOM_KILL), &d) && d > 0) ||
	    (r->entity == ENTITY_CGROUP &&
	    diff_counter(r, COL(CGROUP, OOM_KILL), &d) && d > 0);
}

/* In the last tick of the world: whom the kernel killed may be seen in the next. */
static bool killed(const struct world *w)
{
	struct row *const *touched;
	size_t i, n;

	touched = world_touched(w, &n);
	for (i = 0; i < n; i++) {
		if (has_killed(touched[i]))
			return true;
	}
	return false;
}

bool thin_before(const struct world *w, const struct tick *tick)
{
	size_t i;

	for (i = 0; i < tick->n_event; i++) {
		if (separates(&tick->event[i]))
			return true;
	}
	for (i = 0; i < tick->n_block; i++) {
		if (is_edge(w, tick, tick->block[i]))
			return true;
	}
	return killed(w);
}

static bool is_continued(const struct delta *d)
{
	size_t i;

	for (i = 0; i < d->n_opened; i++) {
		if (d->opened[i].why != OPEN_CONTINUED)
			return false;
	}
	return true;
}

bool thin_continues(const struct tick *t)
{
	size_t i;
	int e;

	for (i = 0; i < t->n_block; i++) {
		for (e = 0; e < ENTITY_COUNT; e++) {
			if (!is_continued(&t->block[i]->ent[e]))
				return false;
		}
	}
	return t->key;
}

