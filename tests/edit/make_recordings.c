/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_recordings.c - writes recordings of a made-up cluster of three hosts
 * and a database, all of the same life, into a directory:
 *
 *   all.gpsnap             everything
 *   part1.gpsnap ...       the same recording in three files
 *   ab.gpsnap, c.gpsnap    hosts a and b, and c with the database, by two
 *                          recorders; the clock of the second is 2 s ahead
 *   bc.gpsnap              hosts b and c by a third, from the middle on
 *   coarse.gpsnap          host a, every 5 s, until 200
 *   stepped.gpsnap         host c; the clock of its recorder is set forward by
 *                          3 s at 120
 *   reset.gpsnap           host c; the clock is set forward by 40 days at 120
 *   hopped1.gpsnap ...     host c, in three files; in the second the clock is a day
 *                          behind
 *   twin.gpsnap            another machine that is called as host a, with
 *                          another cluster
 *   two.gpsnap             host a, and the catalogs of both clusters
 *   swapped.gpsnap         host b, and these in the other order, from 50 on
 *
 * Processes are born and end, sometimes are not selected; one host does not
 * answer for a while and is booted; another is lost.
 */
#include <fcntl.h>

#include "recording.h"
#include "simcluster.h"
#include "simlife.h"

#define HOSTS 3
#define TICKS 260
#define AHEAD (2 * SIM_SECOND)
#define STEP 120
/* Several in the shortest file. */
#define KEY_EVERY 60
/* The last ticks of files, which the next ones begin with. */
#define PART_2 100
#define PART_3 190

static const char *const names[HOSTS] = { "sdw1", "sdw2", "sdw3" };

struct output {
	const char *name;
	bool has[HOSTS], catalog;
	unsigned first, last; /* tick; last 0: all */
	unsigned every; /* so many ticks; 0: 1 */
	bool twin; /* has[0] is the other machine */
	bool both; /* catalogs: */
	bool swapped; /* the other one first */
	int64_t ahead_ns; /* of its recorder's clock */
	int64_t step_ns; /* by which that is set at tick STEP, or that of the second
	                  * part, and back at the third */
	const char *parts; /* so it is called, and is in three of them; NULL: in one */
	size_t at[4], n_part; /* where they begin */
	unsigned since_key; /* ticks */
	struct recording rec;
};

struct life {
	struct simlife host[HOSTS], twin;
	struct simcluster db, other; /* its catalog alone */
	bool known[HOSTS]; /* not lost */
};

static void write_file(const char *dir, const char *name, const void *p,
	size_t len)
{
	char path[4096];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s.gpsnap", dir, name);
	fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, p, len) != (ssize_t)len || close(fd) < 0)
		abort();
}

static void begin(struct output *o, uint8_t id)
{
	struct header *h;
	size_t i;

	recording_init(&o->rec, id);
	h = encoder_header(o->rec.encoder);
	h->content = CONTENT_TITLES;
	h->interval_ns = (o->every ? o->every : 1) * SIM_SECOND;
	h->recorder_host = gs_strdup(o->has[0] ? names[0] : names[2]);
	for (i = 0; i < HOSTS; i++) {
		if (o->has[i])
			header_add_host(h, (uint32_t)i, names[i]);
	}
	if (o->catalog)
		header_add_catalog(h, HOSTS, "catalog");
	if (o->both)
		header_add_catalog(h, HOSTS + 1, "catalog-2");
}

