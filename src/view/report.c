/* SPDX-License-Identifier: Apache-2.0 */
#include "view/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void free_text(const char *text)
{
	free((char *)(uintptr_t)text);
}

void report_drop_marks(struct report *rep)
{
	while (rep->n_mark > 0)
		free_text(rep->mark[--rep->n_mark].text);
}

void report_drop_covers(struct report *rep)
{
	while (rep->n_cover > 0)
		free_text(rep->cover[--rep->n_cover].host);
}

void report_release(struct report *rep)
{
	report_drop_marks(rep);
	report_drop_covers(rep);
	while (rep->n_host > 0)
		free_text(rep->host[--rep->n_host]);
	while (rep->n_hole > 0)
		free_text(rep->hole[--rep->n_hole].why);
	while (rep->n_note > 0)
		free_text(rep->note[--rep->n_note]);
	free(rep->file);
	free(rep->host);
	free(rep->cover);
	free(rep->hole);
	free(rep->mark);
	free(rep->note);
	free_text(rep->database);
	*rep = (struct report) { 0 };
}

void report_add_note(void *report, const char *text)
{
	struct report *rep = report;

	rep->note = gs_realloc(rep->note,
	    (rep->n_note + 1) * sizeof(*rep->note));
	rep->note[rep->n_note++] = gs_strdup(text);
}

/* A damaged recording may have a host without a name. */
static char *name_of(const struct host *h)
{
	return gs_strdup(h->name ? h->name : "?");
}

static void name_hosts(struct report *rep, const struct engine *e)
{
	size_t i;

	rep->n_host = 0;
	rep->host = gs_calloc(world_hosts(e->world), sizeof(*rep->host));
	for (i = 0; i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);

		if (world_is_host(h))
			rep->host[rep->n_host++] = name_of(h);
	}
}

/* A host that is no longer in the recording is not reported. */
static void name_covers(struct report *rep, const struct engine *e)
{
	double covered_s = engine_covered_s(e);
	size_t i;

	rep->n_cover = 0;
	rep->cover = gs_calloc(world_hosts(e->world), sizeof(*rep->cover));
	for (i = 0; e->n_ticks > 0 && i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);
		double s = engine_host_covered_s(e, h);

		if (engine_is_less(e, h, covered_s - s))
			rep->cover[rep->n_cover++] = (struct report_cover) {
				name_of(h), s,
				presence_was_there(e->presence, h) };
	}
}

struct report_hole report_hole_of(const struct engine_hole *h, int64_t from_ns)
{
	bool before = h->from_ns != INT64_MIN && h->to_ns <= from_ns;

	return (struct report_hole) { before ? h->from_ns
	    : GS_MAX(h->from_ns, from_ns), h->to_ns,
		h->from_ns == INT64_MIN && h->to_ns <= from_ns,
		gs_strdup(h->why) };
}

void report_end_holes(struct report *rep, int64_t end_ns)
{
	size_t i;

	for (i = 0; i < rep->n_hole; i++) {
		if (rep->hole[i].to_ns == INT64_MAX)
			rep->hole[i].to_ns = end_ns;
	}
}

static void name_holes(struct report *rep, const struct engine *e,
	int64_t end_ns)
{
	size_t i;

	rep->n_hole = e->n_hole;
	rep->hole = gs_calloc(rep->n_hole, sizeof(*rep->hole));
	for (i = 0; i < e->n_hole; i++)
		rep->hole[i] = report_hole_of(&e->hole[i], e->from_ns);
	report_end_holes(rep, GS_MAX(end_ns, e->to_ns));
}

static void name_marks(struct report *rep, const struct engine *e)
{
	size_t i;

	rep->n_mark = 0;
	for (i = 0; i < e->n_event; i++)
		rep->n_mark += e->event[i].kind == EVENT_MARK;
	rep->mark = gs_calloc(rep->n_mark, sizeof(*rep->mark));
	rep->n_mark = 0;
	for (i = 0; i < e->n_event; i++) {
		const struct engine_event *ev = &e->event[i];

		if (ev->kind == EVENT_MARK)
			rep->mark[rep->n_mark++] = (struct report_mark) {
				ev->wall_ns, gs_strdup(ev->text) };
	}
}

static bool is_of(const struct engine *e, const struct session *s,
	const char *server)
{
	const struct dbserver *of = sessions_server(e->sessions, s);

	return !server || strcmp(of ? of->name : "", server) == 0;
}

/* How many sessions of the database there are, by what they do. */
enum { ACTIVE, WAITING, IDLE_TX, IDLE, STATES };

