/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simagent.c - the agent of a simulated host: speaks the protocol, reads
 * nothing, sleeps between requests.
 *
 *   simagent [-f] [-p PROCESSES] [-c PERCENT] [-i INTERVAL_MS]
 *       [-s SPREAD_MS] [-l LOG] HOST
 *
 * Every answer changes PERCENT of the processes (10), 14 cells of each, and all
 * counters of the host, its 8 CPUs, 4 disks and 2 nets.  Its answers depend
 * only on its name, its options and the number of the request.
 *
 * A process has the cells that backends have in samples/postgresql15-counters:
 * of stalls and children that it did not have, no more than a 0.  -f: it has all
 * cells that there are, none of them 0, as no process has.
 *
 * It delays all answers except the first by SPREAD_MS times its own share (0 to
 * 1), as distant hosts would, so that requests are sent before answers use the
 * CPUs.  To LOG it appends, for each request, a line "sequence microseconds
 * tick": counted from the multiple of INTERVAL_MS before, and which multiple
 * that is.
 *
 * A host whose name begins with "dead" exits at once, with "mute" it never
 * answers.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "format/wire.h"

#define FIRST_TEXT 100u /* of ids; below are those of the host */
#define TEXTS_EACH 4u /* per process */

struct sim {
	const char *host;
	uint32_t processes;
	uint32_t percent;
	bool full;
	int64_t interval_ns;
	int64_t spread_ns;
	int log_fd;
	uint64_t seed;
};

/* What the rows are that change, and how many there are. */
static const struct {
	enum entity_id entity;
	uint32_t n;
} steady[] = {
	{ ENTITY_HOST, 1 },
	{ ENTITY_CPU, 8 },
	{ ENTITY_DISK, 4 },
	{ ENTITY_NET, 2 },
	{ ENTITY_AGENT, 1 },
};

/* Of a process that has run. */
static const unsigned busy[] = {
	COL(PROCESS, UTIME), COL(PROCESS, STIME), COL(PROCESS, CPU),
	COL(PROCESS, RUN_DELAY), COL(PROCESS, TIMESLICES),
	COL(PROCESS, CSW_VOL), COL(PROCESS, CSW_INVOL), COL(PROCESS, MINFLT),
	COL(PROCESS, RCHAR), COL(PROCESS, WCHAR), COL(PROCESS, SYSCR),
	COL(PROCESS, SYSCW), COL(PROCESS, RSS_ANON), COL(PROCESS, READ_BYTES),
};

/* What most processes have of some metrics: of each the first row counts that its
 * name begins with. */
enum has {
	HAS_ALL,
	HAS_ZERO,
	HAS_COUNTERS, /* which are 0, and no peaks */
	HAS_NONE
};

static const struct {
	const char *begin;
	enum has has;
} usual[] = {
	{ "delay_cpu", HAS_ALL }, { "delay_wpcopy", HAS_ALL },
	{ "delay_irq", HAS_NONE }, { "delay_", HAS_COUNTERS },
	{ "counted_", HAS_NONE }, { "sched_run", HAS_NONE },
	{ "ns_pid", HAS_NONE }, { "vm_pmd", HAS_NONE },
	{ "private", HAS_NONE }, { "cminflt", HAS_ZERO },
	{ "cmajflt", HAS_ZERO }, { "cutime", HAS_ZERO },
	{ "cstime", HAS_ZERO }, { "cguest_time", HAS_ZERO },
	{ "guest_time", HAS_ZERO }, { "majflt", HAS_ZERO },
	{ "blkio_delay", HAS_ZERO }, { "cancelled_", HAS_ZERO },
	{ "spill", HAS_ZERO }, { "vm_swap", HAS_ZERO },
	{ "vm_lck", HAS_ZERO }, { "vm_pin", HAS_ZERO },
	{ "hugetlb", HAS_ZERO }, { "nice", HAS_ZERO },
	{ "rt_priority", HAS_ZERO }, { "policy", HAS_ZERO },
	{ "tty", HAS_ZERO },
};

