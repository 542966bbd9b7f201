#include "sysstat/pidstat_int.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"

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
static void choose_reports(struct pidstat *p)
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

int pidstat_new(const struct pidstat_opt *opt, struct pidstat **ret,
	struct gs_err *err)
{
	struct pidstat *p = gs_calloc(1, sizeof(*p));

	p->opt = *opt;
	if (!p->opt.activities)
		p->opt.activities = ACTIVITY_CPU;
	choose_reports(p);
	if (p->n_report == 0) {
		free(p);
		return gs_fail(err, GS_E_USAGE,
		    "Requested activities not available");
	}
	p->tasks.strict = opt->strict;
	p->tasks.threads = opt->threads;
	p->tasks.stack = p->opt.activities & ACTIVITY_STACK &&
	    p->opt.family != FAMILY_OF_CHILD;
	p->tasks.from_zero = opt->since_boot;
	paint_init(&p->paint, &p->out, opt->is_terminal);
	p->paint.decimals = opt->decimals;
	p->paint.human = opt->human;
	*ret = p;
	return GS_OK;
}

void pidstat_free(struct pidstat *p)
{
	if (!p)
		return;
	tasks_release(&p->tasks);
	banner_release(&p->banner);
	buf_release(&p->out);
	free(p);
}

size_t pidstat_reports(const struct pidstat *p)
{
	return p->n_reports;
}

size_t pidstat_holes(const struct pidstat *p)
{
	return p->n_holes;
}

/* ---- rows ------------------------------------------------------------ */

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

bool pidstat_shows(const struct pidstat *p, uint64_t active,
	const struct task *k, bool average)
{
	struct calc c;

	if (!selection_has_pid(p->opt.select, k) ||
	    !is_present(p, k, average))
		return false;
	c = pidstat_calc(p, k, average);
	/* pidstat looks at no threads where it may not count descriptors */
	if (p->opt.strict && !figures_has(&k->now, FIG_FDS))
		active &= ~(UINT64_C(1) << FIG_THREADS);
	return selection_is_explicit(p->opt.select) ||
	    calc_changed(&c, active);
}

