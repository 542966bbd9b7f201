#include "record/recorder.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <uv.h>

#include "base/clock.h"
#include "base/mem.h"
#include "record/child.h"
#include "record/describe.h"
#include "record/framer.h"
#include "record/link.h"
#include "record/localagent.h"
#include "record/schedule.h"

/* The last sample is not waited for as long, unless it is the only one. */
#define LAST_DEADLINE_NS GS_NSEC_PER_SEC
#define ONLY_DEADLINE_NS (10 * GS_NSEC_PER_SEC)

/* One agent. */
struct site {
	struct recorder *rec;
	uint32_t index; /* of its host in the recording */
	struct link *link;
	bool fresh; /* its world has what no frame has */
	bool was_up; /* ever */
	bool announced; /* HOST_UP was said */
	bool lost; /* to be said in the next frame */
};

/* The tick at hand: from its requests to its frame. */
struct open_tick {
	bool open;
	bool last;
	bool key;
	int64_t wall_ns;
};

enum {
	SIG_INT,
	SIG_TERM,
	SIG_HUP,
	SIG_COUNT
};

struct recorder {
	struct recorder_options opt;
	uv_loop_t loop;
	uv_poll_t wake; /* over a timerfd: ticks are due by the wall clock */
	uv_timer_t deadline;
	uv_signal_t sig[SIG_COUNT];
	int timer_fd;
	bool handles; /* the above are open */
	struct schedule schedule;
	int64_t due_ns;
	int64_t end_boot_ns; /* 0: no end */
	struct site site;
	char *agent_argv[4];
	struct buf agent_path;
	struct child child;
	struct writer *writer;
	struct framer *framer;
	struct open_tick tick;
	struct tick pending; /* events of the next frame */
	char stop_why[128];
	bool final_wanted; /* one more tick, now that the command has ended */
	bool ended; /* no more ticks */
	bool hup_taken;
	struct recorder_status status;
	struct buf notices;
	struct buf path;
	struct gs_err err; /* why it ended in disorder */
};

static void end_recording(struct recorder *r);
static void tick_finish(struct recorder *r);

/* ---- telling --------------------------------------------------------- */

static void notice(const struct recorder *r, bool trouble, const char *text)
{
	if (r->opt.on_notice)
		r->opt.on_notice(r->opt.arg, trouble, text);
}

static void notice_writer(struct recorder *r)
{
	char *line, *save = NULL;

	if (!writer_take_notices(r->writer, &r->notices))
		return;
	for (line = strtok_r(r->notices.ptr, "\n", &save); line;
	    line = strtok_r(NULL, "\n", &save))
		notice(r, true, line);
}

static void pend(struct recorder *r, enum event_kind kind, uint32_t host,
	int64_t value, const char *text)
{
	tick_add_event(&r->pending, kind, 0, host, value, text, strlen(text));
}

/* ---- agents ---------------------------------------------------------- */

/* What the agent has to say goes into the next frame. */
static void take_events(struct recorder *r, const struct site *s,
	const struct tick *t)
{
	struct header *h = maker_header(framer_maker(r->framer));
	size_t i;

	for (i = 0; i < t->n_event; i++) {
		const struct event *e = &t->event[i];
		char *text = gs_strndup(t->bytes.ptr + e->off, e->len);

		tick_add_event(&r->pending, e->kind, e->wall_ns, s->index,
		    e->value, text, strlen(text));
		if (e->kind == EVENT_REFUSED)
			describe_refused(h, text);
		notice(r, false, text);
		free(text);
	}
}

/* Whoever gets the file sees more than the database's processes: it is said. */
static void note_roles(struct recorder *r, const struct site *s)
{
	static const char text[] =
	    "no PostgreSQL or Greenplum here: recording all processes";
	struct header *h = maker_header(framer_maker(r->framer));

	if (!describe_roles(h, link_world(s->link)))
		return;
	pend(r, EVENT_NOTE, s->index, 0, text);
	notice(r, false, text);
}

/* Figures that will be missing, told once, where they can be had. */
static void note_unreadable(struct recorder *r, const struct site *s)
{
	struct header *h = maker_header(framer_maker(r->framer));
	char text[DESCRIBE_TEXT_MAX];
	uint64_t n = describe_unreadable(h, link_world(s->link), text);

	if (n == 0)
		return;
	pend(r, EVENT_REFUSED, s->index, (int64_t)n, text);
	notice(r, false, text);
}

