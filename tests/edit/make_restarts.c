/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_restarts.c - writes a recording of two minutes in which backends, their
 * servers and a catalog come and go between multiples of 20 s:
 *
 *   make_restarts FILE [alone]
 *
 * Server 5432 has a catalog.  It is away for a while; when it is back, only titles
 * tell of it at first, and then the catalog.  Server 5433, without "alone", starts
 * and stays; nobody asks it.  Both have background processes, which mostly sleep.  Clients come and
 * go, at most for a few seconds each.
 */
#include <fcntl.h>

#include "recording.h"
#include "simcluster.h"

#define TICKS 120
#define BACKGROUND 5
#define CLIENTS 10

/* A process, and its row of pg_stat_activity. */
struct member {
	size_t process, backend;
	bool listed; /* it has that row */
};

struct instance {
	unsigned pid, port;
	size_t postmaster, row;
	struct member background[BACKGROUND];
};

struct life {
	struct recording r;
	struct simhost host, catalog;
	struct instance first, other;
	struct member client[CLIENTS];
	size_t cluster, collector;
	bool answers; /* the catalog */
	bool alone;
	unsigned now;
};

/* A client that works from one tick to another. */
static const struct visit {
	unsigned from, to;
	unsigned listed; /* from when on */
	unsigned unlisted;
} visits[CLIENTS] = {
	{ 3, 9, 4, 8 }, { 5, 12, 5, 12 }, { 18, 23, 19, 23 },
	{ 26, 27, 26, 27 }, { 64, 70, 67, 70 }, { 64, 65, 0, 0 },
	{ 85, 91, 86, 92 }, { 101, 119, 102, 119 }, { 24, 130, 0, 0 },
	{ 44, 47, 0, 0 },
};

/* These are clients of the other server.  The last one is seen as a zombie,
 * whose IO cannot be read. */
#define OF_OTHER 8

static void list(struct life *l, struct member *m, bool client)
{
	struct simhost *c = &l->catalog;
	size_t i = simhost_open(c, ENTITY_BACKEND, OPEN_APPEARED);

	m->backend = i;
	m->listed = true;
	SIM_CELL(c, BACKEND, i, CONTENT, -1);
	SIM_CELL(c, BACKEND, i, PID, l->host.row[ENTITY_PROCESS][m->process]
	    .now.val[COL(PROCESS, PID)]);
	SIM_CELL(c, BACKEND, i, START, SIM_EPOCH / 1000 + l->now * 1000000);
	if (client) {
		SIM_TEXT(c, BACKEND, i, USER, "bob");
		SIM_TEXT(c, BACKEND, i, DATABASE, "dw");
		SIM_TEXT(c, BACKEND, i, STATE, "active");
		SIM_TEXT(c, BACKEND, i, QUERY, "SELECT 1");
		SIM_TEXT(c, BACKEND, i, TYPE, "client backend");
		return;
	}
	SIM_TEXT(c, BACKEND, i, TYPE, "walwriter");
	SIM_TEXT(c, BACKEND, i, WAIT_TYPE, "Activity");
	SIM_TEXT(c, BACKEND, i, WAIT_EVENT, "WalWriterMain");
}

static void unlist(struct life *l, struct member *m)
{
	if (m->listed)
		simhost_close(&l->catalog, ENTITY_BACKEND, m->backend,
		    CLOSE_EXITED);
	m->listed = false;
}

static void start(struct life *l, struct instance *s, unsigned pid,
	enum row_open how)
{
	char datadir[32];
	unsigned i;

	(void)snprintf(datadir, sizeof(datadir), "/data/%u", s->port);
	s->pid = pid;
	s->row = l->host.n[ENTITY_POSTMASTER];
	s->postmaster = simcluster_server(&l->host, pid, s->port, datadir);
	for (i = 0; i < BACKGROUND; i++) {
		s->background[i] = (struct member) { .process =
		    simcluster_process(&l->host, how, pid + 1 + i, pid,
		    "postgres: walwriter ") };
		SIM_SET(&l->host, s->background[i].process, STATE, 'S');
		SIM_SET(&l->host, s->background[i].process, CPU, 1000);
	}
}

static void end(struct life *l, struct instance *s)
{
	unsigned i;

	for (i = 0; i < BACKGROUND; i++) {
		SIM_EXIT(&l->host, s->background[i].process);
		unlist(l, &s->background[i]);
	}
	SIM_EXIT(&l->host, s->postmaster);
	simhost_close(&l->host, ENTITY_POSTMASTER, s->row, CLOSE_EXITED);
}

