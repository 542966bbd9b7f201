/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load.c - N processes as a test load, in their own pid and mount namespace,
 * and a command among them.
 *
 *   load [-n PROCESSES] [-a PERCENT] [-f] [-2] [-w WAKES] [-u MICROSECONDS]
 *       [-s SEED] -- COMMAND...
 *
 * Every process sleeps, except for bursts of 2 s to 6 s in which it wakes WAKES
 * times a second, computes for MICROSECONDS and does a little IO; the seed
 * decides when, so that PERCENT of them have run in any second.  A sleeping
 * process does not run at all; what it did before differs from process to
 * process.
 *   -f the first PERCENT are always in a burst, the others never
 *   -2  every process has a second thread that wakes every 250 ms, as
 *       Greenplum's interconnect has
 * COMMAND sees the namespace's own /proc; its exit status is that of load.
 * All processes end with it.  Needs root.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

struct load {
	unsigned n, percent, wakes, spin_us;
	uint64_t seed;
	bool fixed, two_threads;
	int ready[2]; /* every process writes a byte */
};

static _Noreturn void die(const char *what)
{
	perror(what);
	_exit(2);
}

static uint64_t rnd(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void sleep_ns(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / GS_NSEC_PER_SEC),
		(long)(ns % GS_NSEC_PER_SEC) };

	while (nanosleep(&t, &t) < 0 && errno == EINTR)
		;
}

static void work_once(const struct load *l, int zero, int null)
{
	int64_t until = gs_clock_mono_ns() +
	    (int64_t)l->spin_us * GS_NSEC_PER_USEC;
	char page[4096];
	ssize_t n = read(zero, page, sizeof(page));

	if (n > 0 && write(null, page, (size_t)n) < 0)
		return;
	while (gs_clock_mono_ns() < until)
		;
}

static void burst(const struct load *l, uint64_t len_ns, int zero, int null)
{
	uint64_t pause = (uint64_t)GS_NSEC_PER_SEC / l->wakes;
	uint64_t i, n = len_ns / pause;

	for (i = 0; i < n; i++) {
		work_once(l, zero, null);
		sleep_ns(pause);
	}
}

static void *wake_often(void *arg)
{
	(void)arg;
	for (;;)
		(void)poll(NULL, 0, 250); /* only a timeout can come */
	return NULL;
}

static _Noreturn void sleep_for_ever(void)
{
	for (;;)
		(void)pause();
}

/* A history of its own, so that no two processes have the same figures. */
static void live_a_while(uint64_t *seed, int zero, int null)
{
	size_t len = 65536 + rnd(seed) % 700000;
	uint64_t i, n = 50 + rnd(seed) % 500;
	char *own = malloc(len);
	ssize_t got;

	if (!own)
		die("load: memory");
	for (i = 0; i < n; i++) {
		got = read(zero, own, 1 + rnd(seed) % len);
		if (got > 0 && write(null, own, (size_t)got) < 0)
			die("load: write");
	}
	/* kept: the process ends with it */
}

/* How long to sleep after a burst.  A burst of n seconds is in n + 1 samples
 * that are 1 s apart; it must be in PERCENT of all samples. */
static uint64_t pause_ns(const struct load *l, uint64_t len_ns)
{
	return (len_ns + GS_NSEC_PER_SEC) * 100 / l->percent - len_ns;
}

static _Noreturn void work(const struct load *l, unsigned index)
{
	const uint64_t sec = GS_NSEC_PER_SEC;
	uint64_t seed = l->seed + index * UINT64_C(1000003);
	int zero = open("/dev/zero", O_RDONLY);
	int null = open("/dev/null", O_WRONLY);
	pthread_t second;

	live_a_while(&seed, zero, null);
	if (l->two_threads &&
	    pthread_create(&second, NULL, wake_often, NULL) != 0)
		die("load: thread");
	if (write(l->ready[1], "", 1) != 1)
		die("load: ready");
	(void)close(l->ready[1]); /* the byte is written */
	if (l->percent == 0 ||
	    (l->fixed && index >= l->n * l->percent / 100))
		sleep_for_ever();
	/* a random phase, so that bursts do not coincide */
	if (!l->fixed && rnd(&seed) % 100 >= l->percent)
		sleep_ns(rnd(&seed) % pause_ns(l, 4 * sec));
	for (;;) {
		uint64_t len = 2 * sec + rnd(&seed) % (4 * sec);

		burst(l, len, zero, null);
		if (!l->fixed && l->percent < 100)
			sleep_ns(pause_ns(l, len));
	}
}

static void start_all(struct load *l)
{
	unsigned i;
	char c;

	if (pipe(l->ready) < 0)
		die("load: pipe");
	for (i = 0; i < l->n; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("load: fork");
		if (pid == 0) {
			(void)close(l->ready[0]);
			work(l, i);
		}
	}
	(void)close(l->ready[1]);
	for (i = 0; i < l->n; i++)
		if (read(l->ready[0], &c, 1) != 1)
			die("load: a process did not start");
	(void)close(l->ready[0]);
}

/* Process 1 of the namespace. */
static _Noreturn void first(struct load *l, char **command)
{
	int status;
	pid_t pid, got;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("proc", "/proc", "proc", 0, NULL) < 0)
		die("load: mount");
	start_all(l);
	pid = fork();
	if (pid < 0)
		die("load: fork");
	if (pid == 0) {
		(void)execvp(command[0], command);
		die(command[0]);
	}
	do {
		got = wait(&status);
	} while (got != pid && (got >= 0 || errno == EINTR));
	_exit(WIFEXITED(status) ? WEXITSTATUS(status)
	                        : 128 + WTERMSIG(status));
}

static int usage(void)
{
	(void)fprintf(stderr, "usage: load [-n PROCESSES] [-a PERCENT] [-f] "
	    "[-2] [-w WAKES] [-u MICROSECONDS] [-s SEED] -- COMMAND...\n");
	return 64;
}

static bool options(struct load *l, int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "+n:a:f2w:u:s:")) != -1) {
		unsigned v = optarg ? (unsigned)strtoul(optarg, NULL, 10) : 0;

		if (c == 'n')
			l->n = v;
		else if (c == 'a')
			l->percent = v;
		else if (c == 'f')
			l->fixed = true;
		else if (c == '2')
			l->two_threads = true;
		else if (c == 'w')
			l->wakes = v;
		else if (c == 'u')
			l->spin_us = v;
		else if (c == 's')
			l->seed = v;
		else
			return false;
	}
	return optind < argc && l->percent <= 100 && l->wakes > 0;
}

int main(int argc, char **argv)
{
	struct load l = { .n = 1000, .percent = 10, .wakes = 4,
		.spin_us = 50, .seed = 1 };
	int status;
	pid_t pid;

	if (!options(&l, argc, argv))
		return usage();
	if (unshare(CLONE_NEWPID | CLONE_NEWNS) < 0)
		die("load: unshare (needs root)");
	pid = fork();
	if (pid < 0)
		die("load: fork");
	if (pid == 0)
		first(&l, argv + optind);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die("load: wait");
	return WIFEXITED(status) ? WEXITSTATUS(status)
	                         : 128 + WTERMSIG(status);
}
