/* SPDX-License-Identifier: Apache-2.0 */
/*
 * catalog_dump.c - drives a catalog as the recorder does, and prints what it
 * knows after each tick as one line of JSON.
 *
 *   catalog_dump [-d DSN] [-n TICKS] [-i MS] [-c COLLECTORS] [-t TEXT]
 *                [-s SIZE] [-r ROWS] [-p DISPATCH_MS] [-l LOCKS_MS] [-a] [-w]
 *                [-q DIR]
 * -t masked, full or none; -a: asks whether backends are alive; -w: tells the
 * catalog that a backend waits; -q: process PID stands in a queue while DIR/PID
 * exists.  A tick waits for its answers, at most half of the interval.  A line
 * has: tick, rows by entity, events since the tick before, own pids, segments with
 * their generation, what the header learned (null: nothing), how long the longest
 * call of the catalog took (block_us), and the CPU time of all calls since the
 * tick before (cpu_us).
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "pg/catalog.h"

static int64_t longest_ns, cpu_ns;

static int64_t cpu_now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* is there */
	return t.tv_sec * GS_NSEC_PER_SEC + t.tv_nsec;
}

/* Each call of the catalog is timed: none may block. */
#define TIMED(call)                                                     \
	do {                                                            \
		int64_t t_ = gs_clock_mono_ns();                        \
		int64_t c_ = cpu_now_ns();                              \
		call;                                                   \
		cpu_ns += cpu_now_ns() - c_;                            \
		t_ = gs_clock_mono_ns() - t_;                           \
		longest_ns = GS_MAX(longest_ns, t_);                    \
	} while (0)

static const char *queued_dir;

static bool is_queued(void *arg, int pid)
{
	char path[4096];

	(void)arg;
	(void)snprintf(path, sizeof(path), "%s/%d", queued_dir, pid);
	return access(path, F_OK) == 0;
}

static bool is_alive(void *arg, int pid)
{
	(void)arg; /* none */
	return kill(pid, 0) == 0 || errno == EPERM;
}

static const char *recorded_host(void *arg, const char *hostname,
	const char *address)
{
	(void)arg; /* none */
	if (!*hostname && !*address)
		return "here";
	return strcmp(hostname, "nowhere") == 0 ? NULL : "recorded";
}

static void put_string(struct span s)
{
	const char *p;

	(void)putchar('"');
	for (p = s.ptr; p < s.end; p++) {
		unsigned char ch = (unsigned char)*p;

		if (ch == '"' || ch == '\\')
			printf("\\%c", ch);
		else if (ch < 0x20 || ch >= 0x7f)
			printf("\\u%04x", ch); /* bytes, not characters */
		else
			(void)putchar(ch);
	}
	(void)putchar('"');
}

static void put_cell(const struct world *w, const struct row *r, unsigned col)
{
	const struct metric *m = metric_get(r->entity, col);

	printf("\"%s\":", m->name);
	if (metric_is_text(m))
		put_string(row_text(w, r, col));
	else if (m->unit == UNIT_CHAR)
		put_string(span_of((const char *)&r->now.val[col], 1));
	else if (m->flags & F_SIGNED)
		printf("%" PRId64, (int64_t)r->now.val[col]);
	else
		printf("%" PRIu64, r->now.val[col]);
}

static void put_row(const struct world *w, const struct row *r)
{
	const struct entity *en = entity_get(r->entity);
	bool more = false;
	unsigned col;

	(void)putchar('{');
	for (col = 0; col < en->ncols; col++) {
		if (!cells_has(r->now, col))
			continue;
		if (more)
			(void)putchar(',');
		more = true;
		put_cell(w, r, col);
	}
	(void)putchar('}');
}

static void put_world(const struct world *w)
{
	const struct host *h = world_catalog(w, 0);
	int e;
	size_t i;

	for (e = ENTITY_CLUSTER; e < ENTITY_COUNT; e++) {
		bool more = false;

		printf("%s\"%s\":[", e > ENTITY_CLUSTER ? "," : "",
		    entity_get((enum entity_id)e)->name);
		for (i = 0; i < h->table[e].n_slot; i++) {
			if (!h->table[e].slot[i])
				continue;
			if (more)
				(void)putchar(',');
			more = true;
			put_row(w, h->table[e].slot[i]);
		}
		(void)putchar(']');
	}
}

static void put_events(struct tick *t)
{
	size_t i;

	printf(",\"events\":[");
	for (i = 0; i < t->n_event; i++) {
		printf("%s[%d,", i ? "," : "", (int)t->event[i].kind);
		put_string(span_of(t->bytes.ptr + t->event[i].off,
		    t->event[i].len));
		(void)putchar(']');
	}
	(void)putchar(']');
	tick_reset(t);
}

static void put_described(const struct header *h)
{
	size_t i;

	printf(",\"described\":{\"version\":");
	put_string(span_str(h->server_version));
	printf(",\"settings\":{");
	for (i = 0; i < h->n_setting; i++) {
		printf("%s", i ? "," : "");
		put_string(span_str(h->setting[i].name));
		(void)putchar(':');
		put_string(span_str(h->setting[i].value));
	}
	printf("},\"refused\":{");
	for (i = 0; i < h->n_refused; i++) {
		printf("%s", i ? "," : "");
		put_string(span_str(h->refused[i].what));
		(void)putchar(':');
		put_string(span_str(h->refused[i].why));
	}
	printf("}}");
}