static void connect(struct life *l)
{
	struct simhost *c = &l->catalog;
	unsigned i;

	l->answers = true;
	l->cluster = simhost_open(c, ENTITY_CLUSTER, OPEN_APPEARED);
	SIM_TEXT(c, CLUSTER, l->cluster, HOST, "db1");
	SIM_CELL(c, CLUSTER, l->cluster, PORT, 5432);
	l->collector = simhost_open(c, ENTITY_COLLECTOR, OPEN_APPEARED);
	SIM_TEXT(c, COLLECTOR, l->collector, NAME, "activity");
	SIM_CELL(c, COLLECTOR, l->collector, PERIOD, 1000);
	c->full = true; /* another connection */
	for (i = 0; i < BACKGROUND; i++)
		list(l, &l->first.background[i], false);
}

static void disconnect(struct life *l)
{
	l->answers = false;
	simhost_close(&l->catalog, ENTITY_CLUSTER, l->cluster, CLOSE_LEFT);
	simhost_close(&l->catalog, ENTITY_COLLECTOR, l->collector, CLOSE_LEFT);
}

static void visit(struct life *l, unsigned k)
{
	const struct visit *v = &visits[k];
	struct member *m = &l->client[k];

	if (l->now == v->from) {
		m->process = simcluster_process(&l->host, OPEN_BORN, 1000 + k,
		    k >= OF_OTHER ? l->other.pid : l->first.pid, "postgres: bob dw [local] SELECT");
		SIM_SET(&l->host, m->process, STATE, 'R');
		SIM_SET(&l->host, m->process, READ_BYTES, 0);
		SIM_SET(&l->host, m->process, WRITE_BYTES, 0);
	}
	if (l->now >= v->from && l->now < v->to) {
		SIM_ADD(&l->host, m->process, CPU, 300000 + 10000 * k);
		SIM_ADD(&l->host, m->process, READ_BYTES, 4096 + k);
		SIM_SET(&l->host, m->process, RSS_ANON,
		    1000 + 100 * (l->now - v->from));
	}
	if (k == CLIENTS - 1 && l->now == v->to - 1) {
		SIM_SET(&l->host, m->process, STATE, 'Z');
		simhost_unset(&l->host, ENTITY_PROCESS, m->process,
		    COL(PROCESS, WRITE_BYTES));
	}
	if (l->now == v->to)
		SIM_EXIT(&l->host, m->process);
	if (l->now == v->listed)
		list(l, m, true);
	if (l->now == v->unlisted)
		unlist(l, m);
}

static void happen(struct life *l)
{
	if (l->now == 24 && !l->alone)
		start(l, &l->other, 200, OPEN_BORN);
	if (l->now == 43) {
		end(l, &l->first);
		disconnect(l);
	}
	if (l->now == 63)
		start(l, &l->first, 300, OPEN_BORN);
	if (l->now == 66)
		connect(l);
}

static void tick(struct life *l)
{
	struct simhost *const all[] = { &l->host, &l->catalog };
	unsigned k;

	happen(l);
	for (k = 0; k < (l->alone ? OF_OTHER : CLIENTS); k++)
		visit(l, k);
	if (l->answers)
		SIM_CELL(&l->catalog, COLLECTOR, l->collector, LAST,
		    SIM_EPOCH / 1000 + l->now * 1000000);
	simhost_tick(&l->host, SIM_SECOND);
	simhost_tick(&l->catalog, SIM_SECOND);
	recording_tick(&l->r, all, 2);
}

static void live(struct life *l, bool alone)
{
	struct header *head;

	*l = (struct life) { .first.port = 5432, .other.port = 5433,
		.alone = alone };
	simhost_init(&l->host, "db1");
	simhost_init(&l->catalog, "catalog");
	/* it is not a host */
	simhost_close(&l->catalog, ENTITY_HOST, 0, CLOSE_LEFT);
	recording_init(&l->r, 1);
	head = encoder_header(l->r.encoder);
	head->content = CONTENT_TITLES | CONTENT_QUERY_TEXT;
	head->recorder_host = gs_strdup("db1");
	header_add_host(head, 0, "db1");
	header_add_catalog(head, 1, "catalog");
	start(l, &l->first, 100, OPEN_APPEARED);
	connect(l);
	for (l->now = 1; l->now <= TICKS; l->now++)
		tick(l);
	recording_close(&l->r);
}

int main(int argc, char **argv)
{
	struct life l;
	int fd;

	if (argc < 2)
		return 64;
	live(&l, argc > 2);
	fd = open(argv[1], O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0 ||
	    write(fd, l.r.bytes.ptr, l.r.bytes.len) != (ssize_t)l.r.bytes.len ||
	    close(fd) < 0)
		abort();
	recording_release(&l.r);
	simhost_release(&l.host);
	simhost_release(&l.catalog);
	return 0;
}
