/* SPDX-License-Identifier: Apache-2.0 */
/*
 * psql.h - libpq's functions, as far as a recorder calls them, by the server's
 * own psql: for hosts where libpq can't be loaded.
 *
 * Each connection is a psql on a socket that never blocks.  It gets the same
 * statements under the same settings.  Where libpq's connections differ:
 *   - a lost connection shows at the next statement;
 *   - psql ends when it cancels a statement, and the connection with it.
 */
#ifndef GS_PG_PSQL_H
#define GS_PG_PSQL_H

#include <stdbool.h>

#include "pg/libpq_table.h"

/* A psql is in GPHOME's bin or on PATH. */
bool psql_is_here(void);

/* Functions that are not called by a recorder are NULL. */
extern const struct libpq psql_functions;

#endif
