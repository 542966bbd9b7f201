/* SPDX-License-Identifier: Apache-2.0 */
#include "heap/calibrate.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "heap/child.h"

#define PROBE_BYTES 1000000u

typedef int mallctl_fn(const char *name, void *old, size_t *old_len,
	void *value, size_t len);

/* Where this thread's block of a library is. */
struct block {
	uintptr_t code; /* an address in the library */
	uintptr_t begin, end;
};

static bool is_roots(const struct stat *st)
{
	return st->st_uid == 0 && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

bool calibrate_trusts(const char *path, const struct stat *st)
{
	char *dir = realpath(path, NULL), *slash;
	struct stat at;
	bool good = dir && stat(dir, &at) == 0 && S_ISREG(at.st_mode) &&
	    at.st_dev == st->st_dev && at.st_ino == st->st_ino && is_roots(&at);

	/* a path in LD_PRELOAD ends at these */
	good = good && !strpbrk(path, ": \t\n") && path[0] == '/';
	while (good && (slash = strrchr(dir, '/'))) {
		*slash = '\0';
		good = stat(slash == dir ? "/" : dir, &at) == 0 &&
		    is_roots(&at);
	}
	free(dir);
	return good;
}

/* ---- in a program that the library is loaded into ------------------------ */

static int find_block(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct block *b = arg;
	bool holds = false;
	uintptr_t bytes = 0;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		holds |= p->p_type == PT_LOAD && b->code >= at &&
		    b->code < at + p->p_memsz;
		if (p->p_type == PT_TLS)
			bytes = p->p_memsz;
	}
	if (!holds || !info->dlpi_tls_data)
		return 0;
	b->begin = (uintptr_t)info->dlpi_tls_data;
	b->end = b->begin + bytes;
	return 1;
}

static uint64_t *counter(mallctl_fn *mallctl, const char *name,
	const struct block *b)
{
	uint64_t *at = NULL;
	size_t len = sizeof(at);

	if (mallctl(name, (void *)&at, &len, NULL, 0) != 0 ||
	    (uintptr_t)at < b->begin || (uintptr_t)(at + 1) > b->end)
		return NULL;
	return at;
}

/* Both move as they must. */
static bool they_count(const volatile uint64_t *a, const volatile uint64_t *d)
{
	uint64_t a0 = *a, d0 = *d;
	void *volatile p = malloc(PROBE_BYTES);
	bool good = p && *a - a0 >= PROBE_BYTES && *d - d0 < PROBE_BYTES;

	free(p);
	return good && *d - d0 >= PROBE_BYTES && *a - a0 < 4 * PROBE_BYTES;
}

int calibrate_main(void)
{
	struct block b = { 0 };
	mallctl_fn *mallctl;
	uint64_t *a, *d;
	void *symbol = dlsym(RTLD_DEFAULT, "mallctl");

	if (!symbol)
		return 1;
	memcpy(&mallctl, &symbol, sizeof(mallctl));
	b.code = (uintptr_t)symbol;
	if (!dl_iterate_phdr(find_block, &b))
		return 1;
	a = counter(mallctl, "thread.allocatedp", &b);
	d = counter(mallctl, "thread.deallocatedp", &b);
	if (!a || !d || !they_count(a, d))
		return 1;
	return printf("%zu %zu\n", (size_t)((uintptr_t)a - b.begin),
	    (size_t)((uintptr_t)d - b.begin)) < 0 || fflush(stdout) != 0;
}

/* ---- in the program that wants to know ------------------------------------ */

static bool read_answer(int from, struct layout *l)
{
	char text[64];
	unsigned long long a, d;
	ssize_t n = read(from, text, sizeof(text) - 1);

	if (n <= 0)
		return false;
	text[n] = '\0';
	if (sscanf(text, "%llu %llu", &a, &d) != 2)
		return false;
	l->allocated = a;
	l->deallocated = d;
	return true;
}

static void run(const char *path, int to)
{
	char self[] = "/proc/self/exe", word[] = "--calibrate";
	char *argv[] = { self, word, NULL };
	struct buf preload = BUF_INIT;
	char *env[] = { NULL, NULL };

	buf_printf(&preload, "LD_PRELOAD=%s", path);
	env[0] = preload.ptr;
	if (dup2(to, STDOUT_FILENO) >= 0)
		(void)execve(self, argv, env);
	_exit(127);
}

/* In a child, which has dropped its rights: the program that it starts has
 * none either, so that the dynamic linker heeds its environment. */
static void ask(void *arg, struct layout *l)
{
	const char *path = arg;
	int pipe_fd[2];
	pid_t pid;

	l->error = EIO;
	if (pipe2(pipe_fd, O_CLOEXEC) < 0)
		return;
	pid = fork();
	if (pid == 0)
		run(path, pipe_fd[1]);
	(void)close(pipe_fd[1]); /* so that its end is seen */
	if (pid > 0 && read_answer(pipe_fd[0], l))
		l->error = 0;
}

bool calibrate(const char *path, struct layout *l)
{
	struct layout found;

	if (!child_run(ask, (void *)(uintptr_t)path, &found) ||
	    found.error != 0 ||
	    found.allocated + sizeof(uint64_t) > l->tls_size ||
	    found.deallocated + sizeof(uint64_t) > l->tls_size)
		return false;
	l->allocated = found.allocated;
	l->deallocated = found.deallocated;
	l->error = 0;
	return true;
}
