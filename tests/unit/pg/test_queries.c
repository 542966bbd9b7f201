/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/queries.h"

#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "cases.h"
#include "pg/catalog.h"
#include "pg/collect.h"
#include "pg/params.h"

struct pick_case {
	const char *name;
	enum flavour flavour;
	int version_num;
	enum need manager;
	enum collector_id collector;
	bool none, sent;
	const char *has, *lacks; /* in the SQL; NULL: not looked for */
};

#define PG(v) FL_POSTGRES, (v), NEED_NOTHING
#define GP6(m) FL_GREENPLUM, 90426, (m)
#define GP7(m) FL_GREENPLUM, 120012, (m)
#define CB(m) FL_CLOUDBERRY, 140004, (m)

static const struct pick_case pick_cases[] = {
	{ "activity 12", PG(120005), COLLECT_ACTIVITY, false, false,
	    "{blockers}", "leader_pid" },
	{ "activity 13", PG(130001), COLLECT_ACTIVITY, false, false,
	    "leader_pid", "query_id" },
	{ "activity 14", PG(140001), COLLECT_ACTIVITY, false, false,
	    "query_id", "sess_id" },
	{ "activity 18", PG(180000), COLLECT_ACTIVITY, false, false,
	    "query_id", "waiting_reason" },
	{ "activity Greenplum 6", GP6(NEED_GROUPS), COLLECT_ACTIVITY, false,
	    false, "waiting_reason", "wait_event" },
	{ "activity Greenplum 7", GP7(NEED_GROUPS), COLLECT_ACTIVITY, false,
	    false, "sess_id", "leader_pid" },
	{ "activity Cloudberry", CB(NEED_GROUPS), COLLECT_ACTIVITY, false,
	    false, "query_id, sess_id", "waiting_reason" },
	{ "activity Greenplum 6, queues", GP6(NEED_QUEUES), COLLECT_ACTIVITY,
	    false, false, "pg_resqueue", "rsgname" },
	{ "activity Greenplum 7, queues", GP7(NEED_QUEUES), COLLECT_ACTIVITY,
	    false, false, "pg_resqueue", "rsgname" },
	{ "activity Cloudberry, queues", CB(NEED_QUEUES), COLLECT_ACTIVITY,
	    false, false, "pg_resqueue", "rsgname" },
	{ "topology PostgreSQL", PG(150000), COLLECT_TOPOLOGY, true, false,
	    NULL, NULL },
	{ "topology", CB(NEED_QUEUES), COLLECT_TOPOLOGY, false, false,
	    "gp_segment_configuration", NULL },
	{ "locks 13", PG(130001), COLLECT_LOCKS, false, false, "awaited",
	    "waitstart" },
	{ "locks 14", PG(140001), COLLECT_LOCKS, false, false, "waitstart",
	    "gp_segment_id" },
	{ "locks Greenplum", GP6(NEED_QUEUES), COLLECT_LOCKS, false, true,
	    "mppsessionid", "waitstart" },
	{ "locks Cloudberry", CB(NEED_QUEUES), COLLECT_LOCKS, false, true,
	    "waitstart", NULL },
	{ "replication 15", PG(150000), COLLECT_REPLICATION, false, false,
	    "replay_lsn", "gp_dist_random" },
	{ "replication Greenplum 6", GP6(NEED_QUEUES), COLLECT_REPLICATION,
	    false, true, "replay_location", "lsn" },
	{ "replication Greenplum 7", GP7(NEED_QUEUES), COLLECT_REPLICATION,
	    false, true, "pg_current_wal_lsn", "location" },
	{ "groups PostgreSQL", PG(150000), COLLECT_GROUPS, true, false, NULL,
	    NULL },
	{ "groups", GP7(NEED_GROUPS), COLLECT_GROUPS, false, true,
	    "gp_resgroup_status", "resqueue" },
	{ "queues", GP7(NEED_QUEUES), COLLECT_GROUPS, false, true,
	    "gp_resqueue_status", "resgroup" },
	{ "neither", GP7(NEED_NOTHING), COLLECT_GROUPS, true, false, NULL,
	    NULL },
	{ "vmem", GP6(NEED_QUEUES), COLLECT_VMEM, false, true,
	    "session_state", NULL },
	{ "limits", CB(NEED_QUEUES), COLLECT_LIMITS, false, true,
	    "gp_dist_random('pg_settings')", "current_setting" },
	{ "segments 6", GP6(NEED_QUEUES), COLLECT_SEGMENT_ACTIVITY, false,
	    true, "gp_execution_segment", "backend_type" },
	{ "segments 7", GP7(NEED_QUEUES), COLLECT_SEGMENT_ACTIVITY, false,
	    true, "backend_type", "waiting_reason" },
	{ "segments PostgreSQL", PG(150000), COLLECT_SEGMENT_ACTIVITY, true,
	    false, NULL, NULL },
	{ "databases 10", PG(100005), COLLECT_DATABASES, false, false,
	    "blk_read_time", "checksum_failures" },
	{ "databases 12", PG(120005), COLLECT_DATABASES, false, false,
	    "checksum_failures", "session_time" },
	{ "databases 14", PG(140001), COLLECT_DATABASES, false, false,
	    "session_time", "gp_" },
	{ "databases Greenplum 6", GP6(NEED_GROUPS), COLLECT_DATABASES, false,
	    false, "temp_bytes", "checksum_failures" },
	{ "databases Greenplum 7", GP7(NEED_GROUPS), COLLECT_DATABASES, false,
	    false, "checksum_failures", "session_time" },
	{ "wal 12", PG(120005), COLLECT_WAL, false, false, "pg_wal_lsn_diff",
	    "pg_stat_wal " },
	{ "wal 14", PG(140001), COLLECT_WAL, false, false, "pg_stat_wal ",
	    "pg_stat_io" },
	{ "wal 16", PG(160004), COLLECT_WAL, false, false, "buffers_backend",
	    "pg_stat_checkpointer" },
	{ "wal 17", PG(170000), COLLECT_WAL, false, false, "op_bytes",
	    "buffers_backend" },
	{ "wal 18", PG(180000), COLLECT_WAL, false, false, "write_bytes",
	    "wal_sync," },
	{ "wal Greenplum 6", GP6(NEED_QUEUES), COLLECT_WAL, false, false,
	    "pg_current_xlog_location", "lsn" },
	{ "wal Greenplum 7", GP7(NEED_QUEUES), COLLECT_WAL, false, false,
	    "pg_current_wal_lsn", "location" },
	{ "slots 12", PG(120005), COLLECT_SLOTS, false, false, "active_pid",
	    "wal_status" },
	{ "slots 13", PG(130001), COLLECT_SLOTS, false, false, "wal_status",
	    NULL },
	{ "slots Greenplum 6", GP6(NEED_QUEUES), COLLECT_SLOTS, false, false,
	    "pg_xlog_location_diff", "active_pid" },
	{ "progress 11", PG(110000), COLLECT_PROGRESS, false, false,
	    "pg_stat_progress_vacuum", "create_index" },
	{ "progress 12", PG(120005), COLLECT_PROGRESS, false, false,
	    "create_index", "pg_stat_progress_analyze" },
	{ "progress 13", PG(130001), COLLECT_PROGRESS, false, false,
	    "basebackup", "pg_stat_progress_copy" },
	{ "progress 14", PG(140001), COLLECT_PROGRESS, false, false,
	    "pg_stat_progress_copy", "indexes_total" },
	{ "progress 17", PG(170000), COLLECT_PROGRESS, false, false,
	    "indexes_total", NULL },
	{ "progress Greenplum 6", GP6(NEED_GROUPS), COLLECT_PROGRESS, true,
	    false, NULL, NULL },
	{ "progress Greenplum 7", GP7(NEED_GROUPS), COLLECT_PROGRESS, false,
	    false, "create_index", "basebackup" },
	{ "no statements", PG(150000), COLLECT_PGSTATEMENTS, true, false, NULL,
	    NULL },
};

