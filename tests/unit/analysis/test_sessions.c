/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The session and the query of a process; whatever titles do, queries + mixed =
 * session.
 */
#include <math.h>

#include "analysis/rollup.h"
#include "analysis/sessions.h"
#include "base/compiler.h"
#include "cases.h"
#include "simhost.h"

#define PROCS 8

struct lab {
	struct simhost h;
	struct sessions *s;
	size_t proc[PROCS];
	size_t n;
};

static void set_up(struct lab *l)
{
	*l = (struct lab) { .n = 0 };
	simhost_init(&l->h, "alpha");
	l->s = sessions_new();
}

static void tear_down(struct lab *l)
{
	sessions_free(l->s);
	simhost_release(&l->h);
}

static void tick(struct lab *l)
{
	simhost_tick(&l->h, SIM_SECOND);
	sessions_tick(l->s, l->h.world, l->h.clock.wall_ns);
}

static size_t start(struct lab *l, uint64_t pid, const char *title)
{
	l->proc[l->n] = simhost_process(&l->h, OPEN_BORN, pid, 1, title);
	return l->n++;
}

static void title(struct lab *l, size_t i, const char *text)
{
	SIM_TITLE(&l->h, l->proc[i], text);
}

static struct proc *proc(const struct lab *l, size_t i)
{
	struct proc *p = sessions_proc(l->s, world_host(l->h.world, 0)
	    ->table[ENTITY_PROCESS].slot[l->proc[i]]);

	assert_non_null(p);
	return p;
}

static struct session *session(const struct lab *l, size_t i)
{
	return proc(l, i)->session;
}

/* The query that counts the process's usage of the last tick; 0: mixed. */
static uint32_t charged(const struct lab *l, size_t i)
{
	struct query_charge c = sessions_charge_of(l->s, proc(l, i));

	return c.also ? 0 : c.to->number;
}

#define QD "postgres:  6000, gpadmin demo [local] con150 "
#define QE "postgres:  6002, gpadmin demo 127.0.0.1(40836) con150 seg0 "

/* ---- Greenplum ----------------------------------------------------------- */

static void test_idle_active_idle(void **state)
{
	struct lab l;
	struct session *n;
	int64_t seen;

	(void)state;
	set_up(&l);
	(void)start(&l, 10, QD "cmd6 idle");
	tick(&l);
	n = session(&l, 0);
	assert_int_equal(n->kind, SESSION_GREENPLUM);
	assert_string_equal(n->name, "150");
	assert_string_equal(n->user, "gpadmin");
	assert_string_equal(n->database, "demo");
	assert_string_equal(n->client, "[local]");
	assert_ptr_equal(n->leader, proc(&l, 0));
	assert_null(n->query);
	assert_int_equal(charged(&l, 0), 0);
	assert_int_equal(sessions_in(l.s, SESSION_ACTIVE), 0);
	title(&l, 0, QD "cmd7 SELECT");
	tick(&l);
	assert_int_equal(n->query->number, 1);
	assert_int_equal(n->query->cmd, 7);
	assert_int_equal(charged(&l, 0), 1); /* idle -> B belongs to B */
	assert_int_equal(sessions_in(l.s, SESSION_ACTIVE), 1);
	tick(&l);
	assert_int_equal(charged(&l, 0), 1);
	title(&l, 0, QD "cmd7 idle");
	seen = l.h.clock.wall_ns;
	tick(&l);
	assert_null(n->query);
	assert_int_equal(n->before->last_ns, seen);
	assert_int_equal(n->before->first_ns, seen - SIM_SECOND);
	assert_int_equal(charged(&l, 0), 1); /* A -> idle belongs to A */
	tick(&l);
	assert_int_equal(charged(&l, 0), 0);
	title(&l, 0, QD "cmd7 SELECT"); /* the same counter, another run */
	tick(&l);
	assert_int_equal(n->query->number, 2);
	tear_down(&l);
}

static void test_change_is_mixed(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	(void)start(&l, 10, QD "cmd7 SELECT");
	tick(&l);
	title(&l, 0, QD "cmd8 INSERT");
	tick(&l);
	assert_int_equal(charged(&l, 0), 0);
	tick(&l);
	assert_int_equal(charged(&l, 0), 2);
	/* waiting is the same query */
	title(&l, 0, QD "cmd8 INSERT waiting");
	tick(&l);
	assert_int_equal(charged(&l, 0), 2);
	assert_int_equal(sessions_in(l.s, SESSION_WAITING), 1);
	assert_int_equal(session(&l, 0)->query->cmd, 8);
	tear_down(&l);
}

