/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_odd_hosts.c - writes a recording of three hosts to which everything happens
 * that can happen to hosts and their parts, now and then, for summaries to be wrong
 * about:
 *
 *   make_odd_hosts SEED FILE
 *
 * Parts come and go under one name, counters are reset and wrap, cells are absent
 * for some time; hosts are late, are lost, are booted; ticks come late or are lost;
 * a host is added, the interval changes.  The same seed gives the same file.
 */
#include <fcntl.h>

#include "recording.h"
#include "simcluster.h"

#define HOSTS 3
#define TICKS 700
#define PARTS 12

/* What a part may be. */
static const struct { enum entity_id e; unsigned name; const char *text; }
kinds[PARTS] = {
	{ ENTITY_HOST, 0, "" },
	{ ENTITY_CPU, COL(CPU, INDEX), NULL },
	{ ENTITY_CPU, COL(CPU, INDEX), NULL },
	{ ENTITY_DISK, COL(DISK, NAME), "vda" },
	{ ENTITY_DISK, COL(DISK, NAME), "vdb" },
	{ ENTITY_NET, COL(NET, NAME), "eth0" },
	{ ENTITY_FS, COL(FS, MOUNT), "/" },
	{ ENTITY_FS, COL(FS, MOUNT), "/data" },
	{ ENTITY_CGROUP, COL(CGROUP, PATH), "/a.slice" },
	{ ENTITY_CGROUP, COL(CGROUP, PATH), "/b.slice" },
	{ ENTITY_CGROUP, COL(CGROUP, PATH), "/b.slice" }, /* its twin */
	{ ENTITY_AGENT, COL(AGENT, VERSION), "9.9" },
};

struct odd_host {
	struct simhost sim;
	size_t row[PARTS]; /* its newest row */
	bool there[PARTS];
	unsigned away; /* ticks for which it does not answer */
	bool lost; /* and is known to be */
	unsigned boots;
};

struct odd {
	struct odd_host host[HOSTS];
	struct recording rec;
	uint32_t rng;
	unsigned calm; /* so many ticks without an event */
	int64_t wall_ns;
	bool all; /* the third host is recorded */
};

static uint32_t rnd(struct odd *o, uint32_t below)
{
	o->rng = o->rng * 1664525u + 1013904223u;
	return (o->rng >> 8) % below;
}

/* True once in n ticks, on average, where something may happen. */
static bool now(struct odd *o, uint32_t n)
{
	return o->calm == 0 && rnd(o, n) == 0;
}

static void open_part(struct odd_host *h, size_t p)
{
	enum entity_id e = kinds[p].e;

	h->row[p] = e == ENTITY_HOST ? 0
	    : simhost_open(&h->sim, e, OPEN_APPEARED);
	h->there[p] = true;
	if (kinds[p].text && kinds[p].text[0])
		simhost_set_text(&h->sim, e, h->row[p], kinds[p].name,
		    kinds[p].text);
	else if (e == ENTITY_CPU)
		simhost_set(&h->sim, e, h->row[p], kinds[p].name, p);
}

static void change_cell(struct odd *o, struct odd_host *h, size_t p,
	unsigned col)
{
	enum entity_id e = kinds[p].e;
	const struct metric *m = metric_get(e, col);
	struct cells c = h->sim.row[e][h->row[p]].now;

	if (metric_is_text(m) || m->flags & (F_ID | F_BIRTH) || col % 3 == 2)
		return;
	if (e == ENTITY_HOST && (col == COL(HOST, CLOCK_TICKS) ||
	    col == COL(HOST, PAGE_SIZE)))
		return;
	if (now(o, 9000))
		simhost_unset(&h->sim, e, h->row[p], col);
	else if (!cells_has(c, col) && o->calm > 0)
		return;
	else if (metric_is_counter(m) && now(o, 9000))
		simhost_set(&h->sim, e, h->row[p], col, rnd(o, 5));
	else if (metric_is_counter(m) && m->bits == 32 && now(o, 3000))
		simhost_set(&h->sim, e, h->row[p], col, UINT32_MAX - 20);
	else if (metric_is_counter(m) && rnd(o, 3) == 0)
		simhost_set(&h->sim, e, h->row[p], col,
		    m->bits == 32 ? (uint32_t)(c.val[col] + rnd(o, 30))
		    : c.val[col] + rnd(o, 3000));
	else if (!metric_is_counter(m) && rnd(o, 4) == 0)
		simhost_set(&h->sim, e, h->row[p], col, rnd(o, 3) * 1000);
}