static uint64_t merge(uint64_t x)
{
	x = (x ^ (x >> 31)) * UINT64_C(0x7fb5d329728ea185);
	x = (x ^ (x >> 27)) * UINT64_C(0x81dadef4bc2dd44d);
	return x ^ (x >> 33);
}

static uint64_t of(const struct sim *s, uint64_t a, uint64_t b)
{
	return merge(s->seed ^ merge(a << 32 ^ b));
}

static void put_text(struct tick *t, struct delta *d, unsigned col,
	uint32_t slot, uint32_t id, const char *text)
{
	tick_add_text(t, id, text, strlen(text));
	delta_change(d, col, slot, id);
}

static enum has has(const struct sim *s, const struct metric *m)
{
	size_t i;

	if (s->full || m->entity != ENTITY_PROCESS)
		return HAS_ALL;
	for (i = 0; i < GS_LEN(usual); i++) {
		if (strncmp(m->name, usual[i].begin,
		    strlen(usual[i].begin)) == 0)
			return usual[i].has;
	}
	return HAS_ALL;
}

static void put_number(const struct sim *s, struct delta *d, unsigned col,
	uint32_t slot)
{
	const struct metric *m = metric_get(d->entity, col);
	bool counts = metric_is_counter(m);
	enum has what = has(s, m);

	if (what == HAS_NONE || (what == HAS_COUNTERS && !counts))
		return;
	delta_change(d, col, slot, what != HAS_ALL ? 0 : of(s, slot,
	    (uint64_t)d->entity << 16 | col) % (counts ? 10000000 : 1000) + 1);
}

/* Columns that may be present and are not texts. */
static void put_numbers(const struct sim *s, struct delta *d, uint32_t slot)
{
	const struct entity *e = entity_get(d->entity);
	unsigned c;

	delta_open_slot(d, slot, OPEN_APPEARED);
	for (c = 0; c < e->ncols; c++) {
		const struct metric *m = &e->metrics[c];

		if (metric_is_text(m) || (m->flags & (F_OPT | F_RETIRED)))
			continue;
		put_number(s, d, c, slot);
	}
}

/* Cells that put_numbers() set are corrected: differences add up. */
static void set(struct delta *d, unsigned col, uint32_t slot, uint64_t v)
{
	const struct delta_col *c = &d->col[col];
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (c->slot[i] == slot)
			c->diff[i] = v;
	}
}

static void put_host(const struct sim *s, struct tick *t, struct block *b)
{
	struct delta *d = &b->ent[ENTITY_HOST];
	char name[64];
	uint32_t i, k, id = 10;

	for (k = 0; k < GS_LEN(steady); k++) {
		for (i = 0; i < steady[k].n; i++)
			put_numbers(s, &b->ent[steady[k].entity], i);
	}
	put_text(t, d, COL(HOST, NAME), 0, 1, s->host);
	put_text(t, d, COL(HOST, BOOT_ID), 0, 2, s->host);
	put_text(t, d, COL(HOST, KERNEL), 0, 3, "5.10.0-simulated");
	set(d, COL(HOST, UTC_OFFSET), 0, 0);
	set(d, COL(HOST, CLOCK_TICKS), 0, 100);
	set(d, COL(HOST, PAGE_SIZE), 0, 4096);
	set(d, COL(HOST, CPUS), 0, 8);
	for (i = 0; i < 4; i++) {
		(void)snprintf(name, sizeof(name), "sd%c", 'a' + (int)i);
		put_text(t, &b->ent[ENTITY_DISK], COL(DISK, NAME), i, id++,
		    name);
	}
	for (i = 0; i < 2; i++) {
		(void)snprintf(name, sizeof(name), "eth%u", i);
		put_text(t, &b->ent[ENTITY_NET], COL(NET, NAME), i, id++,
		    name);
	}
	put_text(t, &b->ent[ENTITY_AGENT], COL(AGENT, VERSION), 0, id, "0.0");
}

