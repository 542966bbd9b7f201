/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libpq.h - loads PostgreSQL's client library before the first connection to
 * a database.
 *
 * libpq brings the libraries for TLS, Kerberos and LDAP.  Reading a recording
 * needs none of them; they need not be installed for that.  The
 * functions of <libpq-fe.h> are called as usual; libpq_load() must have
 * returned GS_OK before the first that makes an object.
 */
#ifndef GS_PG_LIBPQ_H
#define GS_PG_LIBPQ_H

#include "base/err.h"

/* Loads libpq, if that is not done yet.  GS_E_NOTFOUND: it can't be loaded;
 * err says what to install.  The call may be repeated. */
int libpq_load(struct gs_err *err);

#endif
