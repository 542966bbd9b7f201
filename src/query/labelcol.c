/* SPDX-License-Identifier: Apache-2.0 */
#include "query/labelcol.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/decimal.h"
#include "base/mem.h"
#include "model/diff.h"

static const struct cell absent = { .kind = CELL_ABSENT };

static const struct session *session_of(const struct group *g)
{
	return grouping_label(g)->session;
}

static bool session_ended(const struct session *s)
{
	return s->n_procs == 0 && !s->backend;
}

struct cell labelcol_name(FIGURE_ARGS)
{
	/* a captured tree lacks the host's name; the recorder knew it */
	if (g->row && g->row->entity == ENTITY_HOST)
		return figure_text(v, g->row->host->name);
	return figure_text(v, grouping_label(g)->name);
}

/* ---- sessions and queries --------------------------------------------- */

struct cell labelcol_session(FIGURE_ARGS)
{
	const struct session *s = session_of(g);
	char text[SESSION_NAME_MAX];

	if (!s || g->residual)
		return absent;
	session_name(s, text);
	return figure_text(v, text);
}

struct cell labelcol_query(FIGURE_ARGS)
{
	const struct query *q = grouping_label(g)->query;
	char text[80], name[SESSION_NAME_MAX];

	if (!q)
		return absent;
	session_name(q->session, name);
	if (q->number)
		(void)snprintf(text, sizeof(text), "%s/%" PRIu32, name,
		    q->number);
	else
		(void)snprintf(text, sizeof(text), "%s/mixed", name);
	return figure_text(v, text);
}

static struct cell query_cmd(const struct figure_env *v,
	const struct query *q)
{
	char text[256];

	if (q->number == 0)
		return figure_text(v, "(mixed)");
	if (!q->has_cmd)
		return figure_text(v, q->activity);
	(void)snprintf(text, sizeof(text), "%" PRIu32 " %.200s", q->cmd,
	    q->activity);
	return figure_text(v, text);
}

/* "8 " or, if executors' counters differ, "7-33 ". */
static size_t put_counters(const struct session *s, char *to)
{
	uint32_t low = s->has_cmd ? s->cmd : s->cmd_low;
	uint32_t high = s->has_cmd ? s->cmd : s->cmd_high;
	size_t n;

	if (s->has_range) {
		low = GS_MIN(low, s->cmd_low);
		high = GS_MAX(high, s->cmd_high);
	}
	n = gs_put_decimal(to, low);
	if (low != high) {
		to[n++] = '-';
		n += gs_put_decimal(to + n, high);
	}
	to[n++] = ' ';
	return n;
}

#define ACTIVITY_MAX 200

/* Made for each row of a session: no format. */
static size_t put_activity(const char *activity, char *to)
{
	size_t n = strnlen(activity, ACTIVITY_MAX);

	memcpy(to, activity, n);
	return n;
}

struct cell labelcol_cmd(FIGURE_ARGS)
{
	const struct label *n = grouping_label(g);
	const struct session *s = n->session;
	char text[2 * (GS_DECIMAL_MAX + 1) + ACTIVITY_MAX];
	size_t len = 0;

	if (n->query)
		return query_cmd(v, n->query);
	if (!s || g->residual)
		return figure_text(v, n->command);
	if (s->kind == SESSION_OS)
		return figure_text(v, strcmp(s->name, "0") == 0
		    ? "kernel threads" : s->command);
	if (s->has_cmd || s->has_range)
		len = put_counters(s, text);
	if (s->state != TITLE_IDLE && s->state != TITLE_IDLE_TX &&
	    s->state != TITLE_IDLE_ABORTED)
		len += put_activity(s->activity, text + len);
	len -= len > 0 && text[len - 1] == ' ';
	return len > 0 ? cell_text(grid_text(v->grid, text, len)) : absent;
}

struct cell labelcol_user(FIGURE_ARGS)
{
	const struct session *s = session_of(g);

	if (s && s->user[0] && !g->residual)
		return figure_text(v, s->user);
	return figure_text(v, grouping_label(g)->uid);
}

static struct cell member_text(const struct figure_env *v,
	const struct figure *f, const void *of)
{
	const char *const *text = (const void *)((const char *)of + f->member);

	return figure_text(v, *text);
}

struct cell labelcol_text_of_label(FIGURE_ARGS)
{
	return member_text(v, f, grouping_label(g));
}

struct cell labelcol_text_of_session(FIGURE_ARGS)
{
	const struct session *s = session_of(g);

	return s && !g->residual ? member_text(v, f, s) : absent;
}

/* The letter of a row's state. */
static struct cell letter(const struct figure_env *v, const struct row *r,
	unsigned col)
{
	char text[2] = { 0 };
	uint64_t c;

	if (!r || !row_peek(r, col, &c))
		return absent;
	text[0] = (char)c;
	return figure_text(v, text);
}

struct cell labelcol_state(FIGURE_ARGS)
{
	const struct label *n = grouping_label(g);
	const struct session *s = n->session;

