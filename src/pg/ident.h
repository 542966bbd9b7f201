/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ident.h - the identity of a server: flavour, version, facts and settings.
 *
 * Two statements read it; neither is sent to segments.  Settings that
 * may hold a secret are named without their value: commands and connection
 * strings, names with password, secret, token or credential, and
 * values that look like a connection string with a password.
 */
#ifndef GS_PG_IDENT_H
#define GS_PG_IDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "model/header.h"
#include "pg/queries.h"
#include "pg/rowset.h"

#define IDENT_SETTINGS_MAX 2000
#define IDENT_VALUE_MAX 1024

struct ident_setting {
	char *name, *value;
};

struct ident {
	struct server server;
	char *text; /* of version() */
	char *version; /* of the flavour: "6.24.0" */
	bool has_start, recovery;
	int64_t start_us;
	uint32_t extra; /* settings of params.h that the server has */
	struct ident_setting *setting; /* not at their default */
	size_t n_setting, setting_cap;
	/* facts for the row; NULL: not known */
	char *name, *port, *datadir, *max_connections, *reserved, *vmem_mb,
	    *manager, *query_bytes;
	char *statements; /* schema of pg_stat_statements, quoted; NULL: the
	                   * connected database does not have it */
	int64_t load_us; /* when the server last read its settings; 0: not
	                  * known */
};

void ident_release(struct ident *id);

/* True if both are equal: the header need not change. */
bool ident_same(const struct ident *a, const struct ident *b);

/* The statements, in this order, and their answers; false: such a server does
 * not give that answer. */
extern const char ident_version_sql[];
bool ident_parse_version(struct ident *id, const PGresult *r);
void ident_settings_sql(struct buf *out);
bool ident_parse_settings(struct ident *id, const PGresult *r);

/* True if the settings can't have changed: it is the same server, and has not
 * read them again. */
bool ident_is_unchanged(const struct ident *id, const struct ident *before);

/* Maximum bytes of a query text; SIZE_MAX: not known. */
size_t ident_query_bytes(const struct ident *id);

/* Keeps, from before, the server's own values of settings that our connection
 * overrides. */
void ident_keep(struct ident *id, const struct ident *before);

/* Flavour and version in the text of version(). */
enum flavour ident_flavour(const char *text, struct span *ret_version);

/* What is recorded for a setting: its value, or a text that says that the
 * value is not recorded. */
const char *ident_shown(const char *name, const char *value);

/* Puts the row of the cluster.  host: recorded host, or NULL; spare: its free
 * connections, or -1. */
void ident_put(const struct ident *id, struct rowset *s, const char *host,
	int64_t spare);

/* Replaces version and settings in the header. */
void ident_describe(const struct ident *id, struct header *h,
	uint32_t catalog);

#endif
