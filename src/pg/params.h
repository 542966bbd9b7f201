/* SPDX-License-Identifier: Apache-2.0 */
/*
 * params.h - the parameters of the startup packet.
 *
 * All settings of a session are in it: a SET would be sent to the segments,
 * and hang when one of them hangs.  A setting that only some servers have is
 * sent only after the server was found to have it, since an unknown setting
 * ends the connection.
 */
#ifndef GS_PG_PARAMS_H
#define GS_PG_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "pg/catalog_options.h"

/* Settings that only some servers have, as bits. */
#define EXTRA_SETTINGS_MAX 16

/* The bit of a setting; 0 if it is not in our list. */
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

/* Checks and keeps the options that name the server: the dsn wins over host,
 * port, dbname, user, and these over PG* and its files.  GS_E_NOTFOUND: libpq
 * is not installed; GS_E_USAGE: libpq can't parse the dsn. */
int params_init(struct params *p, const struct catalog_options *opt,
	struct gs_err *err);
void params_release(struct params *p);

/* Sets the settings of the session: those of extra, and statement_timeout.
 * plain: texts are not converted from the server's encoding. */
void params_settings(struct params *p, uint32_t extra,
	int64_t statement_timeout_ns, bool plain);

#endif
