/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_day.c - writes a recording of an artificial day, with the real model,
 * codec and frames.
 *
 *   make_day [-p PROCESSES] [-t TICKS] [-i SECONDS] [-a PERCENT] [-s SEED]
 *       [-d 1] [-c 1] CLOSED UNCLOSED
 *
 * One host with a Greenplum coordinator: four in five processes are backends
 * of sessions, the rest is other work.  At each tick PERCENT of the
 * processes, in bursts, have run; about one in a thousand ends and another is
 * born.  With -d the host has a disk; with -c the server is asked what
 * its backends do.  Equal options give equal files.  CLOSED
 * and UNCLOSED differ by the footer alone.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "day_catalog.h"
#include "format/footer.h"
#include "format/tickcode.h"
#include "model/tick_encoder.h"

#define START_NS INT64_C(1767225600000000000) /* 2026-01-01T00:00:00Z */
#define BOOT_S 86400 /* the host had been up for a day */
#define BOOT_US ((uint64_t)START_NS / 1000 - BOOT_S * UINT64_C(1000000))
#define HZ 100

/* Text ids of the source's stream: fixed ones, then one per slot. */
enum { T_HOST = 1, T_BOOT, T_KERNEL, T_ZONE, T_POSTGRES, T_OTHER, T_CGROUP,
	T_WCHAN, T_CPUS, T_FIXED };

static const char *const fixed[T_FIXED] = {
	[T_HOST] = "mdw", [T_BOOT] = "7d5a4b0e-0000-4000-8000-000000000001",
	[T_KERNEL] = "5.14.0-503.el9.x86_64", [T_ZONE] = "UTC",
	[T_POSTGRES] = "postgres", [T_OTHER] = "worker",
	[T_CGROUP] = "/system.slice/greenplum.service",
	[T_WCHAN] = "ep_poll", [T_CPUS] = "0-31",
};

struct proc {
	uint64_t pid;
	uint64_t session;
	unsigned cmd;
	unsigned burst; /* ticks that it goes on running */
	bool backend;
};

struct day {
	unsigned n, active_percent;
	bool disk;
	uint64_t ticks, interval_ns, seed, next_pid, next_session;
	struct proc *proc;
	struct world *src;
	struct tick tick; /* as if from the agent */
	struct day_catalog *catalog; /* NULL: none */
	struct tick_encoder *encoder;
	struct tickcode *coder;
	struct buf raw, comp;
	struct footer footer;
	uint64_t off, key, prev_key;
	FILE *closed, *unclosed;
	uint32_t hosts; /* all with the same rows */
};

