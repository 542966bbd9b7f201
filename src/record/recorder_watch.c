/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder_watch.c - what the recorder does when something that it watches for
 * begins: it samples more often, sets a mark, runs a command.
 */
#include "record/recorder_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"

/* A command is run at most this often for one watch. */
#define RUN_PAUSE_NS (60 * GS_NSEC_PER_SEC)

struct watched {
	struct recorder *r;
	const struct watch *watch;
	uint64_t times; /* it began */
	uint64_t held; /* began and did not end */
	int64_t since_ns; /* began or ended last; wall, 0: never */
	uint64_t runs, failed; /* of the command */
	uint64_t not_run; /* too soon after another run, or during it */
	int64_t run_ns; /* last start; monotonic, 0: never */
	struct hook hook;
};

/* ---- a mark ----------------------------------------------------------- */

/* The bytes of whole characters that fit. */
static size_t cut(const char *p, size_t len, size_t most)
{
	size_t n = GS_MIN(len, most);

	while (n > 0 && n < len && ((unsigned char)p[n] & 0xc0) == 0x80)
		n--;
	return n;
}

static void add_mark(struct recorder *r, const struct watch *w,
	const struct watch_news *n)
{
	struct buf b = BUF_INIT;

	if (recorder_marks_waiting(r) >= RECORDER_MARKS_MAX)
		return;
	buf_printf(&b, "watch %s: %s", w->name, n->says ? n->says : "");
	tick_add_event(&r->pending, EVENT_MARK, gs_clock_wall_ns(),
	    EVENT_NO_HOST, 0, b.ptr, cut(b.ptr, b.len, CONTROL_MARK_MAX));
	r->status.marks++;
	buf_release(&b);
}

/* ---- a command -------------------------------------------------------- */

struct variables {
	char *text[HOOK_ENV_MAX];
	size_t n;
};

/* NUL and newlines never stand in these texts: they are made safe before. */
static void add_variable(struct variables *v, const char *name,
	const char *value)
{
	struct buf b = BUF_INIT;

	if (!value || v->n == HOOK_ENV_MAX)
		return;
	buf_printf(&b, "GPSNAP_%s=", name);
	utf8_add_safe(&b, value, strlen(value));
	v->text[v->n++] = b.ptr;
}

static void set_variables(struct variables *v, const struct watch_news *n,
	const struct watch *w, const char *file)
{
	char since[32];

	(void)snprintf(since, sizeof(since), "%lld.%03lld",
	    (long long)(n->from_ns / GS_NSEC_PER_SEC),
	    (long long)(n->from_ns % GS_NSEC_PER_SEC / GS_NSEC_PER_MSEC));
	add_variable(v, "WATCH", w->name);
	add_variable(v, "RULE", n->rule);
	add_variable(v, "SEVERITY", n->severity);
	add_variable(v, "SINCE", since);
	add_variable(v, "HOST", n->host);
	add_variable(v, "SESSION", n->session);
	add_variable(v, "SUBJECT", n->subject);
	add_variable(v, "SAYS", n->says);
	add_variable(v, "NEXT", n->next);
	add_variable(v, "FILE", file && file[0] ? file : NULL);
}

static void warn(struct watched *w, const char *why)
{
	struct buf b = BUF_INIT;

	w->failed++;
	buf_printf(&b, "watch %s: %s %s", w->watch->name,
	    w->watch->command[0], why);
	recorder_notice(w->r, true, buf_str(&b));
	buf_release(&b);
}

static void on_hook_ended(void *arg, const char *why)
{
	if (why)
		warn(arg, why);
}

static bool may_run(const struct watched *w, int64_t now_ns)
{
	return hook_is_idle(&w->hook) && (w->run_ns == 0 ||
	    now_ns - w->run_ns >= RUN_PAUSE_NS);
}

static void run_command(struct watched *w, const struct watch_news *n)
{
	struct recorder *r = w->r;
	struct variables v = { .n = 0 };
	int64_t now_ns = gs_clock_mono_ns();
	struct gs_err err;
	char *file;
	size_t i;

	if (!may_run(w, now_ns)) {
		w->not_run++;
		return;
	}
	file = recorder_absolute_path(r);
	set_variables(&v, n, w->watch, file);
	buf_reset(&w->hook.input);
	r->opt.watch.judge.describe(n, file, &w->hook.input);
	w->hook.ended = on_hook_ended;
	w->hook.arg = w;
	w->run_ns = now_ns;
	w->runs++;
	if (hook_start(&w->hook, &r->loop, w->watch->command,
	    (const char *const *)v.text, v.n, &err) < 0)
		warn(w, err.msg);
	for (i = 0; i < v.n; i++)
		free(v.text[i]);
	free(file);
}

