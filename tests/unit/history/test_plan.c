/*
 * Which files are loaded together, and from where.
 */
#include "history/plan.h"

#include <stdio.h>

#include "base/buf.h"
#include "cases.h"

#define FILES_MAX 5
#define NEW (-1)

struct plan_case {
	const char *name;
	struct {
		uint32_t number;
		int64_t last_ns, loaded_ns; /* NEW: nothing is loaded */
	} file[FILES_MAX];
	const char *want; /* "first+n@from" of each run */
};

static const struct plan_case plans[] = {
	{ "nothing", { { 0 } }, "" },
	{ "one", { { 1, 10, NEW } }, "0+1@start" },
	{ "one that is loaded", { { 1, 10, 10 } }, "" },
	{ "one that grew", { { 1, 20, 10 } }, "0+1@10" },
	{ "all", { { 1, 10, NEW }, { 2, 20, NEW }, { 3, 30, NEW } },
	    "0+3@start" },
	{ "in any order", { { 3, 30, NEW }, { 1, 10, NEW }, { 2, 20, NEW } },
	    "0+3@start" },
	{ "one more", { { 1, 10, 10 }, { 2, 20, NEW } }, "1+1@start" },
	{ "grew, and one more", { { 1, 10, 7 }, { 2, 20, NEW } }, "0+2@7" },
	{ "a file is missing", { { 1, 10, NEW }, { 3, 30, NEW } },
	    "0+1@start 1+1@start" },
	{ "one in the middle is loaded",
	    { { 1, 10, NEW }, { 2, 20, 20 }, { 3, 30, NEW } },
	    "0+1@start 2+1@start" },
	{ "one in the middle is loaded in part",
	    { { 1, 10, NEW }, { 2, 20, 15 }, { 3, 30, NEW } },
	    "0+1@start 1+2@15" },
	{ "twice the same file", { { 1, 10, NEW }, { 1, 15, NEW } },
	    "0+1@start" },
};

static void makes(void **state)
{
	const struct plan_case *c = *state;
	struct plan_file f[FILES_MAX];
	struct plan_run run;
	struct buf got = BUF_INIT;
	size_t n = 0, i = 0;

	for (; n < FILES_MAX && c->file[n].number; n++)
		f[n] = (struct plan_file) { .number = c->file[n].number,
			.last_ns = c->file[n].last_ns,
			.known = c->file[n].loaded_ns != NEW,
			.loaded_ns = c->file[n].loaded_ns };
	plan_sort(f, &n);
	while (plan_next(f, n, &i, &run)) {
		buf_printf(&got, "%s%zu+%zu@", got.len ? " " : "", run.first,
		    run.n);
		if (run.from_ns == INT64_MIN)
			buf_add_str(&got, "start");
		else
			buf_printf(&got, "%lld", (long long)run.from_ns);
	}
	assert_string_equal(buf_str(&got), c->want);
	buf_release(&got);
}

static void furthest(void **state)
{
	struct plan_file f[] = { { .number = 1, .last_ns = 10 },
		{ .number = 1, .last_ns = 15 } };
	size_t n = 2;

	(void)state;
	plan_sort(f, &n);
	assert_int_equal(n, 1);
	assert_int_equal(f[0].last_ns, 15);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, makes, plans);
	cases_add(&c, "the one that reaches furthest", furthest, NULL);
	return cases_run(&c, "plan");
}