static void on_answered(void *arg, struct link *l, const struct tick *t)
{
	struct site *s = arg;
	struct recorder *r = s->rec;

	s->fresh = true;
	s->was_up = true;
	if (!s->announced) {
		s->announced = true;
		pend(r, EVENT_HOST_UP, s->index, 0, link_name(l));
		note_unreadable(r, s);
	}
	take_events(r, s, t);
	note_roles(r, s);
	if (r->tick.open)
		tick_finish(r);
}

static void on_down(void *arg, struct link *l, const struct gs_err *why)
{
	struct site *s = arg;
	struct recorder *r = s->rec;

	(void)l;
	s->fresh = false;
	if (!s->was_up) {
		/* It never worked, so it will not: the only agent. */
		r->err = *why;
		end_recording(r);
		return;
	}
	s->lost = true;
	r->status.downs += s->announced;
	if (s->announced) {
		pend(r, EVENT_HOST_DOWN, s->index, 0, why->msg);
		notice(r, true, why->msg);
	}
	s->announced = false;
	if (r->tick.open)
		tick_finish(r);
}

/* ---- one tick -------------------------------------------------------- */

static int64_t deadline_ns(const struct recorder *r)
{
	int64_t t = r->opt.interval_ns / 100 * RECORDER_DEADLINE_PERCENT;

	return GS_MIN(t, RECORDER_DEADLINE_MAX_NS);
}

static void on_deadline(uv_timer_t *t)
{
	struct recorder *r = t->data;

	if (!r->tick.open)
		return;
	if (r->site.was_up) {
		r->status.unanswered += link_is_waiting(r->site.link);
		tick_finish(r);
	} else if (r->tick.last) {
		(void)gs_fail(&r->err, GS_E_GONE, "agent on %s: no answer",
		    r->opt.host);
		end_recording(r);
	} else {
		/* A recording begins with an answer. */
		r->tick.open = false;
	}
}

/* Notes what the schedule says about the tick that happens now. */
static void judge_tick(struct recorder *r, int64_t due_ns)
{
	struct schedule_tick s = schedule_tick(&r->schedule, due_ns,
	    r->tick.wall_ns, gs_clock_boot_ns());
	char text[96];

	r->status.skipped += s.skipped;
	if (s.step_ns != 0) {
		r->tick.key = true;
		pend(r, EVENT_CLOCK_STEP, EVENT_NO_HOST, s.step_ns,
		    "the clock was set");
	}
	if (!s.is_late)
		return;
	r->status.late++;
	(void)snprintf(text, sizeof(text), "%lld ms late",
	    (long long)(s.late_ns / GS_NSEC_PER_MSEC));
	pend(r, EVENT_LATE, EVENT_NO_HOST, s.late_ns, text);
}

static void tick_start(struct recorder *r, int64_t due_ns, bool last)
{
	int64_t wait_ns = deadline_ns(r);

	r->tick = (struct open_tick) { .open = true, .last = last,
		.wall_ns = gs_clock_wall_ns() };
	judge_tick(r, due_ns);
	(void)link_request(r->site.link, r->opt.with, r->opt.busiest);
	if (!r->tick.open || r->ended)
		return; /* the link found itself dead */
	if (!link_is_waiting(r->site.link)) {
		tick_finish(r);
		return;
	}
	if (due_ns == 0)
		wait_ns = GS_MAX(wait_ns, LAST_DEADLINE_NS);
	if (last)
		wait_ns = r->site.was_up ? GS_MIN(wait_ns, LAST_DEADLINE_NS)
		                         : ONLY_DEADLINE_NS;
	(void)uv_timer_start(&r->deadline, on_deadline,
	    (uint64_t)(wait_ns / GS_NSEC_PER_MSEC), 0);
}

/* In a captured tree it is the time of the capture. */
static int64_t time_of_tick(const struct recorder *r)
{
	const struct world *w = link_world(r->site.link);

	if (!r->opt.root || world_hosts(w) == 0)
		return r->tick.wall_ns;
	return world_host(w, 0)->clock.wall_ns;
}

