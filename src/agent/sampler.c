/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/sampler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "agent/cgrow.h"
#include "agent/delays.h"
#include "agent/failures.h"
#include "agent/heap.h"
#include "agent/fsrow.h"
#include "agent/hostrow.h"
#include "agent/procs.h"
#include "agent/postmasters.h"
#include "agent/spill.h"
#include "agent/threads.h"
#include "base/compiler.h"
#include "base/mem.h"

/* Ticks between two reads of the list of users. */
#define USERS_EVERY 60

struct sampler {
	struct root root;
	struct sent_texts sent;
	struct hostrow host;
	struct fsrow fs;
	struct cgrow cgroup;
	struct procs procs;
	struct threads threads;
	struct postmasters servers;
	struct spill spill;
	struct delays_link delays;
	struct heap heap;
	struct mounts mounts;
	struct passwd users;
	struct rows agent;
	struct failures failures;
	int statm_fd; /* the agent's own; -1: not open */
	struct sample_clock prev; /* sequence is 0 before the first tick */
	int64_t interval_ns[TURN_INTERVALS]; /* newest first; 0: not known yet */
	uint32_t prev_with;
	bool prev_chosen;
	bool delayacct_is_off;
	struct answer answer;
};

struct sampler *sampler_new(const char *dir, FILE *dump)
{
	struct sampler *s = gs_calloc(1, sizeof(*s));

	root_init(&s->root, dir);
	s->root.dump = dump;
	s->statm_fd = -1;
	sent_init(&s->sent);
	hostrow_init(&s->host, &s->sent);
	fsrow_init(&s->fs, &s->sent);
	procs_init(&s->procs); /* raises the limit of descriptors */
	cgrow_init(&s->cgroup, &s->sent);
	delays_init(&s->delays);
	heap_init(&s->heap);
	threads_init(&s->threads, &s->sent);
	postmasters_init(&s->servers, &s->sent);
	rows_init(&s->agent, ENTITY_AGENT, &s->sent);
	failures_init(&s->failures, &s->sent);
	return s;
}

void sampler_free(struct sampler *s)
{
	if (!s)
		return;
	if (s->statm_fd >= 0)
		(void)close(s->statm_fd); /* was only read */
	failures_release(&s->failures);
	rows_release(&s->agent);
	mounts_release(&s->mounts);
	passwd_release(&s->users);
	spill_release(&s->spill);
	postmasters_release(&s->servers);
	threads_release(&s->threads);
	procs_release(&s->procs);
	heap_release(&s->heap);
	delays_release(&s->delays);
	cgrow_release(&s->cgroup);
	fsrow_release(&s->fs);
	hostrow_release(&s->host);
	sent_release(&s->sent);
	root_release(&s->root);
	tick_release(&s->answer.tick);
	free(s);
}

/* Times of a captured tree that are later, in 2106, are not believed. */
#define TREE_SECONDS_MAX UINT32_MAX

/* The host's clocks; those of a captured tree are the tree's own. */
static struct sample_clock read_clock(const struct sampler *s)
{
	struct sample_clock c = {
		.connection = 1,
		.sequence = s->prev.sequence + 1,
		.wall_ns = gs_clock_wall_ns(),
		.mono_ns = gs_clock_mono_ns(),
		.boot_ns = gs_clock_boot_ns(),
	};
	uint64_t uptime, btime;

	if (s->root.procfs ||
	    !cells_get(s->host.now, COL(HOST, UPTIME), &uptime) ||
	    uptime / 100 > TREE_SECONDS_MAX)
		return c;
	c.boot_ns = (int64_t)(uptime * 10000000u);
	c.mono_ns = c.boot_ns;
	if (cells_get(s->host.now, COL(HOST, BTIME), &btime) &&
	    btime <= TREE_SECONDS_MAX)
		c.wall_ns = (int64_t)btime * GS_NSEC_PER_SEC + c.boot_ns;
	return c;
}

static uint64_t positive(long v, uint64_t otherwise)
{
	return v > 0 ? (uint64_t)v : otherwise;
}

/* Users rarely change.  DIR/proc/.. is DIR, even if that is not a captured
 * tree. */
static void read_users(struct sampler *s)
{
	struct span text;

	if (s->root.tick % USERS_EVERY == 1 && root_read_file(&s->root,
	    "../etc/passwd", PASSWD_BYTES_MAX, &text) == 0)
		passwd_scan(&s->users, text);
}

