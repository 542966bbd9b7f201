/* SPDX-License-Identifier: Apache-2.0 */
/*
 * twins.h - host_conns that may be one host under two names.
 *
 * Hosts that send the same boot id and pid namespace are twins.  They may be
 * one host, a host and its clone, or a host and an attacker that sends the
 * other's boot id.  The samples decide: counters of one kernel only grow, so
 * those of one host lie between earlier and later ones of itself.
 *
 * Until that is decided one of the twins is held: it is connected and asked,
 * but in no frame, so that no tick has one host twice.
 */
#ifndef GS_RECORD_TWINS_H
#define GS_RECORD_TWINS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "record/host_conn.h"

/* A twin is held for so many of its samples, then both are recorded.  The
 * third sample decides if both answer at each tick. */
#define TWINS_HELD_MAX 5u

/* All host_conns of a host_set; not owned. */
struct twins {
	struct host_conn *const *conn;
	size_t n;
};

/* The first sample of s is there: returns the one that is held from now on, s
 * or a twin of it, and fills the note that says so; NULL if there is none.
 * Call it until it returns NULL. */
struct host_conn *twins_hold(const struct twins *t, struct host_conn *s,
	struct buf *note);

/* The twin that s is the same host as, if s is the one that goes; or NULL. */
struct host_conn *twins_same(const struct twins *t, const struct host_conn *s);

/* True if s was held, and is not held any longer: it is another host, its twins
 * are gone, or it was held for TWINS_HELD_MAX samples.  The note may be
 * empty. */
bool twins_release(const struct twins *t, struct host_conn *s,
	struct buf *note);

#endif