static void say_events(struct recorder *r, struct maker *m, int64_t wall_ns)
{
	const struct tick *p = &r->pending;
	struct buf text = BUF_INIT;
	size_t i;

	for (i = 0; i < p->n_event; i++) {
		const struct event *e = &p->event[i];

		buf_reset(&text);
		buf_add(&text, p->bytes.ptr + e->off, e->len);
		maker_event(m, e->kind, e->wall_ns ? e->wall_ns : wall_ns,
		    e->host, e->value, buf_str(&text));
	}
	buf_release(&text);
	tick_reset(&r->pending);
}

static void say_site(struct maker *m, struct site *s)
{
	if (s->lost)
		maker_host_lost(m, s->index);
	else if (s->fresh)
		maker_block(m, s->index, link_world(s->link));
	s->lost = false;
	s->fresh = false;
}

static uint64_t quiet_of(const struct world *w)
{
	const struct table *t = &world_host(w, 0)->table[ENTITY_AGENT];
	uint64_t quiet = 0, v;
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && row_get(t->slot[i], COL(AGENT, QUIET), &v))
			quiet += v;
	}
	return quiet;
}

static void count_tick(struct recorder *r, const struct tick *t, bool queued)
{
	const struct world *w = link_world(r->site.link);
	struct recorder_status *s = &r->status;
	struct writer_stats ws;

	s->ticks++;
	s->wall_ns = s->last_ns = t->wall_ns;
	if (s->first_ns == 0)
		s->first_ns = t->wall_ns;
	s->processes = s->quiet = 0;
	if (world_hosts(w) > 0) {
		s->processes =
		    world_host(w, 0)->table[ENTITY_PROCESS].n_live;
		s->quiet = quiet_of(w);
	}
	if (queued)
		s->rows += s->processes;
	writer_get_stats(r->writer, &ws);
	s->written = ws.ticks;
	s->lost = ws.lost;
	s->bytes = ws.bytes;
	s->files = ws.files;
	if (ws.failed) {
		(void)gs_fail(&r->err, GS_E_IO, "%s: nobody reads it",
		    "standard output");
		end_recording(r);
	}
}

static void begin_child(struct recorder *r);

static void tick_finish(struct recorder *r)
{
	struct maker *m = framer_maker(r->framer);
	int64_t wall_ns = time_of_tick(r);
	bool first = r->status.ticks == 0;
	const struct tick *t;
	char text[64];
	bool queued;

	(void)snprintf(text, sizeof(text), "gpsnap %s", r->opt.version);
	(void)uv_timer_stop(&r->deadline);
	r->tick.open = false;
	framer_begin(r->framer, wall_ns, r->tick.key);
	if (first)
		maker_event(m, EVENT_START, wall_ns, EVENT_NO_HOST, 0,
		    text);
	say_site(m, &r->site);
	say_events(r, m, wall_ns);
	if (r->tick.last)
		maker_event(m, EVENT_STOP, wall_ns, EVENT_NO_HOST, 0,
		    r->stop_why);
	t = framer_end(r->framer, &queued);
	count_tick(r, t, queued);
	if (r->opt.on_tick)
		r->opt.on_tick(r->opt.arg, t, &r->status);
	notice_writer(r);
	if (r->tick.last)
		end_recording(r);
	else
		framer_settle(r->framer);
	if (first && r->opt.command && !r->ended)
		begin_child(r);
	else if (r->final_wanted && !r->ended)
		tick_start(r, 0, true);
}

/* ---- the clock ------------------------------------------------------- */

static void arm(struct recorder *r)
{
	struct itimerspec t = { 0 };

	r->due_ns = schedule_due(&r->schedule, gs_clock_wall_ns());
	t.it_value.tv_sec = (time_t)(r->due_ns / GS_NSEC_PER_SEC);
	t.it_value.tv_nsec = (long)(r->due_ns % GS_NSEC_PER_SEC);
	/* Fails only on values that are no times. */
	(void)timerfd_settime(r->timer_fd,
	    TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &t, NULL);
}

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
	next_boot_ns = gs_clock_boot_ns() + (due_ns + r->opt.interval_ns -
	    gs_clock_wall_ns());
	if (next_boot_ns <= r->end_boot_ns)
		return false;
	(void)snprintf(r->stop_why, sizeof(r->stop_why), "time is over");
	return true;
}

