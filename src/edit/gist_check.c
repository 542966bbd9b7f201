/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/gist_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "edit/gist_waits.h"
#include "query/dbtime.h"
#include "query/engine.h"

static const struct {
	enum grouping_kind kind;
	enum entity_id entity;
} compared[] = {
	{ GROUPING_ROW, ENTITY_PROCESS }, /* GIST_PROCESSES */
	{ GROUPING_SESSION, ENTITY_PROCESS }, /* GIST_SESSIONS */
	{ GROUPING_SESSION_SEGMENT, ENTITY_PROCESS },
	{ GROUPING_PROCESS, ENTITY_THREAD },
	{ GROUPING_SESSION, ENTITY_THREAD },
	{ GROUPING_ROW, ENTITY_HOST },
	{ GROUPING_ROW, ENTITY_DISK },
};

/* In the engine, after its own. */
#define FIRST GIST_PROCESSES

struct gist_check *gist_check_new(int64_t interval_ns)
{
	struct gist_check *c = gs_calloc(1, sizeof(*c));
	uint64_t want[COL_WORDS_MAX];
	size_t i;

	c->engine = gs_calloc(1, sizeof(*c->engine));
	memset(want, 0xff, sizeof(want));
	engine_init(c->engine, interval_ns);
	for (i = 0; i < GS_LEN(compared); i++)
		engine_add_grouping(c->engine, grouping_new(compared[i].kind,
		    compared[i].entity, want, NULL, 0));
	c->waits = dbtime_new(c->engine, dbtime_of_session, NULL, true);
	return c;
}

void gist_check_free(struct gist_check *c)
{
	if (!c)
		return;
	dbtime_free(c->waits);
	engine_release(c->engine);
	free(c->engine);
	free(c);
}

void gist_check_follow(struct gist_check *c, const struct follower *f)
{
	if (f->self)
		engine_add_follower(c->engine, f);
}

int gist_check_begin(struct gist_check *c, const struct tick *t,
	struct gs_err *err)
{
	int r = engine_tick(c->engine, t, err);

	if (r < 0)
		return r;
	engine_begin(c->engine, true);
	c->relations = sessions_relations(c->engine->sessions,
	    c->engine->world);
	return GS_OK;
}

int gist_check_again(struct gist_check *c, const struct tick *t,
	struct gs_err *err)
{
	return engine_repeat(c->engine, t, err);
}

int gist_check_tick(struct gist_check *c, const struct tick *t,
	struct gs_err *err)
{
	return engine_tick(c->engine, t, err);
}

size_t gist_check_rows(const struct gist_check *c)
{
	const struct engine *e = c->engine;
	size_t i, n = 0;

	for (i = 0; i < e->n_grouping; i++)
		n += rollup_count(grouping_rollup(e->grouping[i]));
	return n;
}

