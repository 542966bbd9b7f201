/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ident.h - what a server is: flavour, version, facts and settings.
 *
 * Two statements ask for it, none of which goes to segments.  Settings that
 * may hold a secret are named without their value: commands and connection
 * strings, whatever is called a password, secret, token or credential, and
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
	char *text; /* as version() says it */
	char *version; /* of the flavour: "6.24.0" */
	bool has_start, recovery;
	int64_t start_us;
	uint32_t extra; /* settings of params.h that the server has */
	struct ident_setting *setting; /* those that are not at default */
	size_t n_setting, setting_cap;
	/* facts for the row; NULL: not known */
	char *name, *port, *datadir, *max_connections, *reserved, *vmem_mb,
	    *manager, *query_bytes;
	int64_t load_us; /* when the settings were read last; 0: not known */
};

void ident_release(struct ident *id);

/* True if both say the same: nothing to describe anew. */
bool ident_same(const struct ident *a, const struct ident *b);

/* The statements, in this order, and their answers; false: the answer is none
 * that such a server gives. */
extern const char ident_version_sql[];
bool ident_take_version(struct ident *id, const PGresult *r);
void ident_settings_sql(struct buf *out);
bool ident_take_settings(struct ident *id, const PGresult *r);

/* True if the settings can't be others than before: it is the same server, and
 * has not read them again. */
bool ident_is_unchanged(const struct ident *id, const struct ident *before);

/* Bytes of the text of a query at most; SIZE_MAX: not known. */
size_t ident_query_bytes(const struct ident *id);

/* What the server's own configuration said of settings that are ours by now:
 * it was seen before. */
void ident_keep(struct ident *id, const struct ident *before);

/* Flavour and version as version() says them. */
enum flavour ident_flavour(const char *text, struct span *ret_version);

/* What stands for the value of a setting: itself, or that it is not
 * recorded. */
const char *ident_shown(const char *name, const char *value);

/* Puts the row of the cluster.  host: recorded host, or NULL; spare: its
 * connections that are left, or -1. */
void ident_put(const struct ident *id, struct rowset *s, const char *host,
	int64_t spare);

/* Version and settings into the header, instead of those it has. */
void ident_describe(const struct ident *id, struct header *h,
	uint32_t catalog);

#endif
