/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pidstat_json.c - pidstat's JSON: one object of a host, in it a list of
 * statistics by time, in each a list of rows by report.
 *
 * What is absent is null; strict writes what pidstat would.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <yajl/yajl_gen.h>

#include "base/utf8.h"
#include "pidstat/pidstat_int.h"

#define NUMBER_MAX 400 /* the longest %.2f of a double */

static void print(void *to, const char *p, size_t len)
{
	buf_add(to, p, len);
}

/* yajl's results report only misuse of its grammar, which the order of calls
 * here excludes; so they are ignored. */
static void add_text(struct pidstat *p, const char *s)
{
	struct buf safe = BUF_INIT;

	utf8_add_safe(&safe, s, strlen(s));
	(void)yajl_gen_string(p->gen, (const unsigned char *)buf_str(&safe),
	    safe.len);
	buf_release(&safe);
}

static void add_pair(struct pidstat *p, const char *name, const char *text)
{
	add_text(p, name);
	add_text(p, text);
}

static void add_number(struct pidstat *p, const char *fmt, ...)
	GS_PRINTF(2, 3);

static void add_number(struct pidstat *p, const char *fmt, ...)
{
	char text[NUMBER_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap); /* fits */
	va_end(ap);
	(void)yajl_gen_number(p->gen, text, strlen(text));
}

static void open_list(struct pidstat *p, const char *name)
{
	add_text(p, name);
	(void)yajl_gen_array_open(p->gen);
}

static void new_line(struct pidstat *p)
{
	buf_add_char(&p->out, '\n');
}

static void begin(struct pidstat *p)
{
	char date[STAMP_MAX];

	p->gen = yajl_gen_alloc(NULL);
	(void)yajl_gen_config(p->gen, yajl_gen_print_callback, print,
	    &p->out);
	stamp_date(&p->opt.stamp, p->first.wall_ns, date);
	(void)yajl_gen_map_open(p->gen);
	add_text(p, "sysstat");
	(void)yajl_gen_map_open(p->gen);
	open_list(p, "hosts");
	(void)yajl_gen_map_open(p->gen);
	add_pair(p, "nodename", p->banner.node);
	add_pair(p, "sysname", "Linux");
	add_pair(p, "release", p->banner.release);
	add_pair(p, "machine", p->banner.machine);
	add_text(p, "number-of-cpus");
	add_number(p, "%" PRIu64, p->banner.cpus);
	add_pair(p, "date", date);
	open_list(p, "statistics");
}

static void add_value(struct pidstat *p, const struct column *c,
	const struct value *v)
{
	add_text(p, c->name);
	switch (v->kind) {
	case VALUE_ABSENT:
		(void)yajl_gen_null(p->gen);
		break;
	case VALUE_REAL:
		if (c->format.style == STYLE_WHOLE)
			add_number(p, "%.0f", v->real);
		else if (c->format.style == STYLE_BYTES_RATE &&
		    v->real != VALUE_REFUSED)
			add_number(p, "%.2f", v->real / 1024);
		else
			add_number(p, "%.2f", v->real);
		break;
	case VALUE_WHOLE:
		add_number(p, "%" PRIu64, v->whole);
		break;
	case VALUE_WORD:
		add_text(p, v->word);
		break;
	}
}

static void add_who(struct pidstat *p, const struct task *k)
{
	char text[24];
	bool has_uid = p->opt.strict || figures_has(&k->now, FIG_UID);

	(void)snprintf(text, sizeof(text), "%" PRIu64, k->now.v[FIG_UID]);
	add_text(p, p->opt.user ? "USER" : "UID");
	if (p->opt.user && k->user)
		add_text(p, k->user);
	else if (has_uid)
		add_text(p, text);
	else
		(void)yajl_gen_null(p->gen);
	(void)snprintf(text, sizeof(text), "%" PRIu32, k->pid);
	add_pair(p, p->opt.threads ? "TGID" : "PID", text);
	if (!p->opt.threads)
		return;
	(void)snprintf(text, sizeof(text), "%" PRIu32, k->tid);
	add_pair(p, "TID", k->tid ? text : "-");
}

static void add_row(struct pidstat *p, enum report_id report, size_t at)
{
	const struct task *k = p->tasks.task[at];
	struct calc c = pidstat_calc(p, k, false);
	size_t i;

	new_line(p);
	(void)yajl_gen_map_open(p->gen);
	add_who(p, k);
	for (i = 0; i < reports[report].n_column; i++) {
		const struct column *col = &reports[report].column[i];
		struct value v = col->fn(&c, col->arg);

		add_value(p, col, &v);
	}
	if (p->opt.threads) {
		const struct task *leader = pidstat_process(p, at);

		add_pair(p, "leader", leader ? pidstat_name(p, leader) : "-");
	}
	add_pair(p, "cmd", pidstat_name(p, k));
	(void)yajl_gen_map_close(p->gen);
}

static void add_report(struct pidstat *p, enum report_id report)
{
	size_t i;

	open_list(p, reports[report].name);
	for (i = 0; i < p->tasks.n; i++) {
		if (pidstat_shows(p, reports[report].active, i, false))
			add_row(p, report, i);
	}
	(void)yajl_gen_array_close(p->gen);
}

void pidstat_json_report(struct pidstat *p)
{
	char time[STAMP_MAX];
	size_t i;

	if (!p->gen)
		begin(p);
	stamp_time(&p->opt.stamp, p->now.wall_ns, time);
	new_line(p);
	(void)yajl_gen_map_open(p->gen);
	add_pair(p, "timestamp", time);
	for (i = 0; i < p->n_report; i++)
		add_report(p, p->report[i]);
	(void)yajl_gen_map_close(p->gen);
}

void pidstat_json_end(struct pidstat *p)
{
	if (!p->gen)
		begin(p);
	(void)yajl_gen_array_close(p->gen);
	(void)yajl_gen_map_close(p->gen);
	(void)yajl_gen_array_close(p->gen);
	(void)yajl_gen_map_close(p->gen);
	(void)yajl_gen_map_close(p->gen);
	new_line(p);
	yajl_gen_free(p->gen);
	p->gen = NULL;
}
