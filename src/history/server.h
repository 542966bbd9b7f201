/* SPDX-License-Identifier: Apache-2.0 */
/*
 * server.h - a connection to a database that holds a history, and which SQL
 * it understands.
 */
#ifndef GS_HISTORY_SERVER_H
#define GS_HISTORY_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "base/buf.h"
#include "base/err.h"

enum dialect {
	DIALECT_PLAIN, /* PostgreSQL before 11: no partitions */
	DIALECT_POSTGRES, /* from 11 on */
	DIALECT_GREENPLUM6,
	DIALECT_GREENPLUM7, /* also Cloudberry */
	DIALECT_COUNT
};

/* The dialect of a server, by version() and server_version_num. */
enum dialect dialect_of(const char *version, int version_num);

/* No message contains parts of the connection string.  The caller closes *ret
 * with PQfinish(), also on failure, if it is not NULL. */
int server_connect(const char *dsn, PGconn **ret, enum dialect *ret_dialect,
	struct gs_err *err);

/* The highest code point that texts of the database can surely hold, which
 * depends on its encoding. */
uint32_t server_last_character(const PGconn *pg);

/* Fails with the server's last message, in one line, after "doing: ". */
int server_failed(PGconn *pg, const char *doing, struct gs_err *err);

/* Whether to wait no longer for the server, which may itself wait for a lock or a disk;
 * NULL: nobody says so.  Then GS_E_GONE, and the connection is of no more use. */
typedef bool (*server_stopped_fn)(void);

/* Runs statements; the caller clears *ret, of the last one. */
int server_ask(PGconn *pg, const char *sql, server_stopped_fn is_stopped,
	PGresult **ret, struct gs_err *err);

/* COPY of these rows; sql: it is FROM STDIN; doing: for errors. */
int server_copy(PGconn *pg, const char *sql, const struct buf *rows,
	const char *doing, server_stopped_fn is_stopped, struct gs_err *err);

#endif
