/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pidstat's formulas by table: what two samples of a task make of a column,
 * and what pidstat makes of it; also where the recorded host's clock has
 * another number of ticks than this one's.
 */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "cases.h"
#include "sysstat/reports.h"

#define ABSENT (-1)

struct cell {
	enum fig fig;
	int64_t was, now; /* ABSENT */
};

#define C(SYM, was, now) { FIG_##SYM, was, now }

static const struct formula {
	const char *name;
	enum report_id report;
	const char *column;
	const char *exact, *strict;
	uint64_t hz; /* 0: 100 */
	double span_cs; /* 0: a second */
	bool per_cpu;
	size_t n;
	struct cell cell[4];
} formulas[] = {
	{ "user time has guests", REPORT_CPU, "usr", "30.00", "30.00",
	    .n = 2, .cell = { C(UTIME, 100, 150), C(GUEST, 10, 30) } },
	{ "guests before users", REPORT_CPU, "usr", "0.00", "0.00",
	    .n = 2, .cell = { C(UTIME, 100, 110), C(GUEST, 10, 30) } },
	{ "a kernel that knows no guests", REPORT_CPU, "guest", "-", "0.00",
	    .n = 1, .cell = { C(UTIME, 100, 110) } },
	{ "more than one CPU", REPORT_CPU, "cpu", "250.00", "250.00",
	    .n = 2, .cell = { C(UTIME, 0, 200), C(STIME, 0, 50) } },
	{ "of all CPUs", REPORT_CPU, "cpu", "31.25", "31.25",
	    .per_cpu = true,
	    .n = 2, .cell = { C(UTIME, 0, 200), C(STIME, 0, 50) } },
	{ "ticks of a host with 250", REPORT_CPU, "system", "20.00",
	    "20.00", .hz = 250, .n = 1, .cell = { C(STIME, 1000, 1050) } },
	{ "ticks of a host with 1000", REPORT_CPU, "usr", "2.00", "2.00",
	    .hz = 1000, .span_cs = 500, .n = 1,
	    .cell = { C(UTIME, 500, 600) } },
	{ "waited less than a tick", REPORT_CPU, "wait", "0.90", "0.00",
	    .n = 1, .cell = { C(WAIT, 10000, 19000) } },
	{ "waited, by ticks of a host with 1000", REPORT_CPU, "wait",
	    "0.95", "0.90", .hz = 1000, .n = 1,
	    .cell = { C(WAIT, 10000, 19500) } },
	{ "time in the run queue is not recorded", REPORT_CPU, "wait", "-", "0.00", .n = 0 },
	{ "time that went back", REPORT_CPU, "system", "0.00",
	    "18446744073709551616.00", .n = 1,
	    .cell = { C(STIME, 60, 50) } },
	{ "rates are per second", REPORT_MEMORY, "minflt/s", "25.00",
	    "25.00", .span_cs = 400, .n = 1,
	    .cell = { C(MINFLT, 1, 101) } },
	{ "share of memory", REPORT_MEMORY, "MEM", "12.50", "12.50",
	    .n = 1, .cell = { C(RSS, 0, 1000) } },
	{ "memory that it has not", REPORT_MEMORY, "RSS", "-", "0", .n = 0 },
	{ "kB are made of bytes later", REPORT_IO, "kB_rd/s", "4096.00",
	    "4096.00", .n = 1, .cell = { C(READ, 0, 4096) } },
	{ "reads that may not be read", REPORT_IO, "kB_rd/s", "-", "-1.00", .n = 0 },
	{ "ticks that it waited for disks", REPORT_IO, "iodelay", "7", "7",
	    .span_cs = 500, .n = 1, .cell = { C(IODELAY, 3, 10) } },
	{ "delays that are not measured", REPORT_IO, "iodelay", "-", "0", .n = 0 },
	{ "descriptors that may not be counted", REPORT_KERNEL, "fd-nr", "-",
	    "-1.00", .n = 0 },
	{ "with children, of a host with 1000", REPORT_CPU_CHILD,
	    "system-ms", "150.00", "150.00", .hz = 1000, .n = 2,
	    .cell = { C(STIME, 0, 100), C(CSTIME, 950, 1000) } },
	{ "guests of children", REPORT_CPU_CHILD, "usr-ms", "900.00",
	    "900.00", .n = 4, .cell = { C(UTIME, 0, 40),
	    C(CUTIME, 0, 60), C(GUEST, 0, 3), C(CGUEST, 0, 7) } },
	{ "faults of children", REPORT_MEMORY_CHILD, "majflt-nr", "5", "5",
	    .n = 2, .cell = { C(MAJFLT, 1, 3), C(CMAJFLT, 0, 3) } },
	{ "class 0", REPORT_REALTIME, "policy", "NORMAL", "NORMAL",
	    .n = 1, .cell = { C(POLICY, 0, 0) } },
	{ "class 4", REPORT_REALTIME, "policy", "?", "?", .n = 1,
	    .cell = { C(POLICY, 0, 4) } },
	{ "class 5", REPORT_REALTIME, "policy", "IDLE", "IDLE", .n = 1,
	    .cell = { C(POLICY, 0, 5) } },
	{ "class 7", REPORT_REALTIME, "policy", "?", "?", .n = 1,
	    .cell = { C(POLICY, 0, 7) } },
	{ "class 2^40", REPORT_REALTIME, "policy", "?", "?", .n = 1,
	    .cell = { C(POLICY, 0, INT64_C(1) << 40) } },
};

