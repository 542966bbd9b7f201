/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/editing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"
#include "cli/confine.h"
#include "cli/meter.h"
#include "cli/start.h"
#include "cli/stop.h"
#include "merge/merge.h"
#include "replay/archive.h"
#include "view/extremes.h"
#include "view/report.h"

/* A summary of fewer ticks takes more of a short OUT than it saves time. */
#define BESIDE_TICKS 30

struct work {
	const struct editing *e;
	const struct editing_ask *ask;
	struct archive *archive; /* what is read, or */
	struct merge *merge; /* what several are merged into */
	struct zone zone;
	int64_t from_ns, to_ns;
	struct pick all; /* if nothing is chosen */
	struct sink *sink;
	struct extremes *extremes; /* for what OUT has beside its ticks: */
	struct beside *beside;
	struct copy_result res;
	struct meter meter;
};

/* ---- beginning -------------------------------------------------------- */

void editing_join(int argc, char **argv, struct buf *to)
{
	int i;

	buf_add_str(to, "gpsnap");
	for (i = 0; i < argc; i++)
		buf_printf(to, " %s", argv[i]);
}

static bool is_stdout(const struct editing *e)
{
	return strcmp(e->out, "-") == 0;
}

int editing_check(const struct opt_cmd *cmd, const struct editing *e,
	const struct opt_rest *rest)
{
	if (rest->n == 0)
		return cli_usage(cmd,
		    "expected a recording, a directory, or -");
	if (!e->out || e->out[0] == '\0')
		return cli_usage(cmd, "expected -o OUT, the file to make");
	if (is_stdout(e) && e->force)
		return cli_usage(cmd, "--force: -o - replaces no file");
	return CLI_GO;
}

/* ---- what copy_run() calls -------------------------------------------- */

static bool show_progress(void *ctx, int64_t wall_ns, const struct sink *s)
{
	struct work *w = ctx;
	struct buf b = BUF_INIT;

	if (stop_asked())
		return false;
	if (!status_line_is_due(&w->meter.line))
		return true;
	zone_add_date_time(&w->zone, wall_ns, 0, &b);
	buf_printf(&b, ", %" PRIu64 " ticks, ", sink_ticks(s));
	units_add_bytes(&b, sink_bytes(s));
	meter_add(&w->meter, wall_ns, &b);
	status_line_set(&w->meter.line, &b);
	buf_release(&b);
	return true;
}

static void add_edge(const struct work *w, int64_t ns, const char *open,
	struct buf *to)
{
	if (ns == INT64_MIN || ns == INT64_MAX)
		buf_add_str(to, open);
	else
		zone_add_date_time(&w->zone, ns, 0, to);
}

static void report_gap(void *ctx, const struct cursor_gap *gap)
{
	struct work *w = ctx;
	struct buf b = BUF_INIT;

	if (!w->ask->report_gaps && !gap->damage)
		return;
	if (gap->file && gap->file[0])
		buf_printf(&b, "%s: ", gap->file);
	if (gap->damage && gap->bytes)
		buf_printf(&b, "offset %" PRIu64 ": ", gap->offset);
	buf_printf(&b, "%s, ", gap->why);
	if (gap->bytes)
		buf_printf(&b, "%" PRIu64 " bytes, ", gap->bytes);
	if (gap->ticks)
		buf_printf(&b, "%" PRIu64 " tick%s, ", gap->ticks,
		    gap->ticks == 1 ? "" : "s");
	buf_add_str(&b, "lost from ");
	add_edge(w, gap->from_ns, "the start", &b);
	buf_add_str(&b, " to ");
	add_edge(w, gap->to_ns, "the end", &b);
	cli_notice("%s", buf_str(&b));
	buf_release(&b);
}

/* A hole of one source of several may be covered by another source. */
static void report_part(void *ctx, const struct cursor_gap *gap)
{
	struct work *w = ctx;

	if (gap->to_ns <= w->from_ns || gap->from_ns >= w->to_ns)
		return;
	w->res.n_gaps++;
	w->res.n_damaged += gap->damage;
	report_gap(w, gap);
}

/* ---- the run ---------------------------------------------------------- */

static int32_t utc_offset(const struct work *w)
{
	return w->merge ? merge_utc_offset(w->merge)
	              : archive_utc_offset(w->archive);
}

/* The first and last tick; false for a pipe. */
static bool find_edges(struct work *w, int64_t *ret_first, int64_t *ret_last)
{
	if (!w->merge)
		return archive_bounds(w->archive, ret_first, ret_last);
	merge_range(w->merge, ret_first, ret_last);
	return true;
}

