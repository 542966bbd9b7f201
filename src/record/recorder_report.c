/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder_report.c - events of the recording and notices to the user; those
 * about a host are limited (host_limits.h), whether they come from its agent,
 * which is not trusted, or from the recorder.
 *
 * An agent may send EVENT_REFUSED and EVENT_NOTE.  All other events are the
 * recorder's.
 */
#include "record/recorder_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "record/describe.h"
#include "record/host_limits.h"

/* How often dropped events are reported. */
#define SUMMARY_EVERY_NS (60 * GS_NSEC_PER_SEC)
/* A clock that is off by less, or by the same as before, is not reported. */
#define OFFSET_REPORT_NS (60 * GS_NSEC_PER_SEC)

void recorder_notice(struct recorder *r, bool trouble, const char *text)
{
	if (trouble) {
		buf_reset(&r->trouble);
		buf_add_str(&r->trouble, text);
		r->trouble_ns = gs_clock_wall_ns();
	}
	if (r->opt.on_notice)
		r->opt.on_notice(r->opt.arg, trouble, text);
}

void recorder_pend(struct recorder *r, enum event_kind kind, uint32_t host,
	int64_t value, const char *text)
{
	tick_add_event(&r->pending, kind, 0, host, value, text, strlen(text));
}

void recorder_notice_about(
    struct recorder *r, struct host_conn *s, bool trouble, const char *text)
{
	struct buf b = BUF_INIT;

	if (!allowance_spend(&s->notices, 1, gs_clock_mono_ns())) {
		s->notices_left_out++;
		return;
	}
	buf_add_str(&b, text);
	if (s->notices_left_out > 0)
		buf_printf(&b, " (%" PRIu64 " messages before this one were "
		    "left out: %g, then one in %g s)", s->notices_left_out,
		    HOST_NOTICES_BURST, 1 / HOST_NOTICES_PER_S);
	s->notices_left_out = 0;
	recorder_notice(r, trouble, buf_str(&b));
	buf_release(&b);
}

void recorder_notice_host_conn(struct recorder *r, struct host_conn *s,
	const char *text)
{
	struct buf b = BUF_INIT;

	if (!host_set_is_local(r->host_set))
		buf_printf(&b, "%s: ", s->name);
	buf_add_str(&b, text);
	recorder_notice_about(r, s, false, buf_str(&b));
	buf_release(&b);
}

static bool is_time(int64_t *reported_ns)
{
	int64_t now = gs_clock_mono_ns();

	if (*reported_ns != 0 && now - *reported_ns < SUMMARY_EVERY_NS)
		return false;
	*reported_ns = now;
	return true;
}

static void summary(struct recorder *r, struct host_conn *s, uint64_t n,
	const char *what)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "%" PRIu64 " %s", n, what);
	recorder_pend(r, EVENT_NOTE, s->index, (int64_t)n, buf_str(&b));
	recorder_notice_host_conn(r, s, buf_str(&b));
	buf_release(&b);
}

void recorder_sum_up_host_conn(struct recorder *r, struct host_conn *s)
{
	uint64_t left_out = event_limit_tell(&s->events, gs_clock_mono_ns());
	char text[128];

	if (left_out > 0) {
		(void)snprintf(text, sizeof(text), "events were left out: "
		    "a host's are %g, then one in %g s", HOST_EVENTS_BURST,
		    1 / HOST_EVENTS_PER_S);
		summary(r, s, left_out, text);
	}
	if (s->forged > 0 && is_time(&s->forged_ns)) {
		summary(r, s, s->forged, "events were left out: an agent may "
		    "not send them");
		s->forged = 0;
	}
}

bool recorder_pend_host_conn(struct recorder *r, struct host_conn *s,
	enum event_kind kind, int64_t value, const char *text)
{
	if (!event_limit_take(&s->events, gs_clock_mono_ns()))
		return false;
	recorder_pend(r, kind, s->index, value, text);
	return true;
}

static bool is_of_agents(enum event_kind kind)
{
	return kind == EVENT_NOTE || kind == EVENT_REFUSED;
}

/* Time and host are set here, from the tick and the connection. */
static void apply_event(struct recorder *r, struct host_conn *s,
	const struct event *e, const char *text, size_t len)
{
	struct header *h = encoder_header(framer_encoder(r->framer));
	struct buf safe = BUF_INIT;

	utf8_add_safe(&safe, text, GS_MIN(len, HOST_EVENT_TEXT_MAX));
	if (recorder_pend_host_conn(r, s, e->kind, e->value, buf_str(&safe))) {
		if (e->kind == EVENT_REFUSED &&
		    s->n_refused < HOST_REFUSED_MAX)
			s->n_refused += describe_refused(h, buf_str(&safe));
		recorder_notice_host_conn(r, s, buf_str(&safe));
	}
	buf_release(&safe);
}

void recorder_apply_events(struct recorder *r, struct host_conn *s,
	const struct tick *t)
{
	size_t i;

	for (i = 0; i < t->n_event; i++) {
		const struct event *e = &t->event[i];

		if (is_of_agents(e->kind))
			apply_event(r, s, e, tick_text_at(t, e->off), e->len);
		else
			s->forged++;
	}
	recorder_sum_up_host_conn(r, s);
}