struct tick_census gist_check_plan(const struct gist_check *c,
	struct gist_plan *p)
{
	gist_plan_tick(p, c->engine->world, c->engine->sessions);
	return sessions_census(c->engine->sessions);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* ---- sessions ----------------------------------------------------------- */

static bool same_names(const struct session *a, const struct session *b)
{
	return same_text(a->key, b->key) && same_text(a->name, b->name) &&
	    same_text(a->user, b->user) &&
	    same_text(a->database, b->database) &&
	    same_text(a->client, b->client) && same_text(a->title, b->title) &&
	    same_text(a->activity, b->activity) &&
	    same_text(a->command, b->command) &&
	    same_text(a->application, b->application) &&
	    same_text(a->wait_type, b->wait_type) &&
	    same_text(a->wait_event, b->wait_event) &&
	    same_text(a->group, b->group) && same_text(a->text, b->text) &&
	    same_text(a->blockers, b->blockers);
}

/* By the clocks of the tick that showed it first. */
static bool same_query(const struct query *a, const struct query *b)
{
	if (!a || !b)
		return !a && !b;
	return a->has_start == b->has_start && a->start_us == b->start_us &&
	    a->start_ns == b->start_ns && a->has_id == b->has_id &&
	    a->id == b->id && (!a->has_start ||
	    span_same(query_text(a), query_text(b)));
}

static bool same_optional(bool has_a, int64_t a, bool has_b, int64_t b)
{
	return has_a == has_b && (!has_a || a == b);
}

static bool same_state(const struct session *a, const struct session *b)
{
	return a->kind == b->kind && a->session_id == b->session_id &&
	    a->server == b->server && a->state == b->state &&
	    a->class == b->class && a->has_cmd == b->has_cmd &&
	    a->cmd == b->cmd && a->has_range == b->has_range &&
	    a->cmd_low == b->cmd_low && a->cmd_high == b->cmd_high &&
	    a->has_seg == b->has_seg && a->seg == b->seg &&
	    same_optional(a->has_xact, a->xact_ns, b->has_xact, b->xact_ns) &&
	    same_optional(a->has_xid_age, a->xid_age, b->has_xid_age,
	    b->xid_age) && same_optional(a->has_query_id, a->query_id,
	    b->has_query_id, b->query_id) && same_optional(a->has_start,
	    a->start_us, b->has_start, b->start_us) &&
	    same_query(a->query, b->query);
}

/* Of a session that is over no view says since when it did what it did last; another one
 * without processes may come back, as that of a host that was lost. */
static bool same_since(const struct session *a, const struct session *b)
{
	const struct proc *p, *q;

	for (p = a->procs, q = b->procs; p && q; p = p->next, q = q->next) {
		if (p->row->serial != q->row->serial ||
		    p->waits_ns != q->waits_ns)
			return false;
	}
	return (a->n_procs == 0 && !a->backend && (a->over || a->ended)) ||
	    (a->since_ns == b->since_ns &&
	    a->since_exact == b->since_exact &&
	    (!a->since_known || a->since_us == b->since_us));
}

static bool same_life(const struct session *a, const struct session *b)
{
	return same_since(a, b) && a->since_known == b->since_known &&
	    a->first_ns == b->first_ns &&
	    a->last_ns == b->last_ns && a->over == b->over &&
	    a->ended == b->ended && a->n_procs == b->n_procs &&
	    !a->leader == !b->leader && (!a->leader ||
	    a->leader->row->serial == b->leader->row->serial) &&
	    a->own == b->own;
}

static bool same_session(const struct session *a, const struct session *b)
{
	if (!a || !b)
		return !a && !b;
	return same_names(a, b) && same_state(a, b) && same_life(a, b);
}

static bool same_servers(const struct sessions *a, const struct sessions *b)
{
	size_t i;

	if (sessions_servers(a) != sessions_servers(b))
		return false;
	for (i = 0; i < sessions_servers(a); i++) {
		const struct dbserver *x = sessions_server_get(a, i);
		const struct dbserver *y = sessions_server_get(b, i);

		if (x->number != y->number || !same_text(x->name, y->name) ||
		    x->pid != y->pid || x->has_port != y->has_port ||
		    x->port != y->port)
			return false;
	}
	return true;
}

/* ---- groups ------------------------------------------------------------- */

static bool same_label(const struct label *a, const struct label *b)
{
	return same_text(a->name, b->name) && same_text(a->title, b->title) &&
	    same_text(a->command, b->command) &&
	    same_text(a->thread, b->thread) &&
	    same_text(a->cgroup, b->cgroup) && same_text(a->uid, b->uid) &&
	    same_text(a->operator, b->operator) &&
	    !a->host == !b->host && a->postmaster == b->postmaster &&
	    a->segment == b->segment && a->serial == b->serial &&
	    same_session(a->session, b->session);
}

static bool same_row(const struct row *a, const struct row *b)
{
	if (!a || !b)
		return !a && !b;
	return a->serial == b->serial && a->opened == b->opened &&
	    a->closed == b->closed && a->first_ns == b->first_ns &&
	    a->last_ns == b->last_ns && a->host->index == b->host->index;
}

bool gist_check_has_peak(enum entity_id e, unsigned col)
{
	static const struct {
		enum entity_id entity;
		unsigned col;
	} shown[] = {
		{ ENTITY_PROCESS, COL(PROCESS, RSS_ANON) },
		{ ENTITY_PROCESS, COL(PROCESS, PRIVATE) },
		{ ENTITY_PROCESS, COL(PROCESS, SPILL) },
		{ ENTITY_HOST, COL(HOST, PROCS_RUNNING) },
	};
	size_t i;

	for (i = 0; i < GS_LEN(shown); i++) {
		if (shown[i].entity == e && shown[i].col == col)
			return true;
	}
	return false;
}

/* None of parts of sessions. */
static void choose_peaks(const struct grouping *l,
	uint64_t ret[COL_WORDS_MAX])
{
	enum entity_id e = rollup_entity(grouping_rollup(l));
	unsigned col;

	memset(ret, 0, COL_WORDS_MAX * sizeof(*ret));
	if (grouping_kind(l) == GROUPING_SESSION_SEGMENT)
		return;
	for (col = 0; col < entity_get(e)->ncols; col++) {
		if (gist_check_has_peak(e, col))
			ret[col / 64] |= UINT64_C(1) << (col % 64);
	}
}

/* All rows of the session, also ended ones. */
static bool force_session(const struct engine *all, const struct session *s,
	struct gist_plan *p)
{
	const struct rollup *r = grouping_rollup(all->grouping[GIST_PROCESSES]);
	const struct proc *c;
	bool any = gist_plan_force_backends(p, s->key_hash);
	size_t i;

