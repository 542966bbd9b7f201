/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/hostrow.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "agent/dirs.h"
#include "base/compiler.h"
#include "format/wire.h"
#include "procfs/host.h"

enum when {
	WHEN_TICK,
	WHEN_PACKETS, /* if an interface counts a packet since, and by turns */
	WHEN_TURN
};

/* Files below /proc.  of_host: read below the first process if DIR is not our
 * own host, since /proc/net is that of the reader. */
static const struct file {
	const char *path;
	const char *of_host;
	void (*scan)(struct span text, struct cells host);
	const char *resource; /* for pressure_scan() */
	bool lines; /* the kernel may give it in parts: read to its end */
	enum when when;
	enum metric_source source; /* of what is kept, if it is not read */
} files[] = {
#define OFTEN WHEN_TICK, SOURCE_OTHER
	{ "meminfo", NULL, meminfo_scan, NULL, false, OFTEN },
	{ "vmstat", NULL, vmstat_scan, NULL, true, OFTEN },
	{ "loadavg", NULL, loadavg_scan, NULL, false, OFTEN },
	{ "uptime", NULL, uptime_scan, NULL, false, OFTEN },
	{ "sys/fs/file-nr", NULL, file_nr_scan, NULL, false,
	    WHEN_TURN, SOURCE_FILE_NR },
	{ "sys/fs/dentry-state", NULL, dentry_state_scan, NULL, false,
	    WHEN_TURN, SOURCE_DENTRY_STATE },
	{ "sys/fs/inode-state", NULL, inode_state_scan, NULL, false,
	    WHEN_TURN, SOURCE_INODE_STATE },
	{ "sys/kernel/pty/nr", NULL, pty_nr_scan, NULL, false,
	    WHEN_TURN, SOURCE_PTY_NR },
	{ "pressure/cpu", NULL, NULL, "cpu", false, OFTEN },
	{ "pressure/memory", NULL, NULL, "memory", false, OFTEN },
	{ "pressure/io", NULL, NULL, "io", false, OFTEN },
	{ "pressure/irq", NULL, NULL, "irq", false, OFTEN },
	{ "net/snmp", "1/net/snmp", snmp_scan, NULL, false,
	    WHEN_PACKETS, SOURCE_NET_SNMP },
	{ "net/netstat", "1/net/netstat", netstat_scan, NULL, false,
	    WHEN_PACKETS, SOURCE_NET_NETSTAT },
	{ "net/sockstat", "1/net/sockstat", sockstat_scan, NULL, false, OFTEN },
	/* files with rows of their own */
	{ "stat", NULL, NULL, NULL, false, OFTEN },
	{ "diskstats", NULL, NULL, NULL, true, OFTEN },
	{ "net/dev", "1/net/dev", NULL, NULL, true, OFTEN },
#undef OFTEN
};

#define FILE_STAT (GS_LEN(files) - 3)
#define FILE_DISKSTATS (GS_LEN(files) - 2)
#define FILE_NET_DEV (GS_LEN(files) - 1)

_Static_assert(GS_LEN(files) <= HOSTROW_FILES, "one descriptor per file");

/* Facts that are one number in one file. */
static const struct {
	const char *path;
	unsigned col;
} number_facts[] = {
	{ "sys/vm/overcommit_memory", COL(HOST, OVERCOMMIT) },
	{ "sys/vm/overcommit_ratio", COL(HOST, OVERCOMMIT_RATIO) },
	{ "sys/vm/swappiness", COL(HOST, SWAPPINESS) },
	{ "sys/vm/nr_hugepages", COL(HOST, NR_HUGEPAGES) },
	{ "sys/kernel/task_delayacct", COL(HOST, TASK_DELAYACCT) },
	{ "sys/kernel/sched_schedstats", COL(HOST, SCHED_SCHEDSTATS) },
};

static const struct {
	const char *path;
	unsigned col;
} line_facts[] = {
	{ "sys/kernel/random/boot_id", COL(HOST, BOOT_ID) },
	{ "sys/kernel/osrelease", COL(HOST, KERNEL) },
	{ "sys/kernel/hostname", COL(HOST, NAME) },
	{ "sys/kernel/arch", COL(HOST, MACHINE) }, /* since 6.1 */
};

