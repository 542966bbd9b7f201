/* SPDX-License-Identifier: Apache-2.0 */
#include "history/ddl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/zone.h"

#define DAY_NS (INT64_C(86400) * GS_NSEC_PER_SEC)

const char *const dialect_names[] = {
	[DIALECT_PLAIN] = "postgresql10",
	[DIALECT_POSTGRES] = "postgresql",
	[DIALECT_GREENPLUM6] = "greenplum6",
	[DIALECT_GREENPLUM7] = "greenplum7",
	[DIALECT_COUNT] = NULL
};

/* ---- words ------------------------------------------------------------- */

static void add_quoted(struct buf *to, const char *text, char quote)
{
	buf_add_char(to, quote);
	for (; *text; text++) {
		if (*text == quote)
			buf_add_char(to, quote);
		buf_add_char(to, *text);
	}
	buf_add_char(to, quote);
}

void ddl_name(struct buf *to, const char *name)
{
	add_quoted(to, name, '"');
}

/* Our texts have no backslash, which old servers may take for an escape. */
void ddl_literal(struct buf *to, const char *text)
{
	add_quoted(to, text, '\'');
}

void ddl_table_name(struct buf *to, const char *schema, const char *table)
{
	ddl_name(to, schema);
	buf_add_char(to, '.');
	ddl_name(to, table);
}

static const struct {
	const char *type, *known;
} types[] = {
	[Q_TEXT] = { "text", "text" },
	[Q_COUNT] = { "double precision", "double precision" },
	[Q_ID] = { "bigint", "bigint" },
	[Q_NUMBER] = { "double precision", "double precision" },
	[Q_RATE] = { "double precision", "double precision" },
	[Q_PERCENT] = { "double precision", "double precision" },
	[Q_BYTES] = { "double precision", "double precision" },
	[Q_BYTES_RATE] = { "double precision", "double precision" },
	[Q_SECONDS] = { "double precision", "double precision" },
	[Q_AGE] = { "double precision", "double precision" },
	[Q_TIME] = { "timestamptz", "timestamp with time zone" },
};

const char *ddl_type(enum quantity q)
{
	return types[q].type;
}

const char *ddl_known_type(enum quantity q)
{
	return types[q].known;
}

/* ---- greenplum --------------------------------------------------------- */

static bool is_greenplum(enum dialect d)
{
	return d == DIALECT_GREENPLUM6 || d == DIALECT_GREENPLUM7;
}

static void add_spread(struct buf *to, enum dialect d, const char *column)
{
	if (!is_greenplum(d))
		return;
	if (!column) {
		buf_add_str(to, " DISTRIBUTED RANDOMLY");
		return;
	}
	buf_add_str(to, " DISTRIBUTED BY (");
	ddl_name(to, column);
	buf_add_char(to, ')');
}

/* A table of few rows, which change: always a heap, whatever the default of the
 * database is.  In Greenplum 6 only a heap can have a primary key. */
static void add_heap(struct buf *to, enum dialect d, const char *spread)
{
	if (d == DIALECT_GREENPLUM6)
		buf_add_str(to, " WITH (appendonly=false)");
	else if (d == DIALECT_GREENPLUM7)
		buf_add_str(to, " USING heap");
	add_spread(to, d, spread);
}

/* ---- days -------------------------------------------------------------- */

int64_t ddl_day(int64_t ns)
{
	return ns / DAY_NS - (ns % DAY_NS < 0);
}

static void add_date(struct buf *to, int64_t day)
{
	struct civil c;

	civil_from_days(&c, day);
	buf_printf(to, "%04" PRId64 "-%02d-%02d", c.year, c.month, c.day);
}

/* '2026-11-20 00:00:00+00' */
static void add_midnight(struct buf *to, int64_t day)
{
	buf_add_char(to, '\'');
	add_date(to, day);
	buf_add_str(to, " 00:00:00+00'");
}

