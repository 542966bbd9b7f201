/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_odd_servers.c - writes a recording of two database servers on one host, to which
 * happens now and then what can happen to servers, their backends and the catalog of the
 * first one, for what is known of waits to be wrong about:
 *
 *   make_odd_servers SEED FILE
 *
 * Clients come and go, work, wait, are idle in a transaction; titles change or are off;
 * the catalog answers in each tick or less often, late or not at all for a while, and
 * lists clients before or after their processes; servers are started again, some with
 * the port of the other one; the host does not answer, or is lost; ticks are late or are
 * lost.  The same seed gives the same file.
 */
#include <fcntl.h>

#include "recording.h"
#include "simcluster.h"

#define TICKS 1000
#define INTERVAL (10 * SIM_SECOND) /* stretches of an hour */
#define CLIENTS 14
#define SERVERS 2

struct client {
	size_t process, backend;
	bool there, listed;
	bool mute; /* its title says nothing */
	unsigned server;
	unsigned pid;
	unsigned session; /* Greenplum's number; 0: of PostgreSQL */
	uint64_t start_us;
	enum { IDLE, ACTIVE, IDLE_TX } is;
	unsigned ran; /* queries */
	unsigned idles; /* ticks for which it stays as it is */
};

struct odd {
	struct recording r;
	struct simhost host, catalog;
	struct server {
		unsigned pid;
		size_t process, row;
		bool there;
	} server[SERVERS];
	struct client client[CLIENTS];
	size_t cluster, collector;
	bool drifts; /* the host's clock */
	bool alike; /* both servers have one port */
	bool known; /* the catalog has rows */
	unsigned every; /* it answers in each of so many ticks */
	unsigned silent; /* ticks for which it does not */
	unsigned away, lost; /* ticks for which the host does not answer; and is known
	                      * to be away */
	unsigned calm;
	unsigned next_pid, now;
	uint32_t rng;
	int64_t wall_ns;
};

static uint32_t rnd(struct odd *o, uint32_t below)
{
	o->rng = o->rng * 1664525u + 1013904223u;
	return (o->rng >> 8) % below;
}

/* True once in n ticks, on average, where what makes a hole may happen. */
static bool odd_now(struct odd *o, uint32_t n)
{
	return o->calm == 0 && rnd(o, n) == 0;
}

static uint64_t now_us(const struct odd *o)
{
	return (uint64_t)o->wall_ns / 1000;
}

/* ---- clients ------------------------------------------------------------ */

static void set_title(struct odd *o, struct client *c, const char *does)
{
	char title[128];

	if (c->mute)
		return;
	if (c->session)
		(void)snprintf(title, sizeof(title), "postgres: 5432, bob dw "
		    "10.0.0.1(40%u) con%u cmd%u %s", c->pid % 90 + 10,
		    c->session, c->ran + 1, does);
	else
		(void)snprintf(title, sizeof(title),
		    "postgres: bob dw [local] %s", does);
	SIM_TITLE(&o->host, c->process, title);
}

static void list(struct odd *o, struct client *c)
{
	struct simhost *h = &o->catalog;
	size_t i = simhost_open(h, ENTITY_BACKEND, OPEN_APPEARED);
	static const char *const states[] = { "idle", "active",
		"idle in transaction" };

	c->backend = i;
	c->listed = true;
	SIM_CELL(h, BACKEND, i, CONTENT, -1);
	SIM_CELL(h, BACKEND, i, PID, c->pid);
	SIM_CELL(h, BACKEND, i, START, c->start_us);
	if (c->session)
		SIM_CELL(h, BACKEND, i, SESSION, c->session);
	SIM_TEXT(h, BACKEND, i, USER, "bob");
	SIM_TEXT(h, BACKEND, i, DATABASE, "dw");
	SIM_TEXT(h, BACKEND, i, TYPE, "client backend");
	SIM_TEXT(h, BACKEND, i, STATE, states[c->is]);
	SIM_CELL(h, BACKEND, i, STATE_CHANGE, now_us(o));
	if (c->is != IDLE) {
		SIM_CELL(h, BACKEND, i, QUERY_START, now_us(o));
		SIM_CELL(h, BACKEND, i, XACT_START, now_us(o));
	}
}