void hostrow_init(struct hostrow *h, struct sent_texts *sent)
{
	size_t i;

	*h = (struct hostrow) { 0 };
	rows_init(&h->host, ENTITY_HOST, sent);
	rows_init(&h->cpu, ENTITY_CPU, sent);
	rows_init(&h->disk, ENTITY_DISK, sent);
	rows_init(&h->net, ENTITY_NET, sent);
	h->facts = cells_new(ENTITY_HOST);
	for (i = 0; i < HOSTROW_FILES; i++)
		h->fd[i] = -1;
}

void hostrow_release(struct hostrow *h)
{
	size_t i;

	for (i = 0; i < HOSTROW_FILES; i++) {
		if (h->fd[i] >= 0)
			(void)close(h->fd[i]); /* was only read */
	}
	rows_release(&h->host);
	rows_release(&h->cpu);
	rows_release(&h->disk);
	rows_release(&h->net);
	cells_free(h->facts);
	buf_release(&h->nets);
	buf_release(&h->nets_was);
}

static bool read_file(struct hostrow *h, const struct scan *sc, size_t i,
	struct span *ret)
{
	const bool one = !files[i].lines;
	struct root *r = sc->root;

	if (h->lacking >> i & 1 && !scan_refreshes(sc))
		return false;
	if (files[i].of_host && !r->is_default && r->procfs &&
	    root_read_kept(r, files[i].of_host, &h->fd[i], one, ret) == 0)
		return true;
	if (root_read_kept(r, files[i].path, &h->fd[i], one, ret) == 0) {
		h->lacking &= ~(1u << i);
		return true;
	}
	h->lacking |= 1u << i;
	return false;
}

/* Replaces a text among the facts. */
static void fact_text(struct hostrow *h, struct sent_texts *sent, unsigned col,
	struct span text)
{
	uint64_t old;

	if (cells_get(h->facts, col, &old))
		sent_drop(sent, (uint32_t)old);
	cells_unset(h->facts, col);
	if (!span_empty(text))
		cells_set(h->facts, col, sent_text(sent, text));
}

/* TZ, else where /etc/localtime points to. */
static void read_zone(struct hostrow *h, const struct scan *sc)
{
	static const char mark[] = "zoneinfo/";
	const char *tz = sc->root->is_default ? getenv("TZ") : NULL;
	struct span to;
	char link[1024], *at;

	if (tz && *tz) {
		fact_text(h, sc->sent, COL(HOST, ZONE),
		    span_str(*tz == ':' ? tz + 1 : tz));
		return;
	}
	if (root_readlink(sc->root, sc->root->proc_fd, "../etc/localtime",
		&to) < 0 || span_len(to) >= sizeof(link))
		return;
	memcpy(link, to.ptr, span_len(to));
	link[span_len(to)] = '\0';
	at = strstr(link, mark);
	if (at)
		fact_text(h, sc->sent, COL(HOST, ZONE),
		    span_str(at + sizeof(mark) - 1));
}

/* Facts from system calls, which would be wrong for a captured tree. */
static void read_own_facts(struct hostrow *h, const struct scan *sc)
{
	struct utsname u;
	struct span link, before;

	if (uname(&u) == 0) {
		fact_text(h, sc->sent, COL(HOST, MACHINE),
		    span_str(u.machine));
		if (!cells_has(h->facts, COL(HOST, NAME)))
			fact_text(h, sc->sent, COL(HOST, NAME),
			    span_str(u.nodename));
	}
	if (root_readlink(sc->root, sc->root->proc_fd, "self/ns/pid",
		&link) == 0 && scan_until(&link, '[', &before))
		fact_number(link, h->facts, COL(HOST, PID_NS));
	read_zone(h, sc);
}

