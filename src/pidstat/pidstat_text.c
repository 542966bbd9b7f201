/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pidstat_text.c - pidstat's lines: a heading and rows for each report, or
 * all of a task in one line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "pidstat/pidstat_int.h"

#define STAMP_WIDTH "%-11s"

static void add_heading(struct pidstat *p, const char *first,
	const enum report_id *report, size_t n)
{
	size_t i;

	buf_add_char(&p->out, '\n');
	buf_printf(&p->out, STAMP_WIDTH, first);
	buf_add_str(&p->out, p->opt.user ? "     USER" : "   UID");
	buf_add_str(&p->out, p->opt.threads ? "      TGID       TID"
	                                    : "       PID");
	for (i = 0; i < n; i++)
		buf_add_str(&p->out, reports[report[i]].heading);
	buf_add_str(&p->out, "  Command\n");
	p->headed = true;
	p->below = 0;
}

static void add_user(struct pidstat *p, const struct task *k)
{
	uint64_t uid = k->now.v[FIG_UID];

	paint_begin(&p->paint, PAINT_ITEM);
	if (p->opt.user && k->user)
		buf_printf(&p->out, " %8s", k->user);
	else if (!p->opt.strict && !figures_has(&k->now, FIG_UID))
		buf_printf(&p->out, " %*s", p->opt.user ? 8 : 5, "-");
	else if (p->opt.user && !p->opt.strict)
		buf_printf(&p->out, " %8" PRIu64, uid);
	else
		buf_printf(&p->out, " %5" PRIu64, uid);
	paint_end(&p->paint);
}

static void add_ids(struct pidstat *p, const struct task *k, bool below)
{
	paint_begin(&p->paint, PAINT_ITEM);
	if (k->tid == 0 || !below)
		buf_printf(&p->out, " %9" PRIu32, k->pid);
	else
		buf_printf(&p->out, " %9s", "-");
	if (k->tid > 0)
		buf_printf(&p->out, " %9" PRIu32, k->tid);
	else if (p->opt.threads)
		buf_printf(&p->out, " %9s", "-");
	paint_end(&p->paint);
}

/* A name may hold anything; pidstat shows it as it is. */
static void add_name(struct pidstat *p, const char *name)
{
	if (p->opt.strict)
		buf_add_str(&p->out, name);
	else
		utf8_add_safe(&p->out, name, strlen(name));
}

static void add_command(struct pidstat *p, size_t at, bool below)
{
	const struct task *k = p->tasks.task[at];
	const struct task *process = pidstat_process(p, at);

	paint_begin(&p->paint, k->tid ? PAINT_ZERO : PAINT_NAME);
	buf_add_str(&p->out, "  ");
	if (k->tid && below) {
		buf_add_str(&p->out, "|__");
	} else if (k->tid) {
		buf_add_char(&p->out, '(');
		add_name(p, process ? process->comm : "-");
		buf_add_str(&p->out, ")__");
	}
	add_name(p, pidstat_name(p, k));
	buf_add_char(&p->out, '\n');
	paint_end(&p->paint);
}

static void add_values(struct pidstat *p, enum report_id report,
	const struct calc *c)
{
	const struct report *r = &reports[report];
	struct value v[REPORT_COLUMNS_MAX];
	size_t i;

	for (i = 0; i < r->n_column; i++)
		v[i] = r->column[i].fn(c, r->column[i].arg);
	paint_values(&p->paint, r->column, v, r->n_column);
}

struct lines {
	const char *stamp; /* before each row */
	bool average;
	bool heading; /* above them */
	uint64_t active; /* one of these figures must have changed */
	const enum report_id *report; /* that stand in one row */
	size_t n;
	uint32_t leader; /* process that was shown last; 0: none */
};

static void add_row(struct pidstat *p, struct lines *l, size_t at)
{
	const struct task *k = p->tasks.task[at];
	struct calc c = pidstat_calc(p, k, l->average);
	bool below = k->tid && l->leader == k->pid;
	size_t i;

	buf_printf(&p->out, STAMP_WIDTH, l->stamp);
	add_user(p, k);
	add_ids(p, k, below);
	for (i = 0; i < l->n; i++)
		add_values(p, l->report[i], &c);
	add_command(p, at, below);
	l->leader = k->pid;
}

static void add_rows(struct pidstat *p, struct lines *l)
{
	size_t i;

	for (i = 0; i < p->tasks.n; i++) {
		if (pidstat_shows(p, l->active, i, l->average))
			add_row(p, l, i);
	}
}

/* One report of one task: its lines follow each other. */
static bool is_single(const struct pidstat *p)
{
	unsigned a = p->opt.activities;

	return (a & (a - 1)) == 0 && p->opt.select->n_pid == 1 &&
	    !p->opt.select->all;
}

static bool heading_is_due(const struct pidstat *p, bool average)
{
	if (!is_single(p))
		return true;
	if (average)
		return false;
	return !p->headed || p->below >= p->opt.screen_rows;
}

/* Reports that share a row. */
static void add_block(struct pidstat *p, const char *first, struct lines l)
{
	if (l.heading)
		add_heading(p, first, l.report, l.n);
	add_rows(p, &l);
}

/* The task's reports in one row, and those of it with its children in another.
 * pidstat writes the second even if it has no columns. */
static void add_one_line(struct pidstat *p, struct lines l)
{
	bool children = p->n_report > p->n_task ||
	    (p->opt.strict && p->opt.family == FAMILY_OF_ALL);

	l.report = p->report;
	l.n = p->n_task;
	l.active = pidstat_active(p, false);
	if (p->n_task > 0)
		add_block(p, "# Time", l);
	l.report += p->n_task;
	l.n = p->n_report - p->n_task;
	l.active = pidstat_active(p, true);
	if (children)
		add_block(p, "# Time", l);
}

void pidstat_text_report(struct pidstat *p, bool average)
{
	const struct stamp *s = &p->opt.stamp;
	char now[STAMP_MAX] = "Average:", before[STAMP_MAX] = "Average:";
	struct lines l = { .stamp = now, .average = average, .n = 1,
		.heading = heading_is_due(p, average) };
	size_t i;

	if (!average) {
		stamp_time(s, p->now.wall_ns, now);
		stamp_time(s, p->opt.since_boot ? p->now.wall_ns
		    : p->prev.wall_ns, before);
	}
	if (p->opt.one_line)
		add_one_line(p, l);
	for (i = 0; !p->opt.one_line && i < p->n_report; i++) {
		l.report = &p->report[i];
		l.active = reports[p->report[i]].active;
		add_block(p, before, l);
	}
	p->below++;
}