/* Their own counters are shown as a range, and have no other effect. */
static void test_executors_follow_the_leader(void **state)
{
	struct lab l;
	const struct session *n;

	(void)state;
	set_up(&l);
	(void)start(&l, 10, QD "cmd1 SELECT");
	(void)start(&l, 11, QE "cmd34 slice1 MPPEXEC SELECT");
	(void)start(&l, 12, QE "cmd133 slice2 MPPEXEC SELECT");
	tick(&l);
	n = session(&l, 0);
	assert_ptr_equal(session(&l, 1), n);
	assert_int_equal(n->n_procs, 3);
	assert_ptr_equal(sessions_charge_of(l.s, proc(&l, 1)).to, n->query);
	assert_int_equal(n->cmd, 1);
	assert_true(n->has_range);
	assert_int_equal(n->cmd_low, 34);
	assert_int_equal(n->cmd_high, 133);
	title(&l, 1, QE "cmd35 slice1 MPPEXEC SELECT");
	title(&l, 2, QE "idle");
	tick(&l);
	assert_int_equal(charged(&l, 1), 1);
	assert_int_equal(charged(&l, 2), 1);
	title(&l, 0, QD "cmd2 idle");
	tick(&l);
	tick(&l);
	assert_int_equal(charged(&l, 1), 0);
	tear_down(&l);
}

static void test_executors_without_leader(void **state)
{
	struct lab l;
	const struct session *n;

	(void)state;
	set_up(&l);
	(void)start(&l, 11, QE "idle");
	(void)start(&l, 12, QE "cmd4 slice1 MPPEXEC SELECT");
	tick(&l);
	n = session(&l, 0);
	assert_null(n->leader);
	assert_int_equal(n->query->cmd, 4);
	assert_int_equal(charged(&l, 0), 1);
	assert_int_equal(n->state, TITLE_ACTIVE);
	title(&l, 1, QE "idle");
	tick(&l);
	assert_null(n->query);
	tear_down(&l);
}

/* After its gangs failed a coordinator process continues with a new id. */
static void test_session_id_changes(void **state)
{
	const struct session_renamed *said;
	const struct session *n;
	struct lab l;
	size_t n_said;

	(void)state;
	set_up(&l);
	(void)start(&l, 10, QD "cmd7 SELECT");
	(void)start(&l, 11, QE "cmd7 slice1 MPPEXEC SELECT");
	tick(&l);
	n = session(&l, 0);
	(void)sessions_renamed(l.s, &n_said);
	assert_int_equal(n_said, 0);
	title(&l, 0, "postgres:  6000, gpadmin demo [local] con151 cmd8 "
	    "SELECT");
	/* the old gang is ending, the new one exists already */
	title(&l, 1, QE "idle");
	(void)start(&l, 12, "postgres:  6003, gpadmin demo 127.0.0.1(40837) "
	    "con151 seg1 cmd8 slice1 MPPEXEC SELECT");
	tick(&l);
	assert_ptr_equal(session(&l, 0), n);
	assert_ptr_equal(session(&l, 1), n);
	assert_ptr_equal(session(&l, 2), n);
	assert_string_equal(n->name, "151");
	assert_int_equal(n->n_procs, 3);
	assert_int_equal(sessions_count(l.s), 1);
	said = sessions_renamed(l.s, &n_said);
	assert_int_equal(n_said, 1);
	assert_ptr_equal(said->session, n);
	assert_int_equal(said->from, 150);
	assert_int_equal(said->to, 151);
	tear_down(&l);
}

/* A backend that is ending loses its title, not its session. */
static void test_title_is_dropped(void **state)
{
	struct lab l;
	const struct session *n;

	(void)state;
	set_up(&l);
	(void)start(&l, 10, QD "cmd7 SELECT");
	tick(&l);
	n = session(&l, 0);
	title(&l, 0, "postgres");
	tick(&l);
	assert_ptr_equal(session(&l, 0), n);
	tear_down(&l);
}

