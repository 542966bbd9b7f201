/* SPDX-License-Identifier: Apache-2.0 */
#include "view/asked.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "view/view_int.h"

/* This many intervals may pass before a connection is made, and between two
 * answers, without missing data. */
#define LATE_INTERVALS 3.5
#define LATE_S 3.5

static struct asked_server *server_of(struct asked *a, const struct host *c)
{
	size_t i;

	for (i = 0; i < a->n; i++) {
		if (a->server[i].index == c->index)
			return &a->server[i];
	}
	GS_GROW(a->server, &a->cap, a->n + 1);
	a->server[a->n] = (struct asked_server) { .index = c->index };
	return &a->server[a->n++];
}

static void add_server(struct asked *a, const struct engine *e,
	const struct host *c)
{
	struct asked_server *s = server_of(a, c);
	const struct dbserver *is = sessions_server_of_catalog(e->sessions,
	    c);

	s->asked_s += engine_asked_s(e, c);
	s->answered |= c->table[ENTITY_CLUSTER].n_live > 0;
	collected_add(&s->is, e->world, c);
	if (!is || is->name[0] == '\0')
		return;
	free(s->name);
	s->name = gs_strdup(is->name);
}

static void keep_why(struct asked *a, const struct engine *e)
{
	size_t i;

	for (i = e->n_event; i-- > 0;) {
		if (e->event[i].kind != EVENT_DATABASE_DOWN)
			continue;
		free(a->why);
		a->why = gs_strdup(e->event[i].text);
		return;
	}
}

void asked_add(struct asked *a, const struct engine *e)
{
	const struct host *c;
	size_t i;

	a->covered_s += engine_covered_s(e);
	a->interval_s = GS_MAX(a->interval_s, (double)engine_sampled_ns(e) / 1e9);
	for (i = 0; (c = world_catalog(e->world, i)) != NULL; i++)
		add_server(a, e, c);
	keep_why(a, e);
}

void asked_release(struct asked *a)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		free(a->server[i].name);
	free(a->server);
	free(a->why);
	*a = (struct asked) { 0 };
}

static bool is_never(const struct asked_server *s)
{
	return s->asked_s <= 0 && !s->answered;
}

static bool is_part(const struct asked *a, const struct asked_server *s)
{
	return a->covered_s - s->asked_s >
	    GS_MAX(LATE_S, LATE_INTERVALS * a->interval_s);
}

/* What is known of a server, of what a view shows. */
enum asked_how {
	ASKED_ALL,
	ASKED_PART, /* of the range */
	ASKED_NEVER,
	ASKED_REFUSED, /* errors and late answers only */
	ASKED_OTHERS, /* it was asked for other things */
	ASKED_NONE_THERE /* so it was, since it does not have that */
};

static enum asked_how how_of(const struct asked *a,
	const struct asked_server *s, uint32_t collectors)
{
	if (is_never(s))
		return ASKED_NEVER;
	if (uncollected(&s->is, collectors))
		return uncollected_may_have(&s->is, collectors) ? ASKED_OTHERS
		                                           : ASKED_NONE_THERE;
	if (uncollected_is_refused(&s->is, collectors))
		return ASKED_REFUSED;
	return is_part(a, s) ? ASKED_PART : ASKED_ALL;
}

static const char *name_of(const struct asked *a,
	const struct asked_server *s)
{
	return s->name && a->n > 1 ? s->name : "the database";
}

/* "the database was asked for 12s of 47s" */
static void add_part(struct buf *to, const struct asked *a,
	const struct asked_server *s, enum asked_how how)
{
	if (how == ASKED_NEVER)
		buf_printf(to, "%s was not asked in this range", name_of(a, s));
	else if (how == ASKED_REFUSED)
		buf_printf(to, "%s refused it, or could not answer: gpsnap info "
		    "says why", name_of(a, s));
	else
		buf_printf(to, "%s was asked for %.0fs of %.0fs", name_of(a, s),
		    s->asked_s, a->covered_s);
}

/* So many servers are named that were asked for other things. */
#define NAMES_MAX 3

/* "5432, 5433 were not asked for it: --collect left it out, or ..." */
static void add_others(struct buf *to, const struct asked *a,
	uint32_t collectors)
{
	const struct asked_server *first = NULL;
	size_t i, n = 0;

	for (i = 0; i < a->n; i++) {
		const struct asked_server *s = &a->server[i];

		if (how_of(a, s, collectors) != ASKED_OTHERS)
			continue;
		first = first ? first : s;
		if (n++ < NAMES_MAX)
			buf_printf(to, "%s%s", to->len > 0 ? ", " : "",
			    name_of(a, s));
	}
	if (n > NAMES_MAX)
		buf_printf(to, " and %zu more", n - NAMES_MAX);
	if (n > 0) {
		buf_printf(to, " %s not asked for it: ", n > 1 ? "were" : "was");
		uncollected_add_why(&first->is, collectors, to);
	}
}

/* The alternative in process titles. */
static void add_hint(struct buf *to, const struct view *v)
{
	static const struct { const char *view, *hint; } hints[] = {
		{ "locks", "sessions and waits show which sessions wait for a "
		    "lock, by process titles" },
		{ "pglocks", "sessions and waits show which sessions wait for "
		    "a lock, by process titles" },
		{ "backends", "sessions shows them, by process titles" },
		{ "clusters", "postmasters shows the servers" },
		{ "workfiles", "spill shows files that processes write" },
		{ "vmems", "processes shows memory, by process" },
	};
	size_t i;

	for (i = 0; i < GS_LEN(hints); i++) {
		if (strcmp(v->name, hints[i].view) == 0)
			buf_printf(to, "; %s", hints[i].hint);
	}
}