const struct task *pidstat_process(const struct pidstat *p, size_t task)
{
	const struct task *k = p->tasks.task[task];

	/* processes stand before their threads */
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

const char *pidstat_name(const struct pidstat *p, const struct task *k)
{
	return p->opt.line && k->line && !k->tid ? k->line : k->comm;
}

/* ---- samples --------------------------------------------------------- */

static void flush(struct pidstat *p)
{
	if (!p->stopped && p->out.len > 0 &&
	    !p->opt.write(p->opt.arg, p->out.ptr, p->out.len))
		p->stopped = true;
	buf_reset(&p->out);
}

static void show(struct pidstat *p)
{
	if (p->opt.json)
		pidstat_json_report(p);
	else
		pidstat_text_report(p, false);
	p->n_reports++;
	flush(p);
}

/* Whether none of the processes that were named is there any more; since: nor
 * was since the sample before.  One that did not begin yet, or is not recorded
 * all the time, may still come; pidstat does not wait for it. */
static bool all_gone(const struct pidstat *p, bool since)
{
	bool was_there = p->opt.strict;
	size_t i;

	if (p->opt.since_boot || p->opt.select->n_pid == 0 ||
	    p->opt.select->all)
		return false;
	for (i = 0; i < p->tasks.n; i++) {
		const struct task *k = p->tasks.task[i];

		if (!selection_has_pid(p->opt.select, k))
			continue;
		if (k->here || k->may_return || (since && k->was_here))
			return false;
		was_there = true;
	}
	return was_there;
}

static void note_missing(struct pidstat *p)
{
	size_t i;

	for (i = 0; i < p->tasks.n; i++) {
		p->missing &= ~p->tasks.task[i]->now.has;
		p->any_thread |= p->tasks.task[i]->tid != 0;
	}
}

static void begin(struct pidstat *p, const struct world *w,
	const struct host *h)
{
	p->begun = true;
	p->first = p->prev = p->now;
	p->missing = ~UINT64_C(0);
	banner_release(&p->banner);
	p->banner = banner_of(w, h);
	if (!p->opt.json)
		banner_add(&p->banner, &p->opt.stamp, p->now.wall_ns,
		    &p->out);
	flush(p);
}

static void report(struct pidstat *p)
{
	if (p->opt.strict || p->n_reports == 0 || !all_gone(p, true)) {
		show(p);
		tasks_step(&p->tasks);
		p->prev = p->now;
	}
	p->gone = all_gone(p, false);
	p->ended = p->gone || (p->opt.count > 0 &&
	    p->n_reports >= p->opt.count);
}

static bool tick(void *self, const struct world *w, const struct host *h,
	bool is_sample)
{
	struct pidstat *p = self;
	bool first = !p->begun;

	if (p->opt.strict && !is_sample)
		return true;
	p->now = instant_of(h);
	if (first)
		begin(p, w, h);
	if (p->opt.since_boot)
		tasks_clear(&p->tasks);
	tasks_take(&p->tasks, w, h, &p->prev, &p->now, is_sample);
	if (p->begun)
		note_missing(p);
	/* since the boot there is one report, at the end */
	if (is_sample && !first && !p->opt.since_boot)
		report(p);
	return !p->ended && !p->stopped;
}

static void averages(struct pidstat *p)
{
	if (p->opt.json || p->opt.one_line || p->n_reports == 0 ||
	    p->opt.since_boot || (p->gone && p->opt.strict))
		return;
	pidstat_text_report(p, true);
	flush(p);
}

/* As if it had ended with the host, and was started again. */
static void restart(void *self, const struct world *w, const struct host *h)
{
	struct pidstat *p = self;

	(void)w;
	(void)h;
	averages(p);
	tasks_clear(&p->tasks);
	p->begun = p->headed = false;
}

static void hole(void *self, const struct resample_hole *hole)
{
	struct pidstat *p = self;
	char from[STAMP_MAX], to[STAMP_MAX] = "the end";
	char text[2 * STAMP_MAX + 256];

	p->n_holes++;
	stamp_time(&p->opt.stamp, hole->from_ns, from);
	if (hole->to_ns != INT64_MAX)
		stamp_time(&p->opt.stamp, hole->to_ns, to);
	(void)snprintf(text, sizeof(text), "hole from %s to %s: %.200s",
	    from, to, hole->why);
	p->opt.notice(p->opt.arg, text);
}

const struct resample_ops pidstat_resample = { .tick = tick,
	.restart = restart, .hole = hole };

/* ---- the end --------------------------------------------------------- */

/* What can only be absent because it was not recorded. */
static const struct {
	unsigned activity; /* 0: threads */
	enum fig fig;
	const char *text;
} wanted[] = {
	{ ACTIVITY_STACK, FIG_STACK, "stacks are recorded by gpsnap record "
	    "--with stack" },
	{ ACTIVITY_KERNEL, FIG_FDS, "descriptors are recorded by gpsnap "
	    "record --with fd" },
};

static void say_missing(const struct pidstat *p)
{
	size_t i;

	if (!p->begun)
		return;
	for (i = 0; i < GS_LEN(wanted); i++) {
		if ((p->opt.activities & wanted[i].activity) &&
		    (p->missing >> wanted[i].fig & 1))
			p->opt.notice(p->opt.arg, wanted[i].text);
	}
	if (p->opt.threads && !p->any_thread)
		p->opt.notice(p->opt.arg, "threads are recorded by gpsnap "
		    "record --threads");
}

void pidstat_break(struct pidstat *p)
{
	if (!p->opt.json && p->n_reports > 0)
		buf_add_char(&p->out, '\n');
}

void pidstat_end(struct pidstat *p)
{
	if (p->opt.since_boot && p->begun)
		show(p);
	averages(p);
	if (p->opt.json && p->begun)
		pidstat_json_end(p);
	flush(p);
	if (!p->stopped)
		say_missing(p);
}
