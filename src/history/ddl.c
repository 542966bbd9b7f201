/* SPDX-License-Identifier: Apache-2.0 */
#include "history/ddl.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
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

/* Our literals have no backslash, which old servers may take for an escape. */
static void add_value(struct buf *to, char kind, va_list *ap)
{
	switch (kind) {
	case 'n':
		add_quoted(to, va_arg(*ap, const char *), '"');
		return;
	case 'l':
		add_quoted(to, va_arg(*ap, const char *), '\'');
		return;
	case 's':
		buf_add_str(to, va_arg(*ap, const char *));
		return;
	case 'd':
		buf_printf(to, "%" PRId64, va_arg(*ap, int64_t));
		return;
	case 'u':
		buf_printf(to, "%" PRIu64, va_arg(*ap, uint64_t));
		return;
	case 'g':
		buf_printf(to, "%.17g", va_arg(*ap, double));
		return;
	default: /* %% */
		buf_add_char(to, '%');
	}
}

void ddl_vadd(struct buf *to, const char *schema, const char *sql,
	va_list *ap)
{
	for (; *sql; sql++) {
		if (*sql == '$')
			add_quoted(to, schema, '"');
		else if (*sql == '%')
			add_value(to, *++sql, ap);
		else
			buf_add_char(to, *sql);
	}
}

void ddl_add(struct buf *to, const char *schema, const char *sql, ...)
{
	va_list ap;

	va_start(ap, sql);
	ddl_vadd(to, schema, sql, &ap);
	va_end(ap);
}

#define DOUBLE "double precision"

static const char *const types[] = {
	[Q_TEXT] = "text",
	[Q_COUNT] = DOUBLE,
	[Q_ID] = "bigint",
	[Q_NUMBER] = DOUBLE,
	[Q_RATE] = DOUBLE,
	[Q_PERCENT] = DOUBLE,
	[Q_BYTES] = DOUBLE,
	[Q_BYTES_RATE] = DOUBLE,
	[Q_SECONDS] = DOUBLE,
	[Q_LATENCY] = DOUBLE,
	[Q_AGE] = DOUBLE,
	[Q_TIME] = "timestamptz",
	[Q_BY_ROW] = DOUBLE,
};

const char *ddl_known_type(enum quantity q)
{
	return q == Q_TIME ? "timestamp with time zone" : types[q];
}

/* ---- greenplum --------------------------------------------------------- */

bool ddl_is_greenplum(enum dialect d)
{
	return d == DIALECT_GREENPLUM6 || d == DIALECT_GREENPLUM7;
}

