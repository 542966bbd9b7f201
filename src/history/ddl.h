/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ddl.h - the SQL that makes the tables of a history, in the dialect of each
 * kind of server.
 *
 * Each appends statements that end with a semicolon and a newline.  Names are
 * quoted; texts are literals.
 */
#ifndef GS_HISTORY_DDL_H
#define GS_HISTORY_DDL_H

#include <stdarg.h>

#include "base/buf.h"
#include "history/server.h"
#include "history/tables.h"

/* "postgresql", "greenplum6", ... */
extern const char *const dialect_names[];

/* Version of the schema that ddl_base() makes; a newer one is not changed. */
#define DDL_VERSION 2

/*
 * Appends SQL, in which $ is the schema's name, quoted, and
 *
 *	%n  a name, quoted	%l  a literal	%s  a text as it is
 *	%d  an int64_t	%u  a uint64_t	%g  a double
 *	%%  a %
 */
void ddl_add(struct buf *to, const char *schema, const char *sql, ...);
void ddl_vadd(struct buf *to, const char *schema, const char *sql,
	va_list *ap);

/* The names and types of columns, each after a comma, and a ). */
void ddl_add_columns(struct buf *to, const struct grid *columns);

/* The name of a column's type in information_schema.columns. */
const char *ddl_known_type(enum quantity q);

void ddl_schema(struct buf *to, const char *schema);

/* Version, recordings and files. */
void ddl_base(struct buf *to, enum dialect d, const char *schema,
	const char *program);

/* Upgrades the tables of ddl_base() from an older version. */
void ddl_upgrade(struct buf *to, const char *schema, int version,
	const char *program);

/* A table with its comments.  day_ns: an instant of its first day, for servers
 * where a table can't be made without a partition. */
void ddl_create(struct buf *to, enum dialect d, const char *schema,
	const struct history_table *t, const struct grid *columns,
	int64_t day_ns);

void ddl_add_column(struct buf *to, const char *schema, const char *table,
	const struct grid_col *c);

/* The day of an instant, UTC, since 1970. */
int64_t ddl_day(int64_t ns);

bool ddl_is_greenplum(enum dialect d);

/* True if rows of a day need a partition that must be made. */
bool ddl_has_partitions(enum dialect d);

/* The partition of a day.  Greenplum 6 fails if it exists already:
 * ddl_partition_name() is its name in pg_class. */
void ddl_partition(struct buf *to, enum dialect d, const char *schema,
	const char *table, int64_t day);
void ddl_partition_name(struct buf *to, enum dialect d, const char *table,
	int64_t day);

/* Views over all tables. */
void ddl_views(struct buf *to, const char *schema);

/* Tables by which Greenplum reads recordings on its hosts itself. */
void ddl_external(struct buf *to, const char *schema, const char *path);

#endif
