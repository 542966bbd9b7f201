/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_live.c - gpsnap live: the tables of replay, of live samples.
 *
 * The recorder writes its ticks to a ring in memory in place of files; each
 * table shows a range of the ring, as replay shows one of a file.
 */
#include <signal.h>
#include <unistd.h>

#include "cli/cmds.h"
#include "cli/replay_opts.h"
#include "cli/sampling.h"
#include "cli/show_explain.h"
#include "cli/show_opts.h"
#include "cli/start.h"
#include "cli/tables.h"
#include "cli/terminal.h"
#include "cli/watch_judge.h"
#include "cli/watch_news.h"
#include "model/ring.h"
#include "view/show_stream.h"
#include "view/view.h"

#define RING_KEEP_NS (INT64_C(600) * GS_NSEC_PER_SEC) /* at least */
#define RING_BYTES_MAX ((size_t)256 << 20)

struct live {
	struct sampling sampling;
	struct replay_options show;
	const char *record; /* NULL: nothing is recorded */
	bool alerts;
};

static const struct opt options[] = {
	SAMPLING_WHEN(struct live),
	{ OPT_PATH, 'o', "record", "FILE|DIR",
	    "record all of it, too, as gpsnap record would",
	    .offset = OPT_AT(struct live, record) },
	{ OPT_FLAG, 0, "alerts", NULL,
	    "in place of tables a line, or with -f json an object, for each "
	    "finding that begins or ends", .offset = OPT_AT(struct live, alerts) },
	SHOW_OPTIONS(struct live, show.),
	SAMPLING_WHAT(struct live, 0, "server-pid"),
};

static const char *const usage[] = {
	"[-i INTERVAL] [-n COUNT] [-V VIEW] [-W WINDOW,...] [OPTION...]",
	NULL
};

static const char *const about[] = {
	"Samples as gpsnap record does and shows after each sample what gpsnap "
	"replay would show of it: by default what happened since the one "
	"before, with --window the last seconds and minutes. Nothing is "
	"written to a file unless --record names one.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap live -i 1 -V sessions", "who is busy, each second" },
	{ "gpsnap live --window 5s,1m,5m -V time_model",
	    "what sessions wait for" },
	{ "gpsnap live -i 1 --alerts", "what goes wrong, as it begins and ends" },
	{ "gpsnap live -i 10 -n 1 -V hosts -f json",
	    "the hosts over ten seconds, once, for a script" },
	{ NULL, NULL }
};

const struct opt_cmd live_opts = {
	.name = "live",
	.summary = "show what happens now, without a file",
	OPT_TABLES,
	.exits = cli_exits,
};

struct shown {
	const struct live *o;
	struct ring *ring;
	struct ring_cursor *cursor;
	struct show_source source;
	struct tables tables;
	struct show_stream stream;
	struct terminal term; /* in place of the stream, if there is one */
	struct watch_judge_state judge; /* of --alerts */
	bool travels;
	bool ended; /* enough was shown */
	int status; /* of a table that could not be made */
	struct gs_err err;
};

static void no_files(void *ctx, struct report *rep)
{
	(void)ctx;
	(void)rep;
}

static void end(struct shown *s, int status)
{
	if (s->ended)
		return;
	s->ended = true;
	s->status = status;
	(void)raise(SIGTERM); /* the recorder ends in good order */
}

/* ---- alerts ------------------------------------------------------------ */

static void alert(void *ctx, const struct finding_news *n)
{
	struct shown *s = ctx;
	struct watch_news *news = watch_news_of(n, 0);
	struct buf b = BUF_INIT;

	if (s->o->show.format == RENDER_JSON)
		watch_news_json(news, NULL, NULL, &b);
	else
		watch_news_line(news, &s->source.zone, &b);
	if (!cli_write(buf_str(&b), b.len))
		end(s, GS_OK);
	buf_release(&b);
	watch_news_free(news);
}

static void judge(struct shown *s, const struct tick *t, bool again)
{
	int r = s->ended ? GS_OK
	    : watch_judge_tick(&s->judge, t, again, false, &s->err);

	if (r < 0)
		end(s, r);
}

/* ---- ticks ------------------------------------------------------------- */

