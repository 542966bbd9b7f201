/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pidstat_rows.c - which reports are wanted, which tasks have a row in them,
 * and the sources of its figures.
 */
#include "pidstat/pidstat_int.h"

#include "base/compiler.h"

/* Which reports an activity has: of the task, of it with its children. */
static const struct {
	unsigned activity;
	int task, child; /* enum report_id, -1: none */
} reports_of[] = {
	{ ACTIVITY_CPU, REPORT_CPU, REPORT_CPU_CHILD },
	{ ACTIVITY_MEMORY, REPORT_MEMORY, REPORT_MEMORY_CHILD },
	{ ACTIVITY_STACK, REPORT_STACK, -1 },
	{ ACTIVITY_IO, REPORT_IO, -1 },
	{ ACTIVITY_SWITCHES, REPORT_SWITCHES, -1 },
	{ ACTIVITY_KERNEL, REPORT_KERNEL, -1 },
	{ ACTIVITY_REALTIME, REPORT_REALTIME, -1 },
};

static void add_report(struct pidstat *p, int id)
{
	if (id >= 0)
		p->report[p->n_report++] = (enum report_id)id;
}

static void add_reports(struct pidstat *p, bool task, bool child)
{
	size_t i;

	for (i = 0; i < GS_LEN(reports_of); i++) {
		if (!(p->opt.activities & reports_of[i].activity))
			continue;
		if (task)
			add_report(p, reports_of[i].task);
		if (child)
			add_report(p, reports_of[i].child);
	}
}

/* In one line: those of the task, and in another one those of it with its
 * children. */
void pidstat_choose_reports(struct pidstat *p)
{
	bool task = p->opt.family != FAMILY_OF_CHILD;
	bool child = p->opt.family != FAMILY_OF_TASK;

	if (!p->opt.one_line) {
		add_reports(p, task, child);
		return;
	}
	add_reports(p, task, false);
	p->n_task = p->n_report;
	add_reports(p, false, child);
}

static const struct instant nowhere = { 0 };

struct calc pidstat_calc(const struct pidstat *p, const struct task *k,
	bool average)
{
	const struct since *since = average ? &k->first : &k->prev;
	const struct instant *from = &since->at;
	/* averages end with the last sample, whatever ticks follow */
	const struct instant *to = average ? &p->prev : &p->now;
	uint64_t before;

	if (p->opt.since_boot)
		from = &nowhere;
	else if (p->opt.strict)
		from = average ? &p->first : &p->prev;
	before = from->jiffies;
	return (struct calc) {
		.task = k,
		.was = &since->fig,
		.now = average ? &k->prev.fig : &k->now,
		.span_cs = p->opt.since_boot ? (double)to->uptime_cs
		    : instant_between_cs(from, to, p->opt.strict),
		.jiffies = to->jiffies > before
		    ? to->jiffies - before : p->opt.strict,
		.hz = p->now.hz,
		.mem_total_kib = p->now.mem_total_kib,
		.average = average,
		.per_cpu = p->opt.per_cpu,
		.strict = p->opt.strict,
	};
}

static bool is_present(const struct pidstat *p, const struct task *k,
	bool average)
{
	if (k->here && (!average || k->sampled))
		return true;
	return !p->opt.strict && (average ? k->sampled : k->was_here);
}

uint64_t pidstat_active(const struct pidstat *p, bool child)
{
	bool others = !child || p->opt.family == FAMILY_OF_ALL;
	uint64_t active = 0;
	size_t i;

	for (i = 0; i < GS_LEN(reports_of); i++) {
		int id = child && reports_of[i].child >= 0
			? reports_of[i].child : reports_of[i].task;

		if ((p->opt.activities & reports_of[i].activity) &&
		    (others || id == reports_of[i].child))
			active |= reports[id].active;
	}
	return active;
}

const struct task *pidstat_process(const struct pidstat *p, size_t task)
{
	const struct task *k = p->tasks.task[task];

	/* processes come before their threads */
	for (;;) {
		const struct task *t = p->tasks.task[task];

		if (t->pid != k->pid)
			return NULL;
		if (t->tid == 0)
			return t;
		if (task == 0)
			return NULL;
		task--;
	}
}

bool pidstat_shows(const struct pidstat *p, uint64_t active,
	size_t at, bool average)
{
	const struct task *k = p->tasks.task[at];
	struct calc c;

	if (!selection_has_pid(p->opt.select, k) ||
	    !is_present(p, k, average))
		return false;
	c = pidstat_calc(p, k, average);
	/* pidstat skips threads if it may not count descriptors */
	if (p->opt.strict && !figures_has(&k->now, FIG_FDS))
		active &= ~(UINT64_C(1) << FIG_THREADS);
	return (selection_is_explicit(p->opt.select) ||
	    calc_changed(&c, active)) &&
	    selection_has(p->opt.select, k, pidstat_process(p, at));
}

const char *pidstat_name(const struct pidstat *p, const struct task *k)
{
	return p->opt.line && k->line && !k->tid ? k->line : k->comm;
}