static void put_process(const struct sim *s, struct tick *t,
	struct delta *d, uint32_t i)
{
	uint32_t id = FIRST_TEXT + i * TEXTS_EACH;
	char title[160];

	put_numbers(s, d, i);
	set(d, COL(PROCESS, PID), i, 1000 + i);
	set(d, COL(PROCESS, START), i, 5000 + i);
	set(d, COL(PROCESS, STATE), i, 'S');
	set(d, COL(PROCESS, PPID), i, 999);
	(void)snprintf(title, sizeof(title), "postgres: %u, analyst sales "
	    "10.1.0.%u(%u) con%u seg%u cmd%u slice1 MPPEXEC SELECT",
	    6000 + i % 8, i % 200, 40000 + i, 100 + i / 4, i % 8, i);
	put_text(t, d, COL(PROCESS, TITLE), i, id, title);
	put_text(t, d, COL(PROCESS, COMM), i, id + 1, "postgres");
	put_text(t, d, COL(PROCESS, CPUS_ALLOWED), i, id + 2, "0-7");
	put_text(t, d, COL(PROCESS, WCHAN), i, id + 3, "ep_poll");
}

/* Columns that would cause an event at every tick. */
static bool is_rare(enum entity_id e, unsigned col)
{
	return e == ENTITY_HOST && col == COL(HOST, OOM_KILL);
}

static void change_steady(const struct sim *s, struct block *b, uint64_t seq)
{
	uint32_t i, k;
	unsigned c;

	for (k = 0; k < GS_LEN(steady); k++) {
		struct delta *d = &b->ent[steady[k].entity];
		const struct entity *e = entity_get(d->entity);

		for (i = 0; i < steady[k].n; i++) {
			for (c = 0; c < e->ncols; c++) {
				if (metric_is_counter(&e->metrics[c]) &&
				    !is_rare(d->entity, c))
					delta_change(d, c, i, of(s, seq,
					    i << 16 | c) % 500 + 1);
			}
		}
	}
}

/* Columns ascend, and slots within them. */
static void change_processes(const struct sim *s, struct delta *d,
	uint64_t seq)
{
	size_t k;
	uint32_t i;

	for (k = 0; k < GS_LEN(busy); k++) {
		for (i = 0; i < s->processes; i++) {
			if (of(s, seq, i) % 100 < s->percent)
				delta_change(d, busy[k], i,
				    of(s, seq, i << 16 | k) % 5000 + 1);
		}
	}
}

static void answer(const struct sim *s, struct wire_codec *codec,
	const struct request *r, struct answer *a, struct buf *out)
{
	struct block *b;
	uint32_t i;

	tick_reset(&a->tick);
	a->has_hello = a->tick.key = r->sequence == 1;
	a->hello = (struct hello) { WIRE_PROTOCOL, GS_VERSION };
	b = tick_add_block(&a->tick, 0);
	b->clock = (struct sample_clock) { .sequence = r->sequence,
		.wall_ns = gs_clock_wall_ns(), .mono_ns = gs_clock_mono_ns(),
		.boot_ns = gs_clock_boot_ns() };
	if (r->sequence == 1) {
		put_host(s, &a->tick, b);
		for (i = 0; i < s->processes; i++)
			put_process(s, &a->tick, &b->ent[ENTITY_PROCESS], i);
	} else {
		change_steady(s, b, r->sequence);
		change_processes(s, &b->ent[ENTITY_PROCESS], r->sequence);
	}
	buf_reset(out);
	wire_put_answer(codec, a, out);
}

static void pause_ns(int64_t ns)
{
	struct timespec t = { ns / GS_NSEC_PER_SEC, ns % GS_NSEC_PER_SEC };

	(void)nanosleep(&t, NULL); /* nothing interrupts it */
}

