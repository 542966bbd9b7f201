/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events derived from the rows of a tick.  Each case is a short story of one
 * host in steps, and the events expected by its end.
 */
#include "analysis/notable.h"
#include "base/compiler.h"
#include "cases.h"
#include "simhost.h"

#define SAID_MAX 16

struct lab {
	struct simhost h;
	struct sessions *s;
	struct notables *n;
	struct tick noted; /* what the recorder noted in the next tick */
	size_t proc[256]; /* by pid */
	char said[1024]; /* "host: text" lines */
};

static void set_up(struct lab *l)
{
	*l = (struct lab) { .s = sessions_new(), .n = notables_new() };
	simhost_init(&l->h, "alpha");
	simhost_set(&l->h, ENTITY_HOST, 0, COL(HOST, OOM_KILL), 3);
}

static void tear_down(struct lab *l)
{
	notables_free(l->n);
	sessions_free(l->s);
	simhost_release(&l->h);
	tick_release(&l->noted);
}

static void tick(struct lab *l)
{
	size_t i, len;

	simhost_tick(&l->h, SIM_SECOND);
	sessions_tick(l->s, l->h.world, l->h.clock.wall_ns);
	l->noted.wall_ns = l->h.clock.wall_ns;
	notable_tick(l->n, l->h.world, l->s, &l->noted);
	tick_reset(&l->noted);
	for (i = 0; i < notable_count(l->n); i++) {
		struct notable n = notable_get(l->n, i);

		assert_true(n.wall_ns == l->h.clock.wall_ns);
		len = strlen(l->said);
		(void)snprintf(l->said + len, sizeof(l->said) - len,
		    "%d %s\n", (int)n.kind, n.text);
	}
}

static void born(struct lab *l, uint64_t pid, uint64_t parent,
	const char *title)
{
	l->proc[pid] = simhost_process(&l->h, OPEN_BORN, pid, parent, title);
	SIM_SET(&l->h, l->proc[pid], ROLE, pid % 10 == 0 ? 1 : 2);
	if (pid % 10)
		SIM_SET(&l->h, l->proc[pid], POSTMASTER, parent);
}

static void gone(struct lab *l, uint64_t pid)
{
	SIM_EXIT(&l->h, l->proc[pid]);
}

#define POSTGRES "/usr/lib/postgresql/15/bin/postgres -D /data"
#define CHECKPOINTER "postgres: checkpointer "
#define CLIENT "postgres: alice shop [local] idle"

/* A server of pid 10 with checkpointer and two clients, started long ago. */
static void server(struct lab *l)
{
	tick(l);
	born(l, 10, 1, POSTGRES);
	l->h.row[ENTITY_PROCESS][l->proc[10]].how = OPEN_APPEARED;
	born(l, 11, 10, CHECKPOINTER);
	born(l, 12, 10, CLIENT);
	born(l, 13, 10, CLIENT);
	tick(l);
}

static void all_children_gone(struct lab *l)
{
	gone(l, 11);
	gone(l, 12);
	gone(l, 13);
}

/* ---- stories ------------------------------------------------------------- */

static void nothing(struct lab *l)
{
	server(l);
	gone(l, 12);
	born(l, 14, 10, CLIENT);
	tick(l);
	gone(l, 13);
	tick(l);
}

static void began_and_ended(struct lab *l)
{
	tick(l);
	born(l, 10, 1, POSTGRES " -p 5433");
	born(l, 11, 10, CHECKPOINTER);
	tick(l);
	tick(l);
	gone(l, 11);
	tick(l);
	gone(l, 10);
	tick(l);
	/* another process has the pid */
	born(l, 10, 1, POSTGRES);
	born(l, 11, 10, CHECKPOINTER);
	tick(l);
}

static void crash_in_a_tick(struct lab *l)
{
	server(l);
	all_children_gone(l);
	born(l, 15, 10, CHECKPOINTER);
	tick(l);
	tick(l);
	gone(l, 15);
	born(l, 16, 10, CHECKPOINTER);
	tick(l);
}

static void crash_over_ticks(struct lab *l)
{
	server(l);
	gone(l, 12); /* the killed one */
	tick(l);
	gone(l, 11);
	gone(l, 13);
	tick(l);
	born(l, 14, 10, "postgres: startup recovering 000000010000");
	tick(l);
	gone(l, 14);
	born(l, 15, 10, CHECKPOINTER);
	tick(l);
}

static void crash_of_a_segment(struct lab *l)
{
	server(l);
	born(l, 14, 10, "postgres:  6002, alice shop 10.0.0.1(40836) con7 "
	    "seg0 cmd1 slice1 MPPEXEC SELECT");
	tick(l);
	all_children_gone(l);
	gone(l, 14);
	born(l, 15, 10, "postgres:  6002, checkpointer process");
	tick(l);
}

static void shutdown(struct lab *l)
{
	server(l);
	all_children_gone(l);
	gone(l, 10);
	tick(l);
	born(l, 20, 1, POSTGRES);
	born(l, 21, 20, CHECKPOINTER);
	tick(l);
}

/* Rows of entity postmaster are the only source. */
static void postmaster_rows(struct lab *l)
{
	size_t i;

	tick(l);
	i = simhost_open(&l->h, ENTITY_POSTMASTER, OPEN_BORN);
	simhost_set(&l->h, ENTITY_POSTMASTER, i, COL(POSTMASTER, PID), 10);
	simhost_set(&l->h, ENTITY_POSTMASTER, i, COL(POSTMASTER, START), 5);
	simhost_set(&l->h, ENTITY_POSTMASTER, i, COL(POSTMASTER, PORT), 6002);
	born(l, 10, 1, POSTGRES);
	tick(l);
	simhost_close(&l->h, ENTITY_POSTMASTER, i, CLOSE_EXITED);
	gone(l, 10);
	tick(l);
}

