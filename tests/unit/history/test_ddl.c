/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The SQL of each kind of server, and which kind a server is.
 */
#include "history/ddl.h"

#include <string.h>

#include "cases.h"

#define DAY INT64_C(20777) /* 2026-11-20 */
#define DAY_NS (DAY * 86400 * INT64_C(1000000000))

/* ---- what server ------------------------------------------------------- */

struct server_case {
	const char *name; /* of version() */
	int number;
	enum dialect want;
};

static const struct server_case servers[] = {
	{ "PostgreSQL 15.8 on x86_64-pc-linux-gnu", 150008,
	    DIALECT_POSTGRES },
	{ "PostgreSQL 11.22 on x86_64", 110022, DIALECT_POSTGRES },
	{ "PostgreSQL 10.23 on x86_64", 100023, DIALECT_PLAIN },
	{ "PostgreSQL 9.4.26 (Greenplum Database 6.24.0 build commit:1) on "
	    "x86_64", 90426, DIALECT_GREENPLUM6 },
	{ "PostgreSQL 12.12 (Greenplum Database 7.1.0 build commit:2) on "
	    "x86_64", 120012, DIALECT_GREENPLUM7 },
	{ "PostgreSQL 14.4 (Cloudberry Database 1.5.4 build 1) on x86_64",
	    140004, DIALECT_GREENPLUM7 },
	{ "PostgreSQL 14.4 (Apache Cloudberry 2.0.0 build 1) on x86_64",
	    140004, DIALECT_GREENPLUM7 },
};

static void recognises(void **state)
{
	const struct server_case *c = *state;

	assert_int_equal(dialect_of(c->name, c->number), c->want);
}

/* ---- tables ------------------------------------------------------------ */

struct table_case {
	const char *name;
	enum dialect dialect;
	const char *spread;
	const char *create; /* up to the comments */
	const char *partition, *partition_name;
};

#define COLUMNS "CREATE TABLE \"h\".\"t\" (\n\t\"recording\" integer NOT " \
	"NULL,\n\t\"step\" timestamptz NOT NULL,\n\t\"step_end\" " \
	"timestamptz NOT NULL,\n\t\"covered_seconds\" double precision,\n\t" \
	"\"user\" text,\n\t\"pid\" bigint,\n\t\"cpu_seconds\" double " \
	"precision,\n\t\"began\" timestamptz\n)"
#define INDEX "CREATE INDEX ON \"h\".\"t\" (\"step\");\n"
#define GP6_DAY "PARTITION p20261120 START ('2026-11-20 00:00:00+00') " \
	"INCLUSIVE END ('2026-11-21 00:00:00+00') EXCLUSIVE"
#define DECLARED "CREATE TABLE IF NOT EXISTS \"h\".\"t_p20261120\" PARTITION " \
	"OF \"h\".\"t\" FOR VALUES FROM ('2026-11-20 00:00:00+00') TO " \
	"('2026-11-21 00:00:00+00');\n"

static const struct table_case tables[] = {
	{ "plain", DIALECT_PLAIN, "user", COLUMNS ";\n" INDEX, NULL, NULL },
	{ "postgres", DIALECT_POSTGRES, "user",
	    COLUMNS " PARTITION BY RANGE (\"step\");\n" INDEX, DECLARED,
	    "t_p20261120" },
	{ "greenplum 6", DIALECT_GREENPLUM6, "user",
	    COLUMNS " DISTRIBUTED BY (\"user\") PARTITION BY RANGE "
	    "(\"step\") (" GP6_DAY ");\n",
	    "ALTER TABLE \"h\".\"t\" ADD " GP6_DAY ";\n",
	    "t_1_prt_p20261120" },
	{ "greenplum 6 at random", DIALECT_GREENPLUM6, NULL,
	    COLUMNS " DISTRIBUTED RANDOMLY PARTITION BY RANGE (\"step\") ("
	    GP6_DAY ");\n",
	    "ALTER TABLE \"h\".\"t\" ADD " GP6_DAY ";\n",
	    "t_1_prt_p20261120" },
	{ "greenplum 7", DIALECT_GREENPLUM7, "user",
	    COLUMNS " DISTRIBUTED BY (\"user\") PARTITION BY RANGE "
	    "(\"step\");\n", DECLARED, "t_p20261120" },
};

