/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Users and databases of titles whose names have blanks.
 */
#include "analysis/logins.h"

#include <malloc.h>

#include "cases.h"
#include "simgreenplum.h"

/* ---- one title ----------------------------------------------------------- */

struct split_case {
	const char *name;
	const char *users[4], *databases[4];
	const char *title;
	const char *user, *database; /* NULL: they stay one text */
};

static const struct split_case split_cases[] = {
	{ "both known", { "bi user" }, { "my db" },
	    "postgres:  6000, bi user my db [local] con7 cmd1 idle",
	    "bi user", "my db" },
	{ "blanks in the user's", { "bi user", "bi" }, { "sales" },
	    "postgres: bi user sales 10.0.0.5(4444) SELECT",
	    "bi user", "sales" },
	{ "blanks in the database's", { "bi" }, { "my own db", "db" },
	    "postgres: bi my own db [local] idle", "bi", "my own db" },
	{ "a blank too many", { "bi" }, { " db" },
	    "postgres: bi  db [local] idle", "bi", " db" },
	{ "executor", { "bi user" }, { "my db" },
	    "postgres:  6002, bi user my db 10.0.0.5(40836) con147 seg0 cmd2 "
	    "slice3 MPPEXEC SELECT", "bi user", "my db" },
	/* never a guess */
	{ "nothing known", { NULL }, { NULL },
	    "postgres: bi user my db [local] idle", NULL, NULL },
	{ "user alone is known", { "bi user" }, { NULL },
	    "postgres: bi user my db [local] idle", NULL, NULL },
	{ "database alone is known", { NULL }, { "my db" },
	    "postgres: bi user my db [local] idle", NULL, NULL },
	{ "two ways", { "a", "a b" }, { "c", "b c" },
	    "postgres: a b c [local] idle", NULL, NULL },
	{ "a user is no database", { "bi user", "my db" }, { NULL },
	    "postgres: bi user my db [local] idle", NULL, NULL },
	{ "a background worker", { "logical replication" }, { "launcher" },
	    "postgres: logical replication launcher ", NULL, NULL },
	/* what needs no names */
	{ "two words", { NULL }, { NULL },
	    "postgres: app shop [local] idle", "app", "shop" },
};

static void check_text(struct span got, const char *want)
{
	if (!want)
		assert_true(span_empty(got));
	else if (!span_eq(got, want))
		fail_msg("\"%.*s\" != \"%s\"", (int)span_len(got),
		    span_empty(got) ? "" : got.ptr, want);
}

static void test_split(void **state)
{
	const struct split_case *c = *state;
	struct logins *l = logins_new();
	const struct logins *of[] = { NULL, l };
	struct title t;
	size_t i;

	for (i = 0; i < 4; i++) {
		if (c->users[i])
			assert_true(logins_add(l, LOGIN_USER,
			    span_str(c->users[i])));
		if (c->databases[i])
			assert_true(logins_add(l, LOGIN_DATABASE,
			    span_str(c->databases[i])));
	}
	title_parse(span_str(c->title), &t);
	(void)logins_split(of, 2, &t);
	check_text(t.user, c->user);
	check_text(t.database, c->database);
	logins_free(l);
}

struct learn_case {
	const char *name, *title;
	bool named; /* the server's name is known, or known to be empty */
	const char *user, *database; /* NULL: nothing is learned */
};

static const struct learn_case learn_cases[] = {
	{ "two words", "postgres: app shop [local] idle", false, "app",
	    "shop" },
	{ "an autovacuum worker", "postgres: autovacuum worker my db", false,
	    NULL, "my db" },
	{ "three words", "postgres: a user shop [local] idle", false, NULL,
	    NULL },
	{ "a name that may be the cluster's",
	    "postgres: my db: app shop [local] idle", false, NULL, NULL },
	{ "a name that is the cluster's",
	    "postgres: my db: app shop [local] idle", true, "app", "shop" },
	{ "no client", "postgres: app shop idle", false, NULL, NULL },
};