static void unlist(struct odd *o, struct client *c)
{
	if (c->listed)
		simhost_close(&o->catalog, ENTITY_BACKEND, c->backend,
		    rnd(o, 9) ? CLOSE_EXITED : CLOSE_LEFT);
	c->listed = false;
}

static void come(struct odd *o, struct client *c)
{
	unsigned k = rnd(o, 4) == 0;

	if (!o->server[k].there)
		return;
	*c = (struct client) { .there = true, .server = k,
		.mute = rnd(o, 6) == 0, .pid = ++o->next_pid };
	c->session = rnd(o, 4) == 0 && k == 0 ? 100 + c->pid : 0;
	c->start_us = (uint64_t)o->host.clock.wall_ns / 1000 + c->pid * 10000;
	c->process = simcluster_process(&o->host, rnd(o, 5) ? OPEN_BORN
	    : OPEN_APPEARED, c->pid, o->server[k].pid, "postgres");
	set_title(o, c, "idle");
}

static void leave(struct odd *o, struct client *c)
{
	c->there = false;
	if (rnd(o, 3))
		unlist(o, c); /* else in another tick */
	SIM_EXIT(&o->host, c->process);
}

static void set_state(struct odd *o, struct client *c, const char *state)
{
	if (!c->listed)
		return;
	SIM_TEXT(&o->catalog, BACKEND, c->backend, STATE, state);
	SIM_CELL(&o->catalog, BACKEND, c->backend, STATE_CHANGE, now_us(o));
}

static void begin(struct odd *o, struct client *c)
{
	struct simhost *h = &o->catalog;
	char query[64];

	(void)snprintf(query, sizeof(query), "select %u", rnd(o, 7));
	if (c->is == IDLE && c->listed)
		SIM_CELL(h, BACKEND, c->backend, XACT_START, now_us(o));
	c->is = ACTIVE;
	c->ran++;
	set_title(o, c, rnd(o, 6) ? "SELECT" : "SELECT waiting");
	set_state(o, c, "active");
	if (!c->listed)
		return;
	SIM_CELL(h, BACKEND, c->backend, QUERY_START, now_us(o));
	SIM_CELL(h, BACKEND, c->backend, QUERY_ID, rnd(o, 3));
	SIM_TEXT(h, BACKEND, c->backend, QUERY, query);
}

static void finish(struct odd *o, struct client *c)
{
	c->is = rnd(o, 3) ? IDLE : IDLE_TX;
	set_title(o, c, c->is == IDLE ? "idle" : "idle in transaction");
	set_state(o, c, c->is == IDLE ? "idle" : "idle in transaction");
	if (!c->listed)
		return;
	simhost_unset(&o->catalog, ENTITY_BACKEND, c->backend,
	    COL(BACKEND, WAIT_TYPE));
	simhost_unset(&o->catalog, ENTITY_BACKEND, c->backend,
	    COL(BACKEND, WAIT_EVENT));
	if (c->is == IDLE)
		simhost_unset(&o->catalog, ENTITY_BACKEND, c->backend,
		    COL(BACKEND, XACT_START));
}

static void wait(struct odd *o, struct client *c)
{
	static const char *const waits[][2] = { { "", "" },
		{ "Lock", "relation" }, { "IO", "DataFileRead" },
		{ "LWLock", "WALWrite" }, { "Client", "ClientRead" } };
	unsigned k = rnd(o, 5);

	if (!c->listed)
		return;
	SIM_TEXT(&o->catalog, BACKEND, c->backend, WAIT_TYPE, waits[k][0]);
	SIM_TEXT(&o->catalog, BACKEND, c->backend, WAIT_EVENT, waits[k][1]);
	if (k == 1)
		SIM_TEXT(&o->catalog, BACKEND, c->backend, BLOCKERS, "77");
	else
		simhost_unset(&o->catalog, ENTITY_BACKEND, c->backend,
		    COL(BACKEND, BLOCKERS));
}

