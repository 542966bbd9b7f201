/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/follow.h"

#include <signal.h>
#include <time.h>

#include "base/clock.h"
#include "replay/recfile.h"
#include "replay/watch.h"
#include "view/show_stream.h"

/* Polling period for new bytes: a share of the interval, within these
 * bounds. */
#define POLLS_PER_INTERVAL 4
#define POLL_MIN_NS (20 * GS_NSEC_PER_MSEC)
#define POLL_MAX_NS (250 * GS_NSEC_PER_MSEC)

/* If no lock is held for this long, and no file comes, the recorder has ended.
 * Between two files it holds no lock of a file; in a directory another one may be
 * started.  At the beginning FILE_GRACE_NS is enough for both. */
#define FILE_GRACE_NS GS_NSEC_PER_SEC
#define DIR_GRACE_NS (5 * GS_NSEC_PER_SEC)

/* Default range of an overview. */
#define OVERVIEW_NS (600 * GS_NSEC_PER_SEC)

/* ---- signals ----------------------------------------------------------- */

static void ending_signals(sigset_t *ret)
{
	(void)sigemptyset(ret); /* valid arguments, all of them */
	(void)sigaddset(ret, SIGINT);
	(void)sigaddset(ret, SIGTERM);
	(void)sigaddset(ret, SIGHUP);
}

static void hold_signals(void)
{
	sigset_t set;

	ending_signals(&set);
	(void)sigprocmask(SIG_BLOCK, &set, NULL); /* valid arguments */
}

void follow_let_signals(void)
{
	sigset_t set;

	ending_signals(&set);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL); /* valid arguments */
}

/* True if a signal came by then. */
static bool wait_for_signal(int64_t ns)
{
	struct timespec t = { (time_t)(ns / GS_NSEC_PER_SEC),
		(long)(ns % GS_NSEC_PER_SEC) };
	sigset_t set;

	ending_signals(&set);
	return sigtimedwait(&set, NULL, &t) > 0;
}

bool follow_is_over(void *unused)
{
	sigset_t set;

	(void)unused;
	return sigpending(&set) == 0 && (sigismember(&set, SIGINT) == 1 ||
	    sigismember(&set, SIGTERM) == 1 ||
	    sigismember(&set, SIGHUP) == 1);
}

/* ---- the beginning ----------------------------------------------------- */

/* A recorder may be between two files.  A signal stays for what follows. */
static int attach(struct follow *f, char *const *path, size_t n,
	struct gs_err *err)
{
	const struct timespec wait = { 0, POLL_MIN_NS };
	int64_t begun_ns = gs_clock_boot_ns();
	struct archive *a = f->archive;
	bool again;
	int r;

	archive_follow(a, path, n);
	for (again = false;; again = true) {
		r = archive_refresh(a, err);
		if (r < 0)
			return r;
		if ((again && r > 0) || archive_is_written(a) || follow_is_over(NULL))
			return GS_OK;
		if (gs_clock_boot_ns() - begun_ns > FILE_GRACE_NS)
			break;
		(void)nanosleep(&wait, NULL); /* about as long */
	}
	return gs_fail(err, GS_E_NOTFOUND, "%s: nobody is recording there now; "
	    "without --follow it is shown up to its end", path[0]);
}

static bool may_begin(char *const *path, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (path_is_recorded(path[i]))
			return true;
	}
	return false;
}

int follow_open(struct follow *f, char *const *path, size_t n,
	struct gs_err *err)
{
	size_t i;

	hold_signals();
	for (i = 0; i < n; i++)
		f->directory = f->directory || path_is_directory(path[i]);
	for (;;) {
		bool begins = may_begin(path, n); /* before it ends */
		int r = archive_open(path, n, &f->archive, err);

		if (r == GS_OK)
			return attach(f, path, n, err);
		if (!begins)
			return r;
		if (wait_for_signal(POLL_MAX_NS))
			return GS_OK;
	}
}

int64_t follow_from(const struct follow *f)
{
	const struct show_source *s = f->source;
	int64_t every_ns = f->o->every_ns;

	if (view_is_overview(show_view(f->show)))
		return s->last_ns - OVERVIEW_NS;
	if (every_ns == 0)
		return s->last_ns - s->interval_ns;
	return (s->last_ns - 1) / every_ns * every_ns;
}

/* ---- as it grows ------------------------------------------------------- */

static int64_t poll_interval(const struct follow *f)
{
	int64_t ns = f->source->interval_ns / POLLS_PER_INTERVAL;

	return GS_MIN(GS_MAX(ns, POLL_MIN_NS), POLL_MAX_NS);
}

/* Reads new files and ticks, and shows them. */
static int refresh(struct follow *f, struct show_stream *t, bool *ret_came,
	struct gs_err *err)
{
	struct show_source *s = f->source;
	int r = archive_refresh(f->archive, err);

	if (r < 0)
		return r;
	*ret_came = r > 0;
	(void)archive_range(f->archive, &s->first_ns,
	    &s->last_ns); /* a read error is reported there */
	return show_stream_more(t, err);
}

static int go(struct follow *f, struct show_stream *t, struct gs_err *err)
{
	int64_t quiet_ns = 0; /* boot clock, since there is no writer; 0: there
	                       * is one, or a file came */
	int64_t grace_ns = f->directory ? DIR_GRACE_NS : FILE_GRACE_NS;
	int r;

	for (;;) {
		/* checked first, so that all that was written by then is
		 * read */
		bool written = archive_is_written(f->archive), came = false;
		int64_t now_ns = gs_clock_boot_ns();

		r = refresh(f, t, &came, err);
		if (r != RANGE_WAITS)
			return r;
		if (written || came)
			quiet_ns = 0;
		else if (quiet_ns == 0)
			quiet_ns = now_ns;
		else if (now_ns - quiet_ns > grace_ns)
			break;
		if (wait_for_signal(poll_interval(f)))
			return GS_OK;
	}
	f->killed = !archive_is_closed(f->archive);
	f->ended = true;
	return GS_OK;
}

int follow_run(struct follow *f, const struct range *r,
	struct show_result *ret, struct gs_err *err)
{
	struct show_stream t;
	int status, closed;

	show_stream_open(&t, f->show, f->source, r);
	t.keep_ns = f->o->when.from ? 0 : OVERVIEW_NS;
	status = go(f, &t, err);
	closed = show_stream_close(&t, status < 0 ? NULL : err);
	*ret = t.result;
	return GS_MIN(status, closed);
}
