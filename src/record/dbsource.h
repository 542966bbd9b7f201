/*
 * dbsource.h - the catalog of the database in the recorder's event loop.
 */
#ifndef GS_RECORD_DBSOURCE_H
#define GS_RECORD_DBSOURCE_H

#include <stdbool.h>
#include <uv.h>

#include "base/err.h"
#include "pg/catalog.h"

struct dbsource;

/* settled() is called from the loop when an answer came after which nothing
 * of the tick is outstanding.  Everything in opt must outlive it. */
struct dbsource *dbsource_new(uv_loop_t *loop,
	const struct catalog_options *opt, void (*settled)(void *arg),
	void *arg, struct gs_err *err);

/* A tick begins. */
void dbsource_tick(struct dbsource *s);

/* True while an answer of this tick is still to come. */
bool dbsource_is_waiting(const struct dbsource *s);

struct catalog *dbsource_catalog(const struct dbsource *s);

/* Ends it; the loop must run until it has nothing left, then
 * dbsource_free(). */
void dbsource_stop(struct dbsource *s);
void dbsource_free(struct dbsource *s);

#endif
