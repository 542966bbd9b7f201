/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The status of a recorder for clients of its control socket, and marks.
 */
#include "record/recorder_int.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/user.h"
#include "base/scan.h"
#include "record/status_report.h"

/* ---- the report ---------------------------------------------------- */

static char *copy(const char *text)
{
	return text && text[0] != '\0' ? gs_strdup(text) : NULL;
}

static void report_files(struct recorder *r, struct status_report *b)
{
	const struct output_options *out = &r->opt.out;
	struct writer_stats ws;

	if (!r->writer)
		return;
	writer_get_stats(r->writer, &ws);
	b->files = ws.files;
	b->bytes = ws.bytes;
	b->file_bytes = ws.file_bytes;
	b->ticks_written = ws.ticks;
	b->ticks_queued = ws.queued;
	b->ticks_lost = ws.lost;
	b->ticks_losing = ws.losing;
	if (out->kind == OUTPUT_STREAM)
		return;
	b->file = recorder_absolute_path(r);
	if (out->kind == OUTPUT_DIR)
		b->directory = recorder_absolute(r, out->path);
}

static void report_ticks(const struct recorder *r, struct status_report *b)
{
	static const char *const database[] = { [DATABASE_NONE] = "none",
		[DATABASE_DOWN] = "down", [DATABASE_UP] = "up" };
	const struct recorder_status *s = &r->status;

	b->ticks = s->ticks;
	b->ticks_late = s->late;
	b->ticks_skipped = s->skipped;
	b->answers_missed = s->unanswered;
	b->connections_lost = s->downs;
	b->first_tick = s->first_ns;
	b->last_tick = s->last_ns;
	b->processes = s->processes;
	b->processes_quiet = s->quiet;
	b->marks = s->marks;
	b->database = gs_strdup(database[r->n_db > 0 && s->database == DATABASE_NONE
	    ? DATABASE_DOWN : s->database]);
	b->last_error = copy(r->trouble.ptr ? buf_str(&r->trouble) : NULL);
	b->last_error_time = r->trouble_ns;
}

static void report_servers(const struct recorder *r, struct status_report *b)
{
	size_t i;

	for (i = 0; i < r->n_db; i++) {
		struct dbsource_state s = dbsource_get_state(r->db[i]);

		status_report_add_server(b, s.label, s.since_ns == 0
		    ? "connecting" : s.up ? "up" : "down", s.since_ns, s.why);
	}
}

