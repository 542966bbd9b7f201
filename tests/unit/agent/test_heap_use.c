/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The heap of a process by what its threads say, time after time: it only grows,
 * threads that ended count as they were read last, and it is absent until all
 * threads were read.
 */
#include "agent/heap_use.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

#define TIMES 4

/* "TID:START=ALLOCATED", without "=...": it could not be read. */
static const struct row {
	const char *name;
	const char *threads[TIMES];
	const char *sums[TIMES]; /* after each; "-": absent */
} rows[] = {
	{ "one", { "1:1=10", "1:1=30" }, { "10", "30" } },
	{ "a new one", { "1:1=10", "1:1=10 2:5=7" }, { "10", "17" } },
	{ "one ends", { "1:1=10 2:1=7", "1:1=11", "1:1=12" },
	    { "17", "18", "19" } },
	{ "the first one ends", { "1:1=10 2:1=7", "2:1=7" }, { "17", "17" } },
	{ "a number is used again", { "1:1=10 2:1=7", "1:1=10 2:9=1" },
	    { "17", "18" } },
	{ "busy, but read before", { "1:1=10 2:1=7", "1:1=12 2:1",
	    "1:1=12 2:1=9" }, { "17", "19", "21" } },
	{ "busy from the begin", { "1:1=10 2:1", "1:1=10 2:1=7" },
	    { "-", "17" } },
	{ "a new one is busy", { "1:1=10", "1:1=90 2:3", "1:1=90 2:3=1" },
	    { "10", "10", "91" } },
	{ "busy, then ends", { "1:1=10 2:1=7", "1:1=10 2:1", "1:1=10" },
	    { "17", "17", "17" } },
	{ "another program", { "1:1=100 2:1=7", "1:1=5", "1:1=6" },
	    { "107", "112", "113" } },
	{ "another thread is busy", { "1:1=10 2:1=7", "1:1=10 2:9",
	    "1:1=10 2:9=1" }, { "17", "17", "18" } },
};

static size_t parse(const char *text, struct heap_thread *to)
{
	char *copy = strdup(text), *save = NULL, *word;
	size_t n = 0;

	for (word = strtok_r(copy, " ", &save); word;
	    word = strtok_r(NULL, " ", &save)) {
		unsigned tid, start, bytes = 0;
		int got = sscanf(word, "%u:%u=%u", &tid, &start, &bytes);

		assert_true(got >= 2);
		to[n++] = (struct heap_thread) { .tid = tid, .start = start,
			.has = got == 3, .allocated = bytes,
			.deallocated = bytes / 2 };
	}
	free(copy);
	return n;
}

static void test(void **state)
{
	const struct row *r = *state;
	struct heap_use u = { .n = 0 };
	struct cells c = cells_new(ENTITY_PROCESS);
	size_t i;

	for (i = 0; i < TIMES && r->threads[i]; i++) {
		struct heap_thread t[8];
		size_t n = parse(r->threads[i], t);
		char got[32] = "-";
		uint64_t v;

		(void)heap_use_take(&u, t, n);
		cells_clear(ENTITY_PROCESS, c);
		heap_use_set(&u, c);
		if (cells_get(c, COL(PROCESS, HEAP_ALLOCATED), &v))
			(void)snprintf(got, sizeof(got), "%" PRIu64, v);
		assert_string_equal(got, r->sums[i]);
	}
	heap_use_reset(&u);
	cells_clear(ENTITY_PROCESS, c);
	heap_use_set(&u, c);
	assert_false(cells_has(c, COL(PROCESS, HEAP_ALLOCATED)));
	cells_free(c);
	free(u.thread);
}

static void of_threads(void **state)
{
	struct heap_use u = { .n = 0 };
	struct heap_thread t[8];
	struct cells c = cells_new(ENTITY_THREAD);
	uint64_t v;

	(void)state;
	(void)heap_use_take(&u, t, parse("3:1=10 5:2", t));
	heap_use_set_thread(&u, 3, 1, c);
	assert_true(cells_get(c, COL(THREAD, HEAP_ALLOCATED), &v) && v == 10);
	assert_true(cells_get(c, COL(THREAD, HEAP_DEALLOCATED), &v) && v == 5);
	cells_clear(ENTITY_THREAD, c);
	heap_use_set_thread(&u, 5, 2, c); /* was never read */
	heap_use_set_thread(&u, 3, 2, c); /* another of that number */
	heap_use_set_thread(&u, 4, 1, c);
	assert_false(cells_has(c, COL(THREAD, HEAP_ALLOCATED)));
	cells_free(c);
	free(u.thread);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test, rows);
	cases_add(&c, "threads", of_threads, NULL);
	return cases_run(&c, "heap_use");
}
