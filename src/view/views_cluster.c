/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_cluster.c - tables about the servers of a cluster: segments and their
 * connections.
 *
 * A row is a server (struct instance), known from its host, from the catalog,
 * or from both.  The usage of its processes is in the group of its postmaster.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/instances.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "query/columns.h"
#include "query/work_figures.h"
#include "view/label_figures.h"
#include "view/view_int.h"

static const struct cell absent = { .kind = CELL_ABSENT };

/* ---- what names a server ----------------------------------------------- */

static struct cell content(FIGURE_ARGS)
{
	const struct instance *i = v->subject;

	return i->has_content ? cell_int(i->content) : absent;
}

static struct cell role_text(const struct figure_env *v,
	const struct instance *i, char role)
{
	bool coordinator = i->has_content && i->content < 0;

	switch (role) {
	case 'p':
		return figure_text(v, coordinator ? "coordinator"
		                                  : "primary");
	case 'm':
		return figure_text(v, coordinator ? "standby" : "mirror");
	default:
		return absent;
	}
}

static struct cell role(FIGURE_ARGS)
{
	const struct instance *i = v->subject;

	return role_text(v, i, i->role);
}

static uint64_t letter(const struct instance *i, unsigned col)
{
	uint64_t c = 0;

	if (i->segment)
		(void)row_get(i->segment, col, &c); /* absent: 0 */
	return c;
}

static struct cell preferred(FIGURE_ARGS)
{
	const struct instance *i = v->subject;

	return role_text(v, i,
	    (char)letter(i, COL(SEGMENT, PREFERRED_ROLE)));
}

static struct cell mode(FIGURE_ARGS)
{
	const struct instance *i = v->subject;
	char text[2] = { (char)letter(i, COL(SEGMENT, MODE)) };

	/* a coordinator's mode is always n, even with a standby in sync */
	if (i->has_content && i->content == -1 && i->role == 'p')
		return absent;
	return figure_text(v, text[0] == 's' ? "synced"
	    : text[0] == 'n' ? "unsynced" : text);
}

/* Without a catalog it is only known whether a server has ended; not even that, if its
 * host is not recorded any more. */
static struct cell status(FIGURE_ARGS)
{
	char text[2] = { (char)letter(v->subject, COL(SEGMENT, STATUS)) };
	const struct instance *i = v->subject;

	if (!i->segment && !i->process && !i->postmaster && !i->cluster)
		return figure_text(v, g && g->n_part > 0 &&
		    !host_is_recorded(g->part[0]->host) ? "left"
		    : "ended");
	return figure_text(v, text[0] == 'u' ? "up"
	    : text[0] == 'd' ? "down" : text);
}

static struct cell host(FIGURE_ARGS)
{
	const struct instance *i = v->subject;
	struct span s;

	if (i->host)
		return figure_text(v, i->host->name);
	if (!i->segment)
		return absent;
	s = row_text(v->engine->world, i->segment, COL(SEGMENT, HOSTNAME));
	return cell_text(grid_text(v->grid, s.ptr, span_len(s)));
}

static struct cell port(FIGURE_ARGS)
{
	const struct instance *i = v->subject;

	return i->has_port ? cell_int((int64_t)i->port) : absent;
}

static struct cell pid(FIGURE_ARGS)
{
	const struct instance *i = v->subject;

	return i->pid ? cell_int((int64_t)i->pid) : absent;
}

static struct cell datadir(FIGURE_ARGS)
{
	const struct instance *i = v->subject;

	return span_empty(i->datadir) ? absent : cell_text(grid_text(v->grid,
	    i->datadir.ptr, span_len(i->datadir)));
}

static struct cell of_segment(FIGURE_ARGS)
{
	const struct instance *i = v->subject;

	return figure_row_cell(v, f, i->segment);
}

static struct cell server(FIGURE_ARGS)
{
	const struct sessions *s = v->engine->sessions;
	const struct instance *i = v->subject;
	const struct dbserver *of = i->pid
	    ? sessions_server_at(s, i->host, i->pid) : NULL;

	if (!of && i->catalog)
		of = sessions_server_of_catalog(s, i->catalog);
	return of ? figure_text(v, of->name) : absent;
}

#define CONTENT_FIGURE \
	COLUMN("segment", "SEG", Q_ID, 80, "segment; -1: the coordinator", ALONE(content))
#define ROLE_FIGURE(width) \
	COLUMN("role", "ROLE", Q_TEXT, width, \
	    "coordinator, standby, primary, mirror, by the catalog", ALONE(role))
#define PLACE_FIGURES \
	COLUMN("host", "HOST", Q_TEXT, 80, "host", ALONE(host)), \
	COLUMN("port", "PORT", Q_ID, 80, "port", ALONE(port))