static void on_tick(void *arg, const struct tick *t,
	const struct recorder_status *status)
{
	struct shown *s = arg;
	int r;

	(void)status;
	if (s->o->alerts) {
		judge(s, t, false);
		return;
	}
	ring_push(s->ring, t);
	if (s->ended || !ring_range(s->ring, &s->source.first_ns,
		&s->source.last_ns))
		return;
	if (s->travels) {
		r = terminal_tick(&s->term, &s->err);
		if (r < 0)
			end(s, r);
		return;
	}
	r = show_stream_more(&s->stream, &s->err);
	if (r != RANGE_WAITS)
		end(s, r);
}

static void on_watch(void *arg)
{
	struct shown *s = arg;

	if (!s->ended && !terminal_serve(&s->term))
		end(s, GS_OK);
}

/* The ring updates the range with each tick. */
static void refresh(void *ctx, struct tui_source *s)
{
	const struct show_source *from = ctx;

	s->first_ns = from->first_ns;
	s->last_ns = from->last_ns;
}

static void on_repeat(void *arg, const struct tick *t)
{
	struct shown *s = arg;

	if (s->o->alerts)
		judge(s, t, true);
	else
		ring_push_repeat(s->ring, t);
}

static void on_notice(void *arg, bool trouble, const char *text)
{
	struct shown *s = arg;

	if (s->travels && terminal_note(&s->term, text))
		return;
	/* it would scroll the table away */
	if (trouble || !s->tables.printer.redraws)
		cli_notice("%s", text);
}

static int run(struct shown *s, struct recorder_options *ro)
{
	struct recorder_status got;
	struct gs_err err;
	struct recorder *r = recorder_new(ro, &err);
	int status;

	if (!r)
		return cli_cannot(&err);
	status = recorder_run(r, &err);
	terminal_close(&s->term);
	recorder_get_status(r, &got);
	if (s->o->record && got.written > 0)
		cli_notice("recorded into %s", ro->out.kind == OUTPUT_DIR
		    ? ro->out.path : recorder_path(r));
	recorder_free(r);
	if (s->status < 0)
		return cli_fail(&live_opts, &s->err);
	if (status < 0)
		return cli_cannot(&err);
	return got.lost > 0 || got.unclosed || got.database_missed
	    ? EXIT_GAPS : EXIT_DONE;
}

static int prepare(struct shown *s, const struct live *o)
{
	const struct range each = { INT64_MIN, INT64_MAX, RANGE_EACH_TICK };
	const struct replay_options *show = &o->show;
	int64_t keep_ns = RING_KEEP_NS;

	s->o = o;
	s->source = (struct show_source) { .head = no_files,
		.interval_ns = o->sampling.interval_ns };
	tables_init(&s->tables, show);
	s->tables.printer.redraws = render_can(show->format, RENDER_FOR_PEOPLE) &&
	    isatty(STDOUT_FILENO);
	if (show->n_window > 0)
		keep_ns = GS_MAX(keep_ns, show->window[show->n_window - 1]);
	if (times_zone(&show->when, zone_offset_here(), &s->source.zone, &s->err) < 0 ||
	    tables_show(&s->tables, show, &s->source, &s->err) < 0)
		return cli_usage(&live_opts, "%s", s->err.msg);
	/* one key period more: a window may begin within one */
	s->ring = ring_new(keep_ns + 120 * o->sampling.interval_ns,
	    RING_BYTES_MAX);
	s->cursor = ring_cursor_new(s->ring);
	s->source.cursor = ring_cursor(s->cursor);
	s->travels = show->format == OUTPUT_TUI;
	s->term = (struct terminal) { .o = show, .from = &s->source,
		.name = "live", .refresh = refresh, .grows = true };
	if (!s->travels)
		show_stream_open(&s->stream, s->tables.show, &s->source,
		    &each);
	return CLI_GO;
}

static int prepare_alerts(struct shown *s, const struct live *o)
{
	const struct findings_ask ask = { .all = true, .tell = alert,
		.ctx = s };

	s->o = o;
	watch_judge_init(&s->judge, o->sampling.interval_ns, &ask);
	if (times_zone(&o->show.when, zone_offset_here(), &s->source.zone,
	    &s->err) < 0)
		return cli_usage(&live_opts, "%s", s->err.msg);
	return CLI_GO;
}