static struct grid *columns(void)
{
	static const struct grid_col col[] = {
		{ .name = "user", .quantity = Q_TEXT, .help = "it's a user" },
		{ .name = "pid", .quantity = Q_ID, .help = "process" },
		{ .name = "cpu_seconds", .quantity = Q_SECONDS,
		    .help = "CPU" },
		{ .name = "began", .quantity = Q_TIME, .help = "start" },
	};
	struct grid *g = grid_new("t", NULL);
	size_t i;

	for (i = 0; i < GS_LEN(col); i++)
		grid_add_col(g, &col[i]);
	return g;
}

static void makes(void **state)
{
	const struct table_case *c = *state;
	const struct history_table t = { "t", c->spread, true, "a test" };
	struct grid *g = columns();
	struct buf b = BUF_INIT;

	ddl_create(&b, c->dialect, "h", &t, g, DAY_NS + 1);
	assert_true(b.len > strlen(c->create));
	if (strncmp(b.ptr, c->create, strlen(c->create)) != 0)
		assert_string_equal(b.ptr, c->create);
	assert_non_null(strstr(b.ptr, "COMMENT ON COLUMN \"h\".\"t\".\"user\" "
	    "IS 'it''s a user';\n"));
	assert_int_equal(ddl_has_partitions(c->dialect),
	    c->partition != NULL);
	if (c->partition) {
		buf_reset(&b);
		ddl_partition(&b, c->dialect, "h", "t", DAY);
		assert_string_equal(b.ptr, c->partition);
		buf_reset(&b);
		ddl_partition_name(&b, c->dialect, "t", DAY);
		assert_string_equal(b.ptr, c->partition_name);
	}
	buf_release(&b);
	grid_free(g);
}

static void days(void **state)
{
	(void)state;
	assert_int_equal(ddl_day(DAY_NS), DAY);
	assert_int_equal(ddl_day(DAY_NS - 1), DAY - 1);
	assert_int_equal(ddl_day(-1), -1);
	assert_int_equal(ddl_day(0), 0);
}

/* Every table has the columns that its rows are distributed by. */
static void spreads(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < n_history_tables; i++) {
		const struct history_table *t = &history_tables[i];
		struct grid *g = history_columns(NULL, i);

		assert_true(g->n_col > 0);
		if (t->spread && grid_find_col(g, t->spread,
		    strlen(t->spread)) < 0)
			fail_msg("%s has no %s", t->name, t->spread);
		grid_free(g);
	}
}

static void chooses(void **state)
{
	uint64_t bits = 0;
	struct gs_err err;

	(void)state;
	assert_int_equal(history_choose("sessions,processes", &bits, NULL),
	    GS_OK);
	assert_int_equal(bits, 1 | 1 << 2);
	assert_int_equal(history_choose("all", &bits, NULL), GS_OK);
	assert_int_equal(bits, (UINT64_C(1) << n_history_tables) - 1);
	assert_int_equal(history_choose("sesions", &bits, &err), GS_E_USAGE);
	assert_non_null(strstr(err.msg, "no table sesions; there are:"));
	assert_int_equal(history_choose("", &bits, &err), GS_E_USAGE);
}

static void quotes(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	ddl_external(&b, "s", "/data/it's here");
	assert_non_null(strstr(b.ptr, " EXECUTE '[ -e "
	    "''/data/it''\\''''s here'' ] || exit 0; gpsnap replay "));
	buf_release(&b);
}

/* Tables with keys are heaps, whatever the default of a database is. */
static void makes_heaps(void **state)
{
	static const struct {
		enum dialect dialect;
		const char *want;
	} cases[] = {
		{ DIALECT_POSTGRES, "first_sequence));\n" },
		{ DIALECT_GREENPLUM6, "first_sequence)) WITH "
		    "(appendonly=false) DISTRIBUTED BY (\"recording\");\n" },
		{ DIALECT_GREENPLUM7, "first_sequence)) USING heap "
		    "DISTRIBUTED BY (\"recording\");\n" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf b = BUF_INIT;

		ddl_base(&b, cases[i].dialect, "h", "0.1.0");
		assert_non_null(strstr(buf_str(&b), cases[i].want));
		buf_release(&b);
	}
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, recognises, servers);
	CASES_TABLE(&c, makes, tables);
	cases_add(&c, "days", days, NULL);
	cases_add(&c, "spreads", spreads, NULL);
	cases_add(&c, "makes heaps", makes_heaps, NULL);
	cases_add(&c, "chooses", chooses, NULL);
	cases_add(&c, "quotes a path twice", quotes, NULL);
	return cases_run(&c, "ddl");
}