static struct scan begin_scan(struct sampler *s, const struct request *req)
{
	int64_t now = gs_clock_mono_ns();
	struct scan sc = {
		.root = &s->root,
		.sent = &s->sent,
		.users = &s->users,
		.delays = &s->delays,
		.tick = s->root.tick,
		.mono_ns = now,
		.prev_boot_ns = s->prev.sequence ? s->prev.boot_ns : -1,
		.with = req->with,
		.busiest = req->busiest,
		.req = req,
		.failures = &s->failures,
		.request_changed = req->with != s->prev_with ||
		    req->chosen != s->prev_chosen,
		.choose = req->chosen && !s->prev_chosen,
	};

	sc.stat_opt.page_size = positive(sysconf(_SC_PAGESIZE), 4096);
	sc.tick_ns = (uint64_t)GS_NSEC_PER_SEC /
	    positive(sysconf(_SC_CLK_TCK), 100);
	return sc;
}

/* Absent if nothing could be asked. */
static void put_delays(const struct delays_link *l, struct cells c)
{
	if (l->ok + l->eperm + l->esrch + l->other == 0 &&
	    l->state != DELAYS_WORK)
		return;
	cells_set(c, COL(AGENT, TS_OK), l->ok);
	cells_set(c, COL(AGENT, TS_EPERM), l->eperm);
	cells_set(c, COL(AGENT, TS_ESRCH), l->esrch);
	cells_set(c, COL(AGENT, TS_OTHER), l->other);
}

static void note_delays(struct failures *f, const struct delays_link *l)
{
	failures_add(f, FAILURES_TASKSTATS, l->ok, 0);
	failures_add(f, FAILURES_TASKSTATS, l->eperm, -EPERM);
	failures_add(f, FAILURES_TASKSTATS, l->esrch, -ESRCH);
	failures_add(f, FAILURES_TASKSTATS, l->other, -EIO);
	if (l->no_socket != 0)
		failures_note(f, FAILURES_NETLINK, -l->no_socket);
	if (l->no_family != 0)
		failures_note(f, FAILURES_TASKSTATS, -l->no_family);
}

/* Once: of all processes, block IO and most other delays stay unknown. */
static void note_delayacct(struct sampler *s, const struct scan *sc)
{
	bool off = sc->stat_opt.delayacct == 0 && s->root.procfs;

	if (off && !s->delayacct_is_off)
		failures_note(&s->failures, FAILURES_DELAYACCT, -ENODATA);
	s->delayacct_is_off = off;
}

static void put_agent(struct sampler *s, const struct scan *sc,
	struct block *b)
{
	struct cells c;
	struct timespec cpu;
	struct span text;
	struct rusage ru;
	uint64_t size, resident;

	scan_begin_rows(sc, &s->agent, &b->ent[ENTITY_AGENT]);
	c = rows_now(&s->agent);
	cells_set(c, COL(AGENT, VERSION), sent_text(&s->sent,
	    span_str(GS_VERSION)));
	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu) == 0)
		cells_set(c, COL(AGENT, CPU), (uint64_t)cpu.tv_sec *
		    (uint64_t)GS_NSEC_PER_SEC + (uint64_t)cpu.tv_nsec);
	if (s->root.own_pids &&
	    root_read_kept(&s->root, "self/statm", &s->statm_fd, true,
		&text) == 0 &&
	    scan_u64(&text, &size) && scan_u64(&text, &resident))
		cells_set(c, COL(AGENT, RSS),
		    resident * (sc->stat_opt.page_size / 1024));
	else if (getrusage(RUSAGE_SELF, &ru) == 0)
		cells_set(c, COL(AGENT, RSS), (uint64_t)ru.ru_maxrss);
	cells_set(c, COL(AGENT, SEEN), sc->seen);
	cells_set(c, COL(AGENT, READ), sc->read);
	cells_set(c, COL(AGENT, QUIET), sc->quiet);
	cells_set(c, COL(AGENT, LOST), sc->lost);
	cells_set(c, COL(AGENT, REFUSED), sc->refused);
	put_delays(&s->delays, c);
	rows_put(&s->agent, 0);
	rows_end(&s->agent);
}

/* Reserves room for the first changes of every column, so that rare changes
 * allocate nothing later. */