/* ---- ticks in memory --------------------------------------------------- */

void recorder_let_out(struct recorder *r)
{
	r->out_until_ns = gs_clock_mono_ns() + r->opt.before_ns;
}

void recorder_watch_before(struct recorder *r)
{
	bool on = r->status.ticks == 0 || r->tick.last;
	size_t i;

	for (i = 0; r->watched && i < r->opt.watch.n; i++)
		on |= r->watched[i].held > 0;
	framer_let_out(r->framer, on ||
	    gs_clock_mono_ns() < r->out_until_ns);
}

/* ---- news ------------------------------------------------------------- */

static void begin(struct watched *w, const struct watch_news *n)
{
	const struct watch *watch = w->watch;

	w->times++;
	w->held++;
	w->since_ns = n->to_ns;
	recorder_let_out(w->r);
	if (watch->mark)
		add_mark(w->r, watch, n);
	if (watch->fast_ns > 0)
		recorder_go_fast(w->r, watch->fast_ns, watch->fast_for_ns);
	if (watch->command)
		run_command(w, n);
}

static void end(struct watched *w, const struct watch_news *n)
{
	w->held -= w->held > 0;
	w->since_ns = n->to_ns;
	recorder_let_out(w->r);
}

static void on_news(void *arg, struct watch_news *list)
{
	struct recorder *r = arg;
	struct gs_err err;

	while (list) {
		struct watch_news *n = list;

		list = n->link;
		if (!r->ended && n->begins)
			begin(&r->watched[n->watch], n);
		else if (!r->ended)
			end(&r->watched[n->watch], n);
		watch_news_free(n);
	}
	if (watcher_fetch_failure(r->watcher, &err) < 0) {
		gs_err_prefix(&err, "nothing is watched any more");
		recorder_notice(r, true, err.msg);
	}
}

/* ---- the recorder ----------------------------------------------------- */

int recorder_open_watcher(struct recorder *r, struct gs_err *err)
{
	const struct watch_options *o = &r->opt.watch;
	size_t i;

	if (o->n == 0)
		return 0;
	r->watched = gs_calloc(o->n, sizeof(*r->watched));
	for (i = 0; i < o->n; i++)
		r->watched[i] = (struct watched) { .r = r,
			.watch = &o->watch[i] };
	r->watcher = watcher_new(&r->loop, &o->judge, on_news, r, err);
	return r->watcher ? 0 : GS_E_MEMORY;
}

void recorder_watch_tick(void *arg, const struct buf *raw,
	const struct tick *t, bool again)
{
	struct recorder *r = arg;

	if (r->watcher)
		watcher_push(r->watcher, raw, t->key, again);
}

void recorder_close_watcher(struct recorder *r)
{
	size_t i;

	watcher_close(r->watcher);
	for (i = 0; r->watched && i < r->opt.watch.n; i++)
		hook_close(&r->watched[i].hook);
}

void recorder_free_watcher(struct recorder *r)
{
	size_t i;

	watcher_free(r->watcher);
	for (i = 0; r->watched && i < r->opt.watch.n; i++)
		hook_release(&r->watched[i].hook);
	free(r->watched);
}

void recorder_report_watches(const struct recorder *r,
	struct status_report *b)
{
	struct watcher_stats s;
	size_t i;

	if (!r->watcher)
		return;
	watcher_get_stats(r->watcher, &s);
	b->watch_ticks = s.ticks;
	b->watch_dropped = s.dropped;
	b->watch_cpu_seconds = s.seconds;
	b->watch_bytes = s.bytes;
	for (i = 0; i < r->opt.watch.n; i++) {
		const struct watched *w = &r->watched[i];

		status_report_add_watch(b, &(struct status_report_watch) {
		    .name = (char *)(uintptr_t)w->watch->name,
		    .held = w->held, .since_ns = w->since_ns,
		    .times = w->times, .runs = w->runs,
		    .failed = w->failed, .not_run = w->not_run });
	}
}