static void put(struct output *o, struct life *l, unsigned n)
{
	bool back = o->parts && n == PART_3;
	bool steps = o->step_ns != 0 && (back || n == (o->parts ? PART_2 : STEP));
	int64_t step_ns = back ? -o->step_ns : o->step_ns;
	struct tick_encoder *m = o->rec.encoder;
	int64_t wall;
	size_t i;

	o->ahead_ns += steps ? step_ns : 0;
	wall = SIM_EPOCH + (int64_t)n * SIM_SECOND + o->ahead_ns;
	if (o->since_key + 1 >= KEY_EVERY)
		encoder_need_key(m);
	encoder_begin(m, wall);
	o->since_key = encoder_is_key(m) ? 0 : o->since_key + 1;
	if (steps)
		encoder_event(m, EVENT_CLOCK_STEP, wall, EVENT_NO_HOST,
		    step_ns, "");
	if (n % 50 == 7)
		encoder_event(m, EVENT_MARK, wall, EVENT_NO_HOST, 0, "a mark");
	for (i = 0; i < HOSTS; i++) {
		struct simlife *from = o->twin ? &l->twin : &l->host[i];
		struct host *h = world_host(from->host.world, 0);

		h->clock.offset_ns = h->clock.wall_ns - wall;
		h->clock.rtt_ns = 1000000;
		if (!o->has[i] || h->clock.wall_ns < wall - o->ahead_ns -
		    SIM_SECOND / 2)
			continue; /* did not answer */
		if (l->known[i])
			encoder_block(m, (uint32_t)i, from->host.world);
		else
			encoder_host_lost(m, (uint32_t)i);
	}
	if (o->catalog)
		encoder_block(m, HOSTS, o->twin || o->swapped
		    ? l->other.catalog.world : l->db.catalog.world);
	if (o->both)
		encoder_block(m, HOSTS + 1, o->swapped ? l->db.catalog.world
		    : l->other.catalog.world);
	recording_put(&o->rec, encoder_end(m), 0);
}

static void open_cluster(struct simcluster *c, unsigned port)
{
	static const char *const none[] = { NULL };
	size_t i;

	simcluster_init(c, none, true);
	i = simhost_open(&c->catalog, ENTITY_CLUSTER, OPEN_APPEARED);
	SIM_CELL(&c->catalog, CLUSTER, i, START, SIM_EPOCH / 1000 - port);
	SIM_CELL(&c->catalog, CLUSTER, i, PORT, port);
	SIM_TEXT(&c->catalog, CLUSTER, i, HOST, names[0]);
}

/* Backends of the sessions that host a's first processes are of. */
static void open_database(struct life *l)
{
	size_t i;

	open_cluster(&l->db, 5432);
	for (i = 0; i < 6; i++)
		(void)simcluster_backend(&l->db, -1, 1000 + i + 1,
		    (1000 + (int)i + 1) % 3 == 0 ? 1000 + (int)i + 1 : 0,
		    i % 2 ? "active" : "idle", "select 1", 3);
	(void)simcluster_lock(&l->db, -1, 1002, 0, "AccessShareLock", "t", -1);
	(void)simcluster_lock(&l->db, -1, 1004, 0, "AccessExclusiveLock", "t",
	    5);
}

static void step(struct life *l, unsigned n)
{
	size_t i;

	for (i = 0; i < HOSTS; i++) {
		/* c is away from 70 to 79, and was booted then */
		if (i == 2 && n >= 70 && n < 80)
			continue;
		if (i == 2 && n == 80) {
			l->host[i].host.clock.wall_ns += 10 * SIM_SECOND;
			simhost_reboot(&l->host[i].host, "boot 2");
			l->host[i].n = 0;
			l->host[i].away = 0;
			l->host[i].parent = 1;
			simlife_birth(&l->host[i], OPEN_BORN);
			l->host[i].parent = l->host[i].pid;
		}
		simlife_step(&l->host[i], SIM_SECOND);
	}
	/* b is lost from 150 to 159 */
	l->known[1] = n < 150 || n >= 160;
	if (n % 7 == 0)
		SIM_TEXT(&l->db.catalog, BACKEND, 1, STATE, n % 2 ? "active"
		    : "idle in transaction");
	if (n % 11 == 0)
		SIM_CELL(&l->db.catalog, BACKEND, 3, QUERY_START,
		    (SIM_EPOCH + (int64_t)n * SIM_SECOND) / 1000);
	simhost_tick(&l->db.catalog, SIM_SECOND);
	simhost_tick(&l->other.catalog, SIM_SECOND);
	simlife_step(&l->twin, SIM_SECOND);
}