/* CPUs in sysfs, offline ones included. */
static void count_cpus(struct hostrow *h, const struct scan *sc)
{
	const unsigned col = COL(HOST, CPUS_PRESENT);
	unsigned char type;
	const char *name;
	struct dirs d;
	uint64_t n = 0;

	cells_unset(h->facts, col);
	if (sc->root->sys_fd < 0 ||
	    dirs_open(&d, sc->root, sc->root->sys_fd,
		"devices/system/cpu", 0) != 0)
		return;
	while ((name = dirs_next(&d, &type)))
		n += strncmp(name, "cpu", 3) == 0 && name[3] != '\0' &&
		    strspn(name + 3, "0123456789") == strlen(name + 3);
	dirs_close(&d);
	if (n > 0)
		cells_set(h->facts, col, n);
}

static void read_facts(struct hostrow *h, struct scan *sc)
{
	const unsigned boot = COL(HOST, BOOT_ID);
	struct root *r = sc->root;
	struct span text;
	uint64_t old = 0, new;
	size_t i;

	(void)cells_get(h->facts, boot, &old);

	for (i = 0; i < GS_LEN(number_facts); i++) {
		cells_unset(h->facts, number_facts[i].col);
		if (root_read_proc(r, number_facts[i].path, &text) == 0)
			fact_number(text, h->facts, number_facts[i].col);
	}
	for (i = 0; i < GS_LEN(line_facts); i++) {
		if (root_read_proc(r, line_facts[i].path, &text) == 0)
			fact_text(h, sc->sent, line_facts[i].col,
			    fact_line(text));
	}
	/* the id of the old text is not reused yet */
	sc->rebooted = old != 0 && cells_get(h->facts, boot, &new) &&
	    new != old;
	if (root_read_sys(r, "kernel/mm/transparent_hugepage/enabled",
		&text) == 0)
		fact_text(h, sc->sent, COL(HOST, THP), fact_choice(text));
	count_cpus(h, sc);
	cells_set(h->facts, COL(HOST, PAGE_SIZE), sc->stat_opt.page_size);
	cells_set(h->facts, COL(HOST, CLOCK_TICKS),
	    (uint64_t)GS_NSEC_PER_SEC / sc->tick_ns);
	cells_set(h->facts, COL(HOST, PROCFS), r->procfs);
	if (r->procfs)
		read_own_facts(h, sc);
}

/* Copies the facts to the row, which gets its own references of texts. */
static void use_facts(struct hostrow *h, struct sent_texts *sent)
{
	const struct entity *e = entity_get(ENTITY_HOST);
	unsigned col;
	uint64_t v;

	for (col = 0; col < e->ncols; col++) {
		if (!cells_get(h->facts, col, &v))
			continue;
		cells_set(h->now, col, v);
		if (metric_is_text(&e->metrics[col]))
			texts_ref(sent->texts, (uint32_t)v);
	}
}

static void set_utc_offset(struct cells c)
{
	time_t now = time(NULL);
	struct tm tm;

	if (localtime_r(&now, &tm))
		cells_set(c, COL(HOST, UTC_OFFSET), (uint64_t)tm.tm_gmtoff);
}

static void read_cpus(struct hostrow *h, const struct scan *sc,
	struct block *b)
{
	struct span text;
	struct cells c;

	scan_begin_rows(sc, &h->cpu, &b->ent[ENTITY_CPU]);
	if (read_file(h, sc, FILE_STAT, &text)) {
		stat_scan(text, h->now);
		while (c = rows_now(&h->cpu), stat_next_cpu(&text, c))
			rows_put(&h->cpu, c.val[COL(CPU, INDEX)]);
	}
	rows_end(&h->cpu);
}

/* Kind of a disk, by files that exist in its sysfs directory or not. */
static void set_kind(const struct scan *sc, struct cells c)
{
	char path[64];
	int n = snprintf(path, sizeof(path), "dev/block/%u:%u",
	    (unsigned)c.val[COL(DISK, MAJOR)],
	    (unsigned)c.val[COL(DISK, MINOR)]);
	const struct root *r = sc->root;

	if (r->sys_fd < 0 || !root_exists(r, r->sys_fd, path))
		return;
	(void)snprintf(path + n, sizeof(path) - (size_t)n, "/partition");
	cells_set(c, COL(DISK, PARTITION),
	    root_exists(r, r->sys_fd, path));
	(void)snprintf(path + n, sizeof(path) - (size_t)n, "/device");
	cells_set(c, COL(DISK, VIRTUAL),
	    !root_exists(r, r->sys_fd, path));
}

