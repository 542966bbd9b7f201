/* SPDX-License-Identifier: Apache-2.0 */
#include "record/recorder_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "record/describe.h"
#include "record/loop.h"

/* The host of "gpadmin@sdw1". */
static const char *without_user(const char *host)
{
	const char *at = strrchr(host, '@');

	return at ? at + 1 : host;
}

static int open_host_set(struct recorder *r, struct gs_err *err)
{
	struct host_set_ops ops = recorder_host_set_ops(r);
	const struct recorder_options *o = &r->opt;
	int status = 0;
	size_t i;

	r->host_set = host_set_new(&r->loop, &o->host_set, &ops, err);
	if (!r->host_set)
		return GS_E_NOTFOUND;
	if (o->n_host == 0)
		status = host_set_add_local(r->host_set, err);
	for (i = 0; status == 0 && i < o->n_host; i++)
		status = host_set_add_host(r->host_set,
		    without_user(o->host[i]), o->host[i], NULL, err);
	return status;
}

static int open_writer(struct recorder *r, struct gs_err *err)
{
	struct writer_options wo = { .sync_ns = r->opt.sync_ns,
		.retry_ns = WRITER_RETRY_NS };
	struct output out = OUTPUT_INIT;
	int status = output_open(&out, &r->opt.out, &io_posix,
	    gs_clock_wall_ns(), err);

	if (status == 0)
		r->writer = writer_new(&out, &wo);
	return status;
}

static void on_not_summarized(void *arg, const char *why)
{
	recorder_notice(arg, false, why);
}

static int open_output(struct recorder *r, struct gs_err *err)
{
	struct framer_options fo = { .level = r->opt.level,
		.rotate_bytes = r->opt.rotate_bytes,
		.rotate_ns = r->opt.rotate_ns,
		.lean = r->opt.lean,
		.endless = r->opt.out.kind == OUTPUT_STREAM,
		.on_raw = r->opt.watch.n > 0 ? recorder_watch_tick : NULL,
		.arg = r,
		.before_ns = r->opt.before_ns,
		.before_bytes = (size_t)r->opt.before_bytes };
	int status = r->opt.no_files ? 0 : open_writer(r, err);

	if (status < 0)
		return status;
	summarizer_begin(&r->summarizer, &r->loop, r->opt.summarize,
	    on_not_summarized, r);
	quota_init(&r->quota, r->opt.out.keep_bytes);
	r->framer = framer_new(describe_new(&r->opt), r->writer, &fo);
	recorder_list_hosts(r);
	return 0;
}

static size_t answers_to_gather(void *arg)
{
	const struct recorder *r = arg;

	return r->tick.open ? host_set_to_gather(r->host_set) : 0;
}

static int open_handles(struct recorder *r, struct gs_err *err)
{
	int i, status = ticker_open(&r->ticker, &r->loop,
	    r->opt.interval_ns, r->opt.from_now ? gs_clock_wall_ns() : 0,
	    recorder_tick_due, r, err);

	if (status < 0)
		return status;
	/* None of these fails once there is a loop. */
	(void)uv_timer_init(&r->loop, &r->deadline);
	r->deadline.data = r;
	(void)uv_timer_init(&r->loop, &r->beat);
	r->beat.data = r;
	gather_open(&r->gather, &r->loop, answers_to_gather, r);
	for (i = 0; i < SIG_COUNT; i++) {
		(void)uv_signal_init(&r->loop, &r->sig[i]);
		r->sig[i].data = r;
	}
	if (r->opt.on_watch)
		tty_watch_open(&r->tty_watch, &r->loop, r->opt.watch_fd,
		    r->opt.on_watch, r->opt.arg);
	r->handles = true;
	recorder_open_control(r);
	return 0;
}

static void hold_signals(struct recorder *r)
{
	sigset_t set;

	(void)sigemptyset(&set); /* valid arguments, all of them */
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGHUP);
	(void)pthread_sigmask(SIG_BLOCK, &set, &r->mask);
	r->signals_held = true;
}

static void release_signals(struct recorder *r)
{
	if (r->signals_held)
		(void)pthread_sigmask(SIG_SETMASK, &r->mask, NULL);
	r->signals_held = false;
}

struct recorder *recorder_new(const struct recorder_options *opt,
	struct gs_err *err)
{
	struct recorder *r = gs_calloc(1, sizeof(*r));
	int status;

