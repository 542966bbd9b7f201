/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_report.c - gpsnap report: a recording as one HTML file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/newfile.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/units.h"
#include "base/utf8.h"
#include "cli/cmds.h"
#include "cli/kept_page.h"
#include "cli/memory.h"
#include "cli/meter.h"
#include "cli/start.h"
#include "cli/times.h"
#include "diff/only_hosts.h"
#include "replay/archive.h"
#include "view/report.h"

struct report_options {
	struct times when;
	const char *out, *title, *baseline;
	struct opt_texts host;
	bool force, quiet, findings, data;
	uint64_t memory_bytes;
};

#define AT(field) .offset = OPT_AT(struct report_options, field)

static const struct opt options[] = {
	RANGE_OPTIONS(struct report_options, when),
	{ OPT_TEXTS, 0, "host", "HOST", "only this host; may be repeated",
	    AT(host) },
	{ OPT_TEXT, 0, "baseline", "RANGE",
	    "also have this range, and open with the difference: 13:00..13:30; "
	    "-1h: the same range an hour earlier", AT(baseline) },
	{ OPT_PATH, 'o', "output", "FILE",
	    "the page; -: to the standard output", .group = "What to make",
	    AT(out) },
	{ OPT_FLAG, 0, "force", NULL, "replace FILE if it exists", AT(force) },
	{ OPT_TEXT, 0, "title", "TEXT",
	    "its heading; default: the name of the first PATH", AT(title) },
	{ OPT_FLAG, 0, "findings", NULL,
	    "look for findings in a range of more than 3600 samples, too, "
	    "which takes long", AT(findings) },
	{ OPT_FLAG, 0, "data", NULL,
	    "only the data of the page, as gpsnap web asks for it", AT(data) },
	{ OPT_FLAG, 'q', "quiet", NULL, "do not say what was made",
	    AT(quiet) },
	ZONE_OPTIONS(struct report_options, when, 'u'),
	MEMORY_OPTION(struct report_options, memory_bytes),
};

static const char *const usage[] = {
	"PATH... -o FILE [--from TIME] [--to TIME] [--baseline RANGE] "
	"[OPTION...]", NULL
};

static const char *const about[] = {
	"Makes one HTML file of a recording, which shows in a browser what was "
	"wrong, when, and who: load, hosts, and the sessions, statements, "
	"locks, waits and processes of any range that is chosen in it. The "
	"file needs nothing else and asks no other machine for anything, so "
	"that it can be mailed. PATH is a file or a directory of them.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap report incident.gpsnap -o incident.html",
	    "all of it" },
	{ "gpsnap report ~/gpsnap --from -1h -o hour.html", "the last hour" },
	{ "gpsnap report incident.gpsnap --from 14:05 --to +5m -o five.html "
	    "--title \"Shop, Monday\"", "five minutes, with a heading" },
	{ "gpsnap report incident.gpsnap --from -1s --baseline ..-1s -o "
	    "slow.html", "the last second beside all that was before" },
	{ NULL, NULL }
};

const struct opt_cmd report_opts = {
	.name = "report",
	.summary = "make one HTML file of a recording, to look at or to mail",
	OPT_TABLES,
	.exits = cli_exits,
	CONFINED,
};

struct work {
	struct report_options o;
	struct archive *archive;
	struct only_hosts *only; /* NULL: all hosts */
	struct page_source source;
	struct range range;
	struct meter meter;
	struct page_data data;
	struct buf path, page;
};

/* ---- the source -------------------------------------------------------- */

static void head(void *ctx, struct report *rep)
{
	const struct work *w = ctx;

	archive_notes(w->archive, &w->source.zone, report_add_note, rep);
}

