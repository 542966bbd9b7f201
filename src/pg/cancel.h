/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cancel.h - asks the server to cancel a query, without waiting.
 *
 * PQcancel() connects and waits for the server, which may itself hang; so a
 * separate thread calls it.  The caller may go away meanwhile.
 */
#ifndef GS_PG_CANCEL_H
#define GS_PG_CANCEL_H

#include <stdbool.h>

#include <libpq-fe.h>

struct cancel;

/* Starts to cancel the query that runs on pg.  NULL on failure: there is no
 * connection, or no thread can be made. */
struct cancel *cancel_start(PGconn *pg);

/* True once the server has received the request or can't be reached. */
bool cancel_is_done(const struct cancel *c);

/* Frees it; a thread that still waits frees itself at its end. */
void cancel_free(struct cancel *c);

#endif