#define POSTMASTER_PID_FIGURE(width) \
	COLUMN("pid", "PID", Q_ID, width, "process id of the postmaster, where it is recorded", \
	    ALONE(pid))

/* ---- segments ---------------------------------------------------------- */

static const struct figure segments[] = {
	CONTENT_FIGURE,
	SERVER_FIGURE_OF(ALONE(server)),
	ROLE_FIGURE(80),
	COLUMN("preferred_role", "PREF", Q_TEXT, 200, "preferred role",
	    ALONE(preferred)),
	COLUMN("mode", "MODE", Q_TEXT, 120, "synced or unsynced with its mirror", ALONE(mode), VARIES),
	COLUMN("status", "STATUS", Q_TEXT, 80, "up or down, by the catalog; ended", ALONE(status), VARIES),
	PLACE_FIGURES,
	POSTMASTER_PID_FIGURE(200),
	COLUMN("dbid", "DBID", Q_ID, 200, "number of the instance",
	    ALONE(of_segment), FROM(SEGMENT, DBID)),
	WORK_FIGURES,
	SPILL_FIGURE(80),
	PROCESSES_FIGURE,
	MORE_WORK_FIGURES,
	COLUMN("datadir", "DATADIR", Q_TEXT, 120, "data directory", ALONE(datadir), FLEXES),
};

/* A server without processes, found by host and port. */
static const struct instance *ended_server(const struct instances *t,
	const struct label *n)
{
	size_t i;

	for (i = 0; n->has_port && i < instances_count(t); i++) {
		const struct instance *at = instances_get(t, i);

		if (!at->pid && at->host == n->host && at->has_port &&
		    at->port == n->port)
			return at;
	}
	return NULL;
}

/* The server of a group; NULL: not in the list. */
static const struct instance *server_of(const struct instances *t,
	const struct group *g)
{
	const struct label *n = grouping_label(g);
	const struct instance *at = instances_find(t, n->host,
	    n->postmaster);

	return at ? at : ended_server(t, n);
}

static void put_ended(struct view_sink *to, const struct group *g,
	void (*put)(struct view_sink *to, const struct instance *i,
	    const struct group *g))
{
	const struct label *n = grouping_label(g);
	struct instance ended = { .host = n->host, .pid = n->postmaster,
		.has_port = n->has_port, .port = n->port };

	put(to, &ended, g);
}

/* Groups of servers by their index in the list; for those not in the list, rows
 * at the end. */
static void each_server(struct view_sink *to,
	void (*put)(struct view_sink *to, const struct instance *i,
	    const struct group *g))
{
	const struct figure_env *v = view_env(to);
	const struct instances *t = figure_instances(v);
	const struct group **of = gs_calloc(instances_count(t) + 1,
	    sizeof(*of));
	size_t i;

	for (i = 0; i < rollup_count(v->rollup); i++) {
		const struct group *g = rollup_get(v->rollup, i);
		const struct instance *at = server_of(t, g);

		if (at)
			of[at->at] = g;
	}
	for (i = 0; i < instances_count(t); i++)
		put(to, instances_get(t, i), of[i]);
	for (i = 0; i < rollup_count(v->rollup); i++) {
		const struct group *g = rollup_get(v->rollup, i);
		const struct instance *at = server_of(t, g);

		if (!at || of[at->at] != g)
			put_ended(to, g, put);
	}
	free(of);
}

static void put_segment(struct view_sink *to, const struct instance *i,
	const struct group *g)
{
	view_put(to, i, g);
}

static void list_segments(struct view_sink *to)
{
	each_server(to, put_segment);
}

static const struct view_rows segment_rows = { .list = list_segments };

const struct view view_segments = {
	.name = "segments",
	.help = "servers of the cluster: role, status, activity of their processes",
	.grouping = GROUPING_SERVER,
	.entity = ENTITY_PROCESS,
	FIGURES(segments),
	.sort = "+segment,-role,+host,+port",
	.rows = &segment_rows,
};

/* ---- connections ------------------------------------------------------- */

enum connection_state {
	CONNECTION_ACTIVE,
	CONNECTION_IDLE,
	CONNECTION_IDLE_TX,
	CONNECTION_ABORTED,
	CONNECTION_WAITING,
	CONNECTION_OTHER,
	CONNECTION_STATES
};

struct connections {
	struct instance instance; /* first: the subject of figures */
	size_t n[CONNECTION_STATES], all;
	size_t senders; /* WAL senders that use a connection slot */
	bool known;
	bool shared; /* WAL senders use slots of connections */
	bool senders_known;
};

static struct cell in_state(FIGURE_ARGS)
{
	const struct connections *c = v->subject;

	return c->known ? cell_int((int64_t)c->n[f->pick]) : absent;
}

static struct cell used(FIGURE_ARGS)
{
	const struct connections *c = v->subject;

	return c->known ? cell_int((int64_t)c->all) : absent;
}