static void test_learn(void **state)
{
	const struct learn_case *c = *state;
	struct title_names names = { 0 };
	struct logins *l = logins_new();
	struct title t;

	if (c->named)
		assert_true(title_name_is(&names, span_str("my db")));
	title_parse_named(span_str(c->title), &names, &t);
	assert_int_equal(logins_learn(l, &names, &t), c->user || c->database);
	assert_false(logins_learn(l, &names, &t)); /* nothing new */
	if (c->user)
		assert_false(logins_add(l, LOGIN_USER, span_str(c->user)));
	if (c->database)
		assert_false(logins_add(l, LOGIN_DATABASE,
		    span_str(c->database)));
	assert_int_equal(logins_count(l), (c->user != NULL) +
	    (c->database != NULL));
	logins_free(l);
}

/* A file may have any number of names. */
static void test_no_end(void **state)
{
	struct logins *l = logins_new();
	char name[LOGIN_BYTES_MAX + 2];
	size_t i;

	(void)state;
	for (i = 0; i < 2 * LOGINS_MAX; i++) {
		(void)snprintf(name, sizeof(name), "user %zu", i);
		assert_int_equal(logins_add(l, LOGIN_USER, span_str(name)),
		    i < LOGINS_MAX);
	}
	assert_int_equal(logins_count(l), LOGINS_MAX);
	logins_free(l);
	l = logins_new();
	assert_int_equal(logins_count(l), 0);
	memset(name, 'x', sizeof(name));
	assert_false(logins_add(l, LOGIN_USER, span_of(name, sizeof(name))));
	assert_false(logins_add(l, LOGIN_USER, span_str("")));
	logins_free(l);
}

/* In whatever order names come, each is found. */
static void test_many(void **state)
{
	struct logins *l = logins_new();
	char name[32];
	unsigned i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		(void)snprintf(name, sizeof(name), "user %u", i * 617 % 1000);
		assert_true(logins_add(l, LOGIN_USER, span_str(name)));
		assert_true(logins_add(l, LOGIN_DATABASE, span_str(name)));
	}
	for (i = 0; i < 1000; i++) {
		(void)snprintf(name, sizeof(name), "user %u", i);
		assert_false(logins_add(l, LOGIN_USER, span_str(name)));
		assert_false(logins_add(l, LOGIN_DATABASE, span_str(name)));
	}
	assert_int_equal(logins_count(l), 2000);
	logins_free(l);
}

#define LISTS 1000u

/* There may be a list per process: one of two names is small.  (Where a
 * sanitizer allocates nothing is counted.) */
static void test_memory(void **state)
{
	static struct logins *l[LISTS];
	size_t before = mallinfo2().uordblks, i;

	(void)state;
	for (i = 0; i < LISTS; i++) {
		l[i] = logins_new();
		(void)logins_add(l[i], LOGIN_USER, span_str("app"));
		(void)logins_add(l[i], LOGIN_DATABASE, span_str("shop"));
	}
	assert_in_range(mallinfo2().uordblks - before, 0, 200 * LISTS);
	for (i = 0; i < LISTS; i++)
		logins_free(l[i]);
}

/* ---- a recording ---------------------------------------------------------- */

#define QD "postgres: 16432, bi user my db [local] con7 cmd2 SELECT"
#define QE "postgres: 16001, bi user my db 10.0.0.1(5001) con7 seg1 cmd3 " \
	"MPPEXEC SELECT"

static const struct proc *proc_of(const struct simgreenplum *c, uint64_t pid)
{
	size_t i, k;

	for (i = 0; i < world_hosts(c->w); i++) {
		const struct table *t = &world_host(c->w, i)
		    ->table[ENTITY_PROCESS];

		for (k = 0; k < t->n_slot; k++) {
			if (t->slot[k] && t->slot[k]->now.val[COL(PROCESS,
			    PID)] == pid)
				return sessions_proc(c->s, t->slot[k]);
		}
	}
	fail_msg("no process %d", (int)pid);
	return NULL;
}