static void add_day_name(struct buf *to, int64_t day)
{
	struct civil c;

	civil_from_days(&c, day);
	buf_printf(to, "p%04" PRId64 "%02d%02d", c.year, c.month, c.day);
}

bool ddl_has_partitions(enum dialect d)
{
	return d != DIALECT_PLAIN;
}

void ddl_partition_name(struct buf *to, enum dialect d, const char *table,
	int64_t day)
{
	buf_printf(to, "%s%s", table,
	    d == DIALECT_GREENPLUM6 ? "_1_prt_" : "_");
	add_day_name(to, day);
}

/* PARTITION p20261120 START (...) INCLUSIVE END (...) EXCLUSIVE */
static void add_gp6_partition(struct buf *to, int64_t day)
{
	buf_add_str(to, "PARTITION ");
	add_day_name(to, day);
	buf_add_str(to, " START (");
	add_midnight(to, day);
	buf_add_str(to, ") INCLUSIVE END (");
	add_midnight(to, day + 1);
	buf_add_str(to, ") EXCLUSIVE");
}

void ddl_partition(struct buf *to, enum dialect d, const char *schema,
	const char *table, int64_t day)
{
	struct buf name = BUF_INIT;

	if (d == DIALECT_GREENPLUM6) {
		buf_add_str(to, "ALTER TABLE ");
		ddl_table_name(to, schema, table);
		buf_add_str(to, " ADD ");
		add_gp6_partition(to, day);
		buf_add_str(to, ";\n");
		return;
	}
	ddl_partition_name(&name, d, table, day);
	buf_add_str(to, "CREATE TABLE IF NOT EXISTS ");
	ddl_table_name(to, schema, buf_str(&name));
	buf_add_str(to, " PARTITION OF ");
	ddl_table_name(to, schema, table);
	buf_add_str(to, " FOR VALUES FROM (");
	add_midnight(to, day);
	buf_add_str(to, ") TO (");
	add_midnight(to, day + 1);
	buf_add_str(to, ");\n");
	buf_release(&name);
}

/* ---- tables ------------------------------------------------------------ */

void ddl_schema(struct buf *to, const char *schema)
{
	buf_add_str(to, "CREATE SCHEMA ");
	ddl_name(to, schema);
	buf_add_str(to, ";\n");
}

static void add_version(struct buf *to, const char *schema,
	const char *program)
{
	buf_add_str(to, "INSERT INTO ");
	ddl_table_name(to, schema, "schema_version");
	buf_printf(to, " VALUES (%d, now(), ", DDL_VERSION);
	ddl_literal(to, program);
	buf_add_str(to, ");\n");
}

void ddl_base(struct buf *to, enum dialect d, const char *schema,
	const char *program)
{
	buf_add_str(to, "CREATE TABLE ");
	ddl_table_name(to, schema, "schema_version");
	buf_add_str(to, " (version integer NOT NULL, applied timestamptz NOT "
	    "NULL, program text)");
	add_heap(to, d, "version");
	buf_add_str(to, ";\nCREATE TABLE ");
	ddl_table_name(to, schema, "recordings");
	buf_add_str(to, " (id integer NOT NULL PRIMARY KEY, recording_id text "
	    "NOT NULL, step_seconds double precision NOT NULL, started "
	    "timestamptz NOT NULL, interval_seconds double precision, "
	    "recorder_host text, hosts text, server_version text, program "
	    "text, made_of text)");
	add_heap(to, d, "id");
	buf_add_str(to, ";\nCREATE TABLE ");
	ddl_table_name(to, schema, "files");
	buf_add_str(to, " (recording integer NOT NULL, file_number bigint NOT "
	    "NULL, path text, first_sequence bigint NOT NULL, last_sequence "
	    "bigint NOT NULL, first_time timestamptz, last_time timestamptz, "
	    "loaded_to_ns bigint NOT NULL, loaded_rows bigint NOT NULL, "
	    "loaded_at timestamptz NOT NULL, PRIMARY KEY (recording, "
	    "first_sequence))");
	add_heap(to, d, "recording");
	buf_add_str(to, ";\n");
	add_version(to, schema, program);
}