static size_t count_sessions(const struct engine *e, const char *server,
	size_t n[STATES])
{
	size_t all = 0, i;

	memset(n, 0, STATES * sizeof(*n));
	for (i = 0; i < sessions_count(e->sessions); i++) {
		const struct session *s = sessions_get(e->sessions, i);

		if (!session_is_shown(s) || !is_of(e, s, server))
			continue;
		all++;
		n[s->class == SESSION_ACTIVE ? ACTIVE :
		    s->class == SESSION_WAITING ? WAITING :
		    s->state == TITLE_IDLE_TX ||
		    s->state == TITLE_IDLE_ABORTED ? IDLE_TX : IDLE]++;
	}
	return all;
}

void report_take_most(struct report_most *m, const struct engine *e)
{
	const struct tick_census c = engine_census(e);

	m->sessions = GS_MAX(m->sessions, (size_t)c.shown);
	m->active = GS_MAX(m->active, (size_t)c.shown_active);
	m->waiting = GS_MAX(m->waiting, (size_t)c.shown_waiting);
}

/* "; most of each: 67 sessions, 12 active, 60 waiting": at different times. */
static void add_most(struct buf *b, const struct engine *e,
	const struct report_most *m)
{
	size_t n[STATES], all = count_sessions(e, NULL, n);

	if (m->sessions <= all && m->active <= n[ACTIVE] &&
	    m->waiting <= n[WAITING])
		return;
	buf_printf(b, "%smost of each: %zu session%s, %zu active, %zu waiting",
	    b->len ? "; " : "", m->sessions, m->sessions == 1 ? "" : "s",
	    m->active, m->waiting);
}

/* ", 9 sessions: 4 active, 1 waiting, 2 idle-tx, 2 idle"; server: a name; "":
 * unknown server; NULL: all. */
static void add_sessions(struct buf *b, const struct engine *e,
	const char *server)
{
	static const char *const name[STATES] = { "active", "waiting",
		"idle-tx", "idle" };
	size_t n[STATES], all = count_sessions(e, server, n), i;
	bool first = true;

	if (all == 0)
		return;
	buf_printf(b, "%s%zu session%s", b->len ? ", " : "", all,
	    all == 1 ? "" : "s");
	for (i = 0; i < GS_LEN(n); i++) {
		if (n[i] > 0)
			buf_printf(b, "%s %zu %s", first ? ":" : ",", n[i],
			    name[i]);
		first &= n[i] == 0;
	}
}

static void add_version(struct buf *b, const struct world *w,
	const struct row *r)
{
	struct span flavour = row_text(w, r, COL(CLUSTER, FLAVOUR));
	struct span version = row_text(w, r, COL(CLUSTER, VERSION));

	buf_add(b, flavour.ptr, span_len(flavour));
	if (!span_empty(flavour) && !span_empty(version))
		buf_add_char(b, ' ');
	buf_add(b, version.ptr, GS_MIN(span_len(version), 60));
}

static void add_segments(struct buf *b, const struct table *t)
{
	size_t i, up = 0, all = 0;

	for (i = 0; i < t->n_slot; i++) {
		uint64_t status;

		if (!t->slot[i] ||
		    !row_get(t->slot[i], COL(SEGMENT, STATUS), &status))
			continue;
		all++;
		up += status == 'u';
	}
	if (all > 0)
		buf_printf(b, "%s%zu of %zu segments up", b->len ? "; " : "",
		    up, all);
}

/* More are only counted: nobody reads them, and each looks at all sessions. */
#define SERVERS_SHOWN 32u

/* What the catalog and process titles know of one server, or of the only
 * one. */
static void add_server(struct buf *to, const struct engine *e,
	const struct host *c, const char *name)
{
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; c && i < c->table[ENTITY_CLUSTER].n_slot; i++) {
		if (c->table[ENTITY_CLUSTER].slot[i])
			add_version(&b, e->world,
			    c->table[ENTITY_CLUSTER].slot[i]);
	}
	add_sessions(&b, e, name);
	if (c)
		add_segments(&b, &c->table[ENTITY_SEGMENT]);
	if (b.len == 0 && name && name[0] != '\0') /* or it is of another cluster */
		buf_add_str(&b, c && !host_is_recorded(c)
		    ? "not recorded at the end" : "no sessions");
	if (b.len > 0 && to->len > 0)
		buf_add_str(to, " | ");
	if (b.len > 0 && name)
		buf_printf(to, "%s: ", name[0] != '\0' ? name : "others");
	buf_add(to, b.ptr, b.len);
	buf_release(&b);
}

static void add_servers(struct buf *to, const struct engine *e)
{
	const char *before = "";
	size_t i, shown = 0;

	for (i = 0; i < sessions_servers(e->sessions) &&
	    shown < SERVERS_SHOWN; i++) {
		const struct dbserver *v = sessions_server_get(e->sessions,
		    i);

		if (strcmp(v->name, before) != 0) {
			add_server(to, e, v->catalog, v->name);
			shown++;
		}
		before = v->name;
	}
	if (shown < sessions_server_names(e->sessions))
		buf_printf(to, " | %zu more servers",
		    sessions_server_names(e->sessions) - shown);
	add_server(to, e, NULL, "");
}

