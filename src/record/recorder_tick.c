/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder_tick.c - one tick, from the requests to the frame, and the end.
 */
#include "record/recorder_int.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "record/describe.h"

/* The wait for the last sample is shorter, unless it is the only one. */
#define LAST_DEADLINE_NS GS_NSEC_PER_SEC
#define ONLY_DEADLINE_NS (10 * GS_NSEC_PER_SEC)

/* ---- notices --------------------------------------------------------- */

void recorder_notice_writer(struct recorder *r)
{
	char *line, *save = NULL;

	if (!r->writer || !writer_fetch_notices(r->writer, &r->notices))
		return;
	for (line = strtok_r(r->notices.ptr, "\n", &save); line;
	    line = strtok_r(NULL, "\n", &save))
		recorder_notice(r, true, line);
}

/* ---- files that are complete ------------------------------------------ */

static void summarize_completed(struct recorder *r)
{
	const char *path, *end;

	if (!r->writer || r->opt.out.kind != OUTPUT_DIR ||
	    !writer_fetch_completed(r->writer, &r->notices))
		return;
	end = r->notices.ptr + r->notices.len;
	for (path = r->notices.ptr; path < end; path += strlen(path) + 1)
		summarizer_add(&r->summarizer, path);
}

/* ---- one tick -------------------------------------------------------- */

static int64_t deadline_ns(const struct recorder *r)
{
	int64_t t = r->interval_ns / 100 * RECORDER_DEADLINE_PERCENT;

	return GS_MIN(t, RECORDER_DEADLINE_MAX_NS);
}

static void on_deadline(uv_timer_t *t);

static void set_deadline(struct recorder *r, int64_t wait_ns)
{
	r->tick.wait_until_ns = gs_clock_mono_ns() + wait_ns;
	(void)uv_timer_start(&r->deadline, on_deadline,
	    (uint64_t)(wait_ns / GS_NSEC_PER_MSEC), 0);
}

/* The recorder did not run until now, and answers may be unread: the wait goes
 * on for a while. */
static bool stood_still(struct recorder *r)
{
	int64_t late = gs_clock_mono_ns() - r->tick.wait_until_ns;

	if (r->tick.waited_again || late < SCHEDULE_STOOD_MIN_NS)
		return false;
	r->tick.waited_again = true;
	set_deadline(r, LAST_DEADLINE_NS);
	return true;
}

static void on_deadline(uv_timer_t *t)
{
	struct recorder *r = t->data;

	if (!r->tick.open || stood_still(r))
		return;
	if (!host_set_is_local(r->host_set) || host_set_was_up(r->host_set)) {
		r->status.unanswered += host_set_wait_no_more(r->host_set);
		recorder_finish_tick(r);
	} else if (r->tick.last) {
		(void)gs_fail(&r->err, GS_E_GONE, "agent on %s: no answer",
		    r->opt.host_set.nodename);
		recorder_end(r);
	} else {
		/* A recording begins with an answer. */
		r->tick.open = false;
	}
}

/* An event of the recorder itself: the text before, ns in words, the text
 * after. */
static void pend_span(struct recorder *r, enum event_kind kind, int64_t ns,
	const char *before, const char *after)
{
	char text[128];

	(void)snprintf(text, sizeof(text), "%s%lld.%03lld s%s", before,
	    (long long)(ns / GS_NSEC_PER_SEC),
	    (long long)(ns % GS_NSEC_PER_SEC / GS_NSEC_PER_MSEC), after);
	recorder_pend(r, kind, EVENT_NO_HOST, ns, text);
}

/* Why a tick was missed: the first explanation. */
static void note_pause(struct recorder *r, const struct schedule_tick *s)
{
	char text[96];

	if (s->slept_ns > 0)
		pend_span(r, EVENT_SUSPENDED, s->slept_ns,
		    "the recorder's machine was suspended for ", "");
	if (s->stood_ns > 0)
		pend_span(r, EVENT_STOOD_STILL, s->stood_ns,
		    "the recorder did nothing for ",
		    ": it was stopped, or got no CPU");
	if (!s->is_late)
		return;
	r->status.late++;
	if (s->slept_ns > 0 || s->stood_ns > 0)
		return;
	(void)snprintf(text, sizeof(text), "%lld ms late",
	    (long long)(s->late_ns / GS_NSEC_PER_MSEC));
	recorder_pend(r, EVENT_LATE, EVENT_NO_HOST, s->late_ns, text);
}

/* Records the result of the schedule for the current tick. */
static void judge_tick(struct recorder *r, int64_t due_ns)
{
	struct schedule_tick s = ticker_judge(&r->ticker, due_ns,
	    r->tick.wall_ns);

	r->status.skipped += s.skipped;
	if (s.step_ns != 0) {
		r->tick.key = true;
		recorder_pend(r, EVENT_CLOCK_STEP, EVENT_NO_HOST, s.step_ns,
		    "the clock was set");
	}
	note_pause(r, &s);
}

