/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eater - a process with threads that allocate, and that knows how much.
 *
 *   eater THREADS BYTES
 *
 * Its threads allocate BYTES each, by jemalloc if there is one: linked, or
 * loaded before.  Compiled with EATER_OWN, or with EATER_LIBRARY and linked with
 * tsd.c, it has no jemalloc, but a variable that looks like jemalloc's, in which
 * its threads count.  For each line on standard input it prints a line
 * "TID ALLOCATED DEALLOCATED" for each thread, and an empty one.  For "more" its
 * threads allocate once more before.  "spin" first prints how often a thread has
 * counted to 100,000 since the first "spin", "signals" how many signals it got.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tsd.h"

#define THREADS_MAX 64

#ifdef EATER_OWN
__thread char other_variable = 1;
__thread struct tsd_s je_tsd_tls;

struct tsd_s *tsd_mine(void)
{
	return &je_tsd_tls;
}
#endif

#if defined(EATER_OWN) || defined(EATER_LIBRARY)
#define COUNTS_ITSELF
#endif

typedef int mallctl_fn(const char *, void *, size_t *, void *, size_t);

static struct worker {
	pthread_t thread;
	long tid;
	uint64_t *allocated, *deallocated;
} worker[THREADS_MAX];

static size_t bytes;
static pthread_barrier_t begin, end;
static volatile uint64_t counted;
static atomic_int signals; /* several threads may handle one each */
static bool spins;

#ifndef COUNTS_ITSELF
static uint64_t *ask(const char *name)
{
	void *symbol = dlsym(RTLD_DEFAULT, "mallctl");
	uint64_t *at = NULL;
	size_t len = sizeof(at);
	mallctl_fn *mallctl;

	memcpy(&mallctl, &symbol, sizeof(mallctl));
	return symbol && mallctl(name, (void *)&at, &len, NULL, 0) == 0 ? at
	                                                                : NULL;
}
#endif

static void find_counters(struct worker *w)
{
	w->tid = syscall(SYS_gettid);
#ifdef COUNTS_ITSELF
	w->allocated = &tsd_mine()->LONG_NAME;
	w->deallocated = &tsd_mine()->thread_deallocated;
#else
	w->allocated = ask("thread.allocatedp");
	w->deallocated = ask("thread.deallocatedp");
#endif
}

static void eat(void)
{
#ifdef COUNTS_ITSELF
	tsd_mine()->LONG_NAME += bytes;
	tsd_mine()->thread_deallocated += bytes / 3;
#else
	void *volatile kept = malloc(bytes), *volatile freed = malloc(bytes / 3);

	memset(kept, 1, bytes);
	free(freed);
#endif
}

static void *work(void *arg)
{
	struct worker *w = arg;

	find_counters(w);
	for (;;) {
		eat();
		(void)pthread_barrier_wait(&end);
		(void)pthread_barrier_wait(&begin);
	}
	return NULL;
}

static void *spin(void *arg)
{
	volatile unsigned i;

	for (;;) {
		for (i = 0; i < 100000; i++)
			;
		counted++;
	}
	return arg;
}

static void tell(unsigned n)
{
	unsigned i;

	for (i = 0; i <= n; i++) {
		const struct worker *w = &worker[i];

		if (w->allocated && w->deallocated)
			(void)printf("%ld %llu %llu\n", w->tid,
			    (unsigned long long)*w->allocated,
			    (unsigned long long)*w->deallocated);
	}
	(void)printf("\n");
	(void)fflush(stdout);
}

static void on_signal(int number)
{
	(void)number;
	atomic_fetch_add(&signals, 1);
}

static void obey(const char *line, unsigned n)
{
	pthread_t spinner;

	if (strcmp(line, "more\n") == 0) {
		(void)pthread_barrier_wait(&begin);
		(void)pthread_barrier_wait(&end);
	}
	if (strcmp(line, "spin\n") == 0) {
		if (!spins)
			(void)pthread_create(&spinner, NULL, spin, NULL);
		spins = true;
		(void)printf("%llu\n", (unsigned long long)counted);
	}
	if (strcmp(line, "signals\n") == 0)
		(void)printf("%d\n", atomic_load(&signals));
	tell(n);
}

int main(int argc, char **argv)
{
	unsigned i, n = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	struct sigaction act = { .sa_handler = on_signal,
		.sa_flags = SA_RESTART };
	static char in[64], out[8192];
	char line[32];

	if (argc < 3 || n > THREADS_MAX - 1)
		return 64;
	bytes = strtoul(argv[2], NULL, 10);
	/* nothing is allocated while it tells */
	(void)setvbuf(stdin, in, _IOFBF, sizeof(in));
	(void)setvbuf(stdout, out, _IOFBF, sizeof(out));
	(void)sigaction(SIGRTMIN, &act, NULL);
	find_counters(&worker[0]);
	(void)pthread_barrier_init(&begin, NULL, n + 1);
	(void)pthread_barrier_init(&end, NULL, n + 1);
	for (i = 1; i <= n; i++)
		(void)pthread_create(&worker[i].thread, NULL, work, &worker[i]);
	(void)pthread_barrier_wait(&end);
	tell(n);
	while (fgets(line, sizeof(line), stdin))
		obey(line, n);
	return 0;
}