static void reserve(struct delta *d, size_t rows)
{
	unsigned i;

	for (i = 0; i < entity_get(d->entity)->ncols; i++) {
		struct delta_col *c = &d->col[i];

		GS_GROW(c->slot, &c->slot_cap, rows);
		GS_GROW(c->diff, &c->diff_cap, rows);
		GS_GROW(c->gone, &c->gone_cap, rows);
	}
}

/* The first answer has every cell of every row: frees its memory. */
static void shrink_after_first(struct sampler *s)
{
	struct block *b;
	int e;

	if (s->prev.sequence != 1)
		return;
	tick_release(&s->answer.tick);
	gs_give_back();
	b = tick_add_block(&s->answer.tick, 0);
	for (e = 0; e < ENTITY_COUNT; e++)
		reserve(&b->ent[e], e == ENTITY_PROCESS ? 32 : 4);
}

static void find_interval(struct sampler *s, struct scan *sc)
{
	unsigned i;

	memmove(s->interval_ns + 1, s->interval_ns,
	    (TURN_INTERVALS - 1) * sizeof(s->interval_ns[0]));
	s->interval_ns[0] = s->prev.sequence ? sc->mono_ns - s->prev.mono_ns
	                                     : 0;
	sc->interval_ns = turn_interval(s->interval_ns);
	for (i = 0; i < TURNS; i++)
		sc->turn_ticks[i] = turn_ticks(i, sc->interval_ns);
}

static int fill(struct sampler *s, struct scan *sc, struct block *b,
	struct gs_err *err)
{
	int status;

	sc->delta = &b->ent[ENTITY_PROCESS];
	find_interval(s, sc);
	read_users(s);
	hostrow_read(&s->host, sc, b);
	if (sc->rebooted)
		sc->prev_boot_ns = -1;
	(void)cells_get(s->host.now, COL(HOST, FORKS), &sc->forks);
	sc->memory_reclaimed = hostrow_memory_reclaimed(&s->host);
	sc->stat_opt.delayacct = hostrow_delayacct(&s->host);
	b->clock = read_clock(s);
	sc->mono_ns = b->clock.mono_ns;
	delays_begin(&s->delays, sc, b->clock.boot_ns);
	hostrow_set_taskstats(&s->host, s->delays.state, s->delays.version);
	heap_receive(&s->heap, sc, &s->procs);
	status = procs_tick(&s->procs, sc, err);
	if (status < 0)
		return status;
	threads_tick(&s->threads, sc, &s->procs, b);
	heap_ask(&s->heap, sc, &s->procs);
	postmasters_tick(&s->servers, sc, &s->procs, &s->mounts, b);
	spill_tick(&s->spill, sc, &s->servers, &s->procs, s->host.now);
	hostrow_put(&s->host, s->procs.select.servers);
	fsrow_tick(&s->fs, sc, &s->servers, &s->mounts, b);
	cgrow_tick(&s->cgroup, sc, &s->procs, &s->host, b);
	put_agent(s, sc, b);
	note_delays(&s->failures, &s->delays);
	note_delayacct(s, sc);
	failures_put(&s->failures, sc, &b->ent[ENTITY_SOURCE]);
	s->prev = b->clock;
	s->prev_with = sc->with;
	s->prev_chosen = sc->req->chosen;
	return 0;
}

int sampler_answer(struct sampler *s, const struct request *req,
	struct answer *ret, struct gs_err *err)
{
	struct answer *a = &s->answer;
	struct scan sc;
	int status;

	shrink_after_first(s);
	tick_reset(&a->tick);
	sent_begin(&s->sent, &a->tick);
	status = root_begin(&s->root, err);
	if (status < 0)
		return status;
	sc = begin_scan(s, req);
	status = fill(s, &sc, tick_add_block(&a->tick, 0), err);
	root_end(&s->root);
	if (s->root.dump)
		(void)fflush(s->root.dump); /* an incomplete dump is detected by
					     * its lengths */
	if (status < 0)
		return status;
	a->has_hello = s->prev.sequence == 1;
	a->hello = (struct hello) { WIRE_PROTOCOL, GS_VERSION };
	a->tick.block[0]->clock.sequence = req->sequence;
	a->tick.seq = req->sequence;
	*ret = *a;
	return 0;
}