static void work(struct odd *o, struct client *c)
{
	if (rnd(o, 60) == 0) {
		leave(o, c);
		return;
	}
	if (!c->listed && o->known && c->server == 0 && rnd(o, 3))
		list(o, c);
	if (c->idles > 0) {
		c->idles--;
		return;
	}
	if (c->is != ACTIVE && rnd(o, 4) == 0)
		begin(o, c);
	else if (c->is == ACTIVE && rnd(o, 6) == 0)
		finish(o, c);
	else if (c->is == ACTIVE && rnd(o, 2))
		wait(o, c);
	if (c->is == ACTIVE) {
		SIM_ADD(&o->host, c->process, CPU, rnd(o, 900000));
		SIM_ADD(&o->host, c->process, READ_BYTES, rnd(o, 4096));
		SIM_SET(&o->host, c->process, RSS_ANON, 1000 + rnd(o, 500));
		SIM_SET(&o->host, c->process, STATE, rnd(o, 2) ? 'R' : 'S');
	}
	if (rnd(o, 12) == 0)
		c->idles = rnd(o, 60);
}

/* ---- servers ------------------------------------------------------------ */

static void start(struct odd *o, unsigned k)
{
	struct server *s = &o->server[k];
	char datadir[32];

	(void)snprintf(datadir, sizeof(datadir), "/data/%u", k);
	s->pid = ++o->next_pid;
	s->row = o->host.n[ENTITY_POSTMASTER];
	s->process = simcluster_server(&o->host, s->pid,
	    o->alike ? 5432 : 5432 + k, datadir);
	s->there = true;
}

static void disconnect(struct odd *o)
{
	if (!o->known)
		return;
	o->known = false;
	simhost_close(&o->catalog, ENTITY_CLUSTER, o->cluster, CLOSE_LEFT);
	simhost_close(&o->catalog, ENTITY_COLLECTOR, o->collector, CLOSE_LEFT);
}

static void stop(struct odd *o, unsigned k)
{
	struct server *s = &o->server[k];
	unsigned i;

	for (i = 0; i < CLIENTS; i++) {
		if (o->client[i].there && o->client[i].server == k)
			leave(o, &o->client[i]);
	}
	SIM_EXIT(&o->host, s->process);
	simhost_close(&o->host, ENTITY_POSTMASTER, s->row, CLOSE_EXITED);
	s->there = false;
	if (k == 0)
		disconnect(o);
}

static void connect(struct odd *o)
{
	struct simhost *c = &o->catalog;

	o->known = true;
	o->cluster = simhost_open(c, ENTITY_CLUSTER, OPEN_APPEARED);
	SIM_TEXT(c, CLUSTER, o->cluster, HOST, "db1");
	SIM_CELL(c, CLUSTER, o->cluster, PORT, 5432);
	o->collector = simhost_open(c, ENTITY_COLLECTOR, OPEN_APPEARED);
	SIM_TEXT(c, COLLECTOR, o->collector, NAME, "activity");
	SIM_CELL(c, COLLECTOR, o->collector, PERIOD, o->every * 10000);
	c->full = true; /* another connection */
}

static void live_servers(struct odd *o)
{
	unsigned k;

	for (k = 0; k < SERVERS; k++) {
		if (o->server[k].there ? odd_now(o, 500) : rnd(o, 20) == 0)
			o->server[k].there ? stop(o, k) : start(o, k);
	}
	if (!o->known && o->server[0].there && rnd(o, 15) == 0)
		connect(o);
	else if (o->known && odd_now(o, 300))
		disconnect(o);
	if (o->silent > 0)
		o->silent--;
	else if (o->known && rnd(o, 400) == 0)
		o->silent = 1 + rnd(o, rnd(o, 2) ? 4 : 60);
}

/* ---- ticks -------------------------------------------------------------- */