static uint64_t own_rss_bytes(void)
{
	char text[128];
	struct span s;
	uint64_t pages;
	FILE *f = fopen("/proc/self/statm", "re");
	size_t n = f ? fread(text, 1, sizeof(text), f) : 0;

	if (f)
		(void)fclose(f); /* was only read */
	s = span_of(text, n);
	if (!scan_u64(&s, &pages) || !scan_u64(&s, &pages))
		return 0;
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static double own_cpu_percent(int64_t since_mono_ns)
{
	int64_t passed_ns = gs_clock_mono_ns() - since_mono_ns;
	struct rusage u;
	double used_s;

	if (getrusage(RUSAGE_SELF, &u) < 0 || passed_ns <= 0)
		return 0;
	used_s = (double)u.ru_utime.tv_sec + (double)u.ru_stime.tv_sec +
	    (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
	return 100 * used_s / ((double)passed_ns / 1e9);
}

static void report_agent(const struct host_conn *s, struct status_report *b)
{
	int64_t up_ns = gs_clock_mono_ns() - s->changed_ns;
	const struct world *w = host_conn_world(s);
	const struct table *t;
	uint64_t cpu_ns, rss_kib;
	size_t i;

	if (world_hosts(w) == 0)
		return;
	t = &world_host(w, 0)->table[ENTITY_AGENT];
	for (i = 0; i < t->n_slot; i++) {
		if (!t->slot[i])
			continue;
		b->agents++;
		if (row_peek(t->slot[i], COL(AGENT, RSS), &rss_kib))
			b->agents_rss_bytes += rss_kib * 1024;
		if (up_ns > 0 &&
		    row_peek(t->slot[i], COL(AGENT, CPU), &cpu_ns))
			b->agents_cpu_percent += 100 * (double)cpu_ns /
			    (double)up_ns;
	}
}

static const char *state_of(const struct host_conn *s)
{
	if (s->held_for)
		return "connecting";
	switch (s->state) {
	case HOST_CONN_SAMPLING:
		return "up";
	case HOST_CONN_LATE:
		return "late";
	case HOST_CONN_RETRY:
		return "down";
	case HOST_CONN_IDLE:
	case HOST_CONN_QUEUED:
	case HOST_CONN_CONNECTING:
	case HOST_CONN_ALIAS:
		break;
	}
	return s->why ? "down" : "connecting";
}

static int64_t since_when(const struct host_conn *s)
{
	if (s->state == HOST_CONN_LATE)
		return gs_clock_wall_ns() - agent_conn_waiting_ns(s->link);
	if (s->changed_ns == 0)
		return 0;
	return gs_clock_wall_ns() - (gs_clock_mono_ns() - s->changed_ns);
}

static void report_hosts(const struct recorder *r, struct status_report *b)
{
	size_t i, up;

	b->hosts = host_set_hosts(r->host_set, &up);
	b->hosts_up = up;
	for (i = 0; i < host_set_count(r->host_set); i++) {
		const struct host_conn *s = host_set_host_conn(r->host_set, i);

		if (s->removed || s->state == HOST_CONN_ALIAS)
			continue;
		status_report_add_host(b, s->name, state_of(s), since_when(s),
		    host_conn_is_up(s) ? NULL : s->why);
		if (host_conn_is_up(s))
			report_agent(s, b);
	}
}

static void report_status(void *arg, struct buf *to)
{
	struct recorder *r = arg;
	struct status_report b = { .pid = (uint64_t)getpid(),
		.started = r->started_ns, .now = gs_clock_wall_ns(),
		.interval_seconds = (double)r->interval_ns / 1e9 };

	b.user = copy(r->user);
	b.host = copy(r->opt.host_set.nodename);
	b.version = copy(r->opt.version);
	b.cpu_percent = own_cpu_percent(r->started_mono_ns);
	b.rss_bytes = own_rss_bytes();
	report_files(r, &b);
	report_ticks(r, &b);
	report_hosts(r, &b);
	report_servers(r, &b);
	recorder_report_watches(r, &b);
	b.kept_seconds = (double)r->opt.before_ns / 1e9;
	b.kept_ticks = framer_backlog(r->framer)->n;
	b.kept_bytes = framer_backlog(r->framer)->bytes;
	b.kept_dropped = framer_backlog(r->framer)->dropped;
	(void)recorder_is_fast(r, &b.fast_until); /* else it stays 0 */
	status_report_put(&b, to);
	status_report_release(&b);
}

/* ---- marks ----------------------------------------------------------- */

/* Only root and this user are served; no user name is looked up, which could
 * block ticks. */
static int add_mark(void *arg, uid_t uid, const char *text,
	struct gs_err *err)
{
	struct recorder *r = arg;
	struct buf b = BUF_INIT;

	if (strlen(text) > CONTROL_MARK_MAX)
		return gs_fail(err, GS_E_LIMIT,
		    "a mark has %zu bytes at most", CONTROL_MARK_MAX);
	if (r->ended)
		return gs_fail(err, GS_E_GONE, "the recording has ended");
	if (recorder_marks_waiting(r) >= RECORDER_MARKS_MAX)
		return gs_fail(err, GS_E_LIMIT,
		    "%u marks wait for the next tick already",
		    RECORDER_MARKS_MAX);
	buf_printf(&b, "%s: %s", uid == geteuid() ? r->user : "root", text);
	tick_add_event(&r->pending, EVENT_MARK, gs_clock_wall_ns(),
	    EVENT_NO_HOST, 0, buf_str(&b), b.len);
	r->status.marks++;
	recorder_let_out(r);
	buf_release(&b);
	return 0;
}

/* ---- the beginning --------------------------------------------------- */

static char *own_name(void)
{
	char *name = user_name(geteuid());
	struct buf b = BUF_INIT;

	if (name)
		return name;
	buf_printf(&b, "uid %ju", (uintmax_t)geteuid());
	return b.ptr;
}

void recorder_open_control(struct recorder *r)
{
	struct control_ops ops = { .status = report_status, .mark = add_mark,
		.arg = r };
	struct gs_err err;

	if (!r->opt.control)
		return;
	r->user = own_name();
	r->cwd = getcwd(NULL, 0);
	r->control = control_open(&r->loop, &ops, &err);
	if (!r->control) {
		gs_err_prefix(&err, "no marks and no status");
		recorder_notice(r, false, err.msg);
	}
}
