/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_title.c - titles.tsv row by row, a table of PostgreSQL's forms, hostile
 * and truncated titles.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "title/title.h"

/* Joins the parts of a title in a fixed order, so that one comparison shows
 * every difference. */
static void add_span(struct buf *b, const char *key, struct span s)
{
	if (span_empty(s))
		return;
	buf_printf(b, "%s%s=", b->len ? "|" : "", key);
	buf_add(b, s.ptr, span_len(s));
}

static void add_number(struct buf *b, const char *key, bool has, int64_t v)
{
	if (has)
		buf_printf(b, "%s%s=%lld", b->len ? "|" : "", key,
		    (long long)v);
}

static const char *const kinds[] = {
	[TITLE_NONE] = "none",
	[TITLE_POSTMASTER] = "postmaster",
	[TITLE_QD] = "qd",
	[TITLE_QE] = "qe",
	[TITLE_BACKEND] = "backend",
	[TITLE_BACKGROUND] = "background",
	[TITLE_WALSENDER] = "walsender",
};

static const char *const roles[] = {
	[ROLE_UNKNOWN] = "unknown",
	[ROLE_CLIENT] = "client",
	[ROLE_CHECKPOINTER] = "checkpointer",
	[ROLE_BGWRITER] = "bgwriter",
	[ROLE_WALWRITER] = "walwriter",
	[ROLE_AUTOVAC_LAUNCHER] = "autovac_launcher",
	[ROLE_AUTOVAC_WORKER] = "autovac_worker",
	[ROLE_WALSENDER] = "walsender",
	[ROLE_WALRECEIVER] = "walreceiver",
	[ROLE_STARTUP] = "startup",
	[ROLE_LOGICAL_LAUNCHER] = "logical_launcher",
	[ROLE_LOGICAL_WORKER] = "logical_worker",
	[ROLE_ARCHIVER] = "archiver",
	[ROLE_LOGGER] = "logger",
	[ROLE_STATS] = "stats",
	[ROLE_PARALLEL_WORKER] = "parallel_worker",
	[ROLE_IO_WORKER] = "io_worker",
	[ROLE_SLOTSYNC] = "slotsync",
	[ROLE_WALSUMMARIZER] = "walsummarizer",
	[ROLE_BG_WORKER] = "bg_worker",
	[ROLE_POSTMASTER] = "postmaster",
};

static void describe(struct buf *b, const struct title *t)
{
	buf_printf(b, "%s", kinds[t->kind]);
	if (t->kind == TITLE_BACKGROUND)
		buf_printf(b, " %s", roles[t->role]);
	add_number(b, "port", t->has_port, t->port);
	add_span(b, "cluster", t->cluster);
	add_span(b, "user", t->user);
	add_span(b, "db", t->database);
	if (span_empty(t->user))
		add_span(b, "user_db", t->user_db);
	add_span(b, "client", t->client);
	add_number(b, "con", t->has_session, t->session);
	add_number(b, "seg", t->has_seg, t->seg);
	add_number(b, "cmd", t->has_cmd, t->cmd);
	add_number(b, "slice", t->has_slice, t->slice);
	add_number(b, "leader", t->has_leader, t->leader_pid);
	add_span(b, "name", t->name);
	add_span(b, "does", t->activity);
	if (*title_state_name(t->state))
		buf_printf(b, "|%s", title_state_name(t->state));
	add_span(b, "dir", t->datadir);
}

/* Parses a copy of exactly len bytes, so that a sanitizer sees a read
 * beyond it, and checks that every span lies within it. */
static void parse_copy(const char *p, size_t len, struct buf *ret)
{
	char *copy = malloc(len ? len : 1);
	struct title t;
	const struct span *s[] = { &t.cluster, &t.user_db, &t.user,
		&t.database, &t.client, &t.name, &t.activity, &t.datadir };
	size_t i;

	assert_non_null(copy);
	memcpy(copy, p, len);
	title_parse(span_of(copy, len), &t);
	for (i = 0; i < GS_LEN(s); i++) {
		if (!s[i]->ptr && !s[i]->end)
			continue;
		assert_true(s[i]->ptr >= copy && s[i]->end <= copy + len);
		assert_true(s[i]->ptr <= s[i]->end);
	}
	buf_reset(ret);
	describe(ret, &t);
	free(copy);
}

/* ---- PostgreSQL and odd titles --------------------------------------- */

struct title_case {
	const char *title;
	const char *want;
};