static void keep_kind(struct cells was, struct cells c)
{
	static const unsigned cols[] = { COL(DISK, PARTITION),
		COL(DISK, VIRTUAL) };
	uint64_t v;
	size_t i;

	for (i = 0; i < GS_LEN(cols); i++) {
		if (cells_get(was, cols[i], &v))
			cells_set(c, cols[i], v);
	}
}

static void read_disks(struct hostrow *h, const struct scan *sc,
	struct block *b)
{
	struct span text, name;
	struct cells c, was;

	scan_begin_rows(sc, &h->disk, &b->ent[ENTITY_DISK]);
	if (!read_file(h, sc, FILE_DISKSTATS, &text))
		text = span_of("", 0);
	while (c = rows_now(&h->disk), diskstats_next(&text, c, &name)) {
		uint32_t id;

		if (diskstats_idle_pseudo(name, c))
			continue;
		id = sent_text(sc->sent, name);
		cells_set(c, COL(DISK, NAME), id);
		was = rows_was(&h->disk, id);
		if (was.val)
			keep_kind(was, c);
		else
			set_kind(sc, c);
		rows_put(&h->disk, id);
	}
	rows_end(&h->disk);
}

/* Speed and duplex of the link, from sysfs. */
static void set_link(const struct scan *sc, struct cells c, struct span name)
{
	char path[128];
	struct span text;

	if (snprintf(path, sizeof(path), "class/net/%.*s/speed",
		(int)span_len(name), name.ptr) >= (int)sizeof(path) ||
	    memchr(name.ptr, '/', span_len(name)))
		return;
	if (root_read_sys(sc->root, path, &text) == 0 && !span_empty(text) &&
	    *text.ptr != '-')
		fact_number(text, c, COL(NET, SPEED));
	memcpy(strrchr(path, '/'), "/duplex", sizeof("/duplex"));
	if (root_read_sys(sc->root, path, &text) != 0)
		return;
	text = fact_line(text);
	if (!span_empty(text) && !span_eq(text, "unknown"))
		cells_set(c, COL(NET, DUPLEX), sent_text(sc->sent, text));
}

static void read_net_dev(struct hostrow *h, const struct scan *sc)
{
	struct buf was = h->nets_was;
	struct span text;

	h->nets_was = h->nets;
	h->nets = was;
	buf_reset(&h->nets);
	if (read_file(h, sc, FILE_NET_DEV, &text))
		buf_add(&h->nets, text.ptr, span_len(text));
	if (h->nets.len > 0 && h->nets.len == h->nets_was.len &&
	    memcmp(h->nets.ptr, h->nets_was.ptr, h->nets.len) == 0)
		h->silent_ticks++;
	else
		h->silent_ticks = 0;
}

static void read_nets(struct hostrow *h, const struct scan *sc,
	struct block *b)
{
	struct span text, name;
	struct cells c, was;

	read_net_dev(h, sc);
	text = span_of(buf_str(&h->nets), h->nets.len);
	scan_begin_rows(sc, &h->net, &b->ent[ENTITY_NET]);
	while (c = rows_now(&h->net), net_dev_next(&text, c, &name)) {
		uint32_t id = sent_text(sc->sent, name);
		uint64_t v;

		cells_set(c, COL(NET, NAME), id);
		was = rows_was(&h->net, id);
		if (!was.val || sc->tick % sc->turn_ticks[TURN_SOON] == 0) {
			set_link(sc, c, name);
		} else {
			sent_keep(sc->sent, c, was, COL(NET, DUPLEX));
			if (cells_get(was, COL(NET, SPEED), &v))
				cells_set(c, COL(NET, SPEED), v);
		}
		rows_put(&h->net, id);
	}
	rows_end(&h->net);
}