/* The cluster restarts and numbers its sessions from 1 again. */
static void test_session_id_used_again(void **state)
{
	struct lab l;
	const struct session *old;

	(void)state;
	set_up(&l);
	(void)start(&l, 10, QD "cmd7 SELECT");
	(void)start(&l, 11, QE "cmd7 slice1 MPPEXEC SELECT");
	tick(&l);
	old = session(&l, 0);
	SIM_EXIT(&l.h, l.proc[0]);
	tick(&l);
	assert_ptr_equal(session(&l, 1), old);
	(void)start(&l, 20, QE "cmd1 slice1 MPPEXEC SELECT");
	(void)start(&l, 21, QD "cmd1 SELECT");
	tick(&l);
	assert_ptr_not_equal(session(&l, 2), old);
	assert_ptr_equal(session(&l, 2), session(&l, 3));
	assert_int_equal(session(&l, 3)->query->number, 1);
	assert_int_equal(old->n_procs, 1);
	tear_down(&l);
}

/* The coordinator's host does not answer for a while. */
static void test_leader_lost_and_back(void **state)
{
	struct lab l;
	const struct session *n;

	(void)state;
	set_up(&l);
	(void)start(&l, 10, QD "cmd7 SELECT");
	tick(&l);
	n = session(&l, 0);
	simhost_close(&l.h, ENTITY_PROCESS, l.proc[0], CLOSE_HOST_LOST);
	tick(&l);
	(void)start(&l, 10, QD "cmd7 SELECT");
	tick(&l);
	assert_ptr_equal(session(&l, 1), n);
	tear_down(&l);
}

/* ---- PostgreSQL ------------------------------------------------------------ */

#define PG "postgres: alice shop [local] "

static void test_postgres(void **state)
{
	struct lab l;
	const struct session *n;

	(void)state;
	set_up(&l);
	(void)start(&l, 4711, PG "SELECT");
	(void)start(&l, 4712, "postgres: parallel worker for PID 4711 ");
	(void)start(&l, 4713, "postgres: checkpointer ");
	tick(&l);
	n = session(&l, 0);
	assert_int_equal(n->kind, SESSION_POSTGRES);
	assert_string_equal(n->name, "4711");
	assert_ptr_equal(session(&l, 1), n);
	assert_ptr_equal(n->leader, proc(&l, 0));
	assert_int_equal(session(&l, 2)->kind, SESSION_OS);
	assert_int_equal(charged(&l, 1), 1);
	title(&l, 0, PG "idle in transaction");
	tick(&l);
	assert_int_equal(charged(&l, 0), 1);
	assert_int_equal(n->state, TITLE_IDLE_TX);
	title(&l, 0, PG "UPDATE");
	tick(&l);
	title(&l, 0, PG "INSERT");
	tick(&l);
	assert_int_equal(charged(&l, 0), 0); /* no counter: its activity */
	tear_down(&l);
}

/* A program that another replaces may keep the title, for example if titles
 * are not recorded. */
static void test_command_changes_alone(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l);
	(void)start(&l, 11, "");
	tick(&l);
	assert_string_equal(session(&l, 0)->command, "postgres");
	simhost_set_text(&l.h, ENTITY_PROCESS, l.proc[0],
	    COL(PROCESS, COMM), "other");
	tick(&l);
	assert_string_equal(session(&l, 0)->command, "other");
	tear_down(&l);
}

/* Of processes of which none leads the oldest speaks, in whatever order their
 * rows came. */
static void test_oldest_speaks_for_os_session(void **state)
{
	static const uint64_t pids[2][2] = { { 11, 12 }, { 12, 11 } };
	size_t order, i;

	(void)state;
	for (order = 0; order < 2; order++) {
		struct lab l;

		set_up(&l);
		for (i = 0; i < 2; i++) {
			uint64_t pid = pids[order][i];

			(void)start(&l, pid, "");
			SIM_SET(&l.h, l.proc[i], OS_SESSION, 7);
			simhost_set_text(&l.h, ENTITY_PROCESS, l.proc[i],
			    COL(PROCESS, COMM), pid == 11 ? "old" : "new");
		}
		tick(&l);
		assert_ptr_equal(session(&l, 0), session(&l, 1));
		assert_null(session(&l, 0)->leader);
		assert_string_equal(session(&l, 0)->command, "old");
		tear_down(&l);
	}
}