void report_add_database(struct report *rep, const struct engine *e,
	const struct report_most *most)
{
	struct buf b = BUF_INIT;

	if (sessions_server_names(e->sessions) > 1)
		add_servers(&b, e);
	else
		add_server(&b, e, world_catalog(e->world, 0), NULL);
	add_most(&b, e, most);
	free((char *)(uintptr_t)rep->database);
	rep->database = b.len ? gs_strdup(buf_str(&b)) : NULL;
	buf_release(&b);
}

static void name_paces(struct report *rep, const struct engine *e)
{
	size_t i;

	rep->n_pace = 0;
	for (i = 0; i < e->n_paced; i++) {
		const struct paced_ticks *p = &e->paced[i];

		if (!pace_is_same(p->pace, engine_pace(e)))
			rep->pace[rep->n_pace++] = (struct report_pace) {
				p->pace.interval_ns, p->pace.thinned_ns,
				p->ticks };
	}
}

void report_fill(struct report *rep, const struct engine *e,
	const struct range *r, int64_t last_ns, const struct zone *zone)
{
	name_hosts(rep, e);
	name_covers(rep, e);
	name_holes(rep, e, GS_MIN(r->to_ns, last_ns));
	name_marks(rep, e);
	rep->from_ns = e->from_ns;
	rep->to_ns = e->to_ns;
	rep->asked_from_ns = r->from_ns;
	rep->asked_to_ns = r->to_ns;
	rep->covered_s = engine_covered_s(e);
	rep->elapsed_s = (double)(e->to_ns - e->from_ns) / 1e9;
	rep->blind_s = (double)engine_blind_ns(e) / 1e9;
	rep->n_ticks = e->n_ticks;
	rep->n_skipped = e->n_skipped;
	rep->interval_ns = e->interval_ns;
	rep->thinned_ns = e->thinned_ns;
	name_paces(rep, e);
	rep->every_ns = r->every_ns == RANGE_EACH_TICK ? e->interval_ns
	                                               : r->every_ns;
	rep->zone = zone;
}

/* ": there is a hole from 14:05:00 to 14:06:00 (wrong checksum)" */
static void add_hole_around(struct buf *to, const struct range_hole *h,
	const struct zone *zone)
{
	if (!h || !h->any)
		return;
	buf_add_str(to, ": there is a hole from ");
	if (h->from_ns == INT64_MIN)
		buf_add_str(to, "the start");
	else
		zone_add_date_time(zone, h->from_ns, 0, to);
	buf_add_str(to, " to ");
	if (h->to_ns == INT64_MAX)
		buf_add_str(to, "the end");
	else
		zone_add_date_time(zone, h->to_ns, 0, to);
	if (h->why[0])
		buf_printf(to, " (%s)", h->why);
}

int report_nothing(const struct range *r, const struct range_hole *hole,
	const struct zone *zone, int64_t first_ns, int64_t last_ns,
	struct gs_err *err)
{
	struct buf b = BUF_INIT;

	buf_add_str(&b, "nothing recorded");
	if (r->from_ns != INT64_MIN) {
		buf_add_str(&b, " from ");
		zone_add_date_time(zone, r->from_ns, 0, &b);
	}
	if (r->to_ns != INT64_MAX) {
		buf_add_str(&b, r->from_ns != INT64_MIN ? " to " : " until ");
		zone_add_date_time(zone, r->to_ns, 0, &b);
	}
	add_hole_around(&b, hole, zone);
	buf_add_str(&b, "; the recording is of ");
	zone_add_date_time(zone, first_ns, 0, &b);
	buf_add_str(&b, " to ");
	zone_add_date_time(zone, last_ns, 0, &b);
	(void)gs_fail(err, GS_E_NOTFOUND, "%s", buf_str(&b));
	buf_release(&b);
	return GS_E_NOTFOUND;
}

#define HOSTS_LISTED 20

void report_add_hosts(const struct world *w, struct buf *to)
{
	size_t i, n = 0;

	for (i = 0; i < world_hosts(w) && n <= HOSTS_LISTED; i++) {
		const struct host *h = world_host(w, i);

		if (!world_is_host(h) || !h->name)
			continue;
		if (n++ == HOSTS_LISTED)
			buf_add_str(to, ", ...");
		else
			buf_printf(to, "%s%s", n > 1 ? ", " : "", h->name);
	}
	if (n == 0)
		buf_add_str(to, "none");
}
