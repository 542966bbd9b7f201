/*
 * mix_cluster.c - of which database clusters the sources are: by what their
 * catalogs say, or by where sessions are led.
 */
#include "edit/mix_int.h"

#include <string.h>

#include "base/mem.h"
#include "model/title.h"

bool mix_differ(struct span a, struct span b)
{
	return !span_empty(a) && !span_empty(b) &&
	    (span_len(a) != span_len(b) ||
	    memcmp(a.ptr, b.ptr, span_len(a)) != 0);
}

static int refuse(const struct lane *a, const struct lane *b,
	struct gs_err *err)
{
	return gs_fail(err, GS_E_USAGE, "%s and %s are of two database "
	    "clusters at the same time, whose sessions would be mixed up: "
	    "merge what is no session's with --entities host,cpu,disk,...",
	    lane_name(a), lane_name(b));
}

/* A server that a knows is none of those that b asks. */
static bool has_foreign(const struct mix *m, const struct lane *a,
	const struct lane *b)
{
	size_t i, k;

	for (i = 0; i < a->n_berth; i++) {
		bool there = false;

		if (!a->berth[i].is_known || !a->berth[i].seen ||
		    !m->host[a->berth[i].out].catalog)
			continue;
		for (k = 0; k < b->n_berth; k++)
			there |= b->berth[k].is_known &&
			    b->berth[k].out == a->berth[i].out;
		if (!there)
			return true;
	}
	return false;
}

/* One that did not answer yet may be any. */
static bool has_unknown(const struct mix *m, const struct lane *l)
{
	size_t i;

	for (i = 0; i < world_hosts(l->feed.world); i++) {
		const struct berth *b = i < l->n_berth ? &l->berth[i] : NULL;

		if (world_host(l->feed.world, i)->catalog && (!b ||
		    !b->is_known || !m->host[b->out].server.known))
			return true;
	}
	return false;
}

/* Hosts are known by their names, so what one recorder asks and another one
 * does not may be taken for what that one asks. */
int mix_check_clusters(struct mix *m, struct gs_err *err)
{
	size_t i, k;

	for (i = 0; m->opt.sessions && i < m->n_lane; i++) {
		const struct lane *a = m->lane[i];

		for (k = i + 1; a->taken && k < m->n_lane; k++) {
			const struct lane *b = m->lane[k];

			if (lane_covers(b, m->beat.at_ns) &&
			    has_foreign(m, a, b) && has_foreign(m, b, a) &&
			    !has_unknown(m, a) && !has_unknown(m, b))
				return refuse(a, b, err);
		}
	}
	return GS_OK;
}

/* ---- without a catalog ------------------------------------------------- */

/* Processes of a coordinator lead sessions. */
static void note_leader(struct lane *l, const struct row *r, size_t out)
{
	struct title t;

	title_parse(row_text(l->feed.world, r, COL(PROCESS, TITLE)), &t);
	if (t.kind != TITLE_QD || !t.has_session)
		return;
	GS_GROW(l->led, &l->led_cap, l->n_led + 1);
	l->led[l->n_led++] = (struct led) { t.session, out };
}

static void find_leaders(struct lane *l)
{
	size_t i, k;

	l->n_led = 0;
	for (i = 0; i < l->n_berth; i++) {
		const struct host *h = world_host(l->feed.world, i);
		const struct table *t = &h->table[ENTITY_PROCESS];

		for (k = 0; l->berth[i].is_known && k < t->n_slot; k++) {
			if (t->slot[k])
				note_leader(l, t->slot[k], l->berth[i].out);
		}
	}
}

/* One cluster's sessions are led on one host, and have one number each. */
static int compare(struct mix *m, const struct lane *a, const struct lane *b,
	struct gs_err *err)
{
	struct buf note = BUF_INIT;
	bool apart = false;
	size_t i, k;

	for (i = 0; i < a->n_led; i++) {
		for (k = 0; k < b->n_led; k++) {
			if (a->led[i].out == b->led[k].out)
				continue;
			apart = true;
			if (a->led[i].session == b->led[k].session)
				return refuse(a, b, err);
		}
	}
	if (!apart)
		return GS_OK;
	buf_printf(&note, "%s and %s have coordinators on different hosts: if "
	    "they are of two clusters, processes of segments may count for a "
	    "session of the other one", lane_name(a), lane_name(b));
	mix_add_note(m, note.ptr);
	return GS_OK;
}

int mix_check_coordinators(struct mix *m, struct gs_err *err)
{
	size_t i, k;
	int r = GS_OK;

	for (i = 0; m->opt.sessions && i < m->n_lane; i++) {
		struct lane *l = m->lane[i];

		if (!l->taken || !l->held->key)
			continue;
		find_leaders(l);
		for (k = 0; r == GS_OK && k < m->n_lane; k++) {
			if (k != i && lane_covers(m->lane[k], m->beat.at_ns))
				r = compare(m, m->lane[GS_MIN(i, k)],
				    m->lane[GS_MAX(i, k)], err);
		}
	}
	return r;
}
