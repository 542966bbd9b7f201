/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dbsource.h - the database as one more source of a recording: its catalog in
 * the recorder's event loop, its hosts in the host_set.
 *
 * Use per tick: dbsource_tick() where the hosts are asked; before the frame
 * dbsource_prepare(), in it dbsource_say().
 */
#ifndef GS_RECORD_DBSOURCE_H
#define GS_RECORD_DBSOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/err.h"
#include "model/tick_encoder.h"
#include "pg/catalog.h"
#include "record/host_set.h"

struct dbsource;

/*
 * Hosts of its topology are added to the host_set, and removed, if follows.
 * settled() is called from the loop when an answer came after which nothing
 * of the tick is outstanding.  Everything in opt, and the host_set, must
 * outlive it.
 */
struct dbsource *dbsource_new(uv_loop_t *loop,
    const struct catalog_options *opt, struct host_set *host_set, bool follows,
    void (*settled)(void *arg), void *arg, struct gs_err *err);

/* True if it was made of these options, by their address. */
bool dbsource_is_of(const struct dbsource *s,
	const struct catalog_options *opt);

/* Its options, which are the same, name another place now. */
void dbsource_move(struct dbsource *s);

/* All that are asked, itself among them: they share the host_set's hosts, and
 * their events say of which server they are. */
void dbsource_set_peers(struct dbsource *s, struct dbsource *const *peers,
	const size_t *n);

/* Adds its catalog to the hosts of the header, as the one after so many. */
void dbsource_list(const struct dbsource *s, size_t number,
	struct header *h);

/* A tick begins. */
void dbsource_tick(struct dbsource *s);

/* True while an answer of this tick is still to come. */
bool dbsource_is_waiting(const struct dbsource *s);

/* Adds what has happened to the events to be told, and what is new to the
 * header; true if the header changed, so that the next tick must be a key. */
bool dbsource_prepare(struct dbsource *s, struct header *h,
	struct tick *events);

/* Between encoder_begin() and encoder_end(). */
void dbsource_say(struct dbsource *s, struct tick_encoder *m);

/* Its catalog can be read, or could be when it was asked last. */
bool dbsource_is_up(const struct dbsource *s);

/* What tells it from other servers, "port 5433"; since when it is up or down,
 * wall, 0: it was not tried yet; why it is down, "" if it is not known. */
const char *dbsource_label(const struct dbsource *s);
int64_t dbsource_since_ns(const struct dbsource *s);
const char *dbsource_why(const struct dbsource *s);

/* It was tried, failed, and could never be read. */
bool dbsource_never_answered(const struct dbsource *s);

/* Ends it; the loop must run until it has nothing left, then
 * dbsource_free(). */
void dbsource_stop(struct dbsource *s);
void dbsource_free(struct dbsource *s);

#endif
