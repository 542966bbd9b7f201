/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_queue.c - backends that wait for a resource queue.  Greenplum 6 shows
 * "lock" in pg_stat_activity; the kind is in pg_locks.
 */
#include "analysis/sessions_int.h"

/* When pg_locks was sampled last; false: never. */
static bool asked_us(const struct world *w, const struct host *c,
	uint64_t *ret)
{
	const struct table *t = &c->table[ENTITY_COLLECTOR];
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		const struct row *r = t->slot[i];

		if (r && span_eq(row_text(w, r, COL(COLLECTOR, NAME)),
			"locks"))
			return row_get(r, COL(COLLECTOR, LAST), ret);
	}
	return false;
}

static bool is_waiter(const struct world *w, const struct row *r,
	uint64_t pid, uint64_t content)
{
	uint64_t v;

	return row_get(r, COL(LOCK, PID), &v) && v == pid &&
	    row_get(r, COL(LOCK, CONTENT), &v) && v == content &&
	    row_get(r, COL(LOCK, GRANTED), &v) && v == 0 &&
	    span_eq(row_text(w, r, COL(LOCK, TYPE)), "resource queue");
}

bool catalog_queues(const struct world *w, const struct row *backend)
{
	const struct table *t = &backend->host->table[ENTITY_LOCK];
	uint64_t pid, content, start, asked;
	size_t i;

	if (!row_get(backend, COL(BACKEND, PID), &pid) ||
	    !row_get(backend, COL(BACKEND, CONTENT), &content))
		return false;
	/* locks are older than its query: they belong to an earlier one */
	if (row_get(backend, COL(BACKEND, QUERY_START), &start) &&
	    asked_us(w, backend->host, &asked) && asked < start)
		return false;
	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && is_waiter(w, t->slot[i], pid, content))
			return true;
	}
	return false;
}