static void put_segments(const struct catalog *c)
{
	uint64_t generation;
	size_t i, n = catalog_segments(c, &generation);

	printf(",\"generation\":%" PRIu64 ",\"segments\":[", generation);
	for (i = 0; i < n; i++) {
		struct catalog_segment s = catalog_segment(c, i);

		printf("%s[%d,\"%c\",%s,%d,", i ? "," : "", s.content, s.role,
		    s.up ? "true" : "false", s.port);
		put_string(span_str(s.hostname));
		(void)putchar(',');
		put_string(span_str(s.address));
		(void)putchar(',');
		put_string(span_str(s.datadir));
		(void)putchar(']');
	}
	(void)putchar(']');
}

static void put_tick(struct catalog *c, struct header *h, int tick)
{
	const struct world *w;
	bool fresh;
	int pids[4];
	size_t i, n = catalog_own_pids(c, pids, GS_LEN(pids));

	w = catalog_world(c, &fresh);
	printf("{\"tick\":%d,\"fresh\":%s,\"rows\":{", tick,
	    fresh ? "true" : "false");
	if (w)
		put_world(w);
	(void)putchar('}');
	put_events(catalog_events(c));
	if (catalog_describe(c, h, 0))
		put_described(h);
	else
		printf(",\"described\":null");
	put_segments(c);
	printf(",\"own\":[");
	for (i = 0; i < n; i++)
		printf("%s%d", i ? "," : "", pids[i]);
	printf("],\"block_us\":%" PRId64 ",\"cpu_us\":%" PRId64 "}\n",
	    longest_ns / 1000, cpu_ns / 1000);
	(void)fflush(stdout); /* a test that hung up ends us by SIGPIPE */
	longest_ns = cpu_ns = 0;
}

/* Waits for what the catalog waits for, at most until then. */
static void wait_for(struct catalog *c, int64_t until_ns)
{
	struct catalog_wait waits[CATALOG_WAITS_MAX];
	struct pollfd fds[CATALOG_WAITS_MAX];
	int64_t due_ns, left_ns;
	size_t i, n = catalog_waits(c, waits, &due_ns);

	for (i = 0; i < n; i++)
		fds[i] = (struct pollfd) { .fd = waits[i].fd,
			.events = (short)((waits[i].readable ? POLLIN : 0) |
			(waits[i].writable ? POLLOUT : 0)) };
	left_ns = GS_MIN(until_ns, due_ns) - gs_clock_mono_ns();
	left_ns = GS_MAX(left_ns, 0);
	(void)poll(fds, n, (int)(left_ns / GS_NSEC_PER_MSEC) + 1);
	TIMED(catalog_advance(c));
}

static void run(struct catalog *c, int ticks, int64_t interval_ns)
{
	struct header *h = header_new();
	int64_t begin_ns = gs_clock_mono_ns();
	int i;

	for (i = 0; i < ticks; i++) {
		int64_t next_ns = begin_ns + (i + 1) * interval_ns;

		TIMED(catalog_tick(c));
		while (catalog_is_waiting(c) &&
		    gs_clock_mono_ns() < next_ns - interval_ns / 2)
			wait_for(c, next_ns - interval_ns / 2);
		put_tick(c, h, i);
		while (gs_clock_mono_ns() < next_ns)
			wait_for(c, next_ns);
	}
	header_free(h);
}

static enum query_text text_of(const char *s)
{
	return strcmp(s, "full") == 0 ? QUERY_TEXT_FULL
	    : strcmp(s, "none") == 0 ? QUERY_TEXT_NONE : QUERY_TEXT_MASKED;
}

int main(int argc, char **argv)
{
	struct catalog_options opt = { .collectors = COLLECTORS_DEFAULT,
		.dispatch_ns = 30 * GS_NSEC_PER_SEC,
		.locks_ns = 10 * GS_NSEC_PER_SEC, .query_text_size = 1024,
		.version = "test" };
	int64_t interval_ns = 200 * GS_NSEC_PER_MSEC;
	struct gs_err err = { 0 };
	bool waits = false;
	int ticks = 5, o;
	struct catalog *c;

	while ((o = getopt(argc, argv, "d:n:i:c:t:s:r:p:l:awq:")) != -1) {
		int64_t n = optarg ? strtoll(optarg, NULL, 10) : 0;

		if (o == 'd')
			opt.dsn = optarg;
		else if (o == 'n')
			ticks = (int)n;
		else if (o == 'i')
			interval_ns = n * GS_NSEC_PER_MSEC;
		else if (o == 'c' && collectors_parse(optarg, &opt.collectors,
		    &err) < 0)
			goto bad;
		else if (o == 't')
			opt.query_text = text_of(optarg);
		else if (o == 's')
			opt.query_text_size = (size_t)n;
		else if (o == 'r')
			opt.row_limit = (size_t)n;
		else if (o == 'p')
			opt.dispatch_ns = n * GS_NSEC_PER_MSEC;
		else if (o == 'l')
			opt.locks_ns = n * GS_NSEC_PER_MSEC;
		else if (o == 'a')
			opt.backend_alive = is_alive;
		else if (o == 'w')
			waits = true;
		else if (o == 'q') {
			queued_dir = optarg;
			opt.is_queued = is_queued;
		}
	}
	c = catalog_new(&opt, &err);
	if (!c)
		goto bad;
	catalog_set_hosts(c, recorded_host);
	catalog_somebody_waits(c, waits);
	run(c, ticks, interval_ns);
	catalog_free(c);
	return 0;
bad:
	(void)fprintf(stderr, "catalog_dump: %s\n", err.msg);
	return 2;
}
