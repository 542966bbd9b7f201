/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/cgio.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "agent/failures.h"

void cgio_init(struct cgio *g, struct sent_texts *sent)
{
	*g = (struct cgio) { .host = NULL };
	rows_init(&g->rows, ENTITY_CGROUP_IO, sent);
}

void cgio_release(struct cgio *g)
{
	rows_release(&g->rows);
}

void cgio_begin(struct cgio *g, const struct scan *sc,
	const struct hostrow *host, struct delta *d)
{
	g->host = host;
	g->left_out = false;
	scan_begin_rows(sc, &g->rows, d);
}

uint8_t cgio_known(struct cells group)
{
	unsigned i, known = 0;

	for (i = 0; group.val && i < CGROUP_IO_COUNTERS; i++) {
		if (cells_has(group, CGROUP_IO_SUM_COL(i)))
			known |= 1u << i;
	}
	return (uint8_t)known;
}

static uint8_t worked(const struct cgroup_io *d)
{
	unsigned i, bits = 0;

	for (i = 0; i < CGROUP_IO_COUNTERS; i++)
		bits |= (unsigned)(d->val[i] != 0) << i;
	return (uint8_t)bits;
}

static bool is_same(const struct cgroup_io *d, struct cells was)
{
	uint64_t v = 0;
	unsigned i;

	for (i = 0; i < CGROUP_IO_COUNTERS; i++) {
		bool present = d->present >> i & 1;

		if (cells_get(was, CGROUP_IO_COL(i), &v) != present ||
		    (present && v != d->val[i]))
			return false;
	}
	return true;
}

/* A reference to the name of the device. */
static uint32_t name_of(const struct cgio *g, const struct scan *sc,
	const struct cgroup_io *d)
{
	char number[32];
	uint32_t id;

	if (hostrow_disk(g->host, d->major, d->minor, &id)) {
		texts_ref(sc->sent->texts, id);
		return id;
	}
	(void)snprintf(number, sizeof(number), "%" PRIu32 ":%" PRIu32,
	    d->major, d->minor);
	return sent_text(sc->sent, span_str(number));
}

static void fill(struct cgio *g, const struct scan *sc, uint32_t group,
	const struct cgroup_io *d, struct cells was)
{
	struct cells c = rows_now(&g->rows);
	unsigned i;

	cells_set(c, COL(CGROUP_IO, CGROUP), group);
	texts_ref(sc->sent->texts, group);
	if (was.val && !scan_refreshes(sc))
		sent_keep(sc->sent, c, was, COL(CGROUP_IO, DEVICE));
	else
		cells_set(c, COL(CGROUP_IO, DEVICE), name_of(g, sc, d));
	cells_set(c, COL(CGROUP_IO, MAJOR), d->major);
	cells_set(c, COL(CGROUP_IO, MINOR), d->minor);
	for (i = 0; i < CGROUP_IO_COUNTERS; i++) {
		if (d->present >> i & 1)
			cells_set(c, CGROUP_IO_COL(i), d->val[i]);
	}
}

/* False: there are too many rows. */
static bool put(struct cgio *g, const struct scan *sc, uint32_t group,
	const struct cgroup_io *d, struct cgio_before before)
{
	uint64_t key = (uint64_t)group << 32 | (uint64_t)d->major << 20 |
	    d->minor;
	struct cells was = rows_was(&g->rows, key);
	uint8_t bits = worked(d);

	if (was.val && !scan_refreshes(sc) && is_same(d, was)) {
		(void)rows_keep(&g->rows, key); /* it is there */
		return true;
	}
	if (!was.val && bits == 0)
		return true;
	if (!was.val && g->rows.n >= CGIO_ROWS_MAX)
		return false;
	fill(g, sc, group, d, was);
	rows_put_as(&g->rows, key, before.all && !(bits & 0xf & ~before.known)
	    ? OPEN_BORN : OPEN_APPEARED);
	return true;
}

bool cgio_put(struct cgio *g, const struct scan *sc, uint32_t group,
	struct cgio_before before)
{
	bool all = !g->devices.more;
	size_t i;

	for (i = 0; i < g->devices.n; i++)
		all &= put(g, sc, group, &g->devices.device[i], before);
	g->left_out |= !all;
	return all;
}

void cgio_leave(struct cgio *g, uint32_t group)
{
	size_t i;

	for (i = 0; i < g->rows.n; i++) {
		if (g->rows.item[i].key >> 32 == group)
			rows_leave(&g->rows, g->rows.item[i].key, CLOSE_LEFT);
	}
}

void cgio_end(struct cgio *g, const struct scan *sc)
{
	/* for one that has no room, nothing ended */
	rows_end_as(&g->rows, g->left_out ? CLOSE_LEFT : CLOSE_EXITED);
	if (g->left_out && !g->told)
		failures_note(sc->failures, FAILURES_CGROUP_IO, -E2BIG);
	g->told = g->left_out;
}
