/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ddl_views.c - SQL views for common questions to a history ($ is the schema),
 * and external tables by which Greenplum reads recordings without loading them.
 */
#include "history/ddl.h"

#include <string.h>

#include "base/compiler.h"

/* The average over the time in which it was measured. */
#define MEAN(column) \
	"sum(\"" column "\" * \"covered_seconds\") / nullif(sum(CASE WHEN \""  \
	column "\" IS NOT NULL THEN \"covered_seconds\" END), 0) AS " column

/* One that goes on has another time in each step, by as much as clocks can't be
 * compared: less than a second. */
#define SAME_QUERY "PARTITION BY \"recording\", \"query\", \"session\", " \
	"\"server\" ORDER BY \"began\""

/* New columns must be last: then a view can be replaced. */
static const struct {
	const char *name, *help, *sql;
} views[] = {
	{ "session_history", "each session over all of its life",
	    "SELECT \"recording\", \"session\", max(\"user\") AS \"user\", "
	    "max(\"database\") AS \"database\", max(\"application\") AS "
	    "\"application\", min(\"step\") AS first_seen, "
	    "max(\"step_end\") AS last_seen, sum(\"cpu_seconds\") AS "
	    "cpu_seconds, max(\"memory_peak\") AS memory_peak, "
	    "max(\"io_bytes_per_second\") AS io_bytes_per_second_max, "
	    "max(\"spill\") AS spill_max, max(\"skew\") AS skew_max, "
	    "\"server\" FROM $.\"sessions\" GROUP BY \"recording\", "
	    "\"session\", \"server\"" },
	{ "query_history", "each query over all of its life",
	    "SELECT \"recording\", \"query\", \"session\", min(\"began\") AS "
	    "\"began\", max(\"user\") AS \"user\", max(\"database\") AS \"database\", "
	    "min(\"step\") AS first_seen, max(\"step_end\") AS last_seen, "
	    "max(\"age_seconds\") AS age_seconds, sum(\"cpu_seconds\") AS "
	    "cpu_seconds, max(\"memory_peak\") AS memory_peak, "
	    "max(\"io_bytes_per_second\") AS io_bytes_per_second_max, "
	    "max(\"spill\") AS spill_max, max(\"skew\") AS skew_max, "
	    "max(\"text\") AS \"text\", \"server\" FROM (SELECT *, sum(CASE "
	    "WHEN another THEN 1 ELSE 0 END) OVER (" SAME_QUERY ") AS nth FROM "
	    "(SELECT *, \"began\" - lag(\"began\") OVER (" SAME_QUERY ") > "
	    "interval '1 second' AS another FROM $.\"queries\") q) q "
	    "GROUP BY \"recording\", \"query\", \"session\", "
	    "\"server\", nth" },
	{ "session_minutes", "sessions and their work, minute by minute",
	    "SELECT \"recording\", date_trunc('minute', \"step\") AS "
	    "\"minute\", count(DISTINCT coalesce(\"server\", '') || ' ' || "
	    "\"session\") AS sessions, "
	    "sum(\"cpu_seconds\") AS cpu_seconds, sum(\"memory\") / "
	    "nullif(count(DISTINCT CASE WHEN \"memory\" IS NOT NULL THEN "
	    "\"step\" END), 0) AS memory FROM $.\"sessions\" GROUP BY 1, 2" },
	{ "host_minutes", "hosts, minute by minute",
	    "SELECT \"recording\", date_trunc('minute', \"step\") AS "
	    "\"minute\", \"host\", " MEAN("user_percent") ", "
	    MEAN("system_percent") ", " MEAN("iowait_percent") ", "
	    "max(\"run_queue_peak\") AS run_queue_peak, "
	    "min(\"memory_available\") AS memory_available, "
	    "max(\"worst_disk_await_ms\") AS worst_disk_await_ms "
	    "FROM $.\"hosts\" GROUP BY 1, 2, 3" },
	{ "skew_minutes", "the busiest segment against the average one, "
	    "minute by minute",
	    "SELECT \"recording\", \"minute\", count(*) AS segments, "
	    "max(cpu_seconds) AS max_seconds, avg(cpu_seconds) AS "
	    "average_seconds, max(cpu_seconds) / "
	    "nullif(avg(cpu_seconds), 0) AS skew, \"server\" FROM (SELECT "
	    "\"recording\", date_trunc('minute', \"step\") AS \"minute\", "
	    "\"segment\", \"server\", sum(\"cpu_seconds\") AS "
	    "cpu_seconds FROM "
	    "$.\"segments\" WHERE \"segment\" >= 0 AND "
	    "coalesce(\"role\", '') <> 'mirror' GROUP BY 1, 2, 3, 4) "
	    "AS s GROUP BY 1, 2, \"server\"" },
};

void ddl_views(struct buf *to, const char *schema)
{
	size_t i;

	for (i = 0; i < GS_LEN(views); i++) {
		ddl_add(to, schema, "CREATE OR REPLACE VIEW $.%n AS ",
		    views[i].name);
		ddl_add(to, schema, views[i].sql);
		ddl_add(to, schema, ";\nCOMMENT ON VIEW $.%n IS %l;\n",
		    views[i].name, views[i].help);
	}
}

/* ---- external tables --------------------------------------------------- */

/* Within an SQL literal, in the shell's single quotes: quoted twice. */
static void add_shell_path(struct buf *to, const char *path)
{
	buf_add_str(to, "''");
	for (; *path; path++) {
		if (*path == '\'')
			buf_add_str(to, "''\\''''");
		else
			buf_add_char(to, *path);
	}
	buf_add_str(to, "''");
}

/* A host without recordings has no rows; status 1 means that there are gaps in
 * the output. */
static void add_command(struct buf *to, const char *view, const char *path)
{
	buf_add_str(to, "[ -e ");
	add_shell_path(to, path);
	buf_add_str(to, " ] || exit 0; gpsnap replay ");
	add_shell_path(to, path);
	buf_printf(to, " -V %s --every 1m --limit 0 -f csv; "
	    "[ $? -le 1 ]", view);
}

static void add_external(struct buf *to, const char *schema,
	size_t table, const char *path)
{
	const struct history_table *t = &history_tables[table];
	struct grid *g = history_columns(NULL, table);

	ddl_add(to, schema, "\nCREATE EXTERNAL WEB TABLE $.%n (\n\t\"step\" "
	    "timestamptz", t->name);
	ddl_add_columns(to, g);
	buf_add_str(to, " EXECUTE '");
	add_command(to, t->name, path);
	buf_add_str(to, "'\nON HOST FORMAT 'csv' (HEADER NEWLINE 'LF') "
	    "ENCODING 'UTF8';\n");
	grid_free(g);
}

void ddl_external(struct buf *to, const char *schema, const char *path)
{
	size_t i;

	ddl_schema(to, schema);
	for (i = 0; i < n_history_tables; i++)
		add_external(to, schema, i, path);
}