static void set(struct figures *f, enum fig fig, int64_t v)
{
	if (v == ABSENT)
		return;
	f->v[fig] = (uint64_t)v;
	f->has |= UINT64_C(1) << fig;
}

static void write_value(const struct formula *f, const struct calc *c,
	char to[64])
{
	const struct column *col = reports[f->report].column;
	struct value v;

	while (strcmp(col->name, f->column) != 0)
		col++;
	v = col->fn(c, col->arg);
	if (v.kind == VALUE_ABSENT)
		(void)snprintf(to, 64, "-");
	else if (v.kind == VALUE_WORD)
		(void)snprintf(to, 64, "%s", v.word);
	else if (v.kind == VALUE_WHOLE)
		(void)snprintf(to, 64, "%llu", (unsigned long long)v.whole);
	else
		(void)snprintf(to, 64, "%.2f", v.real);
}

static void check(const struct formula *f, bool strict)
{
	struct figures was = { 0 }, now = { 0 };
	struct task task = { 0 };
	struct calc c = { .task = &task, .was = &was, .now = &now,
		.span_cs = f->span_cs > 0 ? f->span_cs : 100,
		.jiffies = 800, .hz = f->hz ? f->hz : 100,
		.mem_total_kib = 8000, .per_cpu = f->per_cpu,
		.strict = strict };
	char got[64];
	size_t i;

	for (i = 0; i < f->n; i++) {
		set(&was, f->cell[i].fig, f->cell[i].was);
		set(&now, f->cell[i].fig, f->cell[i].now);
	}
	write_value(f, &c, got);
	assert_string_equal(got, strict ? f->strict : f->exact);
}

static void test_formula(void **state)
{
	check(*state, false);
	check(*state, true);
}

/* Averages: of levels over the samples that have one, of what adds up per
 * sample, of rates over the time. */
static void test_average(void **state)
{
	struct figures was = { 0 }, now = { 0 };
	struct task task = { .n_samples = 4 };
	struct calc c = { .task = &task, .was = &was, .now = &now,
		.span_cs = 400, .hz = 100, .average = true };
	const struct formula of[] = {
		{ .report = REPORT_MEMORY, .column = "RSS",
		    .exact = "33.67" },
		{ .report = REPORT_IO, .column = "iodelay",
		    .exact = "2.50" },
		{ .report = REPORT_MEMORY_CHILD, .column = "minflt-nr",
		    .exact = "25.00" },
		{ .report = REPORT_CPU, .column = "system",
		    .exact = "5.00" },
		{ .report = REPORT_CPU, .column = "cpu_nr", .exact = "-" },
		{ .report = REPORT_KERNEL, .column = "fd-nr",
		    .exact = "-" },
	};
	char got[64];
	size_t i;

	(void)state;
	task.sum[FIG_RSS] = 101;
	task.n_sum[FIG_RSS] = 3;
	set(&was, FIG_IODELAY, 0);
	set(&now, FIG_IODELAY, 10);
	set(&was, FIG_MINFLT, 0);
	set(&now, FIG_MINFLT, 40);
	set(&was, FIG_CMINFLT, 0);
	set(&now, FIG_CMINFLT, 60);
	set(&was, FIG_STIME, 10);
	set(&now, FIG_STIME, 30);
	for (i = 0; i < GS_LEN(of); i++) {
		write_value(&of[i], &c, got);
		assert_string_equal(got, of[i].exact);
	}
}

int main(void)
{
	struct cases c = { .n = 0 };

	CASES_TABLE(&c, test_formula, formulas);
	cases_add(&c, "averages", test_average, NULL);
	return cases_run(&c, "sysstat/calc");
}
