/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats.c - rows of counters that the server keeps: the time of each sample,
 * names of relations, texts of statements.
 *
 * These rows are asked for less often than ticks are recorded, so a rate divides
 * by the time between two answers, which is the increase of the row's clock.
 */
#include "pg/catalog_int.h"

#include "base/clock.h"

/* The clock of a row begins at its first answer; of one that began since the
 * answer before, at that one. */
static void set_clock(const struct catalog *c, struct cells was,
	struct cells now, unsigned col)
{
	uint64_t clock = 0;

	if (was.val && cells_get(was, col, &clock))
		clock += (uint64_t)c->stats_dt_us;
	else if (c->stats_born)
		clock = (uint64_t)c->stats_dt_us;
	cells_set(now, col, clock);
}

static void see_database(void *arg, struct cells was, struct cells now)
{
	set_clock(arg, was, now, COL(DATABASE, CLOCK));
}

static void see_wal(void *arg, struct cells was, struct cells now)
{
	set_clock(arg, was, now, COL(WAL, CLOCK));
}

static void see_progress(void *arg, struct cells was, struct cells now)
{
	struct catalog *c = arg;

	set_clock(c, was, now, COL(PROGRESS, CLOCK));
	names_put(&c->names, &c->rowset, now, COL(PROGRESS, DATABASE),
	    COL(PROGRESS, RELATION), COL(PROGRESS, OBJECT));
}

/* The text of a known statement is kept; a new one makes the next query ask for
 * the texts, once. */
static void see_statement(void *arg, struct cells was, struct cells now)
{
	struct catalog *c = arg;
	const unsigned text = COL(PGSTATEMENT, QUERY);

	set_clock(c, was, now, COL(PGSTATEMENT, CLOCK));
	if (cells_has(now, text))
		return;
	if (was.val)
		rowset_keep(&c->rowset, now, was, text);
	else if (!c->asked_texts)
		c->texts = true;
}

/* The answer before had all statements, so a new one has run since. */
static bool had_all(const struct catalog *c, size_t limit)
{
	size_t n = rowset_count(&c->rowset, ENTITY_PGSTATEMENT);

	return n > 0 && n < limit;
}

static void begin_answer(struct catalog *c, enum collector_id id,
	const struct decode *t)
{
	int64_t now_us = c->rowset.clock.mono_ns / GS_NSEC_PER_USEC;

	c->stats_dt_us = now_us - c->stats_us[id];
	c->stats_us[id] = now_us;
	c->stats_born = id == COLLECT_PGSTATEMENTS && had_all(c, t->limit);
}

void stats_decode(struct catalog *c, enum collector_id id, struct decode *t)
{
	begin_answer(c, id, t);
	t->born = c->stats_born;
	if (id == COLLECT_DATABASES) {
		t->each = see_database;
	} else if (id == COLLECT_WAL) {
		t->each = see_wal;
	} else if (id == COLLECT_PROGRESS) {
		t->each = see_progress;
	} else if (id == COLLECT_PGSTATEMENTS) {
		c->asked_texts = c->texts;
		c->texts = false;
		t->each = see_statement;
	}
}