/* The host does not answer: nothing is known. */
static void host_lost(struct lab *l)
{
	uint64_t pid;

	server(l);
	for (pid = 10; pid < 14; pid++)
		simhost_close(&l->h, ENTITY_PROCESS, l->proc[pid],
		    CLOSE_HOST_LOST);
	tick(l);
}

/* A child has its parent's command line for a moment; no agent flag. */
static void young_child(struct lab *l)
{
	tick(l);
	born(l, 10, 1, POSTGRES);
	born(l, 12, 10, POSTGRES);
	simhost_unset(&l->h, ENTITY_PROCESS, l->proc[10], COL(PROCESS, ROLE));
	simhost_unset(&l->h, ENTITY_PROCESS, l->proc[12], COL(PROCESS, ROLE));
	tick(l);
}

static void oom_now(struct lab *l)
{
	server(l);
	SIM_SET(&l->h, l->proc[12], RSS_ANON, 900 * 1024);
	SIM_SET(&l->h, l->proc[12], VM_SWAP, 124 * 1024);
	SIM_SET(&l->h, l->proc[13], RSS_ANON, 5 * 1024);
	tick(l);
	gone(l, 12);
	gone(l, 13);
	simhost_add(&l->h, ENTITY_HOST, 0, COL(HOST, OOM_KILL), 1);
	tick(l);
	tick(l);
}

/* It disappears one tick later. */
static void oom_later(struct lab *l)
{
	server(l);
	SIM_SET(&l->h, l->proc[12], RSS_ANON, 900 * 1024);
	simhost_add(&l->h, ENTITY_HOST, 0, COL(HOST, OOM_KILL), 2);
	tick(l);
	gone(l, 12);
	tick(l);
	simhost_add(&l->h, ENTITY_HOST, 0, COL(HOST, OOM_KILL), 1);
	tick(l);
	tick(l);
	tick(l);
}

static void reboot(struct lab *l)
{
	server(l);
	simhost_reboot(&l->h, "boot 2");
	tick(l);
	tick(l);
}

static void clock_set(struct lab *l)
{
	server(l);
	l->h.clock.wall_ns += 3 * SIM_SECOND;
	tick(l);
	tick(l);
	l->h.clock.wall_ns -= SIM_SECOND; /* below the limit for an event */
	tick(l);
	l->h.clock.wall_ns -= 3600 * SIM_SECOND;
	tick(l);
	/* the recorder noted it: it runs on the same host */
	l->h.clock.wall_ns -= 3600 * SIM_SECOND;
	tick_add_event(&l->noted, EVENT_CLOCK_STEP, 0, 0, -1, "", 0);
	tick(l);
}

static void renamed(struct lab *l)
{
	tick(l);
	born(l, 12, 10, "postgres:  6000, u d [local] con89 cmd1 SELECT");
	tick(l);
	SIM_TITLE(&l->h, l->proc[12],
	    "postgres:  6000, u d [local] con90 cmd2 SELECT");
	tick(l);
	tick(l);
}

static const struct story {
	const char *name;
	void (*tell)(struct lab *l);
	const char *want;
} stories[] = {
	{ "nothing", nothing, "" },
	{ "began and ended", began_and_ended,
	    "1001 postmaster 10 (port 5433) began\n"
	    "1001 postmaster 10 (port 5433) is gone\n"
	    "1001 postmaster 10 began\n" },
	{ "crash in a tick", crash_in_a_tick,
	    "1002 postmaster 10 started again after a crash: 3 processes lost\n"
	    "1002 postmaster 10 started again after a crash: 1 process lost\n" },
	{ "crash over ticks", crash_over_ticks,
	    "1002 postmaster 10 started again after a crash: 3 processes "
	    "lost\n" },
	{ "crash of a segment", crash_of_a_segment,
	    "1002 postmaster 10 (port 6002, seg0) started again after a crash: "
	    "4 processes lost\n" },
	{ "shutdown", shutdown,
	    "1001 postmaster 10 is gone\n1001 postmaster 20 began\n" },
	{ "postmaster rows", postmaster_rows,
	    "1001 postmaster 10 (port 6002) began\n"
	    "1001 postmaster 10 (port 6002) is gone\n" },
	{ "host lost", host_lost, "" },
	{ "young child", young_child, "1001 postmaster 10 began\n" },
	{ "out of memory", oom_now,
	    "1003 the kernel killed 1 process for memory; likely victims "
	    "by size: 12 postgres 1024 MiB, 13 postgres 5 MiB\n" },
	{ "out of memory, later", oom_later,
	    "1003 the kernel killed 2 processes for memory; likely "
	    "victims by size: 12 postgres 900 MiB\n"
	    "1003 the kernel killed 1 process for memory\n" },
	{ "reboot", reboot, "1004 was booted\n" },
	{ "clock set", clock_set,
	    "3 the clock was set forward by 3.0 s\n"
	    "3 the clock was set back by 3600.0 s\n" },
	{ "session renamed", renamed,
	    "15 con89 continues as con90 (pid 12)\n" },
};

static void test_story(void **state)
{
	const struct story *s = *state;
	struct lab l;

	set_up(&l);
	s->tell(&l);
	assert_string_equal(l.said, s->want);
	tear_down(&l);
}

int main(void)
{
	struct cases c = { .n = 0 };
	size_t i;

	for (i = 0; i < GS_LEN(stories); i++)
		cases_add(&c, stories[i].name, test_story, &stories[i]);
	return cases_run(&c, "notable");
}