/* With the extension. */
static const struct pick_case statement_cases[] = {
	{ "statements 12", PG(120005), COLLECT_PGSTATEMENTS, false, false,
	    "total_time", "wal_bytes" },
	{ "statements 13", PG(130001), COLLECT_PGSTATEMENTS, false, false,
	    "wal_bytes", "toplevel" },
	{ "statements 14", PG(140001), COLLECT_PGSTATEMENTS, false, false,
	    "toplevel", "stats_since" },
	{ "statements 17", PG(170000), COLLECT_PGSTATEMENTS, false, false,
	    "shared_blk_read_time", "total_time" },
};

static void picks(void **state)
{
	const struct pick_case *row = *state;
	struct server s = { row->flavour, row->version_num, row->manager,
		false };
	const struct query *q = query_pick(row->collector, &s, NULL);

	assert_int_equal(q == NULL, row->none);
	if (!q)
		return;
	assert_int_equal(q->sent, row->sent);
	if (row->has)
		assert_non_null(strstr(q->sql, row->has));
	if (row->lacks)
		assert_null(strstr(q->sql, row->lacks));
}

static void picks_statements(void **state)
{
	const struct pick_case *row = *state;
	struct server s = { row->flavour, row->version_num, row->manager,
		true };
	const struct query *q = query_pick(row->collector, &s, NULL);

	assert_non_null(q);
	assert_non_null(strstr(q->sql, row->has));
	assert_null(strstr(q->sql, row->lacks));
}

