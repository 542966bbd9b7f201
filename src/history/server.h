/* SPDX-License-Identifier: Apache-2.0 */
/*
 * server.h - a connection to a database that holds a history, and which SQL
 * it understands.
 */
#ifndef GS_HISTORY_SERVER_H
#define GS_HISTORY_SERVER_H

#include <stdint.h>

#include <libpq-fe.h>

#include "base/err.h"

enum dialect {
	DIALECT_PLAIN, /* PostgreSQL before 11: no partitions */
	DIALECT_POSTGRES, /* from 11 on */
	DIALECT_GREENPLUM6,
	DIALECT_GREENPLUM7, /* also Cloudberry */
	DIALECT_COUNT
};

/* What SQL a server takes, by version() and its number. */
enum dialect dialect_of(const char *version, int version_num);

/* Words of the connection string are in no message.  The caller closes *ret
 * with PQfinish(), also on failure, if it is not NULL. */
int server_connect(const char *dsn, PGconn **ret, enum dialect *ret_dialect,
	struct gs_err *err);

/* The last character that texts of the database can have for sure: it may
 * keep them in an encoding of its own. */
uint32_t server_last_character(const PGconn *pg);

/* Fails with what the server said last, in one line, behind "doing: ". */
int server_failed(PGconn *pg, const char *doing, struct gs_err *err);

/* One statement; *ret is the caller's. */
int server_ask(PGconn *pg, const char *sql, PGresult **ret,
	struct gs_err *err);

#endif
