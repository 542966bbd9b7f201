/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conn.h - one connection to a server, which never blocks.
 *
 * One statement is asked at a time.  Past its deadline it is cancelled, and
 * the connection stays until the server has answered or is gone: connecting
 * again while the old backend hangs would leave one more backend at each
 * attempt.  For the same reason an attempt to connect is never given up once
 * the server has accepted the connection.
 *
 * Use: conn_open(), then conn_advance() whenever conn_wait() says so, as long
 * as it returns a step; conn_ask() after CONN_OPENED, and after the answer to
 * the previous statement.  Times are of gs_clock_mono_ns().
 */
#ifndef GS_PG_CONN_H
#define GS_PG_CONN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "pg/catalog_options.h"

#define CONN_WHY_MAX 256

enum conn_state {
	CONN_CLOSED,
	CONN_CONNECTING,
	CONN_READY,
	CONN_BUSY,
	CONN_CANCELLING /* past its deadline, not answered yet */
};

enum conn_step {
	CONN_NOTHING, /* wait */
	CONN_OPENED, /* the state is CONN_READY */
	CONN_ANSWER, /* result: rows or an error; CONN_READY again */
	CONN_TIMEOUT, /* deadline passed: CONN_CANCELLING */
	CONN_BACK, /* the cancelled statement has ended: CONN_READY */
	CONN_HUNG, /* reported once: no answer even after the cancel, or the
	            * server accepted the connection and is silent */
	CONN_LOST /* or could not be opened: CONN_CLOSED, and why */
};

struct cancel;

struct conn {
	PGconn *pg;
	enum conn_state state;
	PostgresPollingStatusType poll; /* while connecting */
	uint32_t as_uid; /* connects as this user, if not 0 */
	bool unsent; /* part of the statement is not written yet */
	bool hung_reported;
	int pid; /* of the backend; stays after it was closed */
	PGresult *result; /* owned; of CONN_ANSWER, until the next call */
	int64_t since_ns; /* connecting or asked since */
	int64_t deadline_ns; /* of the statement */
	int64_t answered_ns;
	int64_t cancel_ns; /* when to cancel (again) */
	struct cancel *cancel;
	char why[CONN_WHY_MAX]; /* one line */
};

/* Starts to connect; keys and values as of PQconnectStartParams().  as_uid is
 * the OS user that peer authentication sees, for a caller that is root; 0: the
 * caller's own. */
void conn_open(struct conn *c, const char *const *keys,
	const char *const *values, uint32_t as_uid, int64_t now_ns);

/* Closes without waiting; a zeroed struct is closed already. */
void conn_close(struct conn *c);

/* Sends a statement.  If that fails, the next conn_advance() returns CONN_LOST.
 * Only in CONN_READY. */
void conn_ask(struct conn *c, const char *sql, int64_t now_ns,
	int64_t deadline_ns);

/* Cancels the statement that runs, if one does: its end is CONN_BACK. */
void conn_cancel(struct conn *c);

/* Does what can be done now, up to the next step. */
enum conn_step conn_advance(struct conn *c, int64_t now_ns);

/* The descriptor to wait for; false if none.  *due_ns is lowered to the latest
 * time of the next conn_advance(). */
bool conn_wait(const struct conn *c, struct catalog_wait *ret,
	int64_t *due_ns);

/* We are a superuser of the server. */
bool conn_is_superuser(const struct conn *c);

/* The SQLSTATE of an error; "" of any other result. */
const char *conn_sqlstate(const PGresult *r);

/* The first line of a libpq message that is not empty, without the newline. */
void conn_one_line(const char *message, char ret[CONN_WHY_MAX]);

#endif
