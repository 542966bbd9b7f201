/* SPDX-License-Identifier: Apache-2.0 */
#include "pidstat/pidstat_int.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"

int pidstat_new(const struct pidstat_opt *opt, struct pidstat **ret,
	struct gs_err *err)
{
	struct pidstat *p = gs_calloc(1, sizeof(*p));

	p->opt = *opt;
	if (!p->opt.activities)
		p->opt.activities = ACTIVITY_CPU;
	pidstat_choose_reports(p);
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

/* True if none of the named processes exists any more; since: none existed
 * since the previous sample either.  A process that has not begun, or is not always
 * recorded, may still come; pidstat does not wait for it. */
static bool all_gone(struct pidstat *p, bool since)
{
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
		p->was_there = true;
	}
	return p->opt.strict || p->was_there;
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
	tasks_apply(&p->tasks, w, h, &p->prev, &p->now, is_sample);
	if (p->begun)
		note_missing(p);
	/* since the boot there is one report, at the end */
	if (is_sample && !first && !p->opt.since_boot)
		report(p);
	return !p->ended && !p->stopped;
}

static void note_forgotten(const struct pidstat *p)
{
	char text[128];

	if (p->tasks.n_forgotten == 0)
		return;
	(void)snprintf(text, sizeof(text), "averages: %zu tasks are left out, "
	    "which ended after %u others", p->tasks.n_forgotten,
	    TASKS_ENDED_MAX);
	p->opt.notice(p->opt.arg, text);
}

static void averages(struct pidstat *p)
{
	if (p->opt.json || p->opt.one_line || p->n_reports == 0 ||
	    p->opt.since_boot || (p->gone && p->opt.strict))
		return;
	note_forgotten(p);
	tasks_recall(&p->tasks);
	pidstat_text_report(p, true);
	flush(p);
}

/* As if pidstat had ended with the host and was started again. */
static void restart(void *self, const struct world *w, const struct host *h)
{
	struct pidstat *p = self;

	(void)w;
	(void)h;
	averages(p);
	tasks_clear(&p->tasks);
	p->begun = p->headed = p->was_there = false;
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

/* Figures that are absent only if they were not recorded. */
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

static void report_missing(const struct pidstat *p)
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

struct pidstat_result pidstat_end(struct pidstat *p)
{
	if (p->opt.since_boot && p->begun)
		show(p);
	averages(p);
	if (p->opt.json && p->begun)
		pidstat_json_end(p);
	flush(p);
	if (!p->stopped)
		report_missing(p);
	return (struct pidstat_result) { p->n_reports, p->n_holes };
}
