/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libpq.h - PostgreSQL's library, which is loaded when a database is to be
 * asked, and not before.
 *
 * Behind it come those for TLS, Kerberos and LDAP: what reads a recording
 * needs none of them, nor do they have to be installed for that.  The
 * functions of <libpq-fe.h> are called as ever; before the first of them that
 * makes something, libpq_load() has said GS_OK.
 */
#ifndef GS_PG_LIBPQ_H
#define GS_PG_LIBPQ_H

#include "base/err.h"

/* Loads it, if it is not yet.  GS_E_NOTFOUND: it can't be; err says what to
 * install.  It may be tried again. */
int libpq_load(struct gs_err *err);

#endif
