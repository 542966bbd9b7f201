/*
 * What the hosts of a recording have to say, and what is said of them.
 */
#include "record/recorder_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "record/describe.h"
#include "record/servers.h"

void recorder_notice(struct recorder *r, bool trouble, const char *text)
{
	if (trouble) {
		buf_reset(&r->trouble);
		buf_add_str(&r->trouble, text);
		r->trouble_ns = gs_clock_wall_ns();
	}
	if (r->opt.on_notice)
		r->opt.on_notice(r->opt.arg, trouble, text);
}

void recorder_pend(struct recorder *r, enum event_kind kind, uint32_t host,
	int64_t value, const char *text)
{
	tick_add_event(&r->pending, kind, 0, host, value, text, strlen(text));
}

/* To the user; who it is about, where that is not clear. */
static void notice_site(struct recorder *r, const struct site *s,
	bool trouble, const char *text)
{
	struct buf b = BUF_INIT;

	if (!fleet_is_local(r->fleet))
		buf_printf(&b, "%s: ", s->name);
	buf_add_str(&b, text);
	recorder_notice(r, trouble, buf_str(&b));
	buf_release(&b);
}

/* What the agent has to say goes into the next frame. */
static void take_events(struct recorder *r, const struct site *s,
	const struct tick *t)
{
	struct header *h = maker_header(framer_maker(r->framer));
	size_t i;

	for (i = 0; i < t->n_event; i++) {
		const struct event *e = &t->event[i];
		char *text = gs_strndup(t->bytes.ptr + e->off, e->len);

		tick_add_event(&r->pending, e->kind, e->wall_ns, s->index,
		    e->value, text, strlen(text));
		if (e->kind == EVENT_REFUSED)
			describe_refused(h, text);
		notice_site(r, s, false, text);
		free(text);
	}
}

/* Whoever gets the file sees more than the database's processes: it is said. */
static void note_roles(struct recorder *r, const struct site *s)
{
	static const char text[] =
	    "no PostgreSQL or Greenplum here: recording all processes";
	struct header *h = maker_header(framer_maker(r->framer));

	if (!describe_roles(h, site_world(s)))
		return;
	recorder_pend(r, EVENT_NOTE, s->index, 0, text);
	notice_site(r, s, false, text);
}

/* Figures that will be missing, told once, where they can be had. */
static void note_unreadable(struct recorder *r, const struct site *s)
{
	struct header *h = maker_header(framer_maker(r->framer));
	char text[DESCRIBE_TEXT_MAX];
	uint64_t n = describe_unreadable(h, site_world(s), text);

	if (n == 0)
		return;
	recorder_pend(r, EVENT_REFUSED, s->index, (int64_t)n, text);
	notice_site(r, s, false, text);
}

static void on_answered(void *arg, struct site *s, const struct tick *t)
{
	struct recorder *r = arg;

	take_events(r, s, t);
	note_roles(r, s);
}

bool recorder_is_waiting(const struct recorder *r)
{
	return fleet_is_waiting(r->fleet) ||
	    (r->db && dbsource_is_waiting(r->db));
}

static void on_settled(void *arg)
{
	struct recorder *r = arg;

	if (r->tick.open && !recorder_is_waiting(r))
		recorder_finish_tick(r);
}

void recorder_database_settled(void *arg)
{
	struct recorder *r = arg;

	/* A recording begins with an answer of a host. */
	if (fleet_was_up(r->fleet))
		on_settled(arg);
}

static void on_listed(void *arg, const struct site *s, bool is)
{
	struct recorder *r = arg;
	struct header *h;

	if (!r->framer)
		return; /* recorder_list_hosts() will list it */
	h = maker_header(framer_maker(r->framer));
	if (is)
		header_add_host(h, s->index, s->name);
	else
		header_remove_host(h, s->index);
	r->relisted = true;
}

static void on_event(void *arg, struct site *s, enum event_kind kind,
	int64_t value, const char *text)
{
	struct recorder *r = arg;

	if (kind == EVENT_HOST_DOWN && !s->was_up &&
	    fleet_is_local(r->fleet)) {
		/* It never worked, so it will not: the only agent. */
		(void)gs_fail(&r->err, s->status, "%s", text);
		recorder_end(r);
		return;
	}
	recorder_pend(r, kind, s->index, value, text);
	if (kind == EVENT_HOST_UP)
		note_unreadable(r, s);
	if (kind == EVENT_HOST_DOWN || kind == EVENT_NOTE)
		recorder_notice(r, kind == EVENT_HOST_DOWN, text);
	r->status.downs += kind == EVENT_HOST_DOWN;
}

