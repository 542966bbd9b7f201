/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bare_loop.c - only the reads of gpsnap-agent: no parsing, no comparing, no
 * answer.  The lower bound for the agent's cost.
 *
 *   bare_loop [-n TICKS] [-c] [-a] [HOST_FILE...]
 *
 * At every second: list /proc if a process was forked or ended, ask every
 * process's CPU clock, and where it has moved, or it is its turn within 10 s,
 * read schedstat, stat, status, io, wchan and, when its turn, cgroup, relative
 * to a kept directory; of those that run often, from kept descriptors.  Of one
 * that slept: stat, cgroup, and status only if its CPUs or its resident memory
 * changed, by statm where stat's figure is not exact.  -c reads cmdline too,
 * -a reads every process at every tick.  HOST_FILEs are read from kept
 * descriptors.  A process with more than one thread is asked for its
 * schedstat at every tick, from a kept descriptor.
 *
 * Prints: ticks, processes seen, processes read, CPU nanoseconds, all
 * without the first tick.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define PIDS_MAX (1u << 22)
#define TURN 10 /* ticks */
#define QUIET_NS GS_NSEC_PER_MSEC
/* As in the agent: the files of a process that ran this often stay open until
 * it was idle as often; the maximum of open files. */
#define HOT_OPEN 1
#define HOT_MAX 8
#define FILES_MAX 5000

enum file { F_STAT, F_SCHEDSTAT, F_STATUS, F_IO, F_WCHAN, F_KEPT };

static const char *const names[F_KEPT] = { "stat", "schedstat", "status",
	"io", "wchan" };

struct kept {
	int dir; /* 0: not open */
	int file[F_KEPT]; /* -1: not open */
	unsigned hot;
	bool threads;
	uint64_t clock; /* at the last read */
	uint64_t resident; /* pages, by status or statm */
	bool exact; /* stat was the same */
	uint64_t cpus; /* hash */
	char run[64]; /* schedstat at the last read */
};

struct loop {
	bool all, cmdline;
	unsigned tick, files;
	struct kept *kept; /* by pid */
	uint32_t *pid; /* listed */
	size_t n_pid;
	uint64_t forks, listed_forks;
	int proc;
	char buf[65536];
	uint64_t seen, read;
};

static uint64_t clock_of(uint32_t pid)
{
	struct timespec t;

	if (clock_gettime((clockid_t)((~pid << 3) | 2), &t) < 0)
		return 0;
	return (uint64_t)t.tv_sec * (uint64_t)GS_NSEC_PER_SEC +
	    (uint64_t)t.tv_nsec;
}

static ssize_t read_file(struct loop *l, int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = pread(fd, l->buf, sizeof(l->buf), 0);
	(void)close(fd);
	return n;
}

/* The only field that is needed: the number of threads, field 20. */
static bool has_threads(const char *stat, ssize_t len)
{
	const char *p = len > 0 ? memrchr(stat, ')', (size_t)len) : NULL;
	int blanks;

	for (blanks = 0; p && p < stat + len && blanks < 18; p++)
		blanks += *p == ' ';
	return p && p + 1 < stat + len && (p[0] != '1' || p[1] != ' ');
}

/* A field of stat after the comm, counted from 3. */
static uint64_t stat_field(const char *stat, ssize_t len, int field)
{
	const char *p = len > 0 ? memrchr(stat, ')', (size_t)len) : NULL;
	int blanks;

	for (blanks = 0; p && p < stat + len && blanks < field - 2; p++)
		blanks += *p == ' ';
	return p ? strtoull(p, NULL, 10) : 0;
}

static ssize_t read_kept(struct loop *l, struct kept *k, enum file file)
{
	bool keep = k->hot >= HOT_OPEN || (file == F_SCHEDSTAT && k->threads);

	if (k->file[file] < 0 && (!keep || l->files >= FILES_MAX))
		return read_file(l, k->dir, names[file]);
	if (k->file[file] < 0) {
		k->file[file] = openat(k->dir, names[file],
		    O_RDONLY | O_CLOEXEC);
		l->files += k->file[file] >= 0;
	}
	return pread(k->file[file], l->buf, sizeof(l->buf), 0);
}