	if (g->residual || !s)
		return absent;
	if (n->query)
		return n->query->number == 0 ? absent :
		    figure_text(v, n->query->open ? state_text(s->state)
		                                  : "ended");
	if (session_ended(s))
		return figure_text(v, s->left ? "left" : "ended");
	if (s->kind == SESSION_OS)
		return letter(v, session_row(s), COL(PROCESS, STATE));
	return figure_text(v, state_text(s->state));
}

static double seconds(int64_t ns)
{
	return (double)ns / (double)GS_NSEC_PER_SEC;
}

/* Age of a process at its host's newest sample. */
static bool process_age(const struct row *r, double *ret)
{
	uint64_t start;
	int64_t age;

	if (!row_get(r, COL(PROCESS, START), &start))
		return false;
	age = gs_difference(r->host->clock.boot_ns,
	    (int64_t)(start * diff_tick_ns(r->host)));
	*ret = age > 0 ? seconds(age) : 0;
	return true;
}

static struct cell oldest_process(const struct session *s)
{
	const struct proc *p;
	double most = 0, age;
	bool any = false;

	for (p = s->procs; p; p = p->next) {
		if (process_age(p->row, &age)) {
			most = GS_MAX(most, age);
			any = true;
		}
	}
	return any ? cell_real(most) : absent;
}

static struct cell at_least(int64_t ns, bool exact)
{
	struct cell c = cell_real(seconds(ns > 0 ? ns : 0));

	if (!exact)
		c.mark = '>';
	return c;
}

struct cell labelcol_age(FIGURE_ARGS)
{
	const struct label *n = grouping_label(g);
	const struct session *s = n->session;
	const struct query *q = n->query;

	if (g->residual || !s || (q && q->number == 0))
		return absent;
	if (q)
		return at_least(gs_difference(
			q->open ? v->engine->to_ns : q->last_ns,
			q->has_start ? q->start_ns : q->first_ns),
		    q->open && q->has_start);
	if (session_ended(s))
		return absent;
	if (s->kind == SESSION_OS)
		return oldest_process(s);
	return at_least(gs_difference(v->engine->to_ns, s->since_ns),
	    s->since_known);
}

struct cell labelcol_began(FIGURE_ARGS)
{
	const struct query *q = grouping_label(g)->query;

	if (!q || q->number == 0)
		return absent;
	return cell_int(q->has_start ? q->start_ns : q->first_ns);
}

struct cell labelcol_title(FIGURE_ARGS)
{
	const struct label *n = grouping_label(g);

	if (g->residual || !n->session)
		return figure_text(v, n->title);
	return figure_text(v, n->session->title);
}

/* Without "postgres: " and "5432, ", which say least of it. */
static const char *without_server(const char *title)
{
	static const char begin[] = "postgres: ";
	const char *p = title;

	if (strncmp(p, begin, sizeof(begin) - 1) != 0)
		return title;
	p += sizeof(begin) - 1;
	title = p;
	p += strspn(p, " 0123456789");
	return p > title && strncmp(p, ", ", 2) == 0 ? p + 2 : title;
}

/* The group is of this label, and of no other. */
static bool is_of_one(const struct label *n, enum label_kind kind)
{
	size_t k;

	for (k = 0; k < LABEL_COUNT; k++) {
		if (!label_key(n, (enum label_kind)k) != (k != kind))
			return false;
	}
	return true;
}

static const char *title_or_program(const char *title, const char *program)
{
	return title && *title ? without_server(title) : program;
}

struct cell labelcol_group_title(FIGURE_ARGS)
{
	const struct label *n = grouping_label(g);

	if (g->residual)
		return absent;
	if (label_key(n, LABEL_PROCESS))
		return figure_text(v, title_or_program(n->title, n->command));
	if (is_of_one(n, LABEL_SESSION) && n->of)
		return figure_text(v, title_or_program(n->of->title,
		    n->of->command));
	return absent;
}

struct cell labelcol_group_text(FIGURE_ARGS)
{
	const struct label *n = grouping_label(g);
	struct cell title = labelcol_group_title(v, f, g);
	struct span text = span_str("");

	if (g->residual || label_key(n, LABEL_PROCESS))
		return title;
	if (n->of_query)
		text = query_text(n->of_query);
	else if (is_of_one(n, LABEL_SESSION) && n->of)
		text = span_str(n->of->text ? n->of->text : "");
	return span_empty(text) ? title
	    : cell_text(grid_text(v->grid, text.ptr, span_len(text)));
}

struct cell labelcol_procs(FIGURE_ARGS)
{
	return g->residual ? absent : cell_int((int64_t)g->n_live);
}

struct cell labelcol_stay(FIGURE_ARGS)
{
	double share;

	return !g->residual && group_stay(v->rollup, g, &share)
	    ? cell_real(100 * share) : absent;
}

/* ---- processes --------------------------------------------------------- */