struct fleet_ops recorder_fleet_ops(struct recorder *r)
{
	return (struct fleet_ops) { .listed = on_listed,
		.answered = on_answered, .event = on_event,
		.settled = on_settled, .arg = r };
}

void recorder_list_hosts(struct recorder *r)
{
	size_t i;

	for (i = 0; i < fleet_count(r->fleet); i++)
		on_listed(r, fleet_site(r->fleet, i), true);
	if (r->db)
		dbsource_list(r->db, maker_header(framer_maker(r->framer)));
}

static uint64_t quiet_of(const struct world *w)
{
	const struct table *t = &world_host(w, 0)->table[ENTITY_AGENT];
	uint64_t quiet = 0, v;
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && row_get(t->slot[i], COL(AGENT, QUIET), &v))
			quiet += v;
	}
	return quiet;
}

void recorder_count_hosts(struct recorder *r)
{
	struct recorder_status *s = &r->status;
	size_t i;

	s->processes = s->quiet = 0;
	s->hosts = fleet_hosts(r->fleet, &s->hosts_up);
	for (i = 0; i < fleet_count(r->fleet); i++) {
		const struct world *w = site_world(fleet_site(r->fleet, i));

		if (world_hosts(w) == 0)
			continue;
		s->processes +=
		    world_host(w, 0)->table[ENTITY_PROCESS].n_live;
		s->quiet += quiet_of(w);
	}
}

size_t recorder_count_missed(const struct recorder *r)
{
	size_t n = 0, i;

	for (i = 0; i < fleet_count(r->fleet); i++) {
		const struct site *s = fleet_site(r->fleet, i);

		n += !s->removed && s->state != SITE_ALIAS && !s->was_up;
	}
	return n;
}

/* ---- the database ---------------------------------------------------- */

static void add_database(struct recorder *r, const struct catalog_options *o)
{
	struct gs_err err;

	r->db = dbsource_new(&r->loop, o, r->fleet, r->opt.n_host == 0,
	    recorder_database_settled, r, &err);
	if (!r->db) {
		recorder_notice(r, true, err.msg);
		r->opt.choose_catalog = NULL; /* nor will it be another time */
		return;
	}
	dbsource_list(r->db, maker_header(framer_maker(r->framer)));
	r->relisted = true;
}

static void look_at(struct recorder *r, const struct world *w)
{
	const struct catalog_options *found;
	struct servers s = SERVERS_INIT;
	struct gs_err err = { 0 };

	servers_read(w, &s);
	found = r->opt.choose_catalog(r->opt.choose_arg, &s, &err);
	if (found) {
		add_database(r, found);
	} else if (err.status && !r->unchosen) {
		recorder_notice(r, true, err.msg);
		r->unchosen = true;
	}
	servers_release(&s);
}

void recorder_look_for_database(struct recorder *r)
{
	size_t i;

	if (r->db || !r->opt.choose_catalog)
		return;
	for (i = 0; i < fleet_count(r->fleet); i++) {
		const struct site *s = fleet_site(r->fleet, i);
		const struct world *w = site_world(s);

		if (s->local && world_hosts(w) > 0 &&
		    world_host(w, 0)->table[ENTITY_POSTMASTER].n_live > 0) {
			look_at(r, w);
			return;
		}
	}
}

void recorder_hear_database(struct recorder *r)
{
	struct tick *p = &r->pending;
	size_t i = p->n_event;

	if (!r->db)
		return;
	r->relisted |= dbsource_prepare(r->db,
	    maker_header(framer_maker(r->framer)), p);
	for (; i < p->n_event; i++) {
		const struct event *e = &p->event[i];
		bool down = e->kind == EVENT_DATABASE_DOWN;
		struct buf b = BUF_INIT;

		buf_add_str(&b, "database: ");
		buf_add(&b, p->bytes.ptr + e->off, e->len);
		if (down)
			buf_add_str(&b, "; sessions come from process "
			    "titles meanwhile");
		recorder_notice(r, down, buf_str(&b));
		buf_release(&b);
	}
	r->status.database = dbsource_is_up(r->db) ? DATABASE_UP
	                                           : DATABASE_DOWN;
}
