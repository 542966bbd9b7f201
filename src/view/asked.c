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
	a->interval_s = GS_MAX(a->interval_s, (double)e->interval_ns / 1e9);
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

/* "the database was asked for 12s of 47s" */
static void add_part(struct buf *to, const struct asked *a,
	const struct asked_server *s)
{
	const char *the = s->name && a->n > 1 ? s->name : "the database";

	if (is_never(s))
		buf_printf(to, "%s was not asked in this range", the);
	else
		buf_printf(to, "%s was asked for %.0fs of %.0fs", the,
		    s->asked_s, a->covered_s);
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

bool asked_note(const struct asked *a, const struct view *v, struct buf *to)
{
	struct buf b = BUF_INIT;
	bool all = true, found;
	size_t i;

	if (!v->catalog)
		return false;
	for (i = 0; i < a->n; i++) {
		if (is_never(&a->server[i]) || is_part(a, &a->server[i])) {
			buf_add_str(&b, b.len > 0 ? ", " : "");
			add_part(&b, a, &a->server[i]);
		}
		all = all && is_never(&a->server[i]);
	}
	if (a->n == 0)
		buf_add_str(&b, "the database was not asked in this range");
	found = b.len > 0;
	if (found) {
		buf_printf(to, "%s: %s: %s", v->name, all ? "not recorded"
		    : "recorded only in part", buf_str(&b));
		add_why(to, a);
		add_hint(to, v);
	}
	buf_release(&b);
	return found;
}