static int set_range(struct work *w, struct gs_err *err)
{
	static const struct times all = { 0 };
	const struct times *t = w->ask->when ? w->ask->when : &all;
	int64_t first, last;
	int r = times_zone(t, utc_offset(w), &w->zone, err);

	if (r == GS_OK && !find_edges(w, &first, &last))
		r = times_check_pipe(t, err);
	if (r == GS_OK)
		r = times_range(t, &w->zone, first, last, &w->from_ns,
		    &w->to_ns, err);
	if (r == GS_OK)
		meter_range(&w->meter, &w->zone, w->from_ns, w->to_ns, first,
		    last);
	return r;
}

static int nothing(struct work *w, struct gs_err *err)
{
	struct range r = { w->from_ns, w->to_ns, 0 };
	int64_t first, last;

	if (!find_edges(w, &first, &last))
		return gs_fail(err, GS_E_NOTFOUND,
		    "nothing recorded in this range");
	return report_nothing(&r, NULL, &w->zone, first, last, err);
}

static int copy(struct work *w, struct gs_err *err)
{
	struct pick *pick = w->ask->pick ? w->ask->pick : &w->all;
	struct copy_options o = { .from_ns = w->from_ns, .to_ns = w->to_ns,
		.pick = pick, .redact = w->ask->redact,
		.thin_ns = w->ask->thin_ns, .command = w->ask->command,
		.is_made = w->merge && !merge_is_plain(w->merge),
		.step = show_progress, .gap = report_gap, .ctx = w };
	int r = copy_run(&o, w->merge ? merge_cursor(w->merge)
	    : archive_cursor(w->archive), w->merge ? merge_interval_ns(w->merge)
	    : archive_header(w->archive)->interval_ns, w->sink, &w->res, err);

	if (r == GS_OK)
		r = pick_check_found(pick, err);
	if (r == GS_OK && !w->res.any)
		r = nothing(w, err);
	if (r == GS_OK && w->ask->before)
		r = w->ask->before(w->ask->ctx, err);
	if (r == GS_OK)
		r = sink_finish(w->sink, err);
	return r;
}

/* The output has rows that show sessions. */
static bool wants_sessions(const struct pick *p)
{
	return !p || p->entity[ENTITY_PROCESS] || p->entity[ENTITY_BACKEND];
}

static int open_sources(struct work *w, const struct opt_rest *rest,
	struct gs_err *err)
{
	struct merge_options o = { .command = w->ask->command,
		.sessions = wants_sessions(w->ask->pick), .gap = report_part,
		.ctx = w };

	if (w->ask->merge)
		return merge_open(rest->arg, (size_t)rest->n, &o, &w->merge,
		    err);
	return archive_open(rest->arg, (size_t)rest->n, &w->archive, err);
}

/* NULL: thinned recordings have none. */
static struct beside *new_beside(struct work *w)
{
	struct beside_options o = { .level = BESIDE_LEVEL,
		.alone = true, .spares_short = true,
		.ticks_least = BESIDE_TICKS };

	if (w->e->no_summaries || w->ask->thin_ns > 0)
		return NULL;
	w->extremes = extremes_new();
	o.also = extremes_beside(w->extremes, &o.follower);
	return beside_new(&o);
}

static int run(struct work *w, const struct opt_rest *rest,
	struct gs_err *err)
{
	struct sink_options so = { .path = w->e->out, .force = w->e->force,
		.level = (int)w->e->level, .beside = w->beside,
		.stopped = stop_asked };
	int r = pick_init(&w->all, NULL, NULL, NULL, NULL, err);

	if (r == GS_OK)
		r = open_sources(w, rest, err);
	if (r == GS_OK)
		r = set_range(w, err);
	if (r == GS_OK)
		r = sink_open(&so, &io_posix, &w->sink, err);
	if (r == GS_OK)
		r = copy(w, err);
	if (r < 0 && stop_asked()) /* the signal is the cause of any other error */
		r = gs_fail(err, GS_E_GONE, "stopped%s", is_stdout(w->e)
		    ? "" : ": nothing was written");
	return r;
}

/* ---- messages --------------------------------------------------------- */