static bool has_tick(const struct output *o, unsigned n)
{
	return n >= o->first && (o->last == 0 || n <= o->last) &&
	    (o->every == 0 || n % o->every == 0);
}

static void begin_part(struct output *o)
{
	o->at[++o->n_part] = o->rec.bytes.len;
	recording_rotate(&o->rec);
	o->since_key = 0;
}

static void write_parts(const char *dir, struct output *o)
{
	char name[16];
	size_t i;

	o->at[3] = o->rec.bytes.len;
	for (i = 0; i < 3; i++) {
		(void)snprintf(name, sizeof(name), "%s%zu", o->parts, i + 1);
		write_file(dir, name, o->rec.bytes.ptr + o->at[i],
		    o->at[i + 1] - o->at[i]);
	}
}

int main(int argc, char **argv)
{
	struct output out[] = {
		{ .name = "all", .has = { true, true, true },
			.catalog = true, .parts = "part" },
		{ .name = "ab", .has = { true, true, false } },
		{ .name = "c", .has = { false, false, true },
			.catalog = true, .ahead_ns = AHEAD },
		{ .name = "bc", .has = { false, true, true },
			.first = TICKS / 2 },
		{ .name = "coarse", .has = { true, false, false },
			.last = 200, .every = 5 },
		{ .name = "stepped", .has = { false, false, true },
			.step_ns = 3 * SIM_SECOND },
		{ .name = "reset", .has = { false, false, true },
			.step_ns = 40 * 86400 * SIM_SECOND },
		{ .name = "hopped", .has = { false, false, true },
			.step_ns = -86400 * SIM_SECOND, .parts = "hopped" },
		{ .name = "twin", .has = { true, false, false },
			.catalog = true, .twin = true },
		{ .name = "two", .has = { true, false, false },
			.catalog = true, .both = true },
		{ .name = "swapped", .has = { false, true, false },
			.first = 50, .catalog = true, .both = true,
			.swapped = true },
	};
	struct life l = { .known = { true, true, true } };
	unsigned n;
	size_t i;

	if (argc != 2)
		return 64;
	for (i = 0; i < HOSTS; i++)
		simlife_init(&l.host[i], names[i], (uint32_t)i, 20);
	simlife_init(&l.twin, names[0], HOSTS, 10);
	simhost_set_text(&l.twin.host, ENTITY_HOST, 0, COL(HOST, BOOT_ID),
	    "boot of another");
	open_database(&l);
	open_cluster(&l.other, 6000);
	(void)simcluster_backend(&l.other, -1, 2001, 0, "active", "select 2", 3);
	for (i = 0; i < GS_LEN(out); i++)
		begin(&out[i], (uint8_t)(i + 1));
	for (n = 1; n <= TICKS; n++) {
		step(&l, n);
		for (i = 0; i < GS_LEN(out); i++) {
			if (has_tick(&out[i], n))
				put(&out[i], &l, n);
		}
		for (i = 0; i < GS_LEN(out); i++) {
			if (out[i].parts && (n == PART_2 || n == PART_3))
				begin_part(&out[i]);
		}
	}
	for (i = 0; i < GS_LEN(out); i++) {
		if (out[i].parts)
			write_parts(argv[1], &out[i]);
		write_file(argv[1], out[i].name, out[i].rec.bytes.ptr,
		    out[i].rec.bytes.len);
		recording_release(&out[i].rec);
	}
	for (i = 0; i < HOSTS; i++)
		simlife_release(&l.host[i]);
	simlife_release(&l.twin);
	simcluster_release(&l.db);
	simcluster_release(&l.other);
	return 0;
}