/* At this tick, the file need not be read: turns are staggered.  A packet is
 * counted by its interface before it is counted as what it carries. */
static bool can_wait(struct hostrow *h, const struct scan *sc, size_t i)
{
	bool by_turns = files[i].when == WHEN_TURN;

	return files[i].when != WHEN_TICK && sc->root->procfs &&
	    rows_was(&h->host, 0).val && !(sc->with & WITH_NO_QUIET) &&
	    !scan_due(sc, by_turns ? TURN_SOON : TURN_LATE, (uint32_t)i,
		h->read_ns[i]) &&
	    (by_turns || h->silent_ticks > 1);
}

static void keep_cells(struct hostrow *h, enum metric_source source)
{
	const struct entity *e = entity_get(ENTITY_HOST);
	struct cells was = rows_was(&h->host, 0);
	unsigned col;
	uint64_t v;

	for (col = 0; col < e->ncols; col++) {
		if (e->metrics[col].source == source &&
		    cells_get(was, col, &v))
			cells_set(h->now, col, v);
	}
}

static void read_or_keep(struct hostrow *h, struct scan *sc, size_t i)
{
	const struct file *f = &files[i];
	struct span text;

	if (can_wait(h, sc, i)) {
		keep_cells(h, f->source);
		return;
	}
	h->read_ns[i] = sc->mono_ns;
	if (!read_file(h, sc, i, &text))
		return;
	if (f->scan == loadavg_scan)
		sc->last_pid = loadavg_last_pid(text);
	if (f->scan)
		f->scan(text, h->now);
	else
		pressure_scan(f->resource, text, h->now);
}

void hostrow_read(struct hostrow *h, struct scan *sc, struct block *b)
{
	size_t i;

	rows_begin(&h->host, &b->ent[ENTITY_HOST]);
	h->now = rows_now(&h->host);
	if (scan_refreshes(sc))
		read_facts(h, sc);
	use_facts(h, sc->sent);
	if (sc->root->procfs)
		set_utc_offset(h->now);
	read_nets(h, sc, b); /* whether there were packets */
	for (i = 0; i < GS_LEN(files); i++) {
		if (files[i].scan || files[i].resource)
			read_or_keep(h, sc, i);
	}
	read_cpus(h, sc, b);
	read_disks(h, sc, b);
}

bool hostrow_disk(const struct hostrow *h, uint64_t major, uint64_t minor,
	uint32_t *ret_name)
{
	uint64_t v;
	size_t i;

	for (i = 0; i < h->disk.n; i++) {
		struct cells c = h->disk.item[i].was;

		if (!cells_get(c, COL(DISK, MAJOR), &v) || v != major ||
		    !cells_get(c, COL(DISK, MINOR), &v) || v != minor ||
		    !cells_get(c, COL(DISK, NAME), &v))
			continue;
		*ret_name = (uint32_t)v;
		return true;
	}
	return false;
}

int hostrow_delayacct(const struct hostrow *h)
{
	uint64_t v;

	if (!cells_get(h->facts, COL(HOST, TASK_DELAYACCT), &v))
		return -1;
	return v == 1;
}

static bool moved(struct cells was, struct cells now, unsigned col)
{
	uint64_t a, b;

	return cells_get(was, col, &a) && cells_get(now, col, &b) && a != b;
}

bool hostrow_memory_reclaimed(struct hostrow *h)
{
	struct cells was = rows_was(&h->host, 0);

	return was.val && (moved(was, h->now, COL(HOST, PGSTEAL)) ||
	    moved(was, h->now, COL(HOST, PSWPOUT)));
}

void hostrow_set_taskstats(struct hostrow *h, int works, unsigned version)
{
	if (works >= 0)
		cells_set(h->now, COL(HOST, TASKSTATS), (uint64_t)works);
	if (works > 0)
		cells_set(h->now, COL(HOST, TASKSTATS_VERSION), version);
}

void hostrow_put(struct hostrow *h, uint64_t servers)
{
	cells_set(h->now, COL(HOST, DATABASE), servers);
	rows_put(&h->host, 0);
	rows_end(&h->host);
}