static struct title_case cases[] = {
	/* PostgreSQL 9.4 to 18, backends */
	{ "postgres: app shop 10.0.0.5(40836) SELECT",
	    "backend|user=app|db=shop|client=10.0.0.5(40836)|does=SELECT|active" },
	{ "postgres: app shop [local] idle",
	    "backend|user=app|db=shop|client=[local]|does=idle|idle" },
	{ "postgres: app shop [local] idle in transaction",
	    "backend|user=app|db=shop|client=[local]|does=idle in transaction|idle in transaction" },
	{ "postgres: app shop [local] idle in transaction (aborted)",
	    "backend|user=app|db=shop|client=[local]|does=idle in transaction (aborted)|idle in transaction (aborted)" },
	{ "postgres: app shop [local] UPDATE waiting",
	    "backend|user=app|db=shop|client=[local]|does=UPDATE waiting|waiting" },
	{ "postgres: app shop [local] COMMIT waiting for 0/3000060",
	    "backend|user=app|db=shop|client=[local]|does=COMMIT waiting for 0/3000060|waiting for replication" },
	{ "postgres: app shop ::1(4444) authentication",
	    "backend|user=app|db=shop|client=::1(4444)|does=authentication|authentication" },
	{ "postgres: app shop fe80::1%eth0(4444) startup",
	    "backend|user=app|db=shop|client=fe80::1%eth0(4444)|does=startup|startup" },
	{ "postgres: app shop web1.example(55123) initializing",
	    "backend|user=app|db=shop|client=web1.example(55123)|does=initializing|startup" },
	{ "postgres: app shop localhost(1) ",
	    "backend|user=app|db=shop|client=localhost(1)" },
	{ "postgres: prod: app shop 10.0.0.5(40836) SELECT",
	    "backend|cluster=prod|user=app|db=shop|client=10.0.0.5(40836)|does=SELECT|active" },
	{ "postgres: 18/main: app shop [local] VACUUM",
	    "backend|cluster=18/main|user=app|db=shop|client=[local]|does=VACUUM|active" },
	{ "postgres: my: odd cluster: app shop [local] idle",
	    "backend|cluster=my: odd cluster|user=app|db=shop|client=[local]|does=idle|idle" },
	{ "postgres: a user a db [local] idle",
	    "backend|user_db=a user a db|client=[local]|does=idle|idle" },
	{ "postgres: app  shop [local] idle",
	    "backend|user_db=app  shop|client=[local]|does=idle|idle" },
	{ "postgres: app [local] [local] idle",
	    "backend|user=app|db=[local]|client=[local]|does=idle|idle" },
	{ "postgres: app x(1) 10.0.0.5(2) con7 seg3 SELECT",
	    "backend|user=app|db=x(1)|client=10.0.0.5(2)|does=con7 seg3 SELECT|active" },
	/* no address, or one without a port */
	{ "postgres: app shop idle",
	    "backend|user=app|db=shop|does=idle|idle" },
	{ "postgres: prod: app shop idle in transaction",
	    "backend|cluster=prod|user=app|db=shop|does=idle in transaction|idle in transaction" },
	{ "postgres: app shop 10.0.0.5 SELECT",
	    "backend|user=app|db=shop|client=10.0.0.5|does=SELECT|active" },
	{ "postgres: app shop fe80::7 SELECT",
	    "backend|user=app|db=shop|client=fe80::7|does=SELECT|active" },
	{ "postgres: app shop web1.example SELECT",
	    "backend|user=app|db=shop|client=web1.example|does=SELECT|active" },
	{ "postgres: a user shop SELECT",
	    "backend|user_db=a user shop|does=SELECT|active" },
	/* users and databases with names of background processes */
	{ "postgres: checkpointer logger [local] idle",
	    "backend|user=checkpointer|db=logger|client=[local]|does=idle|idle" },
	{ "postgres: io worker [local] SELECT",
	    "backend|user=io|db=worker|client=[local]|does=SELECT|active" },
	/* background processes up to 10 */
	{ "postgres: checkpointer process   ",
	    "background checkpointer|name=checkpointer process" },
	{ "postgres: writer process   ",
	    "background bgwriter|name=writer process" },
	{ "postgres: wal writer process   ",
	    "background walwriter|name=wal writer process" },
	{ "postgres: autovacuum launcher process   ",
	    "background autovac_launcher|name=autovacuum launcher process" },
	{ "postgres: autovacuum worker process   shop",
	    "background autovac_worker|db=shop|name=autovacuum worker process|does=shop|active" },
	{ "postgres: stats collector process   ",
	    "background stats|name=stats collector process" },
	{ "postgres: logger process   ",
	    "background logger|name=logger process" },
	{ "postgres: archiver process   last was 000000010000000000000003",
	    "background archiver|name=archiver process|does=last was 000000010000000000000003|active" },
	{ "postgres: startup process   recovering 000000010000000000000003",
	    "background startup|name=startup process|does=recovering 000000010000000000000003|active" },
	{ "postgres: wal receiver process   streaming 0/3000060",
	    "background walreceiver|name=wal receiver process|does=streaming 0/3000060|active" },
	{ "postgres: wal sender process repl 10.0.0.6(5123) streaming 0/3000060",
	    "walsender|user=repl|client=10.0.0.6(5123)|name=wal sender process|does=streaming 0/3000060|active" },
	{ "postgres: bgworker: logical replication launcher   ",
	    "background logical_launcher|name=logical replication launcher" },
	{ "postgres: bgworker: parallel worker for PID 4711   ",
	    "background parallel_worker|leader=4711|name=parallel worker for PID|does=4711|active" },
	{ "postgres: bgworker: pg_cron scheduler   ",
	    "background bg_worker|name=pg_cron scheduler" },
	{ "postgres: prod: bgworker: pg_cron scheduler   ",
	    "background bg_worker|cluster=prod|name=pg_cron scheduler" },
	/* background processes of 11 to 18 */
	{ "postgres: checkpointer ", "background checkpointer|name=checkpointer" },
	{ "postgres: 18/main: background writer ",
	    "background bgwriter|cluster=18/main|name=background writer" },
	{ "postgres: walwriter ", "background walwriter|name=walwriter" },
	{ "postgres: walsummarizer ",
	    "background walsummarizer|name=walsummarizer" },
	{ "postgres: autovacuum launcher ",
	    "background autovac_launcher|name=autovacuum launcher" },
	{ "postgres: a: b c: autovacuum worker odd db(7)",
	    "background autovac_worker|cluster=a: b c|db=odd db(7)|name=autovacuum worker|does=odd db(7)|active" },
	{ "postgres: logical replication launcher ",
	    "background logical_launcher|name=logical replication launcher" },
	{ "postgres: logical replication apply worker for subscription 16390 ",
	    "background logical_worker|name=logical replication apply worker|does=for subscription 16390|active" },
	{ "postgres: logical replication worker for subscription 16390 sync 16385",
	    "background logical_worker|name=logical replication worker|does=for subscription 16390 sync 16385|active" },
	{ "postgres: archiver failed on 000000010000000000000003",
	    "background archiver|name=archiver|does=failed on 000000010000000000000003|active" },
	{ "postgres: logger ", "background logger|name=logger" },
	{ "postgres: startup recovering 000000010000000000000003 waiting",
	    "background startup|name=startup|does=recovering 000000010000000000000003 waiting|waiting" },
	{ "postgres: walreceiver streaming 0/3000060",
	    "background walreceiver|name=walreceiver|does=streaming 0/3000060|active" },
	{ "postgres: walsender repl 10.0.0.6(5123) streaming 0/3000060",
	    "walsender|user=repl|client=10.0.0.6(5123)|name=walsender|does=streaming 0/3000060|active" },
	{ "postgres: 15/main: walsender repl shop [local] START_REPLICATION",
	    "walsender|cluster=15/main|user=repl|db=shop|client=[local]|name=walsender|does=START_REPLICATION|active" },
	{ "postgres: prod: parallel worker for PID 4711 ",
	    "background parallel_worker|cluster=prod|leader=4711|name=parallel worker for PID|does=4711|active" },
	{ "postgres: io worker 2",
	    "background io_worker|name=io worker|does=2|active" },
	{ "postgres: slotsync worker ",
	    "background slotsync|name=slotsync worker" },
	{ "postgres: TimescaleDB Background Worker Launcher ",
	    "background bg_worker|name=TimescaleDB Background Worker Launcher" },
	{ "postgres: prod: pg_cron launcher ",
	    "background bg_worker|cluster=prod|name=pg_cron launcher" },
	/* Greenplum beside titles.tsv */
	{ "postgres:  6000, gpadmin demo [local] authentication",
	    "backend|port=6000|user=gpadmin|db=demo|client=[local]|does=authentication|authentication" },
	{ "postgres:  6000, gpadmin demo [local] con99999999999 idle",
	    "backend|port=6000|user=gpadmin|db=demo|client=[local]|does=con99999999999 idle|active" },
	{ "postgres: 16000, con1 cmd2 [local] con3 cmd4 idle",
	    "qd|port=16000|user=con1|db=cmd2|client=[local]|con=3|cmd=4|does=idle|idle" },
	{ "postgres:  6000, gpadmin demo [local] con9 cmd3 SELECT queuing",
	    "qd|port=6000|user=gpadmin|db=demo|client=[local]|con=9|cmd=3|does=SELECT queuing|queued" },
	/* postmasters */
	{ "/usr/lib/postgresql/15/bin/postgres -D /data/15 -p 5433",
	    "postmaster|port=5433|dir=/data/15" },
	{ "/usr/lib/postgresql/15/bin/postgres -D /my data -c config_file=/etc/x",
	    "postmaster|dir=/my data" },
	{ "postgres -D/data -c port=5434 ", "postmaster|port=5434|dir=/data" },
	{ "/opt/edb/as15/bin/edb-postgres --port=5444 -D /d",
	    "postmaster|port=5444|dir=/d" },
	{ "/usr/bin/postmaster", "postmaster" },
	{ "/usr/bin/postgres --single -D /data", "none" },
	{ "/usr/bin/postgres -C data_directory -D /data", "none" },
	{ "/usr/bin/postgres_exporter -p 1", "none" },
	/* nothing of ours */
	{ "", "none" },
	{ "   ", "none" },
	{ "postgres:", "none" },
	{ "postgres: ", "none" },
	{ "postgres:  6000,", "none|port=6000" },
	{ "/bin/sh -c postgres: app shop [local] idle", "none" },
	{ "[postgres]", "none" },
	{ "postgres: [local]", "background bg_worker|name=[local]" },
};

