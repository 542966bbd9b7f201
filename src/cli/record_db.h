/*
 * record_db.h - which database `gpsnap record` asks, and for what.
 */
#ifndef GS_CLI_RECORD_DB_H
#define GS_CLI_RECORD_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "cli/opt.h"
#include "pg/catalog.h"
#include "record/servers.h"

/* Values of the options; fields of struct record. */
struct record_db {
	int64_t pid;
	const char *pid_option; /* what it is called; NULL: pid */
	const char *pgdata;
	const char *dsn;
	bool no_catalog;
	const char *collect;
	int64_t sql_interval_ns;
	int64_t dispatch_interval_ns;
	int query_text; /* enum query_text */
	uint64_t query_text_size;
};

/* Names of enum query_text. */
extern const char *const record_query_texts[];

/* The database that was chosen. */
struct database {
	bool wanted; /* one is to be asked */
	bool awaited; /* the first that is started here will be */
	const char *pid_option; /* as of struct record_db */
	struct catalog_options opt; /* if wanted; texts are owned below */
	struct buf socket_dir, port, user;
	struct buf text; /* which one; after a failure: those there are, a
	                  * line each */
};

#define DATABASE_INIT { 0 }

void database_release(struct database *d);

/*
 * Chooses, in this order: --no-catalog; --dsn; --pgdata; --pid; PGHOST,
 * PGPORT or PGSERVICE of the environment; COORDINATOR_DATA_DIRECTORY,
 * MASTER_DATA_DIRECTORY or PGDATA where a server runs; the only server that
 * runs here, of this user's or of all.  Where none runs, or GPSNAP_NO_CATALOG is set and none was said,
 * none is wanted.  look: whether the last three are looked at, which they are
 * not for a captured tree or a list of hosts.
 */
int database_choose(const struct record_db *o, bool look,
	struct database *ret, struct gs_err *err);

/* If awaited: recorder_options.choose_catalog; arg is the struct database. */
const struct catalog_options *database_choose_later(void *arg,
	const struct servers *s, struct gs_err *err);

#endif
