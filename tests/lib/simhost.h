/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simhost.h - a host that a test makes up: rows are set to absolute values,
 * simhost_tick() says the differences to its world as an agent would.
 *
 * Rows are numbered in order of opening, per entity, and never reused.
 */
#ifndef TESTS_LIB_SIMHOST_H
#define TESTS_LIB_SIMHOST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/header.h"
#include "model/world.h"

#define SIM_SECOND INT64_C(1000000000)
#define SIM_EPOCH (INT64_C(1790000000) * SIM_SECOND)

struct simrow {
	struct cells was, now;
	enum row_open how;
	enum row_close closed;
	bool said;
};

struct simhost {
	struct world *world;
	struct tick tick;
	struct texts *texts;
	struct simrow *row[ENTITY_COUNT];
	size_t n[ENTITY_COUNT], cap[ENTITY_COUNT];
	struct sample_clock clock;
	bool full; /* the next tick starts a connection: all rows anew */
	bool thinned; /* rows close after what they did since the tick before;
		       * before the first tick */
};

static inline uint32_t simhost_text(struct simhost *h, const char *s)
{
	uint32_t id = texts_intern(h->texts, s, strlen(s), NULL);

	if (id)
		tick_add_text(&h->tick, id, s, strlen(s));
	return id;
}

static inline size_t simhost_open(struct simhost *h, enum entity_id e,
	enum row_open how)
{
	size_t i = h->n[e]++;

	GS_GROW(h->row[e], &h->cap[e], h->n[e]);
	h->row[e][i] = (struct simrow) { cells_new(e), cells_new(e), how, 0,
		false };
	return i;
}

static inline void simhost_set(struct simhost *h, enum entity_id e, size_t i,
	unsigned col, uint64_t v)
{
	cells_set(h->row[e][i].now, col, v);
}

static inline void simhost_add(struct simhost *h, enum entity_id e, size_t i,
	unsigned col, uint64_t by)
{
	simhost_set(h, e, i, col, h->row[e][i].now.val[col] + by);
}

static inline void simhost_set_text(struct simhost *h, enum entity_id e,
	size_t i, unsigned col, const char *s)
{
	simhost_set(h, e, i, col, simhost_text(h, s));
}

static inline void simhost_unset(struct simhost *h, enum entity_id e,
	size_t i, unsigned col)
{
	cells_unset(h->row[e][i].now, col);
}

static inline void simhost_close(struct simhost *h, enum entity_id e,
	size_t i, enum row_close why)
{
	h->row[e][i].closed = why;
}

/* A process with the cells that tell it and its work. */
static inline size_t simhost_process(struct simhost *h, enum row_open how,
	uint64_t pid, uint64_t ppid, const char *title)
{
	size_t i = simhost_open(h, ENTITY_PROCESS, how);
	uint64_t start = (uint64_t)(h->clock.boot_ns / (SIM_SECOND / 100)) +
	    pid;

	simhost_set(h, ENTITY_PROCESS, i, COL(PROCESS, PID), pid);
	simhost_set(h, ENTITY_PROCESS, i, COL(PROCESS, START), start);
	simhost_set(h, ENTITY_PROCESS, i, COL(PROCESS, PPID), ppid);
	simhost_set(h, ENTITY_PROCESS, i, COL(PROCESS, OS_SESSION), pid);
	simhost_set_text(h, ENTITY_PROCESS, i, COL(PROCESS, COMM),
	    "postgres");
	simhost_set_text(h, ENTITY_PROCESS, i, COL(PROCESS, TITLE), title);
	return i;
}

/* Shorthand for the cells of processes. */
#define SIM_SET(h, i, sym, v) \
	simhost_set((h), ENTITY_PROCESS, (i), COL(PROCESS, sym), (v))
#define SIM_ADD(h, i, sym, v) \
	simhost_add((h), ENTITY_PROCESS, (i), COL(PROCESS, sym), (v))
#define SIM_TITLE(h, i, s) \
	simhost_set_text((h), ENTITY_PROCESS, (i), COL(PROCESS, TITLE), (s))
#define SIM_EXIT(h, i) \
	simhost_close((h), ENTITY_PROCESS, (i), CLOSE_EXITED)

