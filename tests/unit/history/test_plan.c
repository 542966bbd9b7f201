/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runs of files that are loaded together, and their ranges.
 */
#include "history/plan.h"

#include <stdio.h>

#include "base/buf.h"
#include "cases.h"

#define FILES_MAX 5

struct ticks {
	uint64_t first, last;
};

struct plan_case {
	const char *name;
	struct ticks file[FILES_MAX], part[FILES_MAX]; /* what is loaded */
	const char *want; /* "first+n:from-to" of each run */
};

static const struct plan_case plans[] = {
	{ "nothing", { { 0 } }, { { 0 } }, "" },
	{ "one", { { 1, 10 } }, { { 0 } }, "0+1:1-" },
	{ "one that is loaded", { { 1, 10 } }, { { 1, 10 } }, "" },
	{ "one that grew", { { 1, 20 } }, { { 1, 10 } }, "0+1:10@10-" },
	{ "all", { { 1, 10 }, { 10, 20 }, { 20, 30 } }, { { 0 } }, "0+3:1-" },
	{ "in any order", { { 20, 30 }, { 1, 10 }, { 10, 20 } }, { { 0 } },
	    "0+3:1-" },
	{ "one more", { { 1, 10 }, { 10, 20 } }, { { 1, 10 } },
	    "1+1:10@10-" },
	{ "no tick is there twice", { { 1, 10 }, { 11, 20 } }, { { 0 } },
	    "0+2:1-" },
	{ "one more after a hole", { { 1, 10 }, { 15, 20 } }, { { 1, 10 } },
	    "1+1:15-" },
	{ "grew, and one more", { { 1, 10 }, { 10, 20 } }, { { 1, 7 } },
	    "0+2:7@7-" },
	{ "a file is missing", { { 1, 10 }, { 20, 30 } }, { { 0 } },
	    "0+1:1-10 1+1:20-" },
	{ "the one that was missing", { { 1, 10 }, { 10, 20 }, { 20, 30 } },
	    { { 1, 10 }, { 20, 30 } }, "1+1:10@10-20" },
	{ "the one that was missing, alone", { { 10, 20 } },
	    { { 1, 10 }, { 20, 30 } }, "0+1:10@10-20" },
	{ "one in the middle is loaded in part",
	    { { 1, 10 }, { 10, 20 }, { 20, 30 } }, { { 10, 15 } },
	    "0+1:1-10 1+2:15@15-" },
	{ "one file of what was loaded as several", { { 1, 30 } },
	    { { 10, 20 }, { 1, 10 }, { 20, 30 } }, "" },
	{ "one file of which some parts are loaded", { { 1, 50 } },
	    { { 30, 40 }, { 10, 20 } }, "0+1:1-10 0+1:20@20-30 0+1:40@40-" },
	{ "a part of what is loaded", { { 5, 9 } }, { { 1, 10 } }, "" },
	{ "all around a part that is loaded", { { 1, 10 }, { 10, 20 } },
	    { { 8, 12 } }, "0+1:1-8 1+1:12@12-" },
	{ "twice the same file", { { 1, 10 }, { 1, 10 } }, { { 0 } },
	    "0+1:1-" },
	{ "the one that holds the other", { { 1, 10 }, { 1, 15 }, { 3, 8 } },
	    { { 0 } }, "0+1:1-" },
	{ "files that overlap", { { 1, 10 }, { 5, 15 } }, { { 0 } },
	    "0+2:1-" },
	{ "one tick", { { 7, 7 } }, { { 0 } }, "0+1:7-" },
	{ "one tick that is loaded", { { 7, 7 } }, { { 1, 7 } }, "" },
};

static void add_run(const struct plan_run *run, struct buf *to)
{
	buf_printf(to, "%s%zu+%zu:%d", to->len ? " " : "", run->first,
	    run->n, (int)run->from_seq);
	if (run->from_ns != INT64_MIN)
		buf_printf(to, "@%d", (int)run->from_ns);
	buf_add_char(to, '-');
	if (run->to_seq != UINT64_MAX)
		buf_printf(to, "%d", (int)run->to_seq);
}

static void makes(void **state)
{
	const struct plan_case *c = *state;
	struct plan_file f[FILES_MAX];
	struct plan_part p[FILES_MAX];
	struct plan_run run;
	struct buf got = BUF_INIT;
	uint64_t seq = 0;
	size_t n = 0, n_part = 0;

	for (; n < FILES_MAX && c->file[n].last; n++)
		f[n] = (struct plan_file) { .first_seq = c->file[n].first,
			.last_seq = c->file[n].last };
	for (; n_part < FILES_MAX && c->part[n_part].last; n_part++)
		p[n_part] = (struct plan_part) {
			.first_seq = c->part[n_part].first,
			.last_seq = c->part[n_part].last,
			.last_ns = (int64_t)c->part[n_part].last };
	plan_sort(f, &n);
	plan_join(p, &n_part);
	while (plan_next(f, n, p, n_part, &seq, &run))
		add_run(&run, &got);
	assert_string_equal(buf_str(&got), c->want);
	buf_release(&got);
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, makes, plans);
	return cases_run(&c, "plan");
}
