/* SPDX-License-Identifier: Apache-2.0 */
#include "record/twins.h"

#include <string.h>

#include "base/mem.h"

enum verdict {
	UNKNOWN,
	SAME,
	OTHER
};

/* ---- samples ----------------------------------------------------------- */

static bool is_between(const struct host_conn_mark *m,
	const struct host_conn_mark *from, const struct host_conn_mark *to)
{
	return m->boot_ns >= from->boot_ns && m->boot_ns <= to->boot_ns &&
	    m->switches >= from->switches && m->switches <= to->switches &&
	    m->interrupts >= from->interrupts &&
	    m->interrupts <= to->interrupts;
}

/* An agent reads its clock and its counters one after the other: only in the
 * middle of the time its counters have to fit. */
static bool is_amid(const struct host_conn_mark *m,
	const struct host_conn_mark *from, const struct host_conn_mark *to)
{
	int64_t margin = (to->boot_ns - from->boot_ns) / 4;

	return m->boot_ns - from->boot_ns > margin &&
	    to->boot_ns - m->boot_ns > margin;
}

/* Compares the samples of the twin with the oldest and the newest of s.  Only
 * counters of s itself, which is the one that goes, count as the frame: a host
 * can't make another one go. */
static enum verdict compare(const struct host_conn *s,
	const struct host_conn *twin)
{
	const struct host_conn_mark *to = &s->mark[0],
	    *from = &s->mark[HOST_CONN_MARKS - 1], *m;
	enum verdict v = UNKNOWN;

	while (from > to && !from->known)
		from--;
	if (from == to || !to->known)
		return UNKNOWN;
	for (m = twin->mark; m < twin->mark + HOST_CONN_MARKS; m++) {
		if (m->known && is_between(m, from, to))
			return SAME;
		if (m->known && is_amid(m, from, to))
			v = OTHER;
	}
	return v;
}

/* ---- pairs ------------------------------------------------------------- */

static bool is_twin(const struct host_conn *a, const struct host_conn *b)
{
	return a != b && host_conn_is_up(a) && host_conn_is_up(b) &&
	    a->announced && b->announced && a->boot_id && b->boot_id &&
	    a->pid_ns == b->pid_ns && strcmp(a->boot_id, b->boot_id) == 0;
}

static bool is_recorded(const struct host_conn *s)
{
	return s->framed && !s->lost;
}

/* Of two, the local one stays, or the one that is recorded already, or the one
 * whose name was given before: which one answers first is random. */
static bool goes(const struct host_conn *s, const struct host_conn *twin)
{
	if (s->local != twin->local)
		return twin->local;
	if (is_recorded(s) != is_recorded(twin))
		return is_recorded(twin);
	return twin->index < s->index;
}

static struct host_conn *hold(struct host_conn *s, struct host_conn *twin,
	struct buf *note)
{
	s->held_for = twin;
	s->held_samples = 0;
	buf_reset(note);
	buf_printf(note, "%s and %s say that they are one host: %s is not "
	    "recorded until that is decided", s->name, twin->name, s->name);
	return s;
}

struct host_conn *twins_hold(const struct twins *t, struct host_conn *s,
	struct buf *note)
{
	size_t i;

	for (i = 0; !s->held_for && i < t->n; i++) {
		struct host_conn *o = t->conn[i];

		if (!is_twin(o, s))
			continue;
		s->has_twin = o->has_twin = true;
		if (o->held_for)
			continue;
		return !is_recorded(o) && goes(o, s) ? hold(o, s, note)
		                                     : hold(s, o, note);
	}
	return NULL;
}

struct host_conn *twins_same(const struct twins *t, const struct host_conn *s)
{
	size_t i;

	for (i = 0; s->has_twin && i < t->n; i++) {
		struct host_conn *o = t->conn[i];

		if (o->has_twin && is_twin(o, s) && goes(s, o) &&
		    compare(s, o) == SAME)
			return o;
	}
	return NULL;
}

enum state {
	ALONE, /* it has no twin any more */
	HELD,
	RELEASED, /* it is another host */
	UNDECIDED /* held for too long */
};

static enum state judge(const struct twins *t, const struct host_conn *s)
{
	enum state state = ALONE;
	size_t i;

	for (i = 0; i < t->n; i++) {
		const struct host_conn *o = t->conn[i];

		if (!o->has_twin || o->held_for || !is_twin(o, s))
			continue;
		if ((goes(s, o) ? compare(s, o) : compare(o, s)) != OTHER)
			return s->held_samples < TWINS_HELD_MAX ? HELD
			                                        : UNDECIDED;
		state = RELEASED;
	}
	return state;
}

bool twins_release(const struct twins *t, struct host_conn *s,
	struct buf *note)
{
	enum state state = s->held_for ? judge(t, s) : HELD;

	if (state == HELD)
		return false;
	buf_reset(note);
	if (state == RELEASED)
		buf_printf(note, "%s is not the same host as %s: both are "
		    "recorded", s->name, s->held_for->name);
	else if (state == UNDECIDED)
		buf_printf(note, "it can not be decided whether %s and %s are "
		    "one host: both are recorded", s->name, s->held_for->name);
	s->held_for = NULL;
	return true;
}