/* What readers of recordings know of a collector is what is asked. */
static void is_told_since_when(void **state)
{
	static const enum flavour flavours[] = { FL_POSTGRES, FL_GREENPLUM,
		FL_CLOUDBERRY };
	static const int versions[] = { 90200, 90400, 90600, 100000, 110000,
		120000, 130000, 140000, 150000, 160000 };
	size_t i, k;
	int c;

	(void)state; /* none */
	for (c = 0; c < COLLECTOR_COUNT; c++) {
		for (i = 0; i < GS_LEN(flavours) * GS_LEN(versions); i++) {
			int since = collector_since((enum collector_id)c,
			    flavours[i % GS_LEN(flavours)]);
			struct server s = { flavours[i % GS_LEN(flavours)],
				versions[i / GS_LEN(flavours)], NEED_GROUPS,
				true };
			bool has = query_pick((enum collector_id)c, &s, NULL);

			if (has != (since >= 0 && s.version_num >= since))
				fail_msg("%s of %s %d",
				    collector_name((enum collector_id)c),
				    flavour_name(s.flavour), s.version_num);
		}
	}
	for (k = 0; k < GS_LEN(flavours); k++) {
		enum flavour f;

		assert_true(flavour_find(span_str(flavour_name(flavours[k])), &f));
		assert_int_equal(f, flavours[k]);
	}
}

/* The schema, and texts only if they are wanted. */
static void makes_sql_of_statements(void **state)
{
	struct server s = { FL_POSTGRES, 150000, NEED_NOTHING, true };
	const struct query *q = query_pick(COLLECT_PGSTATEMENTS, &s, NULL);
	struct query_form f = { .limit = 7, .max_chars = 100,
		.statements = "\"a b\"" };
	struct buf b = BUF_INIT;

	(void)state; /* none */
	query_sql(q, &f, &b);
	assert_non_null(strstr(buf_str(&b),
	    "FROM \"a b\".pg_stat_statements(false) WHERE"));
	f.texts = true;
	query_sql(q, &f, &b);
	assert_non_null(strstr(buf_str(&b), ".pg_stat_statements(true)"));
	assert_non_null(strstr(buf_str(&b), "left(query,100)AS query"));
	f.max_chars = 0;
	query_sql(q, &f, &b);
	assert_non_null(strstr(buf_str(&b), ".pg_stat_statements(false)"));
	assert_null(strchr(buf_str(&b), '{'));
	buf_release(&b);
}

