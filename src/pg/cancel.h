/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cancel.h - asks the server to give up a query, without waiting.
 *
 * PQcancel() connects and waits for the server, which may itself hang; so a
 * thread of its own does it.  Whoever asked may go away meanwhile.
 */
#ifndef GS_PG_CANCEL_H
#define GS_PG_CANCEL_H

#include <stdbool.h>

#include <libpq-fe.h>

struct cancel;

/* Asks for the query that runs on pg to be cancelled.  NULL if it can't be
 * asked: no connection, no thread. */
struct cancel *cancel_start(PGconn *pg);

/* True once the server took note or can't be reached. */
bool cancel_is_done(const struct cancel *c);

/* Lets go of it; a thread that still waits goes on alone. */
void cancel_free(struct cancel *c);

#endif
