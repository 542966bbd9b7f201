/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ddl.h - the SQL that makes the tables of a history, in the words of each
 * kind of server.
 *
 * Each appends statements that end with a semicolon and a newline.  Names are
 * quoted; texts are literals.
 */
#ifndef GS_HISTORY_DDL_H
#define GS_HISTORY_DDL_H

#include "base/buf.h"
#include "history/server.h"
#include "history/tables.h"

/* "postgresql", "greenplum6", ... */
extern const char *const dialect_names[];

/* Version of what ddl_base() makes; a newer one is not touched. */
#define DDL_VERSION 2

/* A name and a literal, quoted. */
void ddl_name(struct buf *to, const char *name);
void ddl_literal(struct buf *to, const char *text);

/* "schema"."table" */
void ddl_table_name(struct buf *to, const char *schema, const char *table);

/* "double precision" */
const char *ddl_type(enum quantity q);

/* The same as the server names it in information_schema.columns. */
const char *ddl_known_type(enum quantity q);

void ddl_schema(struct buf *to, const char *schema);

/* Version, recordings and files. */
void ddl_base(struct buf *to, enum dialect d, const char *schema,
	const char *program);

/* What ddl_base() of an older version made becomes what it makes now. */
void ddl_upgrade(struct buf *to, const char *schema, int version,
	const char *program);

/* A table with its comments.  day_ns: an instant of the first day that it has
 * rows of, where a table can't be made without. */
void ddl_create(struct buf *to, enum dialect d, const char *schema,
	const struct history_table *t, const struct grid *columns,
	int64_t day_ns);

void ddl_add_column(struct buf *to, const char *schema, const char *table,
	const struct grid_col *c);

/* The day of an instant, UTC, since 1970. */
int64_t ddl_day(int64_t ns);

/* True if rows of a day need a partition that must be made. */
bool ddl_has_partitions(enum dialect d);

/* The partition of a day.  Greenplum 6 fails where there is one already:
 * ddl_partition_name() is what it is called in pg_class. */
void ddl_partition(struct buf *to, enum dialect d, const char *schema,
	const char *table, int64_t day);
void ddl_partition_name(struct buf *to, enum dialect d, const char *table,
	int64_t day);

/* Views over all tables. */
void ddl_views(struct buf *to, const char *schema);

/* Tables by which Greenplum reads recordings on its hosts itself. */
void ddl_external(struct buf *to, const char *schema, const char *path);

#endif
