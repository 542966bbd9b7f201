/* SPDX-License-Identifier: Apache-2.0 */
#include "day_catalog.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"

#define USERS 7u
#define STATEMENTS 50u
#define WAITS 4u /* of one that is active; the first is none */

enum { T_HOST = 1, T_VERSION, T_FLAVOUR, T_DATADIR, T_ACTIVITY, T_CLIENT,
	T_DATABASE, T_APPLICATION, T_IDLE, T_ACTIVE, T_CLASS_CLIENT,
	T_CLIENT_READ, T_CLASS, T_EVENT = T_CLASS + WAITS,
	T_USER = T_EVENT + WAITS, T_STATEMENT = T_USER + USERS,
	TEXTS = T_STATEMENT + STATEMENTS };

static const struct {
	unsigned id;
	const char *text;
} fixed[] = {
	{ T_HOST, "mdw" }, { T_VERSION, "7.1.0" }, { T_FLAVOUR, "greenplum" },
	{ T_DATADIR, "/data/master/gpseg-1" }, { T_ACTIVITY, "activity" },
	{ T_CLIENT, "client backend" }, { T_DATABASE, "demo" },
	{ T_APPLICATION, "report" }, { T_IDLE, "idle" },
	{ T_ACTIVE, "active" }, { T_CLASS_CLIENT, "Client" },
	{ T_CLIENT_READ, "ClientRead" },
	{ T_CLASS + 1, "IO" }, { T_EVENT + 1, "DataFileRead" },
	{ T_CLASS + 2, "Lock" }, { T_EVENT + 2, "relation" },
	{ T_CLASS + 3, "LWLock" }, { T_EVENT + 3, "WALWrite" },
};

struct backend {
	uint64_t query_start, state_change, query_id;
	unsigned wait;
};

struct day_catalog {
	struct world *world;
	struct tick tick;
	struct block *block; /* of this tick */
	uint64_t n_tick, sent[TEXTS]; /* the number of a tick */
	uint64_t last_us; /* when it answered before */
	struct backend *backend;
};

struct day_catalog *day_catalog_new(size_t n)
{
	struct day_catalog *c = gs_calloc(1, sizeof(*c));

	c->world = world_new();
	c->backend = gs_calloc(n, sizeof(*c->backend));
	return c;
}

void day_catalog_free(struct day_catalog *c)
{
	if (!c)
		return;
	world_free(c->world);
	tick_release(&c->tick);
	free(c->backend);
	free(c);
}