static void note_run(struct loop *l, struct kept *k, bool ran)
{
	int i;

	if (ran) {
		k->hot += k->hot < HOT_MAX;
		return;
	}
	if (k->hot == 0 || --k->hot > 0)
		return;
	for (i = 0; i < F_KEPT; i++) {
		if (k->file[i] < 0)
			continue;
		(void)close(k->file[i]);
		k->file[i] = -1;
		l->files--;
	}
}

static uint64_t cpus_of(uint32_t pid)
{
	unsigned char mask[1024];
	uint64_t h = 1;
	long i, n = syscall(SYS_sched_getaffinity, pid, sizeof(mask), mask);

	for (i = 0; i < n; i++)
		h = h * 31 + mask[i];
	return h;
}

static uint64_t resident_of(struct loop *l, const struct kept *k)
{
	ssize_t n = read_file(l, k->dir, "statm");
	char *at = n > 0 ? memchr(l->buf, ' ', (size_t)n) : NULL;

	return at ? strtoull(at, NULL, 10) : 0;
}

/* What other processes may change in a sleeper's status; the sum of RssAnon and
 * the like is statm's figure, which is used here. */
static bool status_moved(struct loop *l, struct kept *k, uint32_t pid,
	uint64_t rss)
{
	uint64_t cpus = cpus_of(pid);
	uint64_t resident = k->exact ? rss : resident_of(l, k);
	bool same = cpus == k->cpus && resident == k->resident;

	k->cpus = cpus;
	k->resident = resident;
	return !same;
}

static uint64_t rss_sum(const char *status, ssize_t len)
{
	static const char *const key[] = { "RssAnon:", "RssFile:",
		"RssShmem:" };
	uint64_t kib = 0;
	size_t i;

	for (i = 0; i < 3; i++) {
		const char *at = len > 0 ? memmem(status, (size_t)len,
			key[i], strlen(key[i])) : NULL;

		if (at)
			kib += strtoull(at + strlen(key[i]), NULL, 10);
	}
	return kib / 4;
}

static void read_all(struct loop *l, struct kept *k, uint32_t pid,
	uint64_t clock, bool turn)
{
	uint64_t rss;
	bool slept = clock == k->clock && !k->threads && !l->all;
	ssize_t n;

	k->clock = clock;
	if (!k->threads && !slept)
		(void)read_kept(l, k, F_SCHEDSTAT);
	n = read_kept(l, k, F_STAT);
	k->threads = has_threads(l->buf, n);
	rss = stat_field(l->buf, n, 24);
	if (!slept || status_moved(l, k, pid, rss)) {
		k->cpus = cpus_of(pid);
		n = read_kept(l, k, F_STATUS);
		k->resident = rss_sum(l->buf, n);
		k->exact = k->resident == rss;
	}
	if (!slept)
		(void)read_kept(l, k, F_IO);
	if (l->cmdline && !slept) {
		(void)read_file(l, k->dir, "cmdline");
		(void)read_kept(l, k, F_WCHAN);
	}
	if (turn)
		(void)read_file(l, k->dir, "cgroup");
	l->read++;
}

/* Threads: idle if the main one's schedstat is unchanged and the clock nearly
 * so. */
static bool moved(struct loop *l, struct kept *k, uint64_t clock)
{
	ssize_t n;
	bool same;

	if (!k->threads)
		return clock != k->clock;
	n = read_kept(l, k, F_SCHEDSTAT);
	if (n < 0 || (size_t)n >= sizeof(k->run))
		return true;
	l->buf[n] = '\0';
	same = strcmp(k->run, l->buf) == 0;
	memcpy(k->run, l->buf, (size_t)n + 1);
	return !same || clock - k->clock >= QUIET_NS;
}