static void test_form(void **state)
{
	const struct title_case *c = *state;
	struct buf b = BUF_INIT;

	parse_copy(c->title, strlen(c->title), &b);
	assert_string_equal(buf_str(&b), c->want);
	buf_release(&b);
}

/* NULs between and after words are blanks. */
static void test_nul(void **state)
{
	static const char argv[] = "/bin/postgres\0-D\0/data\0-p\0" "6000\0\0";
	static const char title[] = "postgres: app shop [local] idle\0\0\0\0";
	struct buf b = BUF_INIT;

	(void)state;
	parse_copy(argv, sizeof(argv), &b);
	assert_string_equal(buf_str(&b), "postmaster|port=6000|dir=/data");
	parse_copy(title, sizeof(title), &b);
	assert_string_equal(buf_str(&b),
	    "backend|user=app|db=shop|client=[local]|does=idle|idle");
	buf_release(&b);
}

/* Every cut of every title, and every byte of it replaced. */
static void test_cut_and_damaged(void **state)
{
	static const char odd[] = { 0, ' ', '(', ')', ':', ',', '\xff', '9' };
	struct buf b = BUF_INIT;
	char copy[256];
	size_t i, j, k, len;

	(void)state;
	for (i = 0; i < GS_LEN(cases); i++) {
		len = strlen(cases[i].title);
		assert_true(len < sizeof(copy));
		for (j = 0; j <= len; j++)
			parse_copy(cases[i].title, j, &b);
		for (j = 0; j < len; j++) {
			memcpy(copy, cases[i].title, len);
			for (k = 0; k < sizeof(odd); k++) {
				copy[j] = odd[k];
				parse_copy(copy, len, &b);
			}
		}
	}
	buf_release(&b);
}