static void note(struct recorder *r, struct host_conn *s, int64_t value,
	const char *text)
{
	if (recorder_pend_host_conn(r, s, EVENT_NOTE, value, text))
		recorder_notice_host_conn(r, s, text);
}

static void note_offset(struct recorder *r, struct host_conn *s,
	const struct sample_clock *c)
{
	int64_t by = c->offset_ns - s->reported_offset_ns;
	char text[96];

	if (by < OFFSET_REPORT_NS + c->rtt_ns &&
	    by > -OFFSET_REPORT_NS - c->rtt_ns)
		return;
	s->reported_offset_ns = c->offset_ns;
	if (llabs(c->offset_ns) < GS_NSEC_PER_SEC)
		(void)snprintf(text, sizeof(text),
		    "its clock is that of the recorder again");
	else
		(void)snprintf(text, sizeof(text), "its clock is %lld s %s "
		    "the recorder's",
		    (long long)llabs(c->offset_ns / GS_NSEC_PER_SEC),
		    c->offset_ns < 0 ? "behind" : "ahead of");
	note(r, s, c->offset_ns, text);
}

/* Rates are differences by this clock: they are as wrong as it is. */
static void note_pace(struct recorder *r, struct host_conn *s,
	const struct host *h)
{
	int64_t now = gs_clock_boot_ns(), here = now - s->answered_ns;
	int64_t there = h->clock.mono_ns - h->prev.mono_ns;
	char text[128];

	s->answered_ns = now;
	if (h->blocks < 2 || r->opt.host_set.root ||
	    there < here + OFFSET_REPORT_NS + h->clock.rtt_ns)
		return;
	(void)snprintf(text, sizeof(text), "its monotonic clock went on by "
	    "%lld s in %lld s", (long long)(there / GS_NSEC_PER_SEC),
	    (long long)(here / GS_NSEC_PER_SEC));
	note(r, s, there - here, text);
}

void recorder_note_clock(struct recorder *r, struct host_conn *s)
{
	const struct host *h = world_host(host_conn_world(s), 0);

	note_offset(r, s, &h->clock);
	note_pace(r, s, h);
}

/* ---- the part of the files ------------------------------------------- */

/* Reported at most this often. */
#define QUOTA_REPORT_NS (600 * GS_NSEC_PER_SEC)

static void give_up(const struct recorder *r, struct host_conn *s)
{
	struct gs_err why;

	(void)gs_fail(&why, GS_E_LIMIT, "agent on %s: wrote %.0f MB more than"
	    " its part of the files", s->name, (r->quota.burst -
	    s->written.left) / 1e6);
	host_conn_give_up(s, &why);
}

bool recorder_defers(struct recorder *r, struct host_conn *s)
{
	int64_t now = gs_clock_mono_ns();
	enum quota_verdict v = quota_judge(&r->quota, s, now);
	char text[128];

	if (v == QUOTA_FINE)
		return false;
	if (v == QUOTA_GIVE_UP) {
		give_up(r, s);
		return false;
	}
	if (s->quota_ns != 0 && now - s->quota_ns < QUOTA_REPORT_NS)
		return true;
	s->quota_ns = now;
	(void)snprintf(text, sizeof(text), "writes more than its part of the "
	    "files, %.0f bytes a second: recorded less often",
	    s->written.per_second);
	note(r, s, (int64_t)s->written.per_second, text);
	return true;
}

void recorder_give_up_largest(struct recorder *r)
{
	const struct tick_encoder *m = framer_encoder(r->framer);
	struct host_conn *worst = NULL;
	size_t most = 0, n, i;
	struct gs_err why;

	for (i = 0; i < host_set_count(r->host_set); i++) {
		struct host_conn *s = host_set_host_conn(r->host_set, i);

		n = host_conn_is_up(s) ? encoder_base_bytes(m, s->index) : 0;
		if (n <= most)
			continue;
		most = n;
		worst = s;
	}
	if (!worst)
		return;
	(void)gs_fail(&why, GS_E_LIMIT, "agent on %s: its rows are %.0f MB of"
	    " a sample of all hosts, which may have %u", worst->name,
	    (double)most / 1e6, FRAME_RAW_MAX >> 20);
	host_conn_give_up(worst, &why);
}

/* ---- for marks, clients and commands ---------------------------------- */

size_t recorder_marks_waiting(const struct recorder *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->pending.n_event; i++)
		n += r->pending.event[i].kind == EVENT_MARK;
	return n;
}

char *recorder_absolute(const struct recorder *r, const char *path)
{
	struct buf b = BUF_INIT;
	size_t len;

	if (path[0] == '/' || !r->cwd)
		return gs_strdup(path);
	buf_printf(&b, "%s/%s", r->cwd, path);
	for (len = b.len; len > 1 && b.ptr[len - 1] == '/'; len--)
		b.ptr[len - 1] = '\0';
	return b.ptr;
}

char *recorder_absolute_path(struct recorder *r)
{
	if (!r->writer || r->opt.out.kind == OUTPUT_STREAM)
		return NULL;
	writer_get_path(r->writer, &r->path);
	return recorder_absolute(r, buf_str(&r->path));
}