static void check_proc(const struct simgreenplum *c, uint64_t pid,
	const char *user, const char *database)
{
	const struct proc *p = proc_of(c, pid);

	check_text(p->title.user, user);
	check_text(p->title.database, database);
	assert_string_equal(p->session->user, user ? user : "bi user my db");
	assert_string_equal(p->session->database, database ? database : "");
}

/* The names come from a row of another session, a tick later; an executor
 * has those of its cluster. */
static void test_by_the_catalog(void **state)
{
	struct simgreenplum c;
	size_t b, qd;

	(void)state;
	simgreenplum_init(&c);
	qd = simgreenplum_leader(&c, 70, QD, 'S');
	(void)simgreenplum_executor(&c, 1, 71, QE, 'S');
	simgreenplum_tick(&c);
	check_proc(&c, 70, NULL, NULL);
	b = simgreenplum_backend(&c, -1, 99, 8, "idle");
	SIM_CAT_TEXT(&c, BACKEND, b, USER, "bi user");
	SIM_CAT_TEXT(&c, BACKEND, b, DATABASE, "my db");
	(void)simgreenplum_leader(&c, 99, "postgres: 16432, bi user my db "
	    "[local] con8 cmd2 idle", 'S');
	simgreenplum_tick(&c);
	check_proc(&c, 70, "bi user", "my db");
	check_proc(&c, 71, "bi user", "my db");
	/* a title that changes is split again */
	SIM_TITLE(&c.h[SIM_MDW], qd, "postgres: 16432, bi user my db [local] "
	    "con7 cmd2 idle");
	simgreenplum_tick(&c);
	check_proc(&c, 70, "bi user", "my db");
	/* a new range only knows current names */
	simhost_close(&c.catalog, ENTITY_BACKEND, b, CLOSE_EXITED);
	simgreenplum_tick(&c);
	check_proc(&c, 70, "bi user", "my db");
	sessions_begin(c.s, c.w);
	check_proc(&c, 70, NULL, NULL);
	simgreenplum_release(&c);
}

/* Names of one cluster do not apply to another. */
static void test_of_another_server(void **state)
{
	struct simgreenplum c;

	(void)state;
	simgreenplum_init(&c);
	(void)simgreenplum_leader(&c, 70, "postgres: 16432, bi sales [local] "
	    "con7 cmd2 idle", 'S');
	(void)simgreenplum_leader(&c, 71, "postgres: 16432, autovacuum worker "
	    "my db", 'S');
	(void)simgreenplum_process(&c, SIM_MDW, 60, 0,
	    "/pg/bin/postgres -D /pg -p 5432", 'S');
	(void)simgreenplum_process(&c, SIM_MDW, 72, 60,
	    "postgres: bi my db [local] idle", 'S');
	simgreenplum_tick(&c);
	assert_true(span_empty(proc_of(&c, 72)->title.user));
	simgreenplum_release(&c);
}

static void test_by_titles(void **state)
{
	struct simgreenplum c;

	(void)state;
	simgreenplum_init(&c);
	(void)simgreenplum_leader(&c, 72, "postgres: 16432, bi my db [local] "
	    "con9 cmd2 idle", 'S');
	(void)simgreenplum_leader(&c, 71, "postgres: 16432, autovacuum worker "
	    "my db", 'S');
	(void)simgreenplum_leader(&c, 70, "postgres: 16432, bi sales [local] "
	    "con7 cmd2 idle", 'S');
	simgreenplum_tick(&c);
	check_proc(&c, 72, "bi", "my db");
	sessions_begin(c.s, c.w);
	check_proc(&c, 72, "bi", "my db");
	simgreenplum_release(&c);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_split, split_cases);
	CASES_TABLE(&c, test_learn, learn_cases);
	cases_add(&c, "names without end", test_no_end, NULL);
	cases_add(&c, "many", test_many, NULL);
	cases_add(&c, "memory", test_memory, NULL);
	cases_add(&c, "by the catalog", test_by_the_catalog, NULL);
	cases_add(&c, "by titles", test_by_titles, NULL);
	cases_add(&c, "of another server", test_of_another_server, NULL);
	return cases_run(&c, "logins");
}