/* Its row of entity host is row 0, from the start. */
static inline void simhost_init(struct simhost *h, const char *name)
{
	*h = (struct simhost) { .full = true };
	h->world = world_new();
	h->texts = texts_new();
	h->clock = (struct sample_clock) { .wall_ns = SIM_EPOCH,
		.mono_ns = 1000 * SIM_SECOND, .boot_ns = 1000 * SIM_SECOND };
	(void)simhost_open(h, ENTITY_HOST, OPEN_APPEARED);
	simhost_set_text(h, ENTITY_HOST, 0, COL(HOST, NAME), name);
	simhost_set_text(h, ENTITY_HOST, 0, COL(HOST, BOOT_ID), "boot 1");
	simhost_set(h, ENTITY_HOST, 0, COL(HOST, CLOCK_TICKS), 100);
	simhost_set(h, ENTITY_HOST, 0, COL(HOST, PAGE_SIZE), 4096);
}

static inline void simhost_release(struct simhost *h)
{
	size_t i;
	int e;

	for (e = 0; e < ENTITY_COUNT; e++) {
		for (i = 0; i < h->n[e]; i++) {
			cells_free(h->row[e][i].was);
			cells_free(h->row[e][i].now);
		}
		free(h->row[e]);
	}
	tick_release(&h->tick);
	texts_free(h->texts);
	world_free(h->world);
}

static inline void simhost_say(struct simhost *h, struct delta *d, size_t i)
{
	struct simrow *r = &h->row[d->entity][i];
	struct cells none = { NULL, NULL };
	bool fresh = h->full || !r->said;

	if (r->closed && !(h->thinned && r->now.val)) {
		if (r->said)
			delta_close_slot(d, (uint32_t)i, r->closed);
		r->said = false;
		return;
	}
	if (fresh)
		delta_open_slot(d, (uint32_t)i, r->said ? OPEN_CONTINUED
		                                        : r->how);
	(void)delta_row(d, (uint32_t)i, fresh ? none : r->was, r->now);
	cells_copy(d->entity, r->was, r->now);
	r->said = !r->closed;
	if (r->closed) {
		delta_end_slot(d, (uint32_t)i, r->closed);
		cells_free(r->now);
		r->now = (struct cells) { NULL, NULL };
	}
}

/* As an agent's first answer does: the texts of all living cells. */
static inline void simhost_say_texts(struct simhost *h)
{
	size_t i;
	int e;
	unsigned col;
	uint64_t v;

	for (e = 0; e < ENTITY_COUNT; e++) {
		for (i = 0; i < h->n[e]; i++) {
			for (col = 0; col < entity_get((enum entity_id)e)->ncols;
			    col++) {
				struct span s;

				if (!metric_is_text(metric_get(
				    (enum entity_id)e, col)) ||
				    !cells_get(h->row[e][i].now, col, &v))
					continue;
				s = texts_get(h->texts, (uint32_t)v);
				if (v)
					tick_add_text(&h->tick, (uint32_t)v,
					    s.ptr, span_len(s));
			}
		}
	}
}

static inline void simhost_say_header(struct simhost *h)
{
	if (!h->thinned)
		return;
	h->tick.header = header_new();
	h->tick.header->interval_ns = 10 * SIM_SECOND;
	h->tick.header->thinned_ns = SIM_SECOND;
	header_add_host(h->tick.header, 0, "alpha");
}

/* Takes a sample dt_ns after the one before. */
static inline void simhost_tick(struct simhost *h, int64_t dt_ns)
{
	struct block *b = tick_add_block(&h->tick, 0);
	struct gs_err err;
	size_t i;
	int e;

	h->clock.wall_ns += dt_ns;
	h->clock.mono_ns += dt_ns;
	h->clock.boot_ns += dt_ns;
	h->clock.sequence++;
	if (h->full) {
		h->clock.connection++;
		simhost_say_texts(h);
		simhost_say_header(h);
	}
	h->tick.key = h->full;
	b->clock = h->clock;
	for (e = 0; e < ENTITY_COUNT; e++) {
		for (i = 0; i < h->n[e]; i++)
			simhost_say(h, &b->ent[e], i);
	}
	if (world_apply(h->world, &h->tick, &err) < 0) {
		(void)fprintf(stderr, "simhost: %s\n", err.msg);
		abort();
	}
	tick_reset(&h->tick);
	h->full = false;
}

/* The machine restarts: clocks since boot, rows and connection are new. */
static inline void simhost_reboot(struct simhost *h, const char *boot_id)
{
	size_t i;
	int e;

	for (e = ENTITY_HOST + 1; e < ENTITY_COUNT; e++) {
		for (i = 0; i < h->n[e]; i++) {
			h->row[e][i].closed = CLOSE_EXITED;
			h->row[e][i].said = false;
		}
	}
	h->clock.mono_ns = h->clock.boot_ns = 10 * SIM_SECOND;
	simhost_set_text(h, ENTITY_HOST, 0, COL(HOST, BOOT_ID), boot_id);
	h->full = true;
}

#endif
