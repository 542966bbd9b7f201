/* SPDX-License-Identifier: Apache-2.0 */
/*
 * params.h - what stands in the startup packet.
 *
 * Everything that a session is to be like is said there: a SET would be sent
 * to the segments, and hang when one of them does.  What not every server
 * knows is said only once a server was seen to know it, as an unknown setting
 * ends the connection.
 */
#ifndef GS_PG_PARAMS_H
#define GS_PG_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "pg/catalog.h"

/* Settings that only some servers have, as bits. */
#define EXTRA_SETTINGS_MAX 16

/* The bit of a setting; 0 if it is none that is wanted. */
uint32_t extra_setting(const char *name);

/* The bits of those that only superusers may set. */
uint32_t extra_settings_of_superusers(void);

/* The bits of those that the text of an error names. */
uint32_t extra_settings_in(const char *message);

/* SQL list of their names: "'jit', ..." */
void extra_settings_list(struct buf *out);

struct params {
	char **key;
	char **value;
	size_t n, cap;
	char *user_options; /* of the dsn or PGOPTIONS; NULL: none */
};

/* Checks and keeps what the options say of the server: the dsn before host,
 * port, dbname, user, before PG* and its files.  GS_E_NOTFOUND: there is no libpq; GS_E_USAGE: libpq can't read
 * the dsn. */
int params_init(struct params *p, const struct catalog_options *opt,
	struct gs_err *err);
void params_release(struct params *p);

/* Sets the settings of the session: those of extra, and statement_timeout.
 * plain: bytes of texts are taken as the server has them, whatever their
 * encoding. */
void params_settings(struct params *p, uint32_t extra,
	int64_t statement_timeout_ns, bool plain);

#endif
