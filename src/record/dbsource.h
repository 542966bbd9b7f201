/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dbsource.h - a database as a source of a recording: its catalog in the
 * recorder's event loop, its hosts in the host_set.
 *
 * Use per tick: dbsource_tick() when the hosts are asked; dbsource_prepare()
 * before the frame, dbsource_encode() in it.
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
 * answered() is called from the loop after the last outstanding answer of a
 * tick.  Everything in opt, and the host_set, must outlive it.
 */
struct dbsource *dbsource_new(uv_loop_t *loop,
    const struct catalog_options *opt, struct host_set *host_set, bool follows,
    void (*answered)(void *arg), void *arg, struct gs_err *err);

/* True if it was made with these options (the same pointer). */
bool dbsource_is_of(const struct dbsource *s,
	const struct catalog_options *opt);

/* Its options, at the same address, name another server address now. */
void dbsource_move(struct dbsource *s);

/* All sources, including itself: they share the host_set's hosts, and their
 * events name their server. */
void dbsource_set_peers(struct dbsource *s, struct dbsource *const *peers,
	const size_t *n);

/* Adds its catalog to the hosts of the header; number: of those before it. */
void dbsource_list(const struct dbsource *s, size_t number,
	struct header *h);

/* A tick begins. */
void dbsource_tick(struct dbsource *s);

/* True while an answer of this tick is still to come. */
bool dbsource_is_waiting(const struct dbsource *s);

/* Adds its events, and updates the header; true if the header changed, so
 * that the next tick must be a key. */
bool dbsource_prepare(struct dbsource *s, struct header *h,
	struct tick *events);

/* Between encoder_begin() and encoder_end(). */
void dbsource_encode(struct dbsource *s, struct tick_encoder *m);

struct dbsource_state {
	const char *label; /* among servers, "port 5433" */
	bool up; /* the last attempt to read its catalog succeeded */
	int64_t since_ns; /* up or down, wall; 0: not tried yet */
	const char *why; /* it is down; NULL: not known */
};

/* Its texts are valid until dbsource_prepare(). */
struct dbsource_state dbsource_get_state(const struct dbsource *s);

/* True if it was tried and has never answered. */
bool dbsource_never_answered(const struct dbsource *s);

/* Ends it; run the loop until it has nothing left, then call
 * dbsource_free(). */
void dbsource_stop(struct dbsource *s);
void dbsource_free(struct dbsource *s);

#endif