static bool max_of(const struct instance *i, uint64_t *ret)
{
	if (i->cluster &&
	    row_get(i->cluster, COL(CLUSTER, MAX_CONNECTIONS), ret))
		return true;
	return i->segment &&
	    row_get(i->segment, COL(SEGMENT, MAX_CONNECTIONS), ret);
}

static struct cell most(FIGURE_ARGS)
{
	uint64_t n;

	return max_of(v->subject, &n) ? cell_int((int64_t)n) : absent;
}

static struct cell reserved(FIGURE_ARGS)
{
	const struct connections *c = v->subject;

	return figure_row_cell(v, f, c->instance.cluster);
}

/* The server's own count of free slots, else computed: gpsnap 0.1.0 did not
 * count WAL senders. */
static struct cell left(FIGURE_ARGS)
{
	const struct connections *c = v->subject;
	struct cell counted = figure_row_cell(v, f, c->instance.cluster);
	int64_t n;
	uint64_t max;

	if (counted.kind != CELL_ABSENT && !c->shared)
		return counted;
	if (!c->known || !c->senders_known ||
	    !max_of(&c->instance, &max) || max > INT32_MAX)
		return absent;
	n = (int64_t)max - (int64_t)c->all - (int64_t)c->senders;
	return cell_int(n > 0 ? n : 0);
}

/* Started backends; those that started and ended between two samples are only
 * seen in their postmaster's reaped counters. */
static struct cell born(FIGURE_ARGS)
{
	double covered = group_covered_s(v->rollup, g);
	struct cell c;

	if (covered <= 0)
		return absent;
	c = cell_real((double)g->n_born / covered);
	if (g->reaped)
		c.mark = '>';
	return c;
}

#define STATE_FIGURE(name_, title_, width, state, help_) \
	COLUMN(name_, title_, Q_COUNT, width, help_, ALONE(in_state), .pick = state, ADDS)

static const struct figure connections[] = {
	CONTENT_FIGURE,
	SERVER_FIGURE_OF(ALONE(server)),
	ROLE_FIGURE(120),
	PLACE_FIGURES,
	POSTMASTER_PID_FIGURE(200),
	COLUMN("used", "USED", Q_COUNT, 80, "connections", ALONE(used), ADDS),
	STATE_FIGURE("active", "ACTIVE", 80, CONNECTION_ACTIVE,
	    "of those, active"),
	STATE_FIGURE("waiting", "WAIT", 80, CONNECTION_WAITING,
	    "waiting for a lock, a queue or a standby"),
	STATE_FIGURE("idle_in_transaction", "IDLE-TX", 80,
	    CONNECTION_IDLE_TX, "idle in a transaction"),
	STATE_FIGURE("aborted", "ABORTED", 80, CONNECTION_ABORTED,
	    "idle in a failed transaction"),
	STATE_FIGURE("idle", "IDLE", 80, CONNECTION_IDLE, "idle"),
	STATE_FIGURE("other", "OTHER", 120, CONNECTION_OTHER,
	    "starting, or in an unknown state"),
	COLUMN("max_connections", "MAX", Q_COUNT, 80, "connections that the server allows",
	    ALONE(most)),
	COLUMN("reserved", "RESERVED", Q_COUNT, 120, "of those, for superusers only",
	    ALONE(reserved), FROM(CLUSTER, RESERVED)),
	COLUMN("left", "LEFT", Q_COUNT, 80,
	    "free connections, reserved ones included",
	    ALONE(left), FROM(CLUSTER, SPARE_CONNECTIONS)),
	COLUMN("new_per_second", "NEW/s", Q_RATE, 80, "processes that the postmaster started",
	    BY(born), FROM(PROCESS, MINFLT), ADDS),
};

/* Without permission to see the types, a backend with a database is a client. */
static bool is_client(const struct world *w, const struct row *r)
{
	struct span type = row_text(w, r, COL(BACKEND, TYPE));

	return span_eq(type, "client backend") || (span_empty(type) &&
	    !span_empty(row_text(w, r, COL(BACKEND, DATABASE))));
}

static enum connection_state state_of_backend(const struct world *w,
	const struct row *r)
{
	static const struct { const char *name; enum connection_state is; }
	names[] = {
		{ "active", CONNECTION_ACTIVE },
		{ "fastpath function call", CONNECTION_ACTIVE },
		{ "idle", CONNECTION_IDLE },
		{ "idle in transaction", CONNECTION_IDLE_TX },
		{ "idle in transaction (aborted)", CONNECTION_ABORTED },
	};
	struct span state = row_text(w, r, COL(BACKEND, STATE));
	uint64_t waiting = 0;
	size_t i;

	(void)row_get(r, COL(BACKEND, WAITING), &waiting);
	if (span_eq(state, "active") && (waiting || span_eq(row_text(w, r,
	    COL(BACKEND, WAIT_TYPE)), "Lock")))
		return CONNECTION_WAITING;
	for (i = 0; i < GS_LEN(names); i++) {
		if (span_eq(state, names[i].name))
			return names[i].is;
	}
	return CONNECTION_OTHER;
}