	for (c = s->procs; c; c = c->next)
		any |= gist_plan_force(p, c->row->serial);
	for (i = 0; i < rollup_count(r); i++) {
		const struct label *n = grouping_label(rollup_get(r, i));

		if (n && n->session == s)
			any |= gist_plan_force(p, n->serial);
	}
	return any;
}

static bool force_group(const struct engine *all, const struct group *g,
	struct gist_plan *p)
{
	const struct label *n = grouping_label(g);

	if (!n)
		return false;
	if (n->session)
		return force_session(all, n->session, p);
	return gist_plan_force(p, n->serial);
}

static bool same_groups(const struct engine *all, const struct engine *gist,
	size_t at, struct gist_plan *p, bool *ret_forced)
{
	const struct rollup *a = grouping_rollup(all->grouping[at]);
	const struct rollup *b = grouping_rollup(gist->grouping[at]);
	uint64_t peaks[COL_WORDS_MAX];
	bool same = rollup_count(a) == rollup_count(b);
	size_t i;

	choose_peaks(all->grouping[at], peaks);
	for (i = 0; i < rollup_count(a) && i < rollup_count(b); i++) {
		const struct group *x = rollup_get(a, i), *y = rollup_get(b, i);

		if (rollup_same(a, x, b, y, peaks) &&
		    same_row(x->row, y->row) &&
		    same_label(grouping_label(x), grouping_label(y)))
			continue;
		same = false;
		*ret_forced |= force_group(all, x, p);
	}
	return same;
}

/* ---- rows --------------------------------------------------------------- */

static bool same_cells(const struct world *v, const struct row *a,
	const struct world *w, const struct row *b)
{
	const struct entity *en = entity_get(a->entity);
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		if (cells_has(a->now, i) != cells_has(b->now, i))
			return false;
		if (metric_is_text(&en->metrics[i])
		    ? !span_same(row_text(v, a, i), row_text(w, b, i))
		    : a->now.val[i] != b->now.val[i])
			return false;
	}
	return same_row(a, b);
}

/* Rows of t by serial; NULL where none is. */
static const struct row **list_rows(const struct table *t, size_t *ret_n)
{
	const struct row **list;
	size_t i, n = 0;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i])
			n = GS_MAX(n, (size_t)t->slot[i]->serial + 1);
	}
	list = gs_calloc(n + 1, sizeof(*list));
	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i])
			list[t->slot[i]->serial] = t->slot[i];
	}
	*ret_n = n;
	return list;
}