static void tick_start(struct recorder *r, int64_t due_ns, bool last)
{
	int64_t wait_ns;

	r->tick = (struct open_tick) { .open = true, .last = last,
		.wall_ns = gs_clock_wall_ns() };
	recorder_pace_tick(r);
	wait_ns = deadline_ns(r);
	judge_tick(r, due_ns);
	recorder_find_databases(r);
	recorder_tick_databases(r);
	host_set_request(r->host_set, r->status.ticks == 0);
	if (!recorder_is_waiting(r)) {
		recorder_finish_tick(r);
		return;
	}
	if (due_ns == 0)
		wait_ns = GS_MAX(wait_ns, LAST_DEADLINE_NS);
	if (last)
		wait_ns = host_set_was_up(r->host_set)
		    ? GS_MIN(wait_ns, LAST_DEADLINE_NS) : ONLY_DEADLINE_NS;
	set_deadline(r, wait_ns);
}

/* For a captured tree, the time of the capture. */
static int64_t time_of_tick(const struct recorder *r)
{
	const struct world *w;

	if (!r->opt.host_set.root)
		return r->tick.wall_ns;
	w = host_conn_world(host_set_host_conn(r->host_set, 0));
	if (world_hosts(w) == 0)
		return r->tick.wall_ns;
	return world_host(w, 0)->clock.wall_ns;
}

static void encode_events(
    struct recorder *r, struct tick_encoder *m, int64_t wall_ns)
{
	const struct tick *p = &r->pending;
	struct buf text = BUF_INIT;
	size_t i;

	for (i = 0; i < p->n_event; i++) {
		const struct event *e = &p->event[i];

		buf_reset(&text);
		buf_add(&text, tick_text_at(p, e->off), e->len);
		encoder_event(m, e->kind, e->wall_ns ? e->wall_ns : wall_ns,
		    e->host, e->value, buf_str(&text));
	}
	buf_release(&text);
	tick_reset(&r->pending);
}

static void encode_hosts(struct recorder *r, struct tick_encoder *m)
{
	size_t i;

	for (i = 0; i < host_set_count(r->host_set); i++) {
		struct host_conn *s = host_set_host_conn(r->host_set, i);

		if (s->fresh && !s->lost && recorder_defers(r, s))
			continue;
		switch (host_conn_fetch_news(s)) {
		case HOST_CONN_NO_NEWS:
			break;
		case HOST_CONN_IS_LOST:
			encoder_host_lost(m, s->index);
			break;
		case HOST_CONN_IS_FRESH:
			encoder_block(m, s->index, host_conn_world(s));
			break;
		}
	}
}

void recorder_count_written(struct recorder *r)
{
	struct recorder_status *s = &r->status;
	struct writer_stats ws;

	if (!r->writer)
		return;
	writer_get_stats(r->writer, &ws);
	s->written = ws.ticks;
	s->lost = ws.lost;
	s->bytes = ws.bytes;
	s->files = ws.files;
	s->disturbed = ws.disturbed;
	if (!ws.failed || r->err.status)
		return;
	if (writer_get_failure(r->writer, &r->err) == GS_E_GONE)
		(void)gs_fail(&r->err, GS_E_GONE, "%s: nobody reads it",
		    "standard output");
	if (!r->ended)
		recorder_end(r);
}

static void count_tick(struct recorder *r, const struct tick *t, bool queued)
{
	struct recorder_status *s = &r->status;

	s->ticks++;
	s->wall_ns = s->last_ns = t->wall_ns;
	if (s->first_ns == 0)
		s->first_ns = t->wall_ns;
	recorder_count_hosts(r);
	if (queued)
		s->rows += s->processes;
	recorder_count_written(r);
}

static void begin_child(struct recorder *r);

/* Charges the bytes queued just now to their hosts. */
static void charge(struct recorder *r)
{
	quota_charge(&r->quota, r->host_set, framer_encoder(r->framer),
	    framer_queued_bytes(r->framer), gs_clock_mono_ns());
}

/* A new file may begin, with the tick as a key. */
static void next_file(struct recorder *r)
{
	const struct tick *again = framer_next_file(r->framer);

	if (again)
		charge(r);
	if (again && r->opt.on_repeat)
		r->opt.on_repeat(r->opt.arg, again);
}

/* The recording says that it has only some processes. */
static void note_named(const struct recorder *r, struct tick_encoder *m,
	int64_t wall_ns)
{
	struct buf text = BUF_INIT;

	describe_named(&r->opt.host_set, &text);
	if (text.len > 0)
		encoder_event(m, EVENT_NOTE, wall_ns, EVENT_NO_HOST, 0,
		    buf_str(&text));
	buf_release(&text);
}