static void work(struct odd *o, struct odd_host *h)
{
	size_t p;
	unsigned col;

	for (p = 0; p < PARTS; p++) {
		if (p > 0 && now(o, 900)) {
			if (h->there[p])
				simhost_close(&h->sim, kinds[p].e, h->row[p],
				    rnd(o, 2) ? CLOSE_EXITED : CLOSE_LEFT);
			else
				open_part(h, p);
			h->there[p] = h->sim.row[kinds[p].e][h->row[p]]
			    .closed == 0;
		}
		if (!h->there[p] || rnd(o, 6) == 0)
			continue; /* idle */
		for (col = 0; col < entity_get(kinds[p].e)->ncols; col++)
			change_cell(o, h, p, col);
	}
}

static void boot(struct odd_host *h)
{
	char id[16];
	size_t p;

	(void)snprintf(id, sizeof(id), "boot %u", ++h->boots + 1);
	simhost_reboot(&h->sim, id);
	for (p = 1; p < PARTS; p++)
		open_part(h, p);
}

static void step_host(struct odd *o, struct odd_host *h, int64_t dt_ns)
{
	work(o, h);
	if (now(o, 1500))
		boot(h);
	simhost_tick(&h->sim, dt_ns);
	if (h->away > 0) {
		h->away--;
	} else if (now(o, 250)) {
		h->away = 1 + rnd(o, rnd(o, 2) ? 4 : 90);
		h->lost = h->away > 5 && rnd(o, 2);
	} else {
		h->lost = false;
	}
}

static void put_hosts(struct odd *o)
{
	size_t i;

	for (i = 0; i < HOSTS; i++) {
		struct odd_host *h = &o->host[i];

		if (i == 2 && !o->all)
			continue;
		world_host(h->sim.world, 0)->clock.rtt_ns = 1000;
		if (h->away == 0)
			encoder_block(o->rec.encoder, (uint32_t)i,
			    h->sim.world);
		else if (h->lost)
			encoder_host_lost(o->rec.encoder, (uint32_t)i);
	}
}

static void step(struct odd *o, unsigned n)
{
	struct tick_encoder *m = o->rec.encoder;
	int64_t dt_ns = SIM_SECOND + rnd(o, 1000) * 1000;
	const struct tick *t;
	size_t i;

	o->calm = o->calm > 0 ? o->calm - 1 : now(o, 150) ? 130 : 0;
	if (now(o, 200))
		dt_ns *= 3; /* the recorder was late */
	o->wall_ns += dt_ns;
	for (i = 0; i < HOSTS; i++)
		step_host(o, &o->host[i], dt_ns);
	if (n == 300) {
		header_add_host(encoder_header(m), 2, "sdw3");
		o->all = true;
		encoder_need_key(m);
	}
	if (n == 600)
		encoder_header(m)->interval_ns = 2 * SIM_SECOND;
	if (rnd(o, 25) == 0)
		encoder_need_key(m);
	encoder_begin(m, o->wall_ns);
	if (dt_ns > 2 * SIM_SECOND)
		encoder_event(m, EVENT_LATE, o->wall_ns, EVENT_NO_HOST,
		    2 * SIM_SECOND, "");
	if (rnd(o, 90) == 0)
		encoder_event(m, EVENT_MARK, o->wall_ns, EVENT_NO_HOST, 0,
		    n % 2 ? "odd" : "");
	put_hosts(o);
	t = encoder_end(m);
	if (now(o, 300))
		encoder_need_key(m); /* it was not written */
	else
		recording_put(&o->rec, t, 0);
}

static void begin(struct odd *o)
{
	static const char *const names[HOSTS] = { "sdw1", "sdw2", "sdw3" };
	struct header *h;
	size_t i, p;

	recording_init(&o->rec, 1);
	h = encoder_header(o->rec.encoder);
	for (i = 0; i < HOSTS; i++) {
		simhost_init(&o->host[i].sim, names[i]);
		for (p = 0; p < PARTS; p++)
			open_part(&o->host[i], p);
		if (i < 2)
			header_add_host(h, (uint32_t)i, names[i]);
	}
	o->wall_ns = SIM_EPOCH;
}

static void write_file(const char *path, const struct buf *b)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, b->ptr, b->len) != (ssize_t)b->len ||
	    close(fd) < 0)
		abort();
}

int main(int argc, char **argv)
{
	struct odd o = { .rng = 0 };
	unsigned n;
	size_t i;

	if (argc != 3)
		return 64;
	o.rng = (uint32_t)atoi(argv[1]) * 2654435761u;
	begin(&o);
	for (n = 1; n <= TICKS; n++)
		step(&o, n);
	recording_close(&o.rec);
	write_file(argv[2], &o.rec.bytes);
	recording_release(&o.rec);
	for (i = 0; i < HOSTS; i++)
		simhost_release(&o.host[i].sim);
	return 0;
}