/* What is lost at an edge is no hole of the output. */
static void add_lost(const struct copy_result *res, struct buf *to)
{
	uint64_t holes = res->n_gaps - res->n_first - res->n_last;

	if (holes > 0)
		buf_printf(to, ", %" PRIu64 " hole%s", holes,
		    units_plural(holes));
	if (res->n_first > 0)
		buf_add_str(to, ", what was before it is lost");
	if (res->n_last > 0)
		buf_add_str(to, ", what was after it is lost");
}

static void add_line(const struct work *w, struct buf *to)
{
	const struct sink *s = w->sink;
	size_t n = sink_files(s);

	utf8_add_safe(to, w->e->out, strlen(w->e->out));
	if (n > 1) {
		buf_add_str(to, " to ");
		utf8_add_safe(to, sink_file(s, n - 1),
		    strlen(sink_file(s, n - 1)));
	}
	buf_printf(to, ": %" PRIu64 " tick%s, ", sink_ticks(s),
	    units_plural(sink_ticks(s)));
	zone_add_date_time(&w->zone, w->res.first_ns, 0, to);
	buf_add_str(to, " to ");
	zone_add_date_time(&w->zone, w->res.last_ns, 0, to);
	buf_add_char(to, ' ');
	zone_add_label(&w->zone, to);
	buf_add_str(to, ", ");
	units_add_bytes(to, sink_bytes(s));
	add_lost(&w->res, to);
	buf_add_char(to, '\n');
}

static size_t n_archives(const struct work *w)
{
	return w->merge ? merge_archives(w->merge) : 1;
}

static const struct archive *archive_of(const struct work *w, size_t i)
{
	return w->merge ? merge_archive(w->merge, i) : w->archive;
}

static void print_notes(const struct work *w)
{
	size_t i;

	for (i = 0; i < n_archives(w); i++)
		archive_notes(archive_of(w, i), &w->zone, cli_notice_text,
		    NULL);
	for (i = 0; w->merge && i < merge_notes(w->merge); i++)
		cli_notice("%s", merge_note(w->merge, i));
}

/* A named host or session is not in OUT. */
static bool is_part(const struct work *w)
{
	size_t i;

	for (i = 0; i < n_archives(w); i++) {
		if (archive_is_part(archive_of(w, i), w->from_ns, w->to_ns))
			return true;
	}
	return w->merge && merge_refused(w->merge) > 0;
}

static int report_result(const struct work *w)
{
	struct buf text = BUF_INIT;

	if (!w->e->quiet && !is_stdout(w->e)) {
		add_line(w, &text);
		if (w->ask->more)
			w->ask->more(w->ask->ctx, &text);
		(void)cli_write(buf_str(&text), text.len);
	}
	buf_release(&text);
	print_notes(w);
	return w->res.n_gaps > 0 || is_part(w) ? EXIT_GAPS : EXIT_DONE;
}

int editing_run(const struct opt_cmd *cmd, const struct editing *e,
	const struct editing_ask *ask, const struct opt_rest *rest)
{
	struct work w = { .e = e, .ask = ask };
	struct gs_err err = { .status = GS_OK };
	int status, r;

	status = cli_confine(cmd, &(struct confine) { .read = rest->arg,
	    .n_read = (size_t)rest->n, .make = e->out,
	    .change = { ask->change[0], ask->change[1] },
	    .waits = ask->waits });
	if (status != CLI_GO)
		return status;
	stop_catch_writing();
	meter_init(&w.meter, !e->quiet);
	w.beside = new_beside(&w);
	r = run(&w, rest, &err);
	meter_end(&w.meter);
	if (r == GS_OK)
		status = report_result(&w);
	else
		status = cli_fail(cmd, &err);
	sink_free(w.sink);
	beside_free(w.beside);
	extremes_free(w.extremes);
	archive_free(w.archive);
	merge_free(w.merge);
	pick_release(&w.all);
	return cli_finish(status);
}

int editing_main(const struct opt_cmd *cmd, int argc, char **argv, void *to,
	const struct editing *e, struct editing_ask *ask,
	editing_prepare_fn prepare)
{
	struct buf typed = BUF_INIT;
	struct opt_rest rest;
	int status;

	editing_join(argc, argv, &typed);
	ask->command = buf_str(&typed);
	status = cli_start(cmd, argc, argv, to, &rest);
	if (status == CLI_GO)
		status = editing_check(cmd, e, &rest);
	if (status == CLI_GO && prepare)
		status = prepare(cmd, to, ask);
	if (status == CLI_GO)
		status = editing_run(cmd, e, ask, &rest);
	buf_release(&typed);
	return status;
}
