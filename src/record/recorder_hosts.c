/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers and events of the hosts of a recording, and reports about them.
 */
#include "record/recorder_int.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "model/unread.h"
#include "record/describe.h"
#include "record/host_limits.h"

/* A notice: the file shows more than the database's processes. */
static void note_roles(struct recorder *r, struct host_conn *s)
{
	static const char text[] =
	    "no PostgreSQL or Greenplum here: recording all processes";
	struct header *h = encoder_header(framer_encoder(r->framer));

	if (!describe_roles(h, host_conn_world(s)))
		return;
	recorder_pend(r, EVENT_NOTE, s->index, 0, text);
	recorder_notice_host_conn(r, s, text);
}

/* Whether this error of the file is news. */
static bool is_new_cause(struct host_conn *s, struct span file, uint64_t error)
{
	size_t i;

	for (i = 0; i < s->n_unread; i++) {
		if (span_eq(file, s->unread[i].file))
			break;
	}
	if (i == HOST_UNREAD_MAX || (i < s->n_unread &&
	    s->unread[i].error == error))
		return false;
	(void)snprintf(s->unread[i].file, sizeof(s->unread[i].file), "%.*s",
	    (int)span_len(file), file.ptr);
	s->unread[i].error = error;
	s->n_unread = GS_MAX(s->n_unread, i + 1);
	return true;
}

static void report_unread(struct recorder *r, struct host_conn *s,
	const struct unread *u)
{
	struct header *h = encoder_header(framer_encoder(r->framer));
	struct buf b = BUF_INIT, safe = BUF_INIT;

	unread_add_what(u, &b);
	if (!host_set_is_local(r->host_set))
		buf_printf(&b, " on %s", s->name);
	buf_add_str(&b, ": ");
	unread_add_remedy(u, &b);
	utf8_add_safe(&safe, b.ptr, b.len);
	if (recorder_pend_host_conn(r, s, EVENT_REFUSED,
		(int64_t)u->processes, buf_str(&safe))) {
		if (s->n_refused < HOST_REFUSED_MAX)
			s->n_refused += describe_refused(h, buf_str(&safe));
		recorder_notice_about(r, s, false, buf_str(&safe));
	}
	buf_release(&b);
	buf_release(&safe);
}

/* Reports which figures will be missing, and why: once for each cause. */
static void note_unread(struct recorder *r, struct host_conn *s)
{
	const struct world *w = host_conn_world(s);
	struct row *const *row;
	size_t n, i;

	row = world_touched(w, &n);
	for (i = 0; i < n; i++) {
		struct unread u = { .processes = 0 };

		if (row[i]->entity != ENTITY_SOURCE || row[i]->closed ||
		    !row_peek(row[i], COL(SOURCE, ERROR), &u.error))
			continue;
		u.file = row_peek_text(w, row[i], COL(SOURCE, FILE));
		(void)row_peek(row[i], COL(SOURCE, PROCESSES), &u.processes);
		if (span_len(u.file) < HOST_UNREAD_NAME &&
		    is_new_cause(s, u.file, u.error))
			report_unread(r, s, &u);
	}
}

static void on_answered(void *arg, struct host_conn *s, const struct tick *t)
{
	struct recorder *r = arg;

	recorder_apply_events(r, s, t);
	recorder_note_clock(r, s);
	note_roles(r, s);
	note_unread(r, s);
}

static void on_all_answered(void *arg)
{
	struct recorder *r = arg;

	if (r->tick.open && !recorder_is_waiting(r))
		recorder_finish_tick(r);
}

void recorder_database_answered(void *arg)
{
	struct recorder *r = arg;

	/* A recording begins with an answer of a host. */
	if (host_set_was_up(r->host_set))
		on_all_answered(arg);
}

static void on_listed(void *arg, const struct host_conn *s, bool is)
{
	struct recorder *r = arg;
	struct header *h;

	if (!r->framer)
		return; /* recorder_list_hosts() will list it */
	h = encoder_header(framer_encoder(r->framer));
	if (is)
		header_add_host(h, s->index, s->name);
	else
		header_remove_host(h, s->index);
	r->relisted = true;
}

/* The pauses between attempts limit how often hosts come and go. */
static void report_event(struct recorder *r, struct host_conn *s,
	enum event_kind kind, int64_t value, const char *text)
{
	bool down = kind == EVENT_HOST_DOWN, reported = true;

	if (kind == EVENT_HOST_IN_TIME && !s->late_reported)
		return; /* HOST_LATE was not reported */
	if (kind == EVENT_NOTE || kind == EVENT_HOST_LATE)
		reported = recorder_pend_host_conn(r, s, kind, value, text);
	else
		recorder_pend(r, kind, s->index, value, text);
	s->late_reported = kind == EVENT_HOST_LATE ? reported
	    : s->late_reported && kind == EVENT_NOTE;
	if (reported && (down || kind == EVENT_NOTE))
		recorder_notice_about(r, s, down, text);
	recorder_sum_up_host_conn(r, s);
}

static void note_away(struct host_conn *s, enum event_kind kind)
{
	int64_t now = gs_clock_mono_ns();

	if (kind == EVENT_HOST_DOWN && s->was_up && s->left_ns == 0)
		s->left_ns = now;
	if (kind != EVENT_HOST_UP || s->left_ns == 0)
		return;
	s->away_ns += now - s->left_ns;
	s->left_ns = 0;
}

static void on_event(void *arg, struct host_conn *s, enum event_kind kind,
	int64_t value, const char *text)
{
	struct recorder *r = arg;

	if (kind == EVENT_HOST_DOWN && !s->was_up &&
	    host_set_is_local(r->host_set)) {
		/* The only agent never worked: give up. */
		(void)gs_fail(&r->err, s->status, "%s", text);
		recorder_end(r);
		return;
	}
	report_event(r, s, kind, value, text);
	note_away(s, kind);
	r->status.downs += kind == EVENT_HOST_DOWN;
}

struct host_set_ops recorder_host_set_ops(struct recorder *r)
{
	return (struct host_set_ops) { .listed = on_listed,
		.answered = on_answered, .event = on_event,
		.all_answered = on_all_answered, .arg = r };
}

void recorder_list_hosts(struct recorder *r)
{
	size_t i;

	for (i = 0; i < host_set_count(r->host_set); i++)
		on_listed(r, host_set_host_conn(r->host_set, i), true);
	recorder_list_databases(r);
}