/* A process that looked like a backend until the server's name was known. */
static void test_name_is_learnt(void **state)
{
	struct lab l;
	struct session *wrong;
	size_t i;

	(void)state;
	set_up(&l);
	(void)start(&l, 11, "postgres: x [local] idle: logger ");
	SIM_SET(&l.h, l.proc[0], POSTMASTER, 10);
	tick(&l);
	wrong = session(&l, 0);
	assert_int_equal(wrong->kind, SESSION_POSTGRES); /* not known yet */
	session_hold(wrong);
	(void)start(&l, 12, "postgres: x [local] idle: checkpointer ");
	(void)start(&l, 13, "postgres: x [local] idle: app shop [local] idle");
	SIM_SET(&l.h, l.proc[1], POSTMASTER, 10);
	SIM_SET(&l.h, l.proc[2], POSTMASTER, 10);
	tick(&l);
	for (i = 0; i < 2; i++)
		assert_int_equal(session(&l, i)->kind, SESSION_OS);
	assert_true(wrong->over);
	assert_int_equal(session(&l, 2)->kind, SESSION_POSTGRES);
	assert_string_equal(session(&l, 2)->user, "app");
	session_drop(wrong);
	tick(&l);
	tick(&l);
	assert_int_equal(sessions_count(l.s), 3);
	tear_down(&l);
}

/* In one tick, or with ticks between. */
static void test_pid_used_again(void **state)
{
	struct lab l;
	int way;

	(void)state;
	for (way = 0; way < 2; way++) {
		const struct session *old;

		set_up(&l);
		(void)start(&l, 4711, PG "SELECT");
		tick(&l);
		old = session(&l, 0);
		SIM_EXIT(&l.h, l.proc[0]);
		if (way)
			tick(&l);
		(void)start(&l, 4711, "postgres: bob shop [local] idle");
		tick(&l);
		assert_ptr_not_equal(session(&l, 1), old);
		assert_string_equal(session(&l, 1)->user, "bob");
		assert_string_equal(old->user, "alice");
		assert_int_equal(old->n_procs, 0);
		tear_down(&l);
	}
}

/* ---- the sum ------------------------------------------------------------------ */

/* CPU by session and by query of the session, from the same ticks. */
struct books {
	struct sessions *s;
	struct rollup *by_session, *by_query;
	size_t *splits; /* counts charges that were split */
};

static struct group *of_pointer(struct rollup *r, const void *p)
{
	bool fresh;

	return rollup_group(r, &p, sizeof(p), &fresh);
}

static struct group *in_session(void *ctx, struct rollup *r, struct row *row)
{
	const struct books *b = ctx;
	const struct proc *p = sessions_proc(b->s, row);

	return p ? of_pointer(r, p->session) : NULL;
}

static struct group *no_group(void *ctx, struct rollup *r, struct row *row)
{
	(void)ctx;
	(void)r;
	(void)row;
	return NULL;
}

/* A query's group, as one of its session. */
static struct group *of_query(struct rollup *r, const struct query *q)
{
	const void *key[2];
	bool fresh;

	if (!q)
		return NULL;
	assert_true(q == session_mixed(q->session) || q->number > 0);
	key[0] = q->session;
	key[1] = q;
	return rollup_group(r, key, sizeof(key), &fresh);
}

static struct charge in_query(void *ctx, struct rollup *r, struct row *row,
	struct group *in)
{
	const struct books *b = ctx;
	const struct proc *p = sessions_proc(b->s, row);
	struct query_charge c;

	(void)in;
	if (!p)
		return (struct charge) { NULL, NULL, 0 };
	c = sessions_charge_of(b->s, p);
	assert_non_null(c.to);
	b->splits[0] += c.also != NULL;
	return (struct charge) { of_query(r, c.to), of_query(r, c.also),
		c.share };
}

static void open_books(struct books *b, struct sessions *s)
{
	uint64_t want[COL_WORDS_MAX] = { 0 };
	struct rollup_by sessions = { .ctx = b, .member = in_session };
	struct rollup_by queries = { .ctx = b, .member = no_group,
		.charge = in_query };

	b->s = s;
	want[COL(PROCESS, CPU) / 64] |= UINT64_C(1) << COL(PROCESS, CPU) % 64;
	b->by_session = rollup_new(ENTITY_PROCESS, want, &sessions);
	b->by_query = rollup_new(ENTITY_PROCESS, want, &queries);
}

static double cpu_of(const struct rollup *r, const struct group *g)
{
	double v = 0;
	bool part;

	(void)group_sum(r, g, COL(PROCESS, CPU), 1e6, &v, &part);
	return round(v); /* whole microseconds, as they were counted */
}

static double total(const struct rollup *r)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < rollup_count(r); i++)
		sum += cpu_of(r, rollup_get(r, i));
	return sum;
}

static double queries_of(const struct rollup *r, const void *session)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < rollup_count(r); i++) {
		const struct group *g = rollup_get(r, i);

		if (memcmp(g->key, session, sizeof(void *)) == 0)
			sum += cpu_of(r, g);
	}
	return sum;
}