static uint64_t rnd(struct day *d)
{
	uint64_t z = d->seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static uint64_t below(struct day *d, uint64_t n)
{
	return rnd(d) % n;
}

#define CHANGE(E, COLUMN, slot, by) \
	delta_change(&b->ent[ENTITY_##E], COL(E, COLUMN), (slot), (by))

static void set_title(struct day *d, struct block *b, uint32_t slot,
	const char *activity)
{
	struct proc *p = &d->proc[slot];
	char text[128];
	int n;

	n = p->backend ? snprintf(text, sizeof(text),
	    "postgres:  5432, user%llu demo 10.0.0.%llu(%llu) con%llu cmd%u %s",
	    (unsigned long long)(p->session % 7),
	    (unsigned long long)(p->session % 250),
	    (unsigned long long)(20000 + p->pid % 40000),
	    (unsigned long long)p->session, p->cmd, activity)
	               : snprintf(text, sizeof(text), "/usr/bin/worker");
	tick_add_text(&d->tick, T_FIXED + slot, text, (size_t)n);
	CHANGE(PROCESS, TITLE, slot, T_FIXED + slot);
}

/* What a process has from its birth. */
static void open_proc(struct day *d, struct block *b, uint32_t slot,
	uint64_t start_ticks, enum row_open how)
{
	struct proc *p = &d->proc[slot];

	*p = (struct proc) { .pid = d->next_pid++,
		.session = d->next_session, .backend = slot % 5 != 0 };
	d->next_session += p->backend;
	delta_open_slot(&b->ent[ENTITY_PROCESS], slot, how);
	CHANGE(PROCESS, PID, slot, p->pid);
	CHANGE(PROCESS, START, slot, start_ticks);
	CHANGE(PROCESS, COMM, slot, p->backend ? T_POSTGRES : T_OTHER);
	set_title(d, b, slot, "idle");
	CHANGE(PROCESS, STATE, slot, 'S');
	CHANGE(PROCESS, PPID, slot, p->backend ? 2000 : 1);
	CHANGE(PROCESS, PGRP, slot, p->pid);
	CHANGE(PROCESS, OS_SESSION, slot, p->pid);
	CHANGE(PROCESS, MINFLT, slot, 900 + below(d, 4000));
	CHANGE(PROCESS, CMINFLT, slot, 0);
	CHANGE(PROCESS, MAJFLT, slot, below(d, 9));
	CHANGE(PROCESS, UTIME, slot, below(d, 900));
	CHANGE(PROCESS, STIME, slot, below(d, 400));
	CHANGE(PROCESS, CUTIME, slot, 0);
	CHANGE(PROCESS, CSTIME, slot, 0);
	CHANGE(PROCESS, PRIORITY, slot, 20);
	CHANGE(PROCESS, NICE, slot, 0);
	CHANGE(PROCESS, THREADS, slot, p->backend ? 2 : 1);
	CHANGE(PROCESS, VSIZE, slot, 600000 + below(d, 9000));
	CHANGE(PROCESS, RSS, slot, 9000 + below(d, 90000));
	CHANGE(PROCESS, RSS_LIMIT, slot, UINT64_MAX);
	CHANGE(PROCESS, PROCESSOR, slot, below(d, 32));
	CHANGE(PROCESS, CPU, slot, below(d, 13000000));
	CHANGE(PROCESS, RUN_DELAY, slot, below(d, 1000000));
	CHANGE(PROCESS, TIMESLICES, slot, below(d, 90000));
	CHANGE(PROCESS, UID, slot, 1000);
	CHANGE(PROCESS, EUID, slot, 1000);
	CHANGE(PROCESS, GID, slot, 1000);
	CHANGE(PROCESS, VM_PEAK, slot, 609000);
	CHANGE(PROCESS, VM_HWM, slot, 99000);
	CHANGE(PROCESS, RSS_ANON, slot, 5000 + below(d, 60000));
	CHANGE(PROCESS, RSS_FILE, slot, 4000 + below(d, 9000));
	CHANGE(PROCESS, RSS_SHMEM, slot, below(d, 30000));
	CHANGE(PROCESS, VM_DATA, slot, 30000 + below(d, 90000));
	CHANGE(PROCESS, VM_STK, slot, 132);
	CHANGE(PROCESS, VM_EXE, slot, 9000);
	CHANGE(PROCESS, VM_LIB, slot, 40000);
	CHANGE(PROCESS, VM_PTE, slot, 200 + below(d, 300));
	CHANGE(PROCESS, VM_SWAP, slot, 0);
	CHANGE(PROCESS, CSW_VOL, slot, below(d, 90000));
	CHANGE(PROCESS, CSW_INVOL, slot, below(d, 900));
	CHANGE(PROCESS, CPUS_ALLOWED, slot, T_CPUS);
	CHANGE(PROCESS, RCHAR, slot, below(d, 1 << 30));
	CHANGE(PROCESS, WCHAR, slot, below(d, 1 << 30));
	CHANGE(PROCESS, SYSCR, slot, below(d, 99999));
	CHANGE(PROCESS, SYSCW, slot, below(d, 99999));
	CHANGE(PROCESS, READ_BYTES, slot, 4096 * below(d, 99999));
	CHANGE(PROCESS, WRITE_BYTES, slot, 4096 * below(d, 99999));
	CHANGE(PROCESS, CANCELLED_WRITE_BYTES, slot, 0);
	CHANGE(PROCESS, CGROUP, slot, T_CGROUP);
	CHANGE(PROCESS, WCHAN, slot, T_WCHAN);
	CHANGE(PROCESS, ROLE, slot, p->backend ? 2 : 4);
	if (d->catalog && p->backend)
		day_catalog_open(d->catalog, slot, p->pid, p->session,
		    BOOT_US + start_ticks * (1000000 / HZ), how);
}

static void run_proc(struct day *d, struct block *b, uint32_t slot)
{
	uint64_t cpu_ns = (below(d, 100) + 1) * d->interval_ns / 200;
	uint64_t io = below(d, 3) ? 0 : 8192 * below(d, 400);

	CHANGE(PROCESS, CPU, slot, cpu_ns / 1000);
	CHANGE(PROCESS, UTIME, slot, cpu_ns / (GS_NSEC_PER_SEC / HZ) * 3 / 4);
	CHANGE(PROCESS, STIME, slot, cpu_ns / (GS_NSEC_PER_SEC / HZ) / 4);
	CHANGE(PROCESS, RUN_DELAY, slot, below(d, cpu_ns / 1000));
	CHANGE(PROCESS, TIMESLICES, slot, 1 + below(d, 900));
	CHANGE(PROCESS, CSW_VOL, slot, 1 + below(d, 800));
	CHANGE(PROCESS, CSW_INVOL, slot, below(d, 90));
	CHANGE(PROCESS, MINFLT, slot, below(d, 2000));
	CHANGE(PROCESS, RSS, slot, 4 * (below(d, 64) - 32));
	CHANGE(PROCESS, RSS_ANON, slot, 4 * (below(d, 64) - 32));
	CHANGE(PROCESS, PROCESSOR, slot, below(d, 3) - 1);
	CHANGE(PROCESS, RCHAR, slot, io + below(d, 90000));
	CHANGE(PROCESS, SYSCR, slot, below(d, 500));
	if (io) {
		CHANGE(PROCESS, READ_BYTES, slot, io);
		CHANGE(PROCESS, WCHAR, slot, io / 2);
		CHANGE(PROCESS, SYSCW, slot, io / 8192);
		CHANGE(PROCESS, WRITE_BYTES, slot, io / 2);
	}
}

static void step_proc(struct day *d, struct block *b, uint32_t slot,
	uint64_t at)
{
	struct proc *p = &d->proc[slot];

	if (p->burst == 0 && below(d, 1000) == 0 && at > 0) {
		delta_close_slot(&b->ent[ENTITY_PROCESS], slot, CLOSE_EXITED);
		if (d->catalog && p->backend)
			day_catalog_close(d->catalog, slot);
		open_proc(d, b, slot, (BOOT_S + at * d->interval_ns /
		    GS_NSEC_PER_SEC) * HZ - HZ, OPEN_BORN);
		return;
	}
	if (p->burst == 0) {
		/* bursts of 6.5 ticks: begin so that PERCENT run */
		if (below(d, 650) >= d->active_percent)
			return;
		p->burst = 2 + (unsigned)below(d, 10);
		p->cmd++;
		set_title(d, b, slot, "SELECT");
		if (d->catalog && p->backend)
			day_catalog_run(d->catalog, slot, (unsigned)below(d, 50));
	} else if (d->catalog && p->backend && p->burst > 1) {
		day_catalog_wait(d->catalog, slot, (unsigned)below(d, 8));
	}
	run_proc(d, b, slot);
	if (--p->burst > 0)
		return;
	set_title(d, b, slot, "idle");
	if (d->catalog && p->backend)
		day_catalog_idle(d->catalog, slot);
}

/* Behind the texts of slots. */
static void open_disk(struct day *d, struct block *b)
{
	uint32_t id = T_FIXED + d->n;

	tick_add_text(&d->tick, id, "vda", 3);
	delta_open_slot(&b->ent[ENTITY_DISK], 0, OPEN_APPEARED);
	CHANGE(DISK, NAME, 0, id);
}

/* Requests that take as long as ever, or much longer. */
static void step_disk(struct block *b, uint64_t at)
{
	CHANGE(DISK, READS, 0, at % 7);
	CHANGE(DISK, READ_TIME, 0, at % 90 * 3);
	CHANGE(DISK, WRITES, 0, at % 5);
	CHANGE(DISK, WRITE_TIME, 0, at % 5 * 4);
}

static void open_host(struct day *d, struct block *b)
{
	int i;

	for (i = 1; i < T_FIXED; i++)
		tick_add_text(&d->tick, (uint32_t)i, fixed[i],
		    strlen(fixed[i]));
	delta_open_slot(&b->ent[ENTITY_HOST], 0, OPEN_APPEARED);
	CHANGE(HOST, NAME, 0, T_HOST);
	CHANGE(HOST, BOOT_ID, 0, T_BOOT);
	CHANGE(HOST, KERNEL, 0, T_KERNEL);
	CHANGE(HOST, CPUS, 0, 32);
	CHANGE(HOST, PAGE_SIZE, 0, 4096);
	CHANGE(HOST, CLOCK_TICKS, 0, HZ);
	CHANGE(HOST, ZONE, 0, T_ZONE);
	CHANGE(HOST, UTC_OFFSET, 0, 0);
	CHANGE(HOST, MEM_TOTAL, 0, 128u << 20);
	CHANGE(HOST, MEM_AVAILABLE, 0, 64u << 20);
	CHANGE(HOST, DATABASE, 0, 1);
}

static void step_host(struct day *d, struct block *b)
{
	uint64_t all = 32 * HZ * d->interval_ns / GS_NSEC_PER_SEC;
	uint64_t user = below(d, all / 2), sys = below(d, all / 8);

	CHANGE(HOST, CPU_USER, 0, user);
	CHANGE(HOST, CPU_SYSTEM, 0, sys);
	CHANGE(HOST, CPU_IOWAIT, 0, all / 16);
	CHANGE(HOST, CPU_IDLE, 0, all - user - sys - all / 16);
	CHANGE(HOST, CTXT, 0, below(d, 300000));
	CHANGE(HOST, INTR, 0, below(d, 200000));
	CHANGE(HOST, FORKS, 0, below(d, 90));
	CHANGE(HOST, MEM_FREE, 0, below(d, 4096) - 2048);
	CHANGE(HOST, MEM_AVAILABLE, 0, below(d, 4096) - 2048);
	CHANGE(HOST, PGFAULT, 0, below(d, 90000));
}

/* Order of a delta: all closed and opened slots come first; a slot that was
 * closed and opened again has its new cells as differences to nothing. */
static void step(struct day *d, uint64_t at)
{
	struct block *b;
	uint32_t slot;
	int64_t since = (int64_t)(at * d->interval_ns);

	tick_reset(&d->tick);
	b = tick_add_block(&d->tick, 0);
	b->clock = (struct sample_clock) {
		.connection = 1, .sequence = at + 1,
		.wall_ns = START_NS + since,
		.mono_ns = BOOT_S * GS_NSEC_PER_SEC + since,
		.boot_ns = BOOT_S * GS_NSEC_PER_SEC + since,
		.rtt_ns = 3000000,
	};
	if (d->catalog)
		day_catalog_begin(d->catalog, &b->clock);
	if (at == 0) {
		open_host(d, b);
		for (slot = 0; slot < d->n; slot++)
			open_proc(d, b, slot, 1000 + slot, OPEN_APPEARED);
	}
	step_host(d, b);
	if (d->disk && at == 0)
		open_disk(d, b);
	if (d->disk)
		step_disk(b, at);
	if (at > 0)
		for (slot = 0; slot < d->n; slot++)
			step_proc(d, b, slot, at);
}

/* ---- writing --------------------------------------------------------- */

static void put(struct day *d, const void *p, size_t len)
{
	if (fwrite(p, 1, len, d->closed) != len ||
	    (d->unclosed && fwrite(p, 1, len, d->unclosed) != len)) {
		perror("make_day: write");
		exit(2);
	}
}

static void write_tick(struct day *d, const struct tick *t)
{
	unsigned char head[FRAME_INDEX_LEN];
	struct frame_index f = { .kind = t->key ? FRAME_KEY : FRAME_DELTA,
		.seq = t->seq, .wall_ns = t->wall_ns };

	tickcode_encode(d->coder, t, &d->raw);
	tickcode_compress(d->coder, d->raw.ptr, d->raw.len, &d->comp);
	f.comp_len = (uint32_t)d->comp.len;
	f.raw_len = (uint32_t)d->raw.len;
	f.crc = frame_crc32c(d->comp.ptr, d->comp.len);
	if (t->key) {
		d->prev_key = d->key;
		d->key = d->off;
		f.back_prev_key = d->off - d->prev_key;
	} else {
		f.back_key = d->off - d->key;
		f.back_prev_key = d->key ? d->off - d->prev_key : 0;
	}
	frame_index_put(&f, head);
	put(d, head, sizeof(head));
	put(d, d->comp.ptr, d->comp.len);
	footer_add(&d->footer, &(struct frame_entry) { .offset = d->off,
	    .seq = f.seq, .wall_ns = f.wall_ns, .comp_len = f.comp_len,
	    .raw_len = f.raw_len, .kind = f.kind });
	d->off += sizeof(head) + d->comp.len;
}

static void make(struct day *d)
{
	struct gs_err err;
	uint32_t host;
	uint64_t at;

	for (at = 0; at < d->ticks; at++) {
		step(d, at);
		if (world_apply(d->src, &d->tick, &err) < 0) {
			(void)fprintf(stderr, "make_day: %s\n", err.msg);
			exit(2);
		}
		encoder_begin(d->encoder, START_NS +
		    (int64_t)(at * d->interval_ns));
		if (at == 0)
			encoder_event(d->encoder, EVENT_START, START_NS,
			    EVENT_NO_HOST, 0, "");
		for (host = 0; host < d->hosts; host++)
			encoder_block(d->encoder, host, d->src);
		if (d->catalog)
			encoder_block(d->encoder, d->hosts,
			    day_catalog_end(d->catalog));
		write_tick(d, encoder_end(d->encoder));
	}
	if (d->unclosed && fclose(d->unclosed) != 0)
		perror("make_day: write");
	d->unclosed = NULL;
	buf_reset(&d->raw);
	footer_put(&d->footer, &d->raw);
	put(d, d->raw.ptr, d->raw.len);
	if (fclose(d->closed) != 0)
		perror("make_day: write");
}

static struct header *make_header(const struct day *d)
{
	struct header *h = header_new();
	uint32_t host;

	h->file_number = 1;
	memset(h->recording_id, 0x5a, sizeof(h->recording_id));
	h->interval_ns = (int64_t)d->interval_ns;
	h->content = CONTENT_TITLES | CONTENT_ALL | CONTENT_ADDRESSES |
	    (d->catalog ? CONTENT_QUERY_TEXT : 0);
	h->program_version = strdup("0.1.0");
	h->options = strdup("make_day");
	h->recorder_host = strdup("mdw");
	header_add_host(h, 0, "mdw");
	for (host = 1; host < d->hosts; host++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "sdw%u", host); /* fits */
		header_add_host(h, host, name);
	}
	if (d->catalog)
		header_add_catalog(h, d->hosts, "catalog");
	return h;
}

static int usage(void)
{
	(void)fprintf(stderr, "usage: make_day [-H HOSTS] [-p PROCESSES] [-t TICKS] "
	    "[-i SECONDS] [-a PERCENT] [-s SEED] [-d 1] [-c 1] CLOSED UNCLOSED\n");
	return 64;
}

int main(int argc, char **argv)
{
	struct day d = { .n = 1000, .hosts = 1, .ticks = 17280, .active_percent = 10,
		.interval_ns = 5 * GS_NSEC_PER_SEC, .seed = 1,
		.next_pid = 3000, .next_session = 10,
		.footer = FOOTER_INIT };
	bool asked = false;
	int c;

	while ((c = getopt(argc, argv, "H:p:t:i:a:s:d:c:")) != -1) {
		uint64_t v = c == '?' ? 0 : strtoull(optarg, NULL, 10);

		if (c == 'H')
			d.hosts = (uint32_t)v;
		else if (c == 'p')
			d.n = (unsigned)v;
		else if (c == 't')
			d.ticks = v;
		else if (c == 'i')
			d.interval_ns = v * GS_NSEC_PER_SEC;
		else if (c == 'a')
			d.active_percent = (unsigned)v;
		else if (c == 's')
			d.seed = v;
		else if (c == 'd')
			d.disk = v > 0;
		else if (c == 'c')
			asked = v > 0;
		else
			return usage();
	}
	if (argc - optind != 2 || d.n == 0 || d.ticks == 0)
		return usage();
	d.closed = fopen(argv[optind], "wb");
	d.unclosed = fopen(argv[optind + 1], "wb");
	if (!d.closed || !d.unclosed) {
		perror("make_day");
		return 2;
	}
	d.proc = calloc(d.n, sizeof(*d.proc));
	if (!d.proc)
		return 2;
	if (asked)
		d.catalog = day_catalog_new(d.n);
	d.src = world_new();
	d.encoder = encoder_new(make_header(&d));
	d.coder = tickcode_new(TICKCODE_LEVEL);
	tickcode_be_dense(d.coder);
	make(&d);
	world_free(d.src);
	day_catalog_free(d.catalog);
	encoder_free(d.encoder);
	tickcode_free(d.coder);
	tick_release(&d.tick);
	buf_release(&d.raw);
	buf_release(&d.comp);
	footer_release(&d.footer);
	free(d.proc);
	return 0;
}