/* In version 1 a file had one row, whatever part of it was loaded. */
static void upgrade_1(struct buf *to, const char *schema)
{
	buf_add_str(to, "ALTER TABLE ");
	ddl_table_name(to, schema, "recordings");
	buf_add_str(to, " ADD COLUMN made_of text;\nALTER TABLE ");
	ddl_table_name(to, schema, "files");
	buf_add_str(to, " DROP CONSTRAINT files_pkey;\nALTER TABLE ");
	ddl_table_name(to, schema, "files");
	buf_add_str(to, " ADD PRIMARY KEY (recording, first_sequence);\n");
}

void ddl_upgrade(struct buf *to, const char *schema, int version,
	const char *program)
{
	if (version < 2)
		upgrade_1(to, schema);
	add_version(to, schema, program);
}

static void add_comments(struct buf *to, const char *schema,
	const struct history_table *t, const struct grid *columns)
{
	size_t i;

	buf_add_str(to, "COMMENT ON TABLE ");
	ddl_table_name(to, schema, t->name);
	buf_add_str(to, " IS ");
	ddl_literal(to, t->help);
	buf_add_str(to, ";\n");
	for (i = 0; i < columns->n_col; i++) {
		buf_add_str(to, "COMMENT ON COLUMN ");
		ddl_table_name(to, schema, t->name);
		buf_add_char(to, '.');
		ddl_name(to, columns->col[i].name);
		buf_add_str(to, " IS ");
		ddl_literal(to, columns->col[i].help);
		buf_add_str(to, ";\n");
	}
}

void ddl_create(struct buf *to, enum dialect d, const char *schema,
	const struct history_table *t, const struct grid *columns,
	int64_t day_ns)
{
	size_t i;

	buf_add_str(to, "CREATE TABLE ");
	ddl_table_name(to, schema, t->name);
	buf_add_str(to, " (\n\t\"recording\" integer NOT NULL,\n\t\"step\" "
	    "timestamptz NOT NULL,\n\t\"step_end\" timestamptz NOT NULL,\n\t"
	    "\"covered_seconds\" double precision");
	for (i = 0; i < columns->n_col; i++) {
		buf_add_str(to, ",\n\t");
		ddl_name(to, columns->col[i].name);
		buf_printf(to, " %s", ddl_type(columns->col[i].quantity));
	}
	buf_add_str(to, "\n)");
	add_spread(to, d, t->spread);
	if (ddl_has_partitions(d))
		buf_add_str(to, " PARTITION BY RANGE (\"step\")");
	if (d == DIALECT_GREENPLUM6) {
		buf_add_str(to, " (");
		add_gp6_partition(to, ddl_day(day_ns));
		buf_add_char(to, ')');
	}
	buf_add_str(to, ";\n");
	if (!is_greenplum(d)) {
		buf_add_str(to, "CREATE INDEX ON ");
		ddl_table_name(to, schema, t->name);
		buf_add_str(to, " (\"step\");\n");
	}
	add_comments(to, schema, t, columns);
}

void ddl_add_column(struct buf *to, const char *schema, const char *table,
	const struct grid_col *c)
{
	buf_add_str(to, "ALTER TABLE ");
	ddl_table_name(to, schema, table);
	buf_add_str(to, " ADD COLUMN ");
	ddl_name(to, c->name);
	buf_printf(to, " %s;\nCOMMENT ON COLUMN ", ddl_type(c->quantity));
	ddl_table_name(to, schema, table);
	buf_add_char(to, '.');
	ddl_name(to, c->name);
	buf_add_str(to, " IS ");
	ddl_literal(to, c->help);
	buf_add_str(to, ";\n");
}