/* The next one that fits, then none. */
static void falls_back(void **state)
{
	struct server s = { FL_CLOUDBERRY, 140004, NEED_NOTHING, false };
	const struct query *q = query_pick(COLLECT_LOCKS, &s, NULL);

	(void)state; /* none */
	q = query_pick(COLLECT_LOCKS, &s, q);
	assert_non_null(q);
	assert_null(strstr(q->sql, "waitstart"));
	assert_null(query_pick(COLLECT_LOCKS, &s, q));
}

static void makes_sql(void **state)
{
	struct server s = { FL_POSTGRES, 150000, NEED_NOTHING, false };
	const struct query *q = query_pick(COLLECT_ACTIVITY, &s, NULL);
	struct buf b = BUF_INIT;

	(void)state; /* none */
	query_sql(q, &(struct query_form) { 100, false, false, 7, false, NULL }, &b);
	assert_non_null(strstr(buf_str(&b), "left(query,100)AS query"));
	assert_string_equal(buf_str(&b) + b.len - 8, " LIMIT 8");
	assert_null(strchr(buf_str(&b), '{'));
	assert_null(strstr(buf_str(&b), "pg_blocking_pids"));
	query_sql(q, &(struct query_form) { 0, false, true, 7, false, NULL }, &b);
	assert_non_null(strstr(buf_str(&b), "NULL::text AS query"));
	assert_non_null(strstr(buf_str(&b), "pg_blocking_pids(pid)"));
	query_sql(q, &(struct query_form) { 100, true, false, 7, false, NULL }, &b);
	assert_string_equal(buf_str(&b), "SELECT *,age(backend_xid) AS xid_age,"
	    "age(backend_xmin) AS xmin_age FROM pg_stat_activity "
	    "ORDER BY state='idle',pid LIMIT 8");
	buf_release(&b);
}

/* Statements are short: a server may log them. */
static void makes_sql_terse(void **state)
{
	const struct query quoted = { .sql = "SELECT ', = ' AS \"a, b\", c - -1, "
	    "d = -1, e >= 2 FROM t WHERE ( f )" };
	struct buf b = BUF_INIT;

	(void)state; /* none */
	query_sql(&quoted, &(struct query_form) { .limit = 7 }, &b);
	assert_string_equal(buf_str(&b), "SELECT ', = ' AS \"a, b\",c - -1,"
	    "d= -1,e>=2 FROM t WHERE (f ) LIMIT 8");
	buf_release(&b);
}

struct list_case {
	const char *name;
	const char *list;
	uint32_t bits; /* 0 with wrong: refused */
	const char *wrong;
};

#define BIT(c) (1u << COLLECT_##c)

static const struct list_case list_cases[] = {
	{ "one", "locks", BIT(LOCKS), NULL },
	{ "two", "activity,vmem", BIT(ACTIVITY) | BIT(VMEM), NULL },
	{ "none", "none", 0, NULL },
	{ "less", "-locks,-vmem",
	    COLLECTORS_DEFAULT & ~(BIT(LOCKS) | BIT(VMEM)), NULL },
	{ "more", "+segment_activity",
	    COLLECTORS_DEFAULT | BIT(SEGMENT_ACTIVITY), NULL },
	{ "mixed", "+workfiles,-locks",
	    (COLLECTORS_DEFAULT | BIT(WORKFILES)) & ~BIT(LOCKS), NULL },
	{ "unknown", "locks,lcks", 0, "no collector \"lcks\"" },
	{ "empty", "", 0, "no collector \"\"" },
	{ "empty word", "locks,", 0, "no collector \"\"" },
};

static void parses(void **state)
{
	const struct list_case *row = *state;
	struct gs_err err = { 0 };
	uint32_t bits = 77;
	int r = collectors_parse(row->list, &bits, &err);

	assert_int_equal(r, row->wrong ? GS_E_USAGE : GS_OK);
	assert_int_equal(bits, row->wrong ? 77 : row->bits);
	if (row->wrong)
		assert_non_null(strstr(err.msg, row->wrong));
}

struct line_case {
	const char *name;
	const char *message, *line;
};