struct cell labelcol_segment(FIGURE_ARGS)
{
	const struct label *n = grouping_label(g);

	return n->works_on_segment && !g->residual
	    ? cell_int(n->own_segment) : absent;
}

struct cell labelcol_slice(FIGURE_ARGS)
{
	const struct label *n = grouping_label(g);

	return n->works_in_slice && !g->residual
	    ? cell_int(n->own_slice) : absent;
}

struct cell labelcol_command_counter(FIGURE_ARGS)
{
	const struct label *n = grouping_label(g);

	return n->works_for_cmd && !g->residual
	    ? cell_int(n->own_cmd) : absent;
}

struct cell labelcol_pid(FIGURE_ARGS)
{
	uint64_t pid;

	if (!g->row || g->residual ||
	    !row_peek(g->row, COL(PROCESS, PID), &pid))
		return absent;
	return cell_int((int64_t)pid);
}

/* The source column of a figure, or the default. */
static unsigned column_of(const struct figure *f, unsigned usual)
{
	return f->n_from ? f->from[0] : usual;
}

struct cell labelcol_process_state(FIGURE_ARGS)
{
	if (g->row && g->row->closed && !g->residual)
		return figure_text(v, g->row->closed == CLOSE_EXITED
		    ? "ended" : "left");
	return letter(v, g->residual ? NULL : g->row,
	    column_of(f, COL(PROCESS, STATE)));
}

struct cell labelcol_started(FIGURE_ARGS)
{
	const struct sample_clock *c;
	int64_t tick_ns, at;
	uint64_t start;

	if (!g->row || g->residual ||
	    !row_peek(g->row, column_of(f, COL(PROCESS, START)), &start))
		return absent;
	c = &g->row->host->clock;
	tick_ns = (int64_t)diff_tick_ns(g->row->host);
	at = gs_sum(c->wall_ns - c->boot_ns,
	    (int64_t)(start * (uint64_t)tick_ns));
	/* its clocks are read one after the other: the sum moves by microseconds, and
	 * the kernel tells no more than a clock tick */
	return cell_int(at - at % tick_ns);
}

struct cell labelcol_ended(FIGURE_ARGS)
{
	if (!g->row || g->residual || !g->row->closed)
		return absent;
	return cell_int(g->row->last_ns);
}

struct cell labelcol_key(FIGURE_ARGS)
{
	return figure_text(v, grouping_key(v->grouping, g,
	    (enum label_kind)(int)f->scale));
}

/* ---- hosts ------------------------------------------------------------- */

/* ms per request of one disk; false if it did nothing. */
static bool disk_await(const struct rollup *r, const struct group *g,
	double *ret)
{
	double reads = 0, writes = 0, rt = 0, wt = 0;
	bool part;

	if (!group_sum(r, g, COL(DISK, READS), 1, &reads, &part) ||
	    !group_sum(r, g, COL(DISK, WRITES), 1, &writes, &part) ||
	    !group_sum(r, g, COL(DISK, READ_TIME), 1000, &rt, &part) ||
	    !group_sum(r, g, COL(DISK, WRITE_TIME), 1000, &wt, &part) ||
	    reads + writes <= 0)
		return false;
	*ret = (rt + wt) / (reads + writes);
	return true;
}

struct cell labelcol_await(FIGURE_ARGS)
{
	double await;

	return disk_await(v->rollup, g, &await) ? cell_real(await) : absent;
}

static bool is_whole_disk(const struct group *g)
{
	uint64_t part;

	return !g->row || !row_peek(g->row, COL(DISK, PARTITION), &part) ||
	    part == 0;
}

static const struct group *worst_disk(const struct figure_env *v,
	const struct group *host, double *ret)
{
	const struct rollup *r = grouping_rollup(v->disks);
	const struct group *worst = NULL;
	size_t i;

	for (i = 0; i < rollup_count(r); i++) {
		const struct group *g = rollup_get(r, i);
		double await;

		if (g->n_part != 1 || host->n_part != 1 ||
		    g->part[0]->host != host->part[0]->host ||
		    !is_whole_disk(g) || !disk_await(r, g, &await))
			continue;
		if (!worst || await > *ret) {
			worst = g;
			*ret = await;
		}
	}
	return worst;
}

struct cell labelcol_worst_disk(FIGURE_ARGS)
{
	double await;
	const struct group *d = worst_disk(v, g, &await);

	return d ? figure_text(v, grouping_label(d)->name) : absent;
}

struct cell labelcol_worst_await(FIGURE_ARGS)
{
	double await;

	return worst_disk(v, g, &await) ? cell_real(await) : absent;
}

struct cell labelcol_worst_util(FIGURE_ARGS)
{
	double await, util;
	const struct group *d = worst_disk(v, g, &await);
	bool part;

	if (!d || !group_rate(grouping_rollup(v->disks), d, COL(DISK, IO_TIME),
	    100, &util, &part))
		return absent;
	return cell_real(util);
}
