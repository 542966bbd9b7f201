/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which group of --group-by session a process is in.
 */
#include "analysis/sessions.h"
#include "cases.h"
#include "query/grouping.h"
#include "query/statement.h"
#include "simhost.h"

struct lab {
	struct simhost h;
	struct sessions *s;
	struct statements *st;
	struct grouping *by_session;
};

static void set_up(struct lab *l)
{
	static const enum label_kind session[] = { LABEL_SESSION };
	const uint64_t want[COL_WORDS_MAX] = { 0 };

	simhost_init(&l->h, "alpha");
	l->s = sessions_new();
	l->st = statements_new();
	l->by_session = grouping_new(GROUPING_LABELS, ENTITY_PROCESS, want,
	    session, 1);
}

static void tear_down(struct lab *l)
{
	grouping_free(l->by_session);
	statements_free(l->st);
	sessions_free(l->s);
	simhost_release(&l->h);
}

static void tick(struct lab *l)
{
	simhost_tick(&l->h, SIM_SECOND);
	sessions_tick(l->s, l->h.world, l->h.clock.wall_ns);
	grouping_tick(l->by_session, l->h.world, l->s, l->st, NULL,
	    GROUPING_TICK);
}

/* So many processes are in the group of that name now. */
static void expect(const struct lab *l, const char *name, size_t want)
{
	const struct rollup *r = grouping_rollup(l->by_session);
	size_t i, n = 0;

	for (i = 0; i < rollup_live(r); i++) {
		const struct group *g;

		(void)rollup_live_row(r, i, &g);
		n += strcmp(grouping_key(l->by_session, g, LABEL_SESSION),
		    name) == 0;
	}
	assert_int_equal(n, want);
}

/* A coordinator process whose executors failed goes on under another number, as its new
 * executors do. */
static void renamed(void **state)
{
	struct lab l;
	size_t coordinator;

	(void)state;
	set_up(&l);
	coordinator = simhost_process(&l.h, OPEN_BORN, 10, 1,
	    "postgres:  6000, gpadmin demo [local] con150 cmd7 SELECT");
	tick(&l);
	expect(&l, "con150", 1);
	SIM_TITLE(&l.h, coordinator,
	    "postgres:  6000, gpadmin demo [local] con151 cmd8 SELECT");
	(void)simhost_process(&l.h, OPEN_BORN, 12, 1, "postgres:  6003, gpadmin "
	    "demo 127.0.0.1(40837) con151 seg1 cmd8 slice1 MPPEXEC SELECT");
	tick(&l);
	expect(&l, "con150", 0);
	expect(&l, "con151", 2);
	tick(&l);
	expect(&l, "con151", 2);
	tear_down(&l);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "renamed", renamed, NULL);
	return cases_run(&c, "grouping");
}