#define CHANGE(E, COLUMN, slot, by) \
	delta_change(&c->block->ent[ENTITY_##E], COL(E, COLUMN), (slot), (by))

static uint64_t now_us(const struct day_catalog *c)
{
	return (uint64_t)c->block->clock.wall_ns / 1000;
}

static void put_text(struct day_catalog *c, unsigned id)
{
	char text[256];
	size_t i;

	if (id >= T_STATEMENT)
		(void)snprintf(text, sizeof(text), "SELECT o.id, sum(l.price) "
		    "FROM orders o JOIN lines_%u l ON l.order_id = o.id WHERE "
		    "o.day > $1 GROUP BY o.id ORDER BY 2 DESC LIMIT 100",
		    id - T_STATEMENT);
	else
		(void)snprintf(text, sizeof(text), "user%u", id - T_USER);
	for (i = 0; i < GS_LEN(fixed); i++) {
		if (fixed[i].id == id)
			(void)snprintf(text, sizeof(text), "%s", fixed[i].text);
	}
	tick_add_text(&c->tick, id, text, strlen(text));
}

/* Who receives a text forgets it when no row has it any more: it is sent in each tick
 * that sets it. */
static unsigned text_of(struct day_catalog *c, unsigned id)
{
	if (id > 0 && c->sent[id] != c->n_tick)
		put_text(c, id);
	c->sent[id] = c->n_tick;
	return id;
}

#define CHANGE_TEXT(E, COLUMN, slot, id) \
	CHANGE(E, COLUMN, (slot), text_of(c, (unsigned)(id)))

/* A coordinator alone, on the host that is recorded. */
static void open_server(struct day_catalog *c)
{
	delta_open_slot(&c->block->ent[ENTITY_CLUSTER], 0, OPEN_APPEARED);
	CHANGE(CLUSTER, START, 0, now_us(c) - UINT64_C(3600000000));
	CHANGE_TEXT(CLUSTER, HOST, 0, T_HOST);
	CHANGE_TEXT(CLUSTER, FLAVOUR, 0, T_FLAVOUR);
	CHANGE_TEXT(CLUSTER, VERSION, 0, T_VERSION);
	CHANGE(CLUSTER, PORT, 0, 5432);
	delta_open_slot(&c->block->ent[ENTITY_SEGMENT], 0, OPEN_APPEARED);
	CHANGE(SEGMENT, CONTENT, 0, UINT64_MAX);
	CHANGE(SEGMENT, ROLE, 0, 'p');
	CHANGE(SEGMENT, PORT, 0, 5432);
	CHANGE_TEXT(SEGMENT, HOSTNAME, 0, T_HOST);
	CHANGE_TEXT(SEGMENT, HOST, 0, T_HOST);
	CHANGE_TEXT(SEGMENT, DATADIR, 0, T_DATADIR);
	delta_open_slot(&c->block->ent[ENTITY_COLLECTOR], 0, OPEN_APPEARED);
	CHANGE_TEXT(COLLECTOR, NAME, 0, T_ACTIVITY);
	CHANGE(COLLECTOR, PERIOD, 0, 1000);
}

void day_catalog_begin(struct day_catalog *c, const struct sample_clock *clock)
{
	tick_reset(&c->tick);
	c->block = tick_add_block(&c->tick, 0);
	c->block->clock = *clock;
	c->n_tick++;
	if (c->last_us == 0)
		open_server(c);
	CHANGE(COLLECTOR, LAST, 0, now_us(c) - c->last_us);
	CHANGE(COLLECTOR, RUNS, 0, 1);
	c->last_us = now_us(c);
}

void day_catalog_open(struct day_catalog *c, uint32_t slot, uint64_t pid,
	uint64_t session, uint64_t start_us, enum row_open how)
{
	struct backend *b = &c->backend[slot];

	*b = (struct backend) { .state_change = now_us(c) };
	delta_open_slot(&c->block->ent[ENTITY_BACKEND], slot, how);
	CHANGE(BACKEND, CONTENT, slot, UINT64_MAX);
	CHANGE(BACKEND, PID, slot, pid);
	CHANGE(BACKEND, START, slot, start_us);
	CHANGE(BACKEND, SESSION, slot, session);
	CHANGE_TEXT(BACKEND, USER, slot, T_USER + session % USERS);
	CHANGE_TEXT(BACKEND, DATABASE, slot, T_DATABASE);
	CHANGE_TEXT(BACKEND, APPLICATION, slot, T_APPLICATION);
	CHANGE_TEXT(BACKEND, TYPE, slot, T_CLIENT);
	CHANGE_TEXT(BACKEND, STATE, slot, T_IDLE);
	CHANGE_TEXT(BACKEND, WAIT_TYPE, slot, T_CLASS_CLIENT);
	CHANGE_TEXT(BACKEND, WAIT_EVENT, slot, T_CLIENT_READ);
	CHANGE(BACKEND, STATE_CHANGE, slot, b->state_change);
	CHANGE(BACKEND, QUERY_START, slot, 0);
	CHANGE(BACKEND, QUERY_ID, slot, 0);
}

void day_catalog_close(struct day_catalog *c, uint32_t slot)
{
	delta_close_slot(&c->block->ent[ENTITY_BACKEND], slot, CLOSE_EXITED);
}

static void set_wait(struct day_catalog *c, uint32_t slot, unsigned wait)
{
	c->backend[slot].wait = wait;
	CHANGE_TEXT(BACKEND, WAIT_TYPE, slot, wait ? T_CLASS + wait : 0);
	CHANGE_TEXT(BACKEND, WAIT_EVENT, slot, wait ? T_EVENT + wait : 0);
}

static void change_state(struct day_catalog *c, uint32_t slot, unsigned text)
{
	struct backend *b = &c->backend[slot];

	CHANGE_TEXT(BACKEND, STATE, slot, text);
	CHANGE(BACKEND, STATE_CHANGE, slot, now_us(c) - b->state_change);
	b->state_change = now_us(c);
}

void day_catalog_run(struct day_catalog *c, uint32_t slot, unsigned statement)
{
	struct backend *b = &c->backend[slot];
	uint64_t id = 1000 + statement % STATEMENTS;

	change_state(c, slot, T_ACTIVE);
	CHANGE_TEXT(BACKEND, QUERY, slot, T_STATEMENT + statement % STATEMENTS);
	CHANGE(BACKEND, QUERY_START, slot, now_us(c) - b->query_start);
	CHANGE(BACKEND, QUERY_ID, slot, id - b->query_id);
	b->query_start = now_us(c);
	b->query_id = id;
	set_wait(c, slot, 0);
}

void day_catalog_wait(struct day_catalog *c, uint32_t slot, unsigned wait)
{
	if (c->backend[slot].wait != wait % WAITS)
		set_wait(c, slot, wait % WAITS);
}

void day_catalog_idle(struct day_catalog *c, uint32_t slot)
{
	change_state(c, slot, T_IDLE);
	CHANGE_TEXT(BACKEND, WAIT_TYPE, slot, T_CLASS_CLIENT);
	CHANGE_TEXT(BACKEND, WAIT_EVENT, slot, T_CLIENT_READ);
}

const struct world *day_catalog_end(struct day_catalog *c)
{
	struct gs_err err;

	if (world_apply(c->world, &c->tick, &err) < 0) {
		(void)fprintf(stderr, "make_day: catalog: %s\n", err.msg);
		exit(2);
	}
	return c->world;
}