static const struct line_case line_cases[] = {
	{ "empty", "", "" },
	{ "one", "fe_sendauth: no password supplied\n",
	    "fe_sendauth: no password supplied" },
	{ "details", "connection to server on socket \"/x\" failed: FATAL:  "
	    "the database system is starting up\nDETAIL:  0/1 failed: x\n",
	    "connection to server on socket \"/x\" failed: FATAL:  "
	    "the database system is starting up" },
	{ "two addresses", "connection to server at \"::1\", port 1 failed: "
	    "Connection refused\n\tIs the server running?\n"
	    "connection to server at \"127.0.0.1\", port 1 failed: FATAL: x",
	    "connection to server at \"127.0.0.1\", port 1 failed: FATAL: x" },
};

static void one_line(void **state)
{
	const struct line_case *row = *state;
	char line[CONN_WHY_MAX];

	conn_one_line(row->message, line);
	assert_string_equal(line, row->line);
}

static const char *value_of(const struct params *p, const char *key)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (strcmp(p->key[i], key) == 0)
			return p->value[i];
	}
	return "";
}

/* The dsn wins over separate options, and keeps its own. */
static void startup_packet(void **state)
{
	struct catalog_options opt = { .host = "a", .port = "5",
		.peer = "gpadmin", .dsn = "host=b dbname=d options='-c x=y'" };
	struct params p;
	struct gs_err err;

	(void)state; /* none */
	assert_int_equal(params_init(&p, &opt, &err), GS_OK);
	params_settings(&p, extra_setting("jit"), 4 * GS_NSEC_PER_SEC, false);
	assert_string_equal(value_of(&p, "host"), "b");
	assert_string_equal(value_of(&p, "port"), "5");
	assert_string_equal(value_of(&p, "dbname"), "d");
	assert_string_equal(value_of(&p, "requirepeer"), "gpadmin");
	assert_string_equal(value_of(&p, "application_name"), "gpsnap");
	assert_string_equal(value_of(&p, "client_encoding"), "UTF8");
	assert_ptr_equal(strstr(value_of(&p, "options"), "-c x=y -c "),
	    value_of(&p, "options"));
	assert_non_null(strstr(value_of(&p, "options"), " -c jit=off"));
	assert_non_null(strstr(value_of(&p, "options"),
	    " -c statement_timeout=4000"));
	assert_null(strstr(value_of(&p, "options"), "optimizer"));
	params_settings(&p, 0, 4 * GS_NSEC_PER_SEC, true);
	assert_null(strstr(value_of(&p, "options"), "jit"));
	assert_string_equal(value_of(&p, "client_encoding"), "SQL_ASCII");
	params_release(&p);
}

static void bad_dsn(void **state)
{
	struct catalog_options opt = { .dsn = "host=b nonsense" };
	struct gs_err err = { 0 };

	(void)state; /* none */
	assert_null(catalog_new(&opt, &err));
	assert_int_equal(err.status, GS_E_USAGE);
	assert_non_null(strstr(err.msg, "nonsense"));
	assert_null(strchr(err.msg, '\n'));
}

static void names_in_errors(void **state)
{
	(void)state; /* none */
	assert_int_equal(extra_settings_in("FATAL:  unrecognized "
	    "configuration parameter \"jit\""), extra_setting("jit"));
	assert_int_equal(extra_settings_in("FATAL:  too many clients"), 0);
	assert_int_equal(extra_setting("work_mem"), 0);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, picks, pick_cases);
	CASES_TABLE(&c, picks_statements, statement_cases);
	CASES_TABLE(&c, parses, list_cases);
	CASES_TABLE(&c, one_line, line_cases);
	cases_add(&c, "readers know since when", is_told_since_when, NULL);
	cases_add(&c, "falls back", falls_back, NULL);
	cases_add(&c, "makes SQL", makes_sql, NULL);
	cases_add(&c, "makes SQL of statements", makes_sql_of_statements, NULL);
	cases_add(&c, "makes SQL terse", makes_sql_terse, NULL);
	cases_add(&c, "startup packet", startup_packet, NULL);
	cases_add(&c, "bad dsn", bad_dsn, NULL);
	cases_add(&c, "names in errors", names_in_errors, NULL);
	return cases_run(&c, "queries");
}
