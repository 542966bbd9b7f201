/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/memory.h"

#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/mem.h"
#include "base/units.h"
#include "cli/console.h"
#include "sandbox/sanitizer.h"

/* Programs, libraries and stacks are not heap, and count as well. */
#define OWN_BYTES ((size_t)16 << 20)

/* Freed when memory is exhausted, for the last message. */
#define RESERVE_BYTES ((size_t)64 << 10)

static struct {
	struct gs_budget budget;
	void *reserve;
	bool by_addresses; /* RLIMIT_AS is what limits, else RLIMIT_DATA */
	struct rlimit before, now;
	bool is_limited;
	size_t heap_bytes; /* that there may be */
	int statm; /* -1: not needed */
} memory = { .statm = -1 };

/* Until Linux 4.7 the limit of data was that of brk() alone. */
static bool data_is_limited(void)
{
	struct utsname u;
	unsigned major, minor;

	return uname(&u) == 0 &&
	    sscanf(u.release, "%u.%u", &major, &minor) == 2 &&
	    (major > 4 || (major == 4 && minor >= 7));
}

/* The C library has mallinfo2(): glibc 2.33. */
#if defined(__GLIBC__) && __GLIBC__ * 1000 + __GLIBC_MINOR__ >= 2033
#define SAYS_HEAP 1
#else
#define SAYS_HEAP 0
#endif

struct in_use {
	size_t addresses, own; /* bytes; 0: unknown */
};

/* Of /proc/self/statm, which stays open, since no file may be opened later. */
static struct in_use in_use(void)
{
	long page = sysconf(_SC_PAGESIZE);
	size_t page_bytes = page > 0 ? (size_t)page : 4096;
	unsigned long all, resident, shared;
	char line[128];
	ssize_t n = memory.statm < 0 ? -1
	    : pread(memory.statm, line, sizeof(line) - 1, 0);

	line[n > 0 ? n : 0] = '\0';
	if (sscanf(line, "%lu %lu %lu", &all, &resident, &shared) != 3)
		return (struct in_use) { 0 };
	return (struct in_use) { all * page_bytes,
		(resident - GS_MIN(shared, resident)) * page_bytes };
}

/* What the heap has given, or, where the C library does not say, what was used once. */
static size_t heap_used(void)
{
#if SAYS_HEAP
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
#else
	return in_use().own;
#endif
}

/* Free blocks that are too small to be of use are an eighth. */
static size_t heap_left(void)
{
	size_t used = heap_used();

	used += used / 8;
	return memory.heap_bytes > used ? memory.heap_bytes - used : 0;
}

static int set_limit(const struct rlimit *l)
{
	return memory.by_addresses ? setrlimit(RLIMIT_AS, l)
	                           : setrlimit(RLIMIT_DATA, l);
}

/* The shadow memory of a sanitizer is more than any limit. */
static void limit_process(size_t bytes)
{
	struct rlimit *l = &memory.now;
	rlim_t want = bytes - OWN_BYTES;

	memory.heap_bytes = HAS_SANITIZER ? SIZE_MAX : bytes - OWN_BYTES;
	if (HAS_SANITIZER)
		return;
	memory.by_addresses = !data_is_limited();
	if (memory.by_addresses || !SAYS_HEAP)
		memory.statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	if (memory.by_addresses)
		want += in_use().addresses;
	if ((memory.by_addresses ? getrlimit(RLIMIT_AS, l)
	                         : getrlimit(RLIMIT_DATA, l)) < 0)
		return;
	memory.before = *l;
	if (l->rlim_cur != RLIM_INFINITY && l->rlim_cur <= want) {
		memory.heap_bytes -= GS_MIN((size_t)(want - l->rlim_cur),
		    memory.heap_bytes);
		return;
	}
	l->rlim_cur = want;
	memory.is_limited = set_limit(l) == 0; /* else only the budget limits */
}

void memory_add(size_t bytes)
{
	struct rlimit more = memory.now;

	more.rlim_cur += bytes;
	if (!memory.is_limited || set_limit(&more) < 0)
		return;
	memory.now = more;
	memory.heap_bytes += bytes;
}

void memory_lift(void)
{
	if (memory.is_limited)
		(void)set_limit(&memory.before); /* as before */
}

void memory_lower(void)
{
	if (memory.is_limited)
		(void)set_limit(&memory.now); /* as before */
}

/* Half of what the command may use becomes a part of the heap, with advice to the
 * kernel, and is free then: it stays in the heap, and blocks of any size are taken
 * from it. */
#define LARGE_PAGE ((size_t)2 << 20)

/* The highest that glibc takes until 2.34. */
#define MMAP_THRESHOLD_MAX (32 << 20)

void memory_prefer_large_pages(void)
{
	size_t n = memory.budget.limit_bytes / 2;
	char *p;

	if (n == 0 || HAS_SANITIZER || (mallopt(M_MMAP_THRESHOLD, INT_MAX) == 0 &&
	    mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD_MAX) == 0) ||
	    mallopt(M_TRIM_THRESHOLD, INT_MAX) == 0)
		return;
	p = malloc(n);
	if (!p)
		return;
	(void)madvise(p + (LARGE_PAGE - (uintptr_t)p % LARGE_PAGE),
	    n - LARGE_PAGE, MADV_HUGEPAGE); /* else small ones do */
	free(p);
}

/* What a key of many hosts takes is larger, and gone before the next tick.  The C
 * library raises its own bounds with the first such block. */
#define LARGE_BLOCK (512 << 10)

void memory_give_back(void)
{
	if (HAS_SANITIZER)
		return;
	/* what is refused stays as it was */
	(void)mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
	(void)mallopt(M_TRIM_THRESHOLD, 2 * LARGE_BLOCK);
}

/* Nothing more can be allocated. */
static void exhausted(void)
{
	const struct gs_budget *b = &memory.budget;
	struct gs_err err = { 0 };

	free(memory.reserve);
	memory.reserve = NULL;
	(void)budget_fail(b, &err, "what is made of it"); /* it always fails */
	exit(cli_cannot(&err));
}

static const struct opt *find_option(const struct opt_cmd *c)
{
	size_t i;

	for (i = 0; i < c->n_opt; i++) {
		const struct opt *o = &c->opt[i];

		if (o->kind == OPT_SIZE && (strcmp(o->name, "memory") == 0 ||
		    strcmp(o->name, "memory-limit") == 0))
			return o;
	}
	return NULL;
}

int memory_begin(const struct opt_cmd *c, const void *values,
	struct gs_err *err)
{
	const struct opt *o = find_option(c);
	uint64_t bytes;

	if (!o)
		return GS_OK;
	memcpy(&bytes, (const char *)values + o->offset, sizeof(bytes));
	if (bytes < MEMORY_MIN)
		return gs_fail(err, GS_E_USAGE, "--%s: expected 48M or more",
		    o->name);
	bytes = GS_MIN(bytes, SIZE_MAX / 4);
	cli_limit_option(o->name);
	memory.budget.limit_bytes = (size_t)bytes;
	memory.budget.used_bytes = OWN_BYTES;
	memory.budget.heap_left = heap_left;
	memory.reserve = gs_malloc(RESERVE_BYTES);
	memset(memory.reserve, 0, RESERVE_BYTES);
	budget_set_own(&memory.budget);
	gs_on_exhausted(exhausted);
	limit_process((size_t)bytes);
	return GS_OK;
}
