/* SPDX-License-Identifier: Apache-2.0 */
/*
 * database.h - which database `gpsnap record` asks, and for what.
 */
#ifndef GS_RECORD_DATABASE_H
#define GS_RECORD_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "pg/catalog.h"
#include "record/servers.h"

/* What was asked for. */
struct record_db {
	int64_t pid;
	const char *pid_option; /* its name; NULL: pid */
	const char *pgdata;
	const char *const *dsn; /* a server each */
	size_t n_dsn;
	bool no_catalog;
	const char *collect;
	int64_t sql_interval_ns;
	int64_t dispatch_interval_ns;
	int query_text; /* enum query_text */
	uint64_t query_text_size;
	const char *version; /* of the program, for the servers */
};

/* Names of enum query_text. */
extern const char *const record_query_texts[];

/* A server that is asked, and what its options point to. */
struct database_server {
	struct catalog_options opt;
	struct buf socket_dir, port, user, peer, label;
	char *datadir; /* NULL: not known */
	bool plain; /* PostgreSQL that leads no cluster, as far as is known */
};

/* The servers that were chosen. */
struct database {
	bool awaited; /* those that are started here will be asked, too */
	size_t reported_others; /* number of servers beyond the maximum */
	const char *pid_option; /* as in struct record_db */
	struct catalog_options opt; /* what they have in common */
	struct database_server *server[SERVERS_ASKED_MAX];
	size_t n_server;
	struct buf text; /* after a failure: the servers, a line each */
};

#define DATABASE_INIT { 0 }

void database_release(struct database *d);

/* Whether one of them may lead a cluster; only that one knows its hosts. */
bool database_may_lead(const struct database *d);

/*
 * Chooses, in this order: --no-catalog; each --dsn; --pgdata; --pid; PGHOST,
 * PGPORT or PGSERVICE of the environment; COORDINATOR_DATA_DIRECTORY,
 * MASTER_DATA_DIRECTORY or PGDATA where a server runs; all servers that run
 * here as this user, or if there are none, all.  If none runs, or
 * GPSNAP_NO_CATALOG is set and no option names one, none is chosen. search:
 * whether the last three are tried; not for a captured tree or a list of hosts.
 */
int database_choose(const struct record_db *o, bool search,
	struct database *ret, struct gs_err *err);

/* Whether servers that are seen later matter: more are expected, or one may
 * return at another port. */
bool database_is_choosing(const struct database *d);

/* Then: recorder_options.choose_catalog; arg is the struct database. */
size_t database_choose_later(void *arg, const struct servers *s,
	const struct catalog_options **ret, bool *ret_later,
	struct gs_err *err);

#endif