static void one(struct loop *l, uint32_t pid, uint64_t clock)
{
	struct kept *k = &l->kept[pid];
	bool turn = (l->tick + pid) % TURN == 0;
	bool ran;
	char name[16];

	l->seen++;
	if (k->dir <= 0) {
		(void)snprintf(name, sizeof(name), "%u", pid);
		*k = (struct kept) { .file = { -1, -1, -1, -1, -1 } };
		k->dir = openat(l->proc, name,
		    O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (k->dir < 0)
			return;
		read_all(l, k, pid, clock, true);
		return;
	}
	ran = moved(l, k, clock);
	note_run(l, k, ran);
	if (ran || turn || l->all)
		read_all(l, k, pid, clock, turn);
}

static void list(struct loop *l)
{
	static _Alignas(8) char entries[32768];
	long n, at;

	l->n_pid = 0;
	l->listed_forks = l->forks;
	(void)lseek(l->proc, 0, SEEK_SET);
	while ((n = syscall(SYS_getdents64, l->proc, entries,
	    sizeof(entries))) > 0) {
		for (at = 0; at < n;) {
			const char *name = entries + at + 19;
			unsigned short len;

			memcpy(&len, entries + at + 16, sizeof(len));
			at += len;
			if (*name >= '1' && *name <= '9') {
				unsigned long pid = strtoul(name, NULL, 10);

				if (pid < PIDS_MAX)
					l->pid[l->n_pid++] = (uint32_t)pid;
			}
		}
	}
}

static void all(struct loop *l)
{
	static uint64_t clock[PIDS_MAX];
	bool holds = l->forks != 0 && l->forks == l->listed_forks &&
	    l->tick % TURN != 0;
	size_t i;

	for (i = 0; i < l->n_pid && holds; i++) {
		clock[i] = clock_of(l->pid[i]);
		holds = clock[i] != 0;
	}
	if (!holds)
		list(l);
	for (i = 0; i < l->n_pid; i++)
		one(l, l->pid[i], holds ? clock[i] : clock_of(l->pid[i]));
}

/* The counter of forks, if this was /proc/stat. */
static void take_forks(struct loop *l, ssize_t len)
{
	static const char key[] = "\nprocesses ";
	const char *at = len > 0 ? memmem(l->buf, (size_t)len, key,
		sizeof(key) - 1) : NULL;

	if (at)
		l->forks = strtoull(at + sizeof(key) - 1, NULL, 10);
}

static int64_t cpu_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * GS_NSEC_PER_SEC + t.tv_nsec;
}

static void sleep_until(int64_t mono_ns)
{
	struct timespec t = { mono_ns / GS_NSEC_PER_SEC,
		mono_ns % GS_NSEC_PER_SEC };

	(void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void run(struct loop *l, unsigned ticks, const int *host, int n_host)
{
	int64_t start = gs_clock_mono_ns(), cpu = 0;
	int i;

	for (l->tick = 0; l->tick <= ticks; l->tick++) {
		sleep_until(start + l->tick * GS_NSEC_PER_SEC);
		for (i = 0; i < n_host; i++)
			take_forks(l, pread(host[i], l->buf,
				sizeof(l->buf), 0));
		all(l);
		if (l->tick == 0) {
			l->seen = l->read = 0;
			cpu = cpu_ns();
		}
	}
	(void)printf("%u %llu %llu %lld\n", ticks,
	    (unsigned long long)l->seen, (unsigned long long)l->read,
	    (long long)(cpu_ns() - cpu));
}

int main(int argc, char **argv)
{
	static struct loop l;
	struct rlimit r;
	unsigned ticks = 10;
	int host[256];
	int c, n_host = 0;

	while ((c = getopt(argc, argv, "n:ca")) != -1) {
		if (c == 'n')
			ticks = (unsigned)strtoul(optarg, NULL, 10);
		else if (c == 'c')
			l.cmdline = true;
		else if (c == 'a')
			l.all = true;
		else
			return 64;
	}
	if (getrlimit(RLIMIT_NOFILE, &r) == 0) {
		r.rlim_cur = r.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &r); /* up to the hard limit */
	}
	l.kept = calloc(PIDS_MAX, sizeof(*l.kept));
	l.proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	l.pid = calloc(PIDS_MAX, sizeof(*l.pid));
	if (!l.kept || !l.pid || l.proc < 0) {
		perror("bare_loop");
		return 2;
	}
	for (; optind < argc && n_host < 256; optind++) {
		int fd = open(argv[optind], O_RDONLY | O_CLOEXEC);

		if (fd >= 0)
			host[n_host++] = fd;
	}
	run(&l, ticks, host, n_host);
	return 0;
}