static void on_wake(uv_poll_t *p, int status, int events)
{
	struct recorder *r = p->data;
	uint64_t expired;
	int64_t due_ns = r->due_ns;
	ssize_t n;

	(void)status;
	(void)events;
	n = read(r->timer_fd, &expired, sizeof(expired));
	if (r->ended || (n < 0 && errno == EAGAIN))
		return;
	if (n < 0) {
		/* ECANCELED: the clock was set, so it is due when? */
		arm(r);
		return;
	}
	if (r->tick.open && r->site.was_up)
		tick_finish(r);
	if (r->ended)
		return;
	tick_start(r, due_ns, is_last(r, due_ns));
	if (!r->ended)
		arm(r);
}

/* ---- the end --------------------------------------------------------- */

static void close_handles(struct recorder *r)
{
	int i;

	if (!r->handles)
		return;
	r->handles = false;
	uv_close((uv_handle_t *)&r->wake, NULL);
	uv_close((uv_handle_t *)&r->deadline, NULL);
	for (i = 0; i < SIG_COUNT; i++)
		uv_close((uv_handle_t *)&r->sig[i], NULL);
	child_close(&r->child);
}

/* No more ticks.  The loop ends with the command, if that still runs. */
static void end_recording(struct recorder *r)
{
	if (!r->ended) {
		r->ended = true;
		r->tick.open = false;
		(void)uv_timer_stop(&r->deadline);
		(void)uv_poll_stop(&r->wake);
		link_stop(r->site.link);
	}
	if (!r->child.running)
		close_handles(r);
}

/* Ends now, without another sample: what is known is written already. */
static void stop_now(struct recorder *r, const char *why)
{
	(void)snprintf(r->stop_why, sizeof(r->stop_why), "%s", why);
	if (r->ended || r->status.ticks == 0) {
		end_recording(r);
		return;
	}
	if (!r->tick.open)
		r->tick = (struct open_tick) { .open = true,
			.wall_ns = gs_clock_wall_ns() };
	r->tick.last = true;
	tick_finish(r);
}

static void on_child_ended(void *arg)
{
	struct recorder *r = arg;

	(void)snprintf(r->stop_why, sizeof(r->stop_why),
	    "the command ended with status %d", r->child.status);
	if (r->ended) {
		end_recording(r);
		return;
	}
	/* What it used up to its end is seen in one more sample. */
	r->final_wanted = true;
	if (!r->tick.open)
		tick_start(r, 0, true);
}

static void begin_child(struct recorder *r)
{
	if (child_start(&r->child, &r->loop, r->opt.command, on_child_ended, r,
		&r->err) < 0)
		stop_now(r, r->err.msg);
}

static void on_signal(uv_signal_t *s, int sig)
{
	struct recorder *r = s->data;
	char why[64];

	if (sig == SIGHUP && r->opt.hup == HUP_ROTATE) {
		framer_rotate(r->framer);
		return;
	}
	/* A second one ends at once: by default. */
	(void)uv_signal_stop(&r->sig[SIG_INT]);
	(void)uv_signal_stop(&r->sig[SIG_TERM]);
	if (r->child.running) {
		if (sig == SIGTERM || !r->opt.has_terminal)
			child_signal(&r->child, sig);
		return;
	}
	(void)snprintf(why, sizeof(why), "%s", sig == SIGINT ? "interrupted"
		: sig == SIGTERM ? "terminated" : "terminal was closed");
	stop_now(r, why);
}

/* ---- life ------------------------------------------------------------ */

static int open_site(struct recorder *r, struct gs_err *err)
{
	struct link_ops ops = { .answered = on_answered, .down = on_down,
		.arg = &r->site };
	int n = 0;

	if (localagent_find(&r->agent_path, err) < 0)
		return err ? err->status : GS_E_NOTFOUND;
	r->agent_argv[n++] = r->agent_path.ptr;
	if (r->opt.root) {
		r->agent_argv[n++] = (char *)(uintptr_t)"--root";
		r->agent_argv[n++] = (char *)(uintptr_t)r->opt.root;
	}
	r->site.rec = r;
	r->site.link = link_new(&r->loop, r->opt.host, r->agent_argv, &ops);
	if (r->opt.root)
		link_ignore_offset(r->site.link);
	return 0;
}