/* The baseline is a part of the page, and so is what is between. */
static int add_baseline(struct work *w, struct gs_err *err)
{
	struct page_source *s = &w->source;
	struct range *r = &w->range, base = { 0, 0, 0 };
	int status;

	if (!w->o.baseline)
		return GS_OK;
	r->from_ns = GS_MAX(r->from_ns, s->first_ns);
	r->to_ns = GS_MIN(r->to_ns, s->last_ns);
	status = times_baseline(w->o.baseline, &s->zone, s->first_ns,
	    s->last_ns, r->from_ns, r->to_ns, &base.from_ns, &base.to_ns,
	    err);
	if (status < 0)
		return status;
	if (base.to_ns < s->first_ns || base.from_ns > s->last_ns) {
		status = report_nothing(&base, NULL, &s->zone, s->first_ns,
		    s->last_ns, err);
		gs_err_prefix(err, "--baseline");
		return status;
	}
	s->chosen = (struct page_span) { r->from_ns, r->to_ns };
	s->baseline = (struct page_span) {
		GS_MAX(base.from_ns, s->first_ns),
		GS_MIN(base.to_ns, s->last_ns) };
	r->from_ns = GS_MIN(r->from_ns, s->baseline.from_ns);
	r->to_ns = GS_MAX(r->to_ns, s->baseline.to_ns);
	return GS_OK;
}

static void set_hosts(struct work *w)
{
	struct page_source *s = &w->source;
	const struct opt_texts *host = &w->o.host;

	if (host->n == 0)
		return;
	w->only = only_hosts_new(s->cursor, host->text, host->n);
	s->cursor = only_hosts_cursor(w->only);
	s->host = host->text;
	s->n_host = host->n;
}

static int check_hosts(const struct work *w, struct gs_err *err)
{
	const char *name = w->only ? only_hosts_unseen(w->only) : NULL;

	return name ? gs_fail(err, GS_E_USAGE,
	    "--host %.60s: no such host in this part of the recording", name)
	    : GS_OK;
}

static int set_source(struct work *w, struct gs_err *err)
{
	struct page_source *s = &w->source;
	int r;

	if (!archive_bounds(w->archive, &s->first_ns, &s->last_ns))
		return gs_fail(err, GS_E_USAGE, "a pipe can be read once "
		    "only: a page needs a file");
	s->cursor = meter_cursor(&w->meter, archive_cursor(w->archive));
	s->interval_ns = archive_header(w->archive)->interval_ns;
	s->head = head;
	s->ctx = w;
	s->findings = w->o.findings;
	s->data_only = w->o.data;
	s->version = cli_version();
	s->path = buf_str(&w->path);
	set_hosts(w);
	r = times_zone(&w->o.when, archive_utc_offset(w->archive), &s->zone,
	    err);
	if (r == GS_OK)
		r = times_range(&w->o.when, &s->zone, s->first_ns, s->last_ns,
		    &w->range.from_ns, &w->range.to_ns, err);
	if (r == GS_OK)
		r = add_baseline(w, err);
	if (r == GS_OK)
		meter_range(&w->meter, &s->zone, w->range.from_ns,
		    w->range.to_ns, s->first_ns, s->last_ns);
	return r;
}

/* ---- the file ---------------------------------------------------------- */

static bool is_stdout(const struct work *w)
{
	return strcmp(w->o.out, "-") == 0;
}

static int write_file(const struct work *w, struct gs_err *err)
{
	struct newfile *f = NULL;
	int r = newfile_begin(w->o.out, w->o.force, 0640, &f, err);

	if (r == GS_OK)
		r = newfile_add(f, buf_str(&w->page), w->page.len, err);
	if (r == GS_OK)
		r = newfile_finish(f, err);
	newfile_free(f);
	return r;
}

static bool is_part(const struct work *w)
{
	return w->data.n_holes > 0 || archive_is_part(w->archive,
	    w->range.from_ns, w->range.to_ns);
}

static void say_made(const struct work *w)
{
	struct buf text = BUF_INIT;

	utf8_add_safe(&text, w->o.out, strlen(w->o.out));
	buf_add_str(&text, ": ");
	units_add_bytes(&text, w->page.len);
	if (w->data.n_holes > 0) /* a note says what else is not in it */
		buf_add_str(&text, "; parts of its time are missing: the page "
		    "says which");
	buf_add_char(&text, '\n');
	(void)cli_write(buf_str(&text), text.len);
	buf_release(&text);
}