static void add_spread(struct buf *to, enum dialect d, const char *column)
{
	if (!ddl_is_greenplum(d))
		return;
	if (column)
		ddl_add(to, NULL, " DISTRIBUTED BY (%n)", column);
	else
		buf_add_str(to, " DISTRIBUTED RANDOMLY");
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

static void add_date(struct buf *to, int64_t day, const char *between)
{
	struct civil c;

	civil_from_days(&c, day);
	buf_printf(to, "%04" PRId64 "%s%02d%s%02d", c.year, between, c.month,
	    between, c.day);
}

/* A range of midnights: '2026-11-20 00:00:00+00'. */
static void add_range(struct buf *to, const char *from, int64_t day,
	const char *next, const char *end)
{
	buf_printf(to, "%s'", from);
	add_date(to, day, "-");
	buf_printf(to, " 00:00:00+00'%s'", next);
	add_date(to, day + 1, "-");
	buf_printf(to, " 00:00:00+00'%s", end);
}

bool ddl_has_partitions(enum dialect d)
{
	return d != DIALECT_PLAIN;
}

void ddl_partition_name(struct buf *to, enum dialect d, const char *table,
	int64_t day)
{
	buf_printf(to, "%s%sp", table,
	    d == DIALECT_GREENPLUM6 ? "_1_prt_" : "_");
	add_date(to, day, "");
}

/* PARTITION p20261120 START (...) INCLUSIVE END (...) EXCLUSIVE */
static void add_gp6_partition(struct buf *to, int64_t day)
{
	buf_add_str(to, "PARTITION p");
	add_date(to, day, "");
	add_range(to, " START (", day, ") INCLUSIVE END (", ") EXCLUSIVE");
}

void ddl_partition(struct buf *to, enum dialect d, const char *schema,
	const char *table, int64_t day)
{
	struct buf name = BUF_INIT;

	if (d == DIALECT_GREENPLUM6) {
		ddl_add(to, schema, "ALTER TABLE $.%n ADD ", table);
		add_gp6_partition(to, day);
		buf_add_str(to, ";\n");
		return;
	}
	ddl_partition_name(&name, d, table, day);
	ddl_add(to, schema, "CREATE TABLE IF NOT EXISTS $.%n PARTITION OF "
	    "$.%n FOR VALUES FROM ", buf_str(&name), table);
	add_range(to, "(", day, ") TO (", ");\n");
	buf_release(&name);
}

/* ---- tables ------------------------------------------------------------ */

void ddl_schema(struct buf *to, const char *schema)
{
	ddl_add(to, schema, "CREATE SCHEMA $;\n");
}

static void add_version(struct buf *to, const char *schema,
	const char *program)
{
	ddl_add(to, schema, "INSERT INTO $.\"schema_version\" VALUES (%d, "
	    "now(), %l);\n", (int64_t)DDL_VERSION, program);
}

static const struct {
	const char *create, *spread;
} base_tables[] = {
	{ "CREATE TABLE $.\"schema_version\" (version integer NOT NULL, "
	    "applied timestamptz NOT NULL, program text)", "version" },
	{ "CREATE TABLE $.\"recordings\" (id integer NOT NULL PRIMARY KEY, "
	    "recording_id text NOT NULL, step_seconds double precision NOT "
	    "NULL, started timestamptz NOT NULL, interval_seconds double "
	    "precision, recorder_host text, hosts text, server_version text, "
	    "program text, made_of text)", "id" },
	{ "CREATE TABLE $.\"files\" (recording integer NOT NULL, file_number "
	    "bigint NOT NULL, path text, first_sequence bigint NOT NULL, "
	    "last_sequence bigint NOT NULL, first_time timestamptz, last_time "
	    "timestamptz, loaded_to_ns bigint NOT NULL, loaded_rows bigint NOT "
	    "NULL, loaded_at timestamptz NOT NULL, PRIMARY KEY (recording, "
	    "first_sequence))", "recording" },
};

void ddl_base(struct buf *to, enum dialect d, const char *schema,
	const char *program)
{
	size_t i;

	for (i = 0; i < GS_LEN(base_tables); i++) {
		ddl_add(to, schema, base_tables[i].create);
		add_heap(to, d, base_tables[i].spread);
		buf_add_str(to, ";\n");
	}
	add_version(to, schema, program);
}

/* In version 1 a file had one row, whatever part of it was loaded. */
void ddl_upgrade(struct buf *to, const char *schema, int version,
	const char *program)
{
	if (version < 2)
		ddl_add(to, schema,
		    "ALTER TABLE $.\"recordings\" ADD COLUMN made_of text;\n"
		    "ALTER TABLE $.\"files\" DROP CONSTRAINT files_pkey;\n"
		    "ALTER TABLE $.\"files\" ADD PRIMARY KEY (recording, "
		    "first_sequence);\n");
	add_version(to, schema, program);
}

static void add_comment(struct buf *to, const char *schema,
	const char *table, const struct grid_col *c)
{
	ddl_add(to, schema, "COMMENT ON COLUMN $.%n.%n IS %l;\n", table,
	    c->name, c->help);
}

void ddl_add_columns(struct buf *to, const struct grid *columns)
{
	size_t i;

	for (i = 0; i < columns->n_col; i++)
		ddl_add(to, NULL, ",\n\t%n %s", columns->col[i].name,
		    types[columns->col[i].quantity]);
	buf_add_str(to, "\n)");
}

void ddl_create(struct buf *to, enum dialect d, const char *schema,
	const struct history_table *t, const struct grid *columns,
	int64_t day_ns)
{
	size_t i;

	ddl_add(to, schema, "CREATE TABLE $.%n (\n\t\"recording\" integer NOT "
	    "NULL,\n\t\"step\" timestamptz NOT NULL,\n\t\"step_end\" "
	    "timestamptz NOT NULL,\n\t\"covered_seconds\" double precision",
	    t->name);
	ddl_add_columns(to, columns);
	add_spread(to, d, t->spread);
	if (ddl_has_partitions(d))
		buf_add_str(to, " PARTITION BY RANGE (\"step\")");
	if (d == DIALECT_GREENPLUM6) {
		buf_add_str(to, " (");
		add_gp6_partition(to, ddl_day(day_ns));
		buf_add_char(to, ')');
	}
	buf_add_str(to, ";\n");
	if (!ddl_is_greenplum(d))
		ddl_add(to, schema, "CREATE INDEX ON $.%n (\"step\");\n",
		    t->name);
	ddl_add(to, schema, "COMMENT ON TABLE $.%n IS %l;\n", t->name,
	    t->help);
	for (i = 0; i < columns->n_col; i++)
		add_comment(to, schema, t->name, &columns->col[i]);
}

void ddl_add_column(struct buf *to, const char *schema, const char *table,
	const struct grid_col *c)
{
	ddl_add(to, schema, "ALTER TABLE $.%n ADD COLUMN %n %s;\n", table,
	    c->name, types[c->quantity]);
	add_comment(to, schema, table, c);
}