/* Titles of 10 kB are read in time linear to them. */
static void test_long(void **state)
{
	struct buf in = BUF_INIT;
	struct buf b = BUF_INIT;
	struct title t;

	(void)state;
	buf_add_str(&in, "postgres: ");
	buf_add_fill(&in, 'u', 5000);
	buf_add_char(&in, ' ');
	buf_add_fill(&in, 'd', 5000);
	buf_add_str(&in, " [local] idle");
	title_parse(span_of(in.ptr, in.len), &t);
	assert_int_equal(t.kind, TITLE_BACKEND);
	assert_int_equal(span_len(t.user), 5000);
	assert_int_equal(span_len(t.database), 5000);
	buf_release(&in);
	buf_release(&b);
}

/* ---- a cluster_name that is known -------------------------------------- */

struct named_case {
	const char *name, *title, *want;
};

static struct named_case named_cases[] = {
	{ "prod: DW con7 seg1 [local] idle",
	    "postgres: 18501, prod: DW con7 seg1 [local] idle: logger process   ",
	    "background logger|port=18501|cluster=prod: DW con7 seg1 [local] idle|name=logger process" },
	{ "prod: DW con7 seg1 [local] idle",
	    "postgres: 18432, prod: DW con7 seg1 [local] idle: dtx recovery process   con1 ",
	    "background bg_worker|port=18432|cluster=prod: DW con7 seg1 [local] idle|name=dtx recovery process   con1" },
	{ "prod: DW con7 seg1 [local] idle",
	    "postgres: 18432, prod: DW con7 seg1 [local] idle: gpadmin sales [local] con36 cmd1 VACUUM",
	    "qd|port=18432|cluster=prod: DW con7 seg1 [local] idle|user=gpadmin|db=sales|client=[local]|con=36|cmd=1|does=VACUUM|active" },
	{ "prod: DW con7 seg1 [local] idle",
	    "postgres: 18500, prod: DW con7 seg1 [local] idle: walsender gpadmin 127.0.0.1(39096) streaming 0/16CAF618",
	    "walsender|port=18500|cluster=prod: DW con7 seg1 [local] idle|user=gpadmin|client=127.0.0.1(39096)|name=walsender|does=streaming 0/16CAF618|active" },
	{ "a: b", "postgres: a: b: c: d shop [local] idle",
	    "backend|cluster=a: b|user_db=c: d shop|client=[local]|does=idle|idle" },
	{ "checkpointer", "postgres: checkpointer: app shop [local] idle",
	    "backend|cluster=checkpointer|user=app|db=shop|client=[local]|does=idle|idle" },
	/* it is known that there is none */
	{ "", "postgres: a: shop [local] idle",
	    "backend|user=a:|db=shop|client=[local]|does=idle|idle" },
	/* not the known one: as if none were known */
	{ "east", "postgres: prod: app shop [local] idle",
	    "backend|cluster=prod|user=app|db=shop|client=[local]|does=idle|idle" },
};