static bool same_table(const struct world *v, const struct table *a,
	const struct world *w, const struct table *b)
{
	size_t n, i;
	const struct row **list = list_rows(b, &n);
	bool same = a->n_live == b->n_live;

	for (i = 0; same && i < a->n_slot; i++) {
		const struct row *r = a->slot[i];

		same = !r || (r->serial < n && list[r->serial] &&
		    same_cells(v, r, w, list[r->serial]));
	}
	free(list);
	return same;
}

static bool same_worlds(const struct world *a, const struct world *b)
{
	size_t i;
	int e;

	if (world_hosts(a) != world_hosts(b))
		return false;
	for (i = 0; i < world_hosts(a); i++) {
		const struct host *h = world_host(a, i), *k = world_host(b, i);

		if (h->index != k->index || h->catalog != k->catalog ||
		    h->named != k->named || h->boot_ids != k->boot_ids ||
		    !same_text(h->name, k->name))
			return false;
		for (e = 0; e < ENTITY_COUNT; e++) {
			if (!same_table(a, &h->table[e], b, &k->table[e]))
				return false;
		}
	}
	return true;
}

/* ---- all ---------------------------------------------------------------- */

static bool same_events(const struct engine *a, const struct engine *b)
{
	size_t i;

	for (i = 0; i < a->n_event && i < b->n_event; i++) {
		const struct engine_event *x = &a->event[i], *y = &b->event[i];

		if (x->kind != y->kind || x->wall_ns != y->wall_ns ||
		    x->value != y->value || !same_text(x->host, y->host) ||
		    !same_text(x->text, y->text))
			return false;
	}
	return a->n_event == b->n_event;
}

static bool same_hosts(const struct engine *a, const struct engine *b)
{
	size_t i;

	for (i = 0; i < world_hosts(a->world); i++) {
		if (rollup_covered_ns(grouping_rollup(a->grouping[0]),
		    world_host(a->world, i)) != rollup_covered_ns(
		    grouping_rollup(b->grouping[0]), world_host(b->world, i)))
			return false;
	}
	for (i = 0; i < a->n_up && i < b->n_up; i++) {
		if (a->up[i].ns != b->up[i].ns || a->up[i].up != b->up[i].up)
			return false;
	}
	return a->n_up == b->n_up && presence_equal(a->presence, b->presence);
}

static bool same_sessions(const struct sessions *a, const struct sessions *b,
	const struct engine *all, struct gist_plan *p, bool *ret_forced)
{
	bool same = true;
	size_t i;

	for (i = 0; i < sessions_count(a); i++) {
		const struct session *s = sessions_get(a, i);

		if (same_session(s, sessions_get(b, i)))
			continue;
		same = false;
		*ret_forced |= force_session(all, s, p);
	}
	return same;
}

bool gist_check_same(const struct gist_check *of_all,
	const struct gist_check *of_gist, struct gist_plan *p, bool *ret_forced)
{
	const struct engine *all = of_all->engine, *gist = of_gist->engine;
	bool same;
	size_t i;

	*ret_forced = false;
	if (all->to_seq != gist->to_seq || all->to_ns != gist->to_ns ||
	    all->n_ticks != gist->n_ticks ||
	    all->n_skipped != gist->n_skipped || all->n_hole > 0 ||
	    gist->n_hole > 0 || !same_worlds(all->world, gist->world) ||
	    !same_hosts(all, gist) || !same_events(all, gist) ||
	    !same_servers(all->sessions, gist->sessions) ||
	    !gist_waits_same(of_all->waits, of_gist->waits) ||
	    sessions_count(all->sessions) != sessions_count(gist->sessions))
		return false;
	same = same_sessions(all->sessions, gist->sessions, all, p, ret_forced);
	for (i = 0; i < GS_LEN(compared); i++)
		same &= same_groups(all, gist, FIRST + i, p, ret_forced);
	return same;
}