static void close_shown(struct shown *s)
{
	struct gs_err err;

	watch_judge_release(&s->judge);
	if (s->cursor && !s->travels) {
		(void)show_stream_close(&s->stream, &err); /* all was shown */
		show_end(s->tables.show);
	}
	tables_release(&s->tables);
	ring_cursor_free(s->cursor);
	ring_free(s->ring);
}

static int set_record(const struct live *o, const struct sampling_use *use,
	struct recorder_options *ro)
{
	sampling_output(o->record, ro);
	if (ro->out.kind == OUTPUT_STREAM || o->record[0] == '\0')
		return cli_usage(&live_opts, "--record: expected a file or a "
		    "directory, got \"%s\"", o->record);
	ro->no_files = false;
	ro->out.host = use->nodename;
	return CLI_GO;
}

/* Several tables: text for reading; else a terminal. */
static int choose_format(struct live *o)
{
	bool one = o->sampling.count == 0 && o->sampling.duration_ns == 0;

	if (o->alerts && o->show.format == OUTPUT_AUTO)
		o->show.format = RENDER_TEXT;
	if (o->alerts && o->show.format != RENDER_TEXT &&
	    o->show.format != RENDER_JSON)
		return cli_usage(&live_opts,
		    "--alerts: expected -f text or -f json");
	o->show.format = output_resolve(o->show.format, one);
	if (o->show.format == OUTPUT_TUI && !output_is_terminal())
		return cli_usage(&live_opts, "-f tui needs a terminal, as "
		    "input and output, and TERM");
	return CLI_GO;
}

int cmd_live(int argc, char **argv)
{
	struct shown s = { .status = GS_OK };
	struct recorder_options ro = { .on_tick = on_tick,
		.on_repeat = on_repeat, .sync_ns = 10 * GS_NSEC_PER_SEC,
		.on_notice = on_notice, .arg = &s, .no_files = true,
		.version = cli_version(), .level = 3,
		.hup = HUP_END, .has_terminal = true };
	struct sampling_use use = SAMPLING_USE_INIT;
	struct live o = { .sampling.db.pid_option = "server-pid",
		.show = { .min_percent = -1, .format = OUTPUT_AUTO,
		.follow = true } };
	struct opt_rest rest;
	struct buf typed = BUF_INIT;
	int status;

	(void)signal(SIGPIPE, SIG_IGN); /* a failed write reports it */
	(void)signal(SIGXFSZ, SIG_IGN);
	sampling_line(argc, argv, &typed);
	ro.command_line = buf_str(&typed);
	status = cli_start(&live_opts, argc, argv, &o, &rest);
	if (status == CLI_GO && rest.n > 0)
		status = cli_usage(&live_opts, "unexpected %s", rest.arg[0]);
	if (status == CLI_GO)
		status = show_explain(&live_opts, &o.show);
	if (status == CLI_GO)
		status = replay_parse_windows(&live_opts, &o.show);
	if (status == CLI_GO)
		status = choose_format(&o);
	if (status == CLI_GO && o.show.format == OUTPUT_TUI) {
		ro.on_watch = on_watch;
		ro.watch_fd = STDIN_FILENO;
	}
	if (status == CLI_GO && render_can(o.show.format, RENDER_ONE_INSTANT) &&
	    o.sampling.count != 1)
		status = cli_usage(&live_opts,
		    "-f openmetrics shows one instant: it needs -n 1");
	if (status == CLI_GO)
		status = o.alerts ? prepare_alerts(&s, &o)
		                  : prepare(&s, &o);
	if (status == CLI_GO)
		status = sampling_set(&live_opts, &o.sampling, &use, &ro);
	if (status == CLI_GO && o.record)
		status = set_record(&o, &use, &ro);
	if (status == CLI_GO) {
		/* a table needs two samples */
		ro.count += ro.count > 0;
		status = run(&s, &ro);
	}
	close_shown(&s);
	sampling_release(&use);
	buf_release(&typed);
	return cli_finish(status);
}
