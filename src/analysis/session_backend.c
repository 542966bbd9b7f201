/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_backend.c - one row of pg_stat_activity: its content, and the process
 * that it is about.
 */
#include "analysis/sessions_int.h"

#include "base/arith.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "model/diff.h"

/* How far the coordinator's clock is ahead of the recorder's. */
static int64_t coordinator_offset(const struct sessions *s,
	const struct host *catalog)
{
	const struct place *p = catalog_place(s, catalog, -1);

	return p && p->host ? p->host->clock.offset_ns : 0;
}

bool catalog_instant(const struct sessions *s, const struct row *r,
	unsigned col, int64_t *ret_us, int64_t *ret_ns)
{
	uint64_t v;
	int64_t us, ns;

	if (!row_get(r, col, &v))
		return false;
	us = (int64_t)v;
	if (us < TICK_TIME_MIN_NS / 1000 || us > TICK_TIME_MAX_NS / 1000)
		return false;
	ns = gs_difference(us * 1000, coordinator_offset(s, r->host));
	*ret_us = us;
	*ret_ns = ns;
	return true;
}

static bool is_one_of(struct span s, const char *const *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (span_eq(s, list[i]))
			return true;
	}
	return false;
}

/* The wait of an active backend: Greenplum 6's waiting_reason, else
 * wait_event_type. */
static enum title_state waiting_state(const struct world *w,
	const struct row *r)
{
	static const char *const queue[] = { "resgroup", "resqueue",
		"ResourceGroup", "ResourceQueue" };
	static const char *const lock[] = { "lock", "Lock" };
	struct span type = row_text(w, r, COL(BACKEND, WAIT_TYPE));
	struct span event = row_text(w, r, COL(BACKEND, WAIT_EVENT));

	if (is_one_of(type, queue, GS_LEN(queue)))
		return TITLE_QUEUED;
	if (span_eq(type, "replication") || span_eq(event, "SyncRep"))
		return TITLE_REPLICATION;
	if (is_one_of(type, lock, GS_LEN(lock)))
		return TITLE_WAITING;
	if (span_empty(type) && row_signed(r, COL(BACKEND, WAITING), 0) == 1)
		return TITLE_WAITING;
	return TITLE_ACTIVE;
}

enum title_state catalog_state(const struct world *w, const struct row *r)
{
	struct span t = row_text(w, r, COL(BACKEND, STATE));

	if (span_eq(t, "active") || span_eq(t, "fastpath function call"))
		return waiting_state(w, r);
	if (span_eq(t, "idle"))
		return TITLE_IDLE;
	if (span_eq(t, "idle in transaction"))
		return TITLE_IDLE_TX;
	if (span_eq(t, "idle in transaction (aborted)"))
		return TITLE_IDLE_ABORTED;
	return TITLE_STATE_NONE;
}

/* Not a checkpointer, a WAL sender, ... */
bool backend_is_of_session(const struct world *w, const struct row *r)
{
	static const char *const kinds[] = { "client backend",
		"parallel worker" };
	struct span t = row_text(w, r, COL(BACKEND, TYPE));

	return span_empty(t) || is_one_of(t, kinds, GS_LEN(kinds));
}

bool backend_is_worker(const struct row *r)
{
	return row_signed(r, COL(BACKEND, LEADER), 0) !=
	    (cells_has(r->now, COL(BACKEND, LEADER))
	    ? row_signed(r, COL(BACKEND, PID), 0) : 0);
}

bool backend_is_before(const struct row *a, const struct row *b)
{
	int64_t ca = row_signed(a, COL(BACKEND, CONTENT), -1);
	int64_t cb = row_signed(b, COL(BACKEND, CONTENT), -1);

	if (ca != cb)
		return ca < cb;
	return row_signed(a, COL(BACKEND, START), INT64_MAX) <
	    row_signed(b, COL(BACKEND, START), INT64_MAX);
}

/* ---- its process ------------------------------------------------------- */

/* Largest difference of the start times from the two sources, and of the host's
 * clock. */