/* ---- the command ------------------------------------------------------- */

/* All of a file, asked for without anything that would change what it shows. */
static bool is_whole(const struct work *w)
{
	const struct page_source *s = &w->source;

	return s->n_host == 0 && !w->o.baseline &&
	    w->range.from_ns <= s->first_ns && w->range.to_ns >= s->last_ns;
}

static int read_data(struct work *w, struct gs_err *err)
{
	return is_whole(w) && kept_page_take(w->archive, &w->source, &w->data)
	    ? GS_OK : page_read(&w->source, &w->range, &w->data, err);
}

static int run(struct work *w, struct gs_err *err)
{
	int r = set_source(w, err);

	if (r == GS_OK)
		r = read_data(w, err);
	if (r == GS_OK)
		r = check_hosts(w, err);
	if (r == GS_OK && !w->data.any)
		r = report_nothing(&w->range, &w->data.hole, &w->source.zone,
		    w->source.first_ns, w->source.last_ns, err);
	if (r == GS_OK)
		r = page_print(&w->source, &w->data, &w->page, err);
	if (r < 0)
		return r;
	if (is_stdout(w)) {
		(void)cli_write(buf_str(&w->page), w->page.len); /* reported
		                                                  * at the end */
		return GS_OK;
	}
	r = write_file(w, err);
	if (r == GS_OK && !w->o.quiet)
		say_made(w);
	return r;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* The page names files without their directories: it may be for others. */
static void set_texts(struct work *w, const struct opt_rest *rest)
{
	int i;

	for (i = 0; i < (int)rest->n; i++) {
		if (i > 0)
			buf_add_char(&w->path, ' ');
		quote_add_word(&w->path, base_name(rest->arg[i]));
	}
	w->source.title = w->o.title ? w->o.title : base_name(rest->arg[0]);
}

static int start(int argc, char **argv, struct work *w, struct opt_rest *rest)
{
	struct gs_err err;
	int status = cli_start(&report_opts, argc, argv, &w->o, rest);

	if (status != CLI_GO)
		return status;
	if (rest->n == 0)
		return cli_usage(&report_opts,
		    "expected a recording or a directory");
	if (!w->o.out)
		return cli_usage(&report_opts, "expected -o FILE");
	status = times_check(&report_opts, &w->o.when);
	if (status != CLI_GO)
		return status;
	if (!is_stdout(w) && !confine_explains() &&
	    newfile_check(w->o.out, w->o.force, &err) < 0)
		return cli_fail(&report_opts, &err);
	set_texts(w, rest);
	return cli_confine(&report_opts, &(struct confine) {
	    .read = rest->arg, .n_read = (size_t)rest->n,
	    .make = w->o.out });
}

int cmd_report(int argc, char **argv)
{
	struct work w = { .range = { INT64_MIN, INT64_MAX, 0 } };
	struct opt_rest rest;
	struct gs_err err = { .status = GS_OK };
	int status = start(argc, argv, &w, &rest), r;

	if (status == CLI_GO) {
		meter_init(&w.meter, !w.o.quiet);
		meter_stop_by_signal(&w.meter);
		r = archive_open(rest.arg, (size_t)rest.n, &w.archive, &err);
		if (r == GS_OK)
			r = run(&w, &err);
		meter_end(&w.meter);
		if (r == GS_OK) {
			archive_notes(w.archive, &w.source.zone,
			    cli_notice_text, NULL);
			status = is_part(&w) ? EXIT_GAPS : EXIT_DONE;
		} else {
			status = cli_fail(&report_opts, &err);
		}
	}
	only_hosts_free(w.only);
	archive_free(w.archive);
	page_data_release(&w.data);
	buf_release(&w.path);
	buf_release(&w.page);
	return cli_finish(status);
}