static void compare(const struct books *b)
{
	size_t i;

	for (i = 0; i < rollup_count(b->by_session); i++) {
		const struct group *g = rollup_get(b->by_session, i);

		assert_true(cpu_of(b->by_session, g) ==
		    queries_of(b->by_query, g->key));
	}
	assert_true(total(b->by_session) == total(b->by_query));
}

static uint32_t rnd(uint32_t *state, uint32_t below)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) % below;
}

static void random_title(uint32_t *rng, char *to, size_t cap)
{
	static const char *const doing[] = { "idle", "SELECT", "INSERT",
		"SELECT waiting", "idle in transaction", "startup" };
	uint32_t con = rnd(rng, 3) + 1, cmd = rnd(rng, 4) + 1;
	const char *what = doing[rnd(rng, 6)];

	switch (rnd(rng, 6)) {
	case 0:
		(void)snprintf(to, cap, "postgres:  6000, u d [local] con%u "
		    "cmd%u %s", con, cmd, what);
		break;
	case 1:
		(void)snprintf(to, cap, "postgres:  6002, u d 1.1.1.1(5) "
		    "con%u seg%u cmd%u slice1 MPPEXEC %s", con,
		    rnd(rng, 2), cmd, what);
		break;
	case 2:
		(void)snprintf(to, cap, "postgres:  6002, u d 1.1.1.1(5) "
		    "con%u seg0 idle", con);
		break;
	case 3:
		(void)snprintf(to, cap, "postgres: u d [local] %s", what);
		break;
	case 4:
		(void)snprintf(to, cap, "postgres: parallel worker for PID "
		    "%u ", 100 + rnd(rng, PROCS));
		break;
	default:
		(void)snprintf(to, cap, "sleep %u", cmd);
	}
}

static void random_step(struct lab *l, uint32_t *rng)
{
	char text[128];
	size_t i;

	for (i = 0; i < PROCS; i++) {
		random_title(rng, text, sizeof(text));
		if (rnd(rng, 12) == 0) {
			SIM_EXIT(&l->h, l->proc[i]);
			l->proc[i] = simhost_process(&l->h, rnd(rng, 2)
			    ? OPEN_BORN : OPEN_APPEARED, 100 + rnd(rng,
			    PROCS), 1, text);
		} else if (rnd(rng, 3) == 0) {
			title(l, i, text);
		}
		if (rnd(rng, 2))
			SIM_ADD(&l->h, l->proc[i], CPU, rnd(rng, 1000));
	}
}

static void test_queries_and_mixed_are_the_session(void **state)
{
	uint32_t seed;
	size_t splits = 0;

	(void)state;
	for (seed = 1; seed <= 40; seed++) {
		struct books b;
		struct lab l;
		uint32_t rng = seed;
		int i;

		set_up(&l);
		open_books(&b, l.s);
		b.splits = &splits;
		for (i = 0; i < PROCS; i++)
			(void)start(&l, 100 + (uint64_t)i, "postgres");
		for (i = 0; i < 60; i++) {
			random_step(&l, &rng);
			tick(&l);
			rollup_tick(b.by_session, l.h.world, NULL);
			rollup_tick(b.by_query, l.h.world, NULL);
			compare(&b);
		}
		assert_true(total(b.by_session) > 0);
		rollup_free(b.by_session);
		rollup_free(b.by_query);
		tear_down(&l);
	}
}

int main(void)
{
	static const struct {
		const char *name;
		CMUnitTestFunction fn;
	} all[] = {
		{ "idle, active, idle", test_idle_active_idle },
		{ "change is mixed", test_change_is_mixed },
		{ "executors follow the leader",
		    test_executors_follow_the_leader },
		{ "executors without leader", test_executors_without_leader },
		{ "session id changes", test_session_id_changes },
		{ "title is dropped", test_title_is_dropped },
		{ "session id used again", test_session_id_used_again },
		{ "leader lost and back", test_leader_lost_and_back },
		{ "PostgreSQL", test_postgres },
		{ "command changes alone", test_command_changes_alone },
		{ "oldest speaks for OS session",
		    test_oldest_speaks_for_os_session },
		{ "name is learnt", test_name_is_learnt },
		{ "pid used again", test_pid_used_again },
		{ "queries and mixed are the session",
		    test_queries_and_mixed_are_the_session },
	};
	struct cases c = { .n = 0 };
	size_t i;

	for (i = 0; i < GS_LEN(all); i++)
		cases_add(&c, all[i].name, all[i].fn, NULL);
	return cases_run(&c, "sessions");
}