static void note(const struct sim *s, const struct request *r, int64_t at_ns)
{
	char line[64];
	int n;

	if (s->log_fd < 0)
		return;
	n = snprintf(line, sizeof(line), "%" PRIu64 " %" PRId64 " %" PRId64
	    "\n", r->sequence, at_ns % s->interval_ns / GS_NSEC_PER_USEC,
	    at_ns / s->interval_ns);
	if (write(s->log_fd, line, (size_t)n) != n)
		exit(1);
}

/* The next request, and when it came; false at the end. */
static bool receive(struct wire_codec *c, struct buf *in, struct request *r,
	int64_t *at_ns)
{
	int64_t n = 0;

	while ((n = wire_message_len(in->ptr, in->len, NULL)) == 0) {
		ssize_t got = read(STDIN_FILENO, buf_reserve(in, 4096), 4096);

		*at_ns = gs_clock_wall_ns();
		if (got <= 0)
			return false;
		in->len += (size_t)got;
	}
	if (n < 0 || wire_get_request(c, in->ptr, (size_t)n, r, NULL) < 0)
		exit(2);
	memmove(in->ptr, in->ptr + n, in->len - (size_t)n);
	in->len -= (size_t)n;
	return true;
}

static void talk(const struct sim *s)
{
	struct wire_codec *c = wire_codec_new();
	struct buf in = BUF_INIT, out = BUF_INIT;
	struct answer a = { 0 };
	struct request r;
	int64_t at_ns = 0;
	size_t at;
	ssize_t n;

	while (receive(c, &in, &r, &at_ns)) {
		note(s, &r, at_ns);
		if (r.sequence > 1)
			pause_ns((int64_t)((double)s->spread_ns *
			    (double)(s->seed % 1000) / 1000));
		answer(s, c, &r, &a, &out);
		for (at = 0; at < out.len; at += (size_t)n) {
			n = write(STDOUT_FILENO, out.ptr + at, out.len - at);
			if (n <= 0)
				exit(1);
		}
	}
	tick_release(&a.tick);
	wire_codec_free(c);
	buf_release(&in);
	buf_release(&out);
}

static uint64_t seed_of(const char *name)
{
	uint64_t x = 1;

	for (; *name; name++)
		x = merge(x * 31 + (unsigned char)*name);
	return x;
}

int main(int argc, char **argv)
{
	struct sim s = { .processes = 100, .percent = 10,
		.interval_ns = 5 * GS_NSEC_PER_SEC, .log_fd = -1 };
	int c;

	while ((c = getopt(argc, argv, "fp:c:i:s:l:")) != -1) {
		if (c == 'f')
			s.full = true;
		else if (c == 'p')
			s.processes = (uint32_t)strtoul(optarg, NULL, 10);
		else if (c == 'c')
			s.percent = (uint32_t)strtoul(optarg, NULL, 10);
		else if (c == 'i')
			s.interval_ns = strtol(optarg, NULL, 10) *
			    GS_NSEC_PER_MSEC;
		else if (c == 's')
			s.spread_ns = strtol(optarg, NULL, 10) *
			    GS_NSEC_PER_MSEC;
		else if (c == 'l')
			s.log_fd = open(optarg, O_WRONLY | O_CREAT |
			    O_APPEND | O_CLOEXEC, 0600);
		else
			return 64;
	}
	if (optind + 1 != argc || s.interval_ns <= 0)
		return 64;
	s.host = argv[optind];
	s.seed = seed_of(s.host);
	if (strncmp(s.host, "dead", 4) == 0)
		return 1;
	if (strncmp(s.host, "mute", 4) == 0) {
		while (read(STDIN_FILENO, &c, sizeof(c)) > 0)
			continue;
		return 0;
	}
	talk(&s);
	return 0;
}