static void add_why(struct buf *to, const struct asked *a)
{
	const char *end = a->why ? strchr(a->why, '\n') : NULL;

	if (a->why)
		buf_printf(to, " (%.*s)",
		    end ? (int)(end - a->why) : (int)strlen(a->why), a->why);
}

uint32_t asked_collectors(const struct view *v)
{
	return v->collectors ? v->collectors
	    : v->catalog ? collectors_of(v->entity) : 0;
}

bool asked_none_has(const struct asked *a, uint32_t collectors)
{
	size_t i;

	for (i = 0; i < a->n; i++) {
		if (uncollected_may_have(&a->server[i].is, collectors))
			return false;
	}
	return a->n > 0;
}

/* Views that have other sources, too: what they lack then. */
static void add_titles(struct buf *to, const struct asked *a,
	const struct view *v)
{
	size_t i;

	if (!v->table || v->entity != ENTITY_BACKEND || (a->n == 0 && !a->why))
		return;
	for (i = 0; i < a->n; i++) {
		if (!is_never(&a->server[i]))
			return;
	}
	buf_printf(to, "%s: the database was not asked in this range", v->name);
	add_why(to, a);
	buf_add_str(to, ": process titles tell of locks, and of no other wait");
}

/* No server of the range has it. */
static void add_none_there(struct buf *to, const struct asked *a,
	const struct view *v, uint32_t collectors)
{
	if (!v->catalog || a->n == 0)
		return;
	buf_printf(to, "%s: there is nothing to record: ", v->name);
	uncollected_add_lack(&a->server[0].is, collectors, to);
	add_hint(to, v);
}

bool asked_note(const struct asked *a, const struct view *v, struct buf *to)
{
	uint32_t collectors = asked_collectors(v);
	struct buf b = BUF_INIT;
	size_t i, n_none = 0;
	bool all = true, found;

	if (!v->catalog && !collectors) {
		add_titles(to, a, v);
		return false;
	}
	for (i = 0; i < a->n; i++) {
		enum asked_how how = how_of(a, &a->server[i], collectors);

		n_none += how == ASKED_NONE_THERE;
		all = all && how != ASKED_ALL && how != ASKED_PART;
		if (how != ASKED_NEVER && how != ASKED_PART &&
		    how != ASKED_REFUSED)
			continue;
		buf_add_str(&b, b.len > 0 ? ", " : "");
		add_part(&b, a, &a->server[i], how);
	}
	if (a->n == 0)
		buf_add_str(&b, "the database was not asked in this range");
	if (b.len > 0)
		add_why(&b, a);
	add_others(&b, a, collectors);
	found = b.len > 0;
	if (found) {
		buf_printf(to, "%s: %s: %s", v->name, all ? "not recorded"
		    : "recorded only in part", buf_str(&b));
		add_hint(to, v);
	} else if (n_none == a->n) {
		add_none_there(to, a, v, collectors);
	}
	buf_release(&b);
	return found;
}

/* Figures of what grew have the time between the answers. */
static bool has_clock(const struct view *v)
{
	return v->catalog && metric_by_name(v->entity, VIEW_CLOCK,
	    strlen(VIEW_CLOCK));
}

static uint32_t asked_growing(const struct view *v)
{
	return has_clock(v) ? asked_collectors(v) : 0;
}

/* Some server answered more than once. */
static bool is_twice(const struct asked *a, uint32_t of)
{
	size_t i;

	for (i = 0; i < a->n; i++) {
		if (a->server[i].is.twice & of)
			return true;
	}
	return false;
}

/* How far answers are apart; ms. */
static uint32_t period_of(const struct collected *s, uint32_t collectors)
{
	uint32_t ms = 0;
	int c;

	for (c = 0; c < COLLECTOR_COUNT; c++) {
		if (collectors >> c & 1)
			ms = GS_MAX(ms, s->period_ms[c]);
	}
	return ms;
}

bool asked_rare_note(const struct asked *a, const struct view *v, bool still,
	struct buf *to)
{
	uint32_t of = asked_growing(v), once = 0, period_ms = 0;
	bool asked = false;
	size_t i;

	for (i = 0; i < a->n; i++) {
		const struct collected *s = &a->server[i].is;

		asked |= (s->collected & ~s->refused & of) != 0;
		once |= s->once & of;
		period_ms = GS_MAX(period_ms, period_of(s, of));
	}
	if (!asked || (once && !still))
		return false;
	if (!once)
		buf_printf(to, "%s: the server has not answered yet", v->name);
	else
		buf_printf(to, "%s: %s: figures are what grew between two "
		    "answers, which are %.0fs apart", v->name,
		    is_twice(a, of) ? "no row has a new answer in this range"
		    : "the server has answered once",
		    (double)period_ms / 1000);
	return true;
}

bool asked_rare_notes(const struct asked *a, const struct view *v,
	struct buf *to)
{
	return asked_rare_note(a, v, !is_twice(a, asked_growing(v)), to);
}
