/* SPDX-License-Identifier: Apache-2.0 */
/*
 * server_waits.h - the waits of all servers: each has its own struct waits, since
 * its samples have their own weights.  One that was restarted is the same, by its
 * name.  What has no known server counts for the
 * first.
 */
#ifndef GS_QUERY_SERVER_WAITS_H
#define GS_QUERY_SERVER_WAITS_H

#include "analysis/waits.h"

struct server_waits;

/* by: as of waits_new(); note: as of waits_set_note(), may be NULL. */
struct server_waits *server_waits_new(unsigned by, waits_note_fn note,
	void *ctx);
void server_waits_free(struct server_waits *s);

void server_waits_tick(struct server_waits *s, const struct world *w,
	const struct sessions *sessions, int64_t interval_ns);
/* As waits_pass() and waits_steady_after(). */
void server_waits_pass(struct server_waits *s, const struct world *w,
	const struct sessions *sessions, int64_t interval_ns);
uint64_t server_waits_steady_after(const struct server_waits *s);

/* Another server would count for the first one. */
bool server_waits_is_full(const struct server_waits *s);
void server_waits_restart(struct server_waits *s, bool knows);
void server_waits_take(struct server_waits *s, waits_take_fn fn, void *ctx);

#endif
