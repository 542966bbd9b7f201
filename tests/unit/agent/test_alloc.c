/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In steady state neither sampling nor encoding allocates.
 *
 * The linker's --wrap puts the counters between every object of ours (and
 * every archive) and the C library.  What protobuf-c as a shared library
 * allocates is not counted: its memory comes from our arena.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agent/sampler.h"
#include "cases.h"

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t len);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t len);
void *__wrap_realloc(void *p, size_t n);

static unsigned long allocations;

void *__wrap_malloc(size_t n)
{
	allocations++;
	return __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t len)
{
	allocations++;
	return __real_calloc(n, len);
}

void *__wrap_realloc(void *p, size_t n)
{
	allocations++;
	return __real_realloc(p, n);
}

#define CHILDREN 20
#define WARM_TICKS 60
#define TICKS 60

struct side {
	struct sampler *sampler;
	struct wire_codec *codec;
	struct buf out;
	struct request req;
};

static unsigned long one_tick(struct side *s)
{
	unsigned long before = allocations;
	struct answer a;

	s->req.sequence++;
	assert_int_equal(sampler_answer(s->sampler, &s->req, &a, NULL), 0);
	buf_reset(&s->out);
	wire_put_answer(s->codec, &a, &s->out);
	assert_true(s->out.len > 0);
	return allocations - before;
}

static void sampled(uint32_t with, const char *dir, pid_t *child)
{
	struct side s = { .req = { .with = with, .busiest = 10 } };
	const struct timespec pause = { 0, 2000000 };
	unsigned long total = 0;
	int i;

	s.sampler = sampler_new(dir, NULL);
	s.codec = wire_codec_new();
	for (i = 0; i < WARM_TICKS + TICKS; i++) {
		unsigned long n = one_tick(&s);

		(void)nanosleep(&pause, NULL);
		/* a process ends in mid-run, and its row closes */
		if (child && (i == 5 || i == WARM_TICKS + TICKS / 2)) {
			pid_t pid = child[i == 5];

			(void)kill(pid, SIGKILL);
			(void)waitpid(pid, NULL, 0);
		}
		if (i >= WARM_TICKS)
			total += n;
	}
	assert_int_equal(total, 0);
	buf_release(&s.out);
	wire_codec_free(s.codec);
	sampler_free(s.sampler);
}

static void captured(void **state)
{
	(void)state;
	sampled(0, GS_SOURCE_DIR "/samples/proc/greenplum6-6.18/tick-00",
	    NULL);
}

static pid_t sleeper(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		for (;;)
			(void)pause();
	}
	assert_true(pid > 0);
	return pid;
}

/* Other processes of the machine start and end, and a new one may allocate; so
 * the processes are those of a namespace of our own. */
static int inside(void)
{
	pid_t child[CHILDREN];
	int i;

	for (i = 0; i < CHILDREN; i++)
		child[i] = sleeper();
	sampled(WITH_ALL, "/", child);
	sampled(WITH_ALL | WITH_NO_QUIET | WITH_ARGUMENTS, "/", NULL);
	for (i = 1; i < CHILDREN; i++) {
		(void)kill(child[i], SIGKILL);
		(void)waitpid(child[i], NULL, 0);
	}
	return 0;
}

static void live(void **state)
{
	char command[4200], self[4000];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int status;

	(void)state;
	assert_true(n > 0);
	self[n] = '\0';
	if (geteuid() != 0 || system("unshare -fp --mount-proc true") != 0)
		skip();
	(void)snprintf(command, sizeof(command),
	    "unshare -fp --mount-proc '%s' inside", self);
	status = system(command);
	assert_int_equal(status, 0);
}

static void inside_case(void **state)
{
	(void)state;
	(void)inside();
}

int main(int argc, char **argv)
{
	const struct CMUnitTest within[] = {
		cmocka_unit_test(inside_case),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(captured),
		cmocka_unit_test(live),
	};

	(void)argv;
	if (argc > 1)
		return cmocka_run_group_tests_name("inside", within, NULL,
		    NULL);
	return cmocka_run_group_tests_name("allocations", tests, NULL, NULL);
}
