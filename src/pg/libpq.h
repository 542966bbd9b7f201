/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libpq.h - loads PostgreSQL's client library before the first connection to
 * a database.
 *
 * libpq brings the libraries for TLS, Kerberos and LDAP.  Reading a recording
 * needs none of them; they need not be installed for that.  The
 * functions of <libpq-fe.h> are called as usual; libpq_load() or libpq_choose()
 * must have returned GS_OK before the first that makes an object.
 */
#ifndef GS_PG_LIBPQ_H
#define GS_PG_LIBPQ_H

#include <stdbool.h>

#include "base/err.h"

/* Loads libpq, if that is not done yet.  GS_E_NOTFOUND: it can't be loaded;
 * err says what to install.  The call may be repeated. */
int libpq_load(struct gs_err *err);

/* Loads libpq, or where that can't be done lets psql.c answer in its place.
 * GS_E_NOTFOUND: there is no psql either. */
int libpq_choose(struct gs_err *err);

/* psql is asked in place of libpq. */
bool libpq_is_psql(void);

#endif