	r->opt = *opt;
	r->interval_ns = opt->interval_ns;
	r->opt.host_set.interval_ns = opt->interval_ns;
	r->database_answered = recorder_database_answered;
	r->ticker = (struct ticker) TICKER_INIT;
	if (loop_open(&r->loop, err) < 0) {
		free(r);
		return NULL;
	}
	hold_signals(r);
	status = open_host_set(r, err);
	if (status == 0)
		status = recorder_open_databases(r, err);
	if (status == 0)
		status = open_output(r, err);
	if (status == 0)
		status = open_handles(r, err);
	if (status == 0)
		status = recorder_open_watcher(r, err);
	if (status == 0)
		return r;
	recorder_free(r);
	return NULL;
}

void recorder_free(struct recorder *r)
{
	if (!r)
		return;
	if (r->host_set)
		host_set_stop(r->host_set);
	recorder_stop_databases(r);
	recorder_close_handles(r);
	(void)uv_run(&r->loop, UV_RUN_DEFAULT);
	control_free(r->control);
	recorder_free_watcher(r);
	recorder_free_databases(r);
	host_set_free(r->host_set);
	ticker_release(&r->ticker);
	(void)uv_loop_close(&r->loop);
	framer_free(r->framer);
	quota_release(&r->quota);
	writer_free(r->writer);
	summarizer_release(&r->summarizer);
	tick_release(&r->pending);
	buf_release(&r->notices);
	buf_release(&r->path);
	buf_release(&r->trouble);
	free(r->user);
	free(r->cwd);
	release_signals(r);
	free(r);
}

/* ---- running --------------------------------------------------------- */

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
	recorder_stop(r, why);
}

static void watch_signals(struct recorder *r)
{
	(void)uv_signal_start(&r->sig[SIG_INT], on_signal, SIGINT);
	(void)uv_signal_start(&r->sig[SIG_TERM], on_signal, SIGTERM);
	if (r->opt.hup != HUP_IGNORE)
		(void)uv_signal_start(&r->sig[SIG_HUP], on_signal, SIGHUP);
	release_signals(r);
}

static void on_status_timer(uv_timer_t *t)
{
	struct recorder *r = t->data;
	int64_t ns;

	recorder_count_written(r);
	ns = r->ended ? 0 : r->opt.on_status_timer(r->opt.arg, &r->status);
	if (ns > 0)
		(void)uv_timer_start(t, on_status_timer,
		    (uint64_t)(ns / GS_NSEC_PER_MSEC), 0);
}

int recorder_run(struct recorder *r, struct gs_err *err)
{
	struct gs_err closing;

	r->started_ns = gs_clock_wall_ns();
	r->started_mono_ns = gs_clock_mono_ns();
	if (r->opt.duration_ns > 0)
		r->end_boot_ns = gs_clock_boot_ns() + r->opt.duration_ns;
	watch_signals(r);
	if (r->opt.on_status_timer)
		on_status_timer(&r->beat);
	host_set_start(r->host_set);
	recorder_tick_databases(r); /* begins to connect */
	ticker_start(&r->ticker);
	recorder_tick_first(r);
	(void)uv_run(&r->loop, UV_RUN_DEFAULT);
	r->status.hosts_missed = recorder_count_missed(r);
	recorder_report_away(r);
	r->status.database_missed = recorder_missed_database(r);
	framer_flush(r->framer);
	/* All frames are written: only the index at the end is missing. */
	if (r->writer && writer_finish(r->writer, &closing) < 0) {
		recorder_notice(r, true, closing.msg);
		r->status.unclosed = true;
	}
	recorder_notice_writer(r);
	recorder_count_written(r);
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
	if (r->writer)
		writer_get_path(r->writer, &r->path);
	return buf_str(&r->path);
}

void recorder_files(struct recorder *r, struct buf *out)
{
	buf_reset(out);
	if (r->writer)
		writer_get_files(r->writer, out);
}

uint32_t recorder_command_pid(const struct recorder *r)
{
	int pid = r->child.open ? uv_process_get_pid(&r->child.proc) : 0;

	return pid > 0 ? (uint32_t)pid : 0;
}

bool recorder_command_status(const struct recorder *r, int *ret)
{
	if (!r->opt.command || r->child.running)
		return false;
	*ret = r->child.status;
	return true;
}