void recorder_finish_tick(struct recorder *r)
{
	struct tick_encoder *m = framer_encoder(r->framer);
	int64_t wall_ns = time_of_tick(r);
	bool first = r->status.ticks == 0;
	const struct tick *t;
	char text[64];
	bool queued;

	(void)snprintf(text, sizeof(text), "gpsnap %s", r->opt.version);
	(void)uv_timer_stop(&r->deadline);
	r->tick.open = false;
	recorder_prepare_databases(r);
	framer_begin(r->framer, wall_ns, r->tick.key || r->relisted);
	r->relisted = false;
	if (first) {
		encoder_event(m, EVENT_START, wall_ns, EVENT_NO_HOST, 0,
		    text);
		note_named(r, m, wall_ns);
	}
	encode_hosts(r, m);
	recorder_encode_databases(r, m);
	encode_events(r, m, wall_ns);
	if (r->tick.last)
		encoder_event(m, EVENT_STOP, wall_ns, EVENT_NO_HOST, 0,
		    r->stop_why);
	recorder_watch_before(r);
	t = framer_end(r->framer, &queued);
	if (framer_was_too_large(r->framer))
		recorder_give_up_largest(r);
	charge(r);
	count_tick(r, t, queued);
	if (r->opt.on_tick)
		r->opt.on_tick(r->opt.arg, t, &r->status);
	recorder_notice_writer(r);
	summarize_completed(r);
	if (r->tick.last)
		recorder_end(r);
	else
		next_file(r);
	if (first && r->opt.command && !r->ended)
		begin_child(r);
	else if (r->final_wanted && !r->ended)
		tick_start(r, 0, true);
}

/* ---- the clock ------------------------------------------------------- */

static bool is_last(struct recorder *r, int64_t due_ns)
{
	int64_t next_boot_ns;

	if (r->opt.count > 0 && r->status.ticks + 1 >= r->opt.count) {
		(void)snprintf(r->stop_why, sizeof(r->stop_why),
		    "%llu ticks recorded", (unsigned long long)r->opt.count);
		return true;
	}
	if (r->end_boot_ns == 0)
		return false;
	next_boot_ns = gs_clock_boot_ns() + (due_ns +
	    r->ticker.schedule.interval_ns -
	    gs_clock_wall_ns());
	if (next_boot_ns <= r->end_boot_ns)
		return false;
	(void)snprintf(r->stop_why, sizeof(r->stop_why), "time is over");
	return true;
}

void recorder_tick_due(void *arg, int64_t due_ns)
{
	struct recorder *r = arg;

	if (r->tick.open && host_set_was_up(r->host_set))
		recorder_finish_tick(r);
	if (!r->ended)
		tick_start(r, due_ns, is_last(r, due_ns));
	if (!r->ended)
		recorder_pace_after(r);
}

/* Around a command there are extra ticks, which show its usage before the
 * first multiple. */
void recorder_tick_first(struct recorder *r)
{
	if (r->opt.from_now)
		tick_start(r, 0, is_last(r, r->started_ns));
	else if (r->opt.command)
		tick_start(r, 0, false);
}

/* ---- the end --------------------------------------------------------- */

void recorder_close_handles(struct recorder *r)
{
	int i;

	if (!r->handles)
		return;
	r->handles = false;
	ticker_close(&r->ticker);
	tty_watch_close(&r->tty_watch);
	uv_close((uv_handle_t *)&r->deadline, NULL);
	uv_close((uv_handle_t *)&r->beat, NULL);
	gather_close(&r->gather);
	for (i = 0; i < SIG_COUNT; i++)
		uv_close((uv_handle_t *)&r->sig[i], NULL);
	child_close(&r->child);
	summarizer_close(&r->summarizer);
	recorder_close_watcher(r);
	control_close(r->control);
}

void recorder_end(struct recorder *r)
{
	if (!r->ended) {
		r->ended = true;
		r->tick.open = false;
		(void)uv_timer_stop(&r->deadline);
		ticker_stop(&r->ticker);
		host_set_stop(r->host_set);
		recorder_stop_databases(r);
	}
	if (!r->child.running)
		recorder_close_handles(r);
}

void recorder_stop(struct recorder *r, const char *why)
{
	(void)snprintf(r->stop_why, sizeof(r->stop_why), "%s", why);
	if (r->ended || r->status.ticks == 0) {
		recorder_end(r);
		return;
	}
	if (!r->tick.open)
		r->tick = (struct open_tick) { .open = true,
			.wall_ns = gs_clock_wall_ns() };
	r->tick.last = true;
	recorder_finish_tick(r);
}

static void on_child_ended(void *arg)
{
	struct recorder *r = arg;

	(void)snprintf(r->stop_why, sizeof(r->stop_why),
	    "the command ended with status %d", r->child.status);
	if (r->ended) {
		recorder_end(r);
		return;
	}
	/* One more sample shows its usage up to its end. */
	r->final_wanted = true;
	if (!r->tick.open)
		tick_start(r, 0, true);
}

static void begin_child(struct recorder *r)
{
	if (child_start(&r->child, &r->loop, r->opt.command, on_child_ended, r,
		&r->err) < 0)
		recorder_stop(r, r->err.msg);
}