static int open_output(struct recorder *r, struct gs_err *err)
{
	struct framer_options fo = { .level = r->opt.level,
		.rotate_bytes = r->opt.rotate_bytes,
		.rotate_ns = r->opt.rotate_ns,
		.endless = r->opt.out.kind == OUTPUT_STREAM };
	struct writer_options wo = { .sync_ns = r->opt.sync_ns,
		.retry_ns = WRITER_RETRY_NS };
	struct output out = OUTPUT_INIT;
	int status = output_open(&out, &r->opt.out, &io_posix,
	    gs_clock_wall_ns(), err);

	if (status < 0)
		return status;
	r->writer = writer_new(&out, &wo);
	r->framer = framer_new(describe_new(&r->opt), r->writer, &fo);
	return 0;
}

static void open_handles(struct recorder *r)
{
	int i;

	/* None of these fails once there is a loop. */
	(void)uv_poll_init(&r->loop, &r->wake, r->timer_fd);
	(void)uv_timer_init(&r->loop, &r->deadline);
	r->wake.data = r->deadline.data = r;
	for (i = 0; i < SIG_COUNT; i++) {
		(void)uv_signal_init(&r->loop, &r->sig[i]);
		r->sig[i].data = r;
	}
	r->handles = true;
}

struct recorder *recorder_new(const struct recorder_options *opt,
	struct gs_err *err)
{
	struct recorder *r = gs_calloc(1, sizeof(*r));
	int status;

	r->opt = *opt;
	schedule_init(&r->schedule, opt->interval_ns);
	if (uv_loop_init(&r->loop) < 0)
		abort(); /* as when memory is exhausted */
	r->timer_fd = timerfd_create(CLOCK_REALTIME,
	    TFD_CLOEXEC | TFD_NONBLOCK);
	if (r->timer_fd < 0)
		status = gs_fail_errno(err, errno, "timerfd");
	else
		status = open_site(r, err);
	if (status == 0)
		status = open_output(r, err);
	if (status == 0) {
		open_handles(r);
		return r;
	}
	recorder_free(r);
	return NULL;
}

static void watch_signals(struct recorder *r)
{
	(void)uv_signal_start(&r->sig[SIG_INT], on_signal, SIGINT);
	(void)uv_signal_start(&r->sig[SIG_TERM], on_signal, SIGTERM);
	if (r->opt.hup != HUP_IGNORE)
		(void)uv_signal_start(&r->sig[SIG_HUP], on_signal, SIGHUP);
}

int recorder_run(struct recorder *r, struct gs_err *err)
{
	struct writer_stats ws;
	struct gs_err closing;

	if (r->opt.duration_ns > 0)
		r->end_boot_ns = gs_clock_boot_ns() + r->opt.duration_ns;
	watch_signals(r);
	link_start(r->site.link);
	(void)uv_poll_start(&r->wake, UV_READABLE, on_wake);
	arm(r);
	/* Around a command ticks are not only at multiples: what it did
	 * before the first multiple is to be seen. */
	if (r->opt.command)
		tick_start(r, 0, false);
	(void)uv_run(&r->loop, UV_RUN_DEFAULT);
	/* All frames are there: only the index at the end is missing. */
	if (writer_finish(r->writer, &closing) < 0) {
		notice(r, true, closing.msg);
		r->status.unclosed = true;
	}
	notice_writer(r);
	writer_get_stats(r->writer, &ws);
	r->status.written = ws.ticks;
	r->status.lost = ws.lost;
	r->status.bytes = ws.bytes;
	r->status.files = ws.files;
	if (r->err.status && err)
		*err = r->err;
	return r->err.status;
}

void recorder_get_status(const struct recorder *r,
	struct recorder_status *ret)
{
	*ret = r->status;
}

const char *recorder_path(struct recorder *r)
{
	writer_get_path(r->writer, &r->path);
	return buf_str(&r->path);
}

bool recorder_command_status(const struct recorder *r, int *ret)
{
	if (!r->opt.command || r->child.running)
		return false;
	*ret = r->child.status;
	return true;
}

void recorder_free(struct recorder *r)
{
	if (!r)
		return;
	if (r->site.link)
		link_stop(r->site.link);
	close_handles(r);
	(void)uv_run(&r->loop, UV_RUN_DEFAULT);
	link_free(r->site.link);
	(void)uv_loop_close(&r->loop);
	framer_free(r->framer);
	writer_free(r->writer);
	tick_release(&r->pending);
	buf_release(&r->agent_path);
	buf_release(&r->notices);
	buf_release(&r->path);
	if (r->timer_fd >= 0)
		(void)close(r->timer_fd);
	free(r);
}