static void test_named(void **state)
{
	const struct named_case *c = *state;
	struct title_names n = { .known = c->name[0] == '\0' };
	struct buf b = BUF_INIT;
	struct title t;

	assert_true(title_name_is(&n, span_str(c->name)) || n.len == 0);
	title_parse_named(span_str(c->title), &n, &t);
	describe(&b, &t);
	assert_string_equal(buf_str(&b), c->want);
	buf_release(&b);
}

static bool learn(struct title_names *n, const char *title)
{
	return title_learn(n, span_str(title));
}

/* Two processes that are something else have to agree. */
static void test_learn(void **state)
{
	struct title_names n = { 0 };

	(void)state;
	assert_false(learn(&n, "postgres: app shop [local] idle"));
	assert_false(learn(&n, "postgres:  6000, a: b: logger process   "));
	assert_false(learn(&n, "postgres:  6000, a: b: logger process   "));
	assert_false(learn(&n, "postgres:  6000, a: b: startup process   "
	    "recovering 00000001000000000000000D"));
	assert_false(n.known);
	assert_true(learn(&n, "postgres:  6000, a: b: checkpointer   "));
	assert_true(n.known);
	assert_true(span_eq(span_of(n.name, n.len), "a: b"));
	assert_false(learn(&n, "postgres: checkpointer "));
	assert_true(span_eq(span_of(n.name, n.len), "a: b"));
}

/* It has none, but a database name looks like one. */
static void test_learn_none(void **state)
{
	struct title_names n = { 0 };

	(void)state;
	assert_false(learn(&n, "postgres: autovacuum worker x: checkpointer"));
	assert_false(learn(&n, "postgres: checkpointer "));
	assert_false(learn(&n, "postgres: x: walwriter "));
	assert_false(learn(&n, "postgres: background writer "));
	assert_true(learn(&n, "postgres: walwriter "));
	assert_int_equal(n.len, 0);
}

/* ---- titles.tsv ------------------------------------------------------ */

enum { F_ORIGIN, F_KIND, F_PORT, F_USER_DB, F_CLIENT, F_SESSION, F_SEG, F_CMD,
	F_SLICE, F_ACTIVITY, F_TITLE, F_COUNT };

static char *slurp(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct buf b = BUF_INIT;
	char part[4096];
	size_t n;

	if (!f)
		return NULL;
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(&b, part, n);
	(void)fclose(f); /* was only read */
	return b.ptr;
}