static enum connection_state state_of_title(enum title_state s)
{
	switch (s) {
	case TITLE_ACTIVE:
		return CONNECTION_ACTIVE;
	case TITLE_WAITING:
	case TITLE_QUEUED:
	case TITLE_REPLICATION:
		return CONNECTION_WAITING;
	case TITLE_IDLE:
		return CONNECTION_IDLE;
	case TITLE_IDLE_TX:
		return CONNECTION_IDLE_TX;
	case TITLE_IDLE_ABORTED:
		return CONNECTION_ABORTED;
	case TITLE_STATE_NONE:
	case TITLE_STARTUP:
	case TITLE_AUTHENTICATION:
		return CONNECTION_OTHER;
	}
	return CONNECTION_OTHER;
}

static void count(struct connections *c, enum connection_state s)
{
	c->known = true;
	c->n[s]++;
	c->all++;
}

/* From the catalog; true if it has backends of this server. */
static bool count_backends(struct connections *c, const struct world *w)
{
	const struct host *h = c->instance.catalog;
	int64_t is = c->instance.has_content ? c->instance.content : -1;
	size_t k;

	if (!h || c->instance.role == 'm' || (!c->instance.segment &&
	    !c->instance.cluster))
		return false;
	for (k = 0; k < h->table[ENTITY_BACKEND].n_slot; k++) {
		const struct row *r = h->table[ENTITY_BACKEND].slot[k];
		uint64_t of = 0;

		if (r && row_get(r, COL(BACKEND, CONTENT), &of) &&
		    (int64_t)of == is &&
		    is_client(w, r))
			count(c, state_of_backend(w, r));
	}
	return c->known;
}

static bool is_connection(const struct title *t)
{
	return t->kind == TITLE_QD || t->kind == TITLE_QE ||
	    t->kind == TITLE_BACKEND;
}

static void count_titles(struct connections *c, const struct engine *e)
{
	const struct table *t;
	size_t k;

	if (!c->instance.host || !c->instance.pid)
		return;
	t = &c->instance.host->table[ENTITY_PROCESS];
	c->known = true;
	for (k = 0; k < t->n_slot; k++) {
		const struct proc *p = t->slot[k]
		    ? sessions_proc(e->sessions, t->slot[k]) : NULL;

		if (p && is_connection(&p->title) &&
		    process_postmaster(t->slot[k]) == c->instance.pid)
			count(c, state_of_title(p->title.state));
	}
}

/* Before PostgreSQL 12 a WAL sender uses a connection slot. */
static bool counts_senders(const struct host *h)
{
	const struct table *t = h ? &h->table[ENTITY_CLUSTER] : NULL;
	uint64_t version;
	size_t k;

	for (k = 0; t && k < t->n_slot; k++) {
		if (t->slot[k] && row_get(t->slot[k],
		    COL(CLUSTER, VERSION_NUM), &version))
			return version < 120000;
	}
	return false;
}

static void count_senders(struct connections *c, const struct engine *e)
{
	const struct table *t;
	size_t k;

	c->shared = counts_senders(c->instance.catalog);
	c->senders_known = !c->shared ||
	    (c->instance.host && c->instance.pid);
	if (!c->shared || !c->senders_known)
		return;
	t = &c->instance.host->table[ENTITY_PROCESS];
	for (k = 0; k < t->n_slot; k++) {
		const struct proc *p = t->slot[k]
		    ? sessions_proc(e->sessions, t->slot[k]) : NULL;

		c->senders += p && p->title.kind == TITLE_WALSENDER &&
		    process_postmaster(t->slot[k]) == c->instance.pid;
	}
}

static void put_connections(struct view_sink *to, const struct instance *i,
	const struct group *g)
{
	const struct engine *e = view_env(to)->engine;
	struct connections c = { .instance = *i };

	if (!i->process && !i->postmaster && !i->segment && !i->cluster)
		return; /* it has ended: no connections */
	if (!count_backends(&c, e->world))
		count_titles(&c, e);
	count_senders(&c, e);
	view_put(to, &c, g);
}

static void list_connections(struct view_sink *to)
{
	each_server(to, put_connections);
}

static const struct view_rows connection_rows = { .list = list_connections };

const struct view view_connections = {
	.name = "connections",
	.help = "connections of each server by state, and free ones",
	.grouping = GROUPING_SERVER,
	.entity = ENTITY_PROCESS,
	FIGURES(connections),
	.sort = "+segment,-role,+host,+port",
	.rows = &connection_rows,
};