static void live_clients(struct odd *o)
{
	unsigned i;

	for (i = 0; i < CLIENTS; i++) {
		struct client *c = &o->client[i];

		if (c->there)
			work(o, c);
		else if (c->listed && rnd(o, 3) == 0)
			unlist(o, c);
		else if (!c->listed && rnd(o, 20) == 0)
			come(o, c);
	}
}

static void live_host(struct odd *o)
{
	if (o->away > 0) {
		o->away--;
	} else if (odd_now(o, 200)) {
		o->away = 1 + rnd(o, rnd(o, 2) ? 4 : 60);
		o->lost = o->away > 5 && rnd(o, 2);
	} else {
		o->lost = false;
	}
}

static void put(struct odd *o)
{
	struct tick_encoder *m = o->r.encoder;

	if (o->away == 0)
		encoder_block(m, 0, o->host.world);
	else if (o->lost)
		encoder_host_lost(m, 0);
	if (o->silent == 0 && o->now % o->every == 0)
		encoder_block(m, 1, o->catalog.world);
}

static void step(struct odd *o)
{
	struct tick_encoder *m = o->r.encoder;
	int64_t dt_ns = INTERVAL + rnd(o, 1000) * 1000;
	const struct tick *t;

	o->calm = o->calm > 0 ? o->calm - 1 : rnd(o, 60) == 0 ? 200 : 0;
	if (odd_now(o, 200))
		dt_ns *= 3; /* the recorder was late */
	o->wall_ns += dt_ns;
	live_servers(o);
	live_clients(o);
	live_host(o);
	if (o->known && rnd(o, 40))
		SIM_CELL(&o->catalog, COLLECTOR, o->collector, LAST,
		    now_us(o) - rnd(o, 2) * 300000);
	simhost_tick(&o->host, dt_ns);
	simhost_tick(&o->catalog, dt_ns);
	world_host(o->host.world, 0)->clock.rtt_ns = 1000;
	if (o->drifts)
		world_host(o->host.world, 0)->clock.offset_ns =
		    rnd(o, 3) * 1000000;
	if (rnd(o, 25) == 0)
		encoder_need_key(m);
	encoder_begin(m, o->wall_ns);
	put(o);
	t = encoder_end(m);
	if (odd_now(o, 300))
		encoder_need_key(m); /* it was not written */
	else
		recording_put(&o->r, t, 0);
}

static void live(struct odd *o)
{
	struct header *h;

	simhost_init(&o->host, "db1");
	simhost_init(&o->catalog, "catalog");
	/* it is not a host */
	simhost_close(&o->catalog, ENTITY_HOST, 0, CLOSE_LEFT);
	recording_init(&o->r, 1);
	h = encoder_header(o->r.encoder);
	h->interval_ns = INTERVAL;
	h->content = CONTENT_TITLES | CONTENT_QUERY_TEXT;
	h->recorder_host = gs_strdup("db1");
	header_add_host(h, 0, "db1");
	header_add_catalog(h, 1, "catalog");
	o->wall_ns = SIM_EPOCH;
	o->next_pid = 100;
	o->drifts = rnd(o, 2);
	o->alike = rnd(o, 3) == 0;
	o->every = rnd(o, 3) ? 1 : 2 + rnd(o, 4);
	start(o, 0);
	for (o->now = 1; o->now <= TICKS; o->now++)
		step(o);
	recording_close(&o->r);
}

int main(int argc, char **argv)
{
	struct odd o = { .rng = 0 };
	int fd;

	if (argc != 3)
		return 64;
	o.rng = (uint32_t)atoi(argv[1]) * 2654435761u;
	live(&o);
	fd = open(argv[2], O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0 ||
	    write(fd, o.r.bytes.ptr, o.r.bytes.len) != (ssize_t)o.r.bytes.len ||
	    close(fd) < 0)
		abort();
	recording_release(&o.r);
	simhost_release(&o.host);
	simhost_release(&o.catalog);
	return 0;
}