#define START_TOLERANCE_NS (2 * GS_NSEC_PER_SEC)

static int64_t start_of(const struct proc *p)
{
	const struct host *h = p->row->host;
	uint64_t ticks = proc_number(p, COL(PROCESS, START));

	return gs_sum(gs_difference(h->clock.wall_ns, h->clock.boot_ns),
	    (int64_t)(ticks * diff_tick_ns(h)));
}

/* Else the pid belongs to another process now, or is about to. */
static bool starts_fit(const struct proc *p, const struct row *r)
{
	const struct host *h = p->row->host;
	int64_t us = row_signed(r, COL(BACKEND, START), 0);
	int64_t apart, tolerance;

	if (!cells_has(r->now, COL(BACKEND, START)))
		return true;
	if (us < TICK_TIME_MIN_NS / 1000 || us > TICK_TIME_MAX_NS / 1000)
		return false;
	apart = gs_difference(us * 1000, start_of(p));
	tolerance = gs_sum(START_TOLERANCE_NS, h->clock.offset_ns < 0
		? gs_difference(0, h->clock.offset_ns)
		: h->clock.offset_ns);
	return apart >= gs_difference(0, tolerance) && apart <= tolerance;
}

static const struct place *place_of(const struct sessions *s,
	const struct row *r)
{
	return catalog_place(s, r->host,
	    row_signed(r, COL(BACKEND, CONTENT), -1));
}

/* False if the process belongs to another server: another pid namespace may
 * have the same pid. */
static bool servers_fit(const struct sessions *s, const struct row *r,
	const struct proc *p)
{
	const struct source *of = catalog_source(s, r->host);
	size_t i;

	if (row_signed(r, COL(BACKEND, CONTENT), -1) != -1 || !p->server)
		return true;
	if (of && of->tied)
		return of->server == p->server;
	for (i = 0; i < s->n_source; i++) {
		if (s->source[i].tied && s->source[i].server == p->server)
			return false;
	}
	return true;
}

static bool is_of(const struct sessions *s, const struct row *r,
	const struct proc *p)
{
	const struct place *at = place_of(s, r);

	return at && at->host == p->row->host &&
	    row_signed(r, COL(BACKEND, PID), -1) ==
	    (int64_t)proc_server_pid(p) && starts_fit(p, r) &&
	    servers_fit(s, r, p);
}

struct proc *backend_find_proc(const struct sessions *s, const struct row *r)
{
	const struct place *at = place_of(s, r);
	struct proc_key key = { 0 };
	struct pid_entry *e = NULL;
	struct proc *p;

	if (!at || !at->host || !row_get(r, COL(BACKEND, PID), &key.pid))
		return NULL;
	key.host = at->host->index;
	key.boot = (uint32_t)at->host->boot_ids;
	HASH_FIND(hh, s->by_pid, &key, sizeof(key), e);
	for (p = e ? e->first : NULL; p; p = p->same) {
		if (starts_fit(p, r) && servers_fit(s, r, p))
			return p;
	}
	return NULL;
}

static const struct proc *find_ended(const struct sessions *s,
	const struct row *r)
{
	size_t i;

	for (i = 0; i < s->n_ended; i++) {
		if (is_of(s, r, s->ended[i]))
			return s->ended[i];
	}
	return NULL;
}

struct session *sessions_of_ended_backend(const struct sessions *s,
	const struct row *backend)
{
	const struct proc *p;
	size_t i;

	for (i = 0; i < s->n_gone; i++) {
		if (s->gone[i].row == backend)
			return s->gone[i].session;
	}
	/* it came and went between two ticks */
	p = find_ended(s, backend);
	return p ? p->session : NULL;
}

struct tie *backend_waiting(const struct sessions *s, const struct proc *p)
{
	size_t i;

	for (i = 0; i < s->n_tie; i++) {
		if (!s->tie[i]->proc && is_of(s, s->tie[i]->row, p))
			return s->tie[i];
	}
	return NULL;
}