static const char *const *split(char *line)
{
	static const char *field[F_COUNT];
	size_t n;
	char *tab;

	for (n = 0; n < F_COUNT; n++) {
		field[n] = line;
		tab = strchr(line, '\t');
		if (!tab)
			return n == F_COUNT - 1 ? field : NULL;
		*tab = '\0';
		line = tab + 1;
	}
	return NULL;
}

static enum title_kind kind_of(const char *name)
{
	return strcmp(name, "qd") == 0           ? TITLE_QD
	    : strcmp(name, "qe") == 0            ? TITLE_QE
	    : strcmp(name, "postmaster") == 0    ? TITLE_POSTMASTER
	    : strcmp(name, "bg") == 0            ? TITLE_BACKGROUND
	                                         : TITLE_NONE;
}

static void check_span(struct span s, const char *want)
{
	char got[256];

	(void)snprintf(got, sizeof(got), "%.*s", (int)span_len(s),
	    span_empty(s) ? "" : s.ptr);
	assert_string_equal(got, strcmp(want, "-") == 0 ? "" : want);
}

static void check_number(bool has, int64_t v, const char *want)
{
	char got[32] = "-";

	if (has)
		(void)snprintf(got, sizeof(got), "%lld", (long long)v);
	assert_string_equal(got, want);
}

/* The column "activity" of a background process is its name, a sender's
 * user, and what it does. */
static void check_activity(const struct title *t, const char *want)
{
	const struct span part[] = { t->name,
		t->kind == TITLE_WALSENDER ? t->user_db : (struct span) { 0 },
		t->activity };
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < GS_LEN(part); i++) {
		if (span_empty(part[i]))
			continue;
		if (b.len)
			buf_add_char(&b, ' ');
		buf_add(&b, part[i].ptr, span_len(part[i]));
	}
	check_span(span_str(buf_str(&b)), want);
	buf_release(&b);
}

static void check_row(const char *const *f)
{
	struct title t;
	enum title_kind want = kind_of(f[F_KIND]);

	title_parse(span_str(f[F_TITLE]), &t);
	if (strstr(f[F_TITLE], "wal sender"))
		want = TITLE_WALSENDER;
	assert_string_equal(kinds[t.kind], kinds[want]);
	check_number(t.has_port, t.port, f[F_PORT]);
	if (t.kind != TITLE_WALSENDER)
		check_span(t.user_db, f[F_USER_DB]);
	check_span(t.client, f[F_CLIENT]);
	check_number(t.has_session, t.session, f[F_SESSION]);
	check_number(t.has_seg, t.seg, f[F_SEG]);
	check_number(t.has_cmd, t.cmd, f[F_CMD]);
	check_number(t.has_slice, t.slice, f[F_SLICE]);
	check_activity(&t, f[F_ACTIVITY]);
	if (strcmp(f[F_ORIGIN], "src7") == 0)
		assert_true(span_empty(t.cluster) ||
		    span_eq(t.cluster, "prod"));
}

static void test_seen(void **state)
{
	char *text = slurp(GS_SOURCE_DIR "/samples/titles.tsv");
	char *line, *next;
	const char *const *f;
	size_t rows = 0;

	(void)state;
	assert_non_null(text);
	for (line = text; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (*line == '#')
			continue;
		print_message("row %s\n", line);
		f = split(line);
		assert_non_null(f);
		check_row(f);
		rows++;
	}
	assert_true(rows >= 33);
	free(text);
}

int main(void)
{
	static struct CMUnitTest tests[GS_LEN(cases) + GS_LEN(named_cases) +
	    6];
	size_t i, k;

	for (i = 0; i < GS_LEN(cases); i++)
		tests[i] = (struct CMUnitTest) { cases[i].title, test_form,
			NULL, NULL, &cases[i] };
	for (k = 0; k < GS_LEN(named_cases); k++)
		tests[i++] = (struct CMUnitTest) { named_cases[k].title,
			test_named, NULL, NULL, &named_cases[k] };
	tests[i++] = (struct CMUnitTest) cmocka_unit_test(test_learn);
	tests[i++] = (struct CMUnitTest) cmocka_unit_test(test_learn_none);
	tests[i++] = (struct CMUnitTest) cmocka_unit_test(test_nul);
	tests[i++] = (struct CMUnitTest) cmocka_unit_test(test_cut_and_damaged);
	tests[i++] = (struct CMUnitTest) cmocka_unit_test(test_long);
	tests[i++] = (struct CMUnitTest) cmocka_unit_test(test_seen);
	return cmocka_run_group_tests_name("title", tests, NULL, NULL);
}
