/* SPDX-License-Identifier: Apache-2.0 */
/*
 * actor - a process that does what its arguments say, in order:
 *
 *   comm HEX      names itself
 *   title N       overwrites its arguments by N bytes of title and an end
 *   retitle N MS  changes such a title all the time for MS milliseconds
 *   eat KIB       touches memory, which stays
 *   map FILE      maps a file and reads all of it
 *   write N FILE  writes N bytes
 *   spin MS       uses CPU time
 *   waker MS      starts a thread that wakes every MS milliseconds for ever
 *   fork          goes on as a child, while the parent waits
 *   orphan        goes on as a child, while the parent ends
 *   say           prints its pid
 *   wait          sleeps until it is killed
 *   exit          ends at once
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct act {
	char **arg; /* copies of the arguments */
	int at, n;
	char *area; /* the arguments themselves, to be overwritten */
	size_t area_len;
};

static const char *next(struct act *a)
{
	if (a->at >= a->n) {
		(void)fprintf(stderr, "actor: a word is missing\n");
		exit(64);
	}
	return a->arg[a->at++];
}

static long number(struct act *a)
{
	return strtol(next(a), NULL, 10);
}

static void pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&t, &t) < 0 && errno == EINTR)
		;
}

static long now_ms(clockid_t id)
{
	struct timespec t;

	if (clock_gettime(id, &t) < 0)
		abort();
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void set_comm(struct act *a)
{
	const char *hex = next(a);
	char name[17] = { 0 };
	size_t i;

	for (i = 0; i < 16 && hex[2 * i]; i++) {
		unsigned v;

		if (sscanf(hex + 2 * i, "%2x", &v) != 1)
			abort();
		name[i] = (char)v;
	}
	if (prctl(PR_SET_NAME, name) < 0)
		abort();
}

static void set_title(struct act *a, size_t len, char c)
{
	if (len + 5 > a->area_len)
		abort();
	memset(a->area, c, len);
	memcpy(a->area + len, " end", 4);
	memset(a->area + len + 4, 0, a->area_len - len - 4);
}

static void retitle(struct act *a, size_t len, long ms)
{
	long end = now_ms(CLOCK_MONOTONIC) + ms;
	unsigned i;

	for (i = 0; now_ms(CLOCK_MONOTONIC) < end; i++)
		set_title(a, len - i % 7, (char)('a' + i % 26));
	set_title(a, len, 'Z');
}

static void eat(size_t kib)
{
	char *p = mmap(NULL, kib * 1024, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	memset(p, 1, kib * 1024);
}

static void map(const char *path)
{
	int fd = open(path, O_RDONLY);
	off_t i, len = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	volatile char *p;

	if (len <= 0)
		abort();
	p = mmap(NULL, (size_t)len, PROT_READ, MAP_SHARED, fd, 0);
	if (p == (volatile char *)MAP_FAILED)
		abort();
	for (i = 0; i < len; i += 4096)
		(void)p[i];
}

static void write_bytes(size_t n, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	char *p = calloc(1, n);

	if (fd < 0 || !p || write(fd, p, n) != (ssize_t)n)
		abort();
	(void)close(fd);
	free(p);
}

static void spin(long ms)
{
	long end = now_ms(CLOCK_PROCESS_CPUTIME_ID) + ms;

	while (now_ms(CLOCK_PROCESS_CPUTIME_ID) < end)
		;
}

static void *wake(void *arg)
{
	long ms = *(long *)arg;

	for (;;)
		pause_ms(ms);
	return NULL;
}

static void start_waker(long ms)
{
	long *arg = malloc(sizeof(*arg));
	pthread_t t;

	if (!arg)
		abort();
	*arg = ms;
	if (pthread_create(&t, NULL, wake, arg) != 0)
		abort();
}

static void go_on_as_child(int wait_for_it)
{
	pid_t child = fork();

	if (child < 0)
		abort();
	if (child == 0)
		return;
	if (wait_for_it)
		(void)waitpid(child, NULL, 0);
	_exit(0);
}

static void act(struct act *a, const char *word)
{
	if (strcmp(word, "comm") == 0) {
		set_comm(a);
	} else if (strcmp(word, "title") == 0) {
		set_title(a, (size_t)number(a), 'x');
	} else if (strcmp(word, "retitle") == 0) {
		size_t len = (size_t)number(a);

		retitle(a, len, number(a));
	} else if (strcmp(word, "eat") == 0) {
		eat((size_t)number(a));
	} else if (strcmp(word, "map") == 0) {
		map(next(a));
	} else if (strcmp(word, "write") == 0) {
		size_t n = (size_t)number(a);

		write_bytes(n, next(a));
	} else if (strcmp(word, "spin") == 0) {
		spin(number(a));
	} else if (strcmp(word, "waker") == 0) {
		start_waker(number(a));
	} else if (strcmp(word, "fork") == 0) {
		go_on_as_child(1);
	} else if (strcmp(word, "orphan") == 0) {
		go_on_as_child(0);
	} else if (strcmp(word, "say") == 0) {
		(void)printf("%ld\n", (long)getpid());
		(void)fflush(stdout);
	} else if (strcmp(word, "wait") == 0) {
		for (;;)
			(void)pause();
	} else if (strcmp(word, "exit") == 0) {
		_exit(0);
	} else {
		(void)fprintf(stderr, "actor: no word \"%s\"\n", word);
		exit(64);
	}
}

int main(int argc, char **argv)
{
	struct act a = { .n = argc, .at = 1, .area = argv[0] };
	int i;

	a.arg = calloc((size_t)argc + 1, sizeof(*a.arg));
	if (!a.arg)
		abort();
	for (i = 0; i < argc; i++)
		a.arg[i] = strdup(argv[i]);
	a.area_len = (size_t)(argv[argc - 1] + strlen(argv[argc - 1]) -
	    argv[0]) + 1;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (a.at < a.n)
		act(&a, next(&a));
	return 0;
}
