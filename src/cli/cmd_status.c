/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_status.c - gpsnap status: the state of the recorders of this host.
 */
#include <stdbool.h>
#include <string.h>

#include "cli/cmds.h"
#include "cli/start.h"
#include "record/running.h"
#include "record/status_text.h"
#include "render/jsonout.h"

#define WIDTH_FLOOR ((size_t)30)

enum status_format {
	STATUS_TEXT,
	STATUS_JSON
};

struct status {
	int format;
	bool utc;
};

static const char *const formats[] = { "text", "json", NULL };

static const struct opt options[] = {
	{ OPT_ENUM, 'f', "format", "FORMAT",
	    "output format; in json a line for each recorder", .dflt = "text",
	    .values = formats, .offset = OPT_AT(struct status, format) },
	{ OPT_FLAG, 'u', "utc", NULL, "times in UTC, not in local time",
	    .offset = OPT_AT(struct status, utc) },
};

static const char *const usage[] = { "[RECORDING] [OPTION...]", NULL };

static const char *const about[] = {
	"Shows of the recorder that writes RECORDING, a file or a directory: "
	"since when it records, which hosts answer, what is missing, where its "
	"files are, how fast they grow, and its cost. Without RECORDING: the "
	"recorders of this user, or for root of all users; several are listed.",
	NULL
};

static const struct opt_example examples[] = {
	{ "gpsnap status", "is it recording?" },
	{ NULL, NULL }
};

static const struct opt_exit exits[] = {
	{ EXIT_DONE, "the recording is complete" },
	{ EXIT_GAPS, "it runs, but a host, a database server or ticks are "
	    "missing now" },
	{ EXIT_CANNOT, "a recorder runs, but does not answer" },
	{ EXIT_NOTHING, "no recorder runs, or none that writes RECORDING" },
	EXITS_END
};

const struct opt_cmd status_opts = {
	.name = "status",
	.summary = "show the state of running recorders",
	OPT_TABLES,
	.exits = exits,
};

/* ---- json ------------------------------------------------------------ */

static void add_time(struct jsonout *j, int64_t ns)
{
	if (ns == 0)
		jsonout_null(j);
	else
		jsonout_instant(j, ns);
}

static void add_field(struct jsonout *j, const struct status_report *b,
	const struct status_report_field *f)
{
	const void *at = (const char *)b + f->offset;
	const char *text;

	jsonout_name(j, f->name);
	switch (f->kind) {
	case STATUS_REPORT_NUMBER:
		jsonout_int(j, (int64_t)*(const uint64_t *)at);
		break;
	case STATUS_REPORT_TIME:
		add_time(j, *(const int64_t *)at);
		break;
	case STATUS_REPORT_REAL:
		jsonout_real(j, *(const double *)at);
		break;
	case STATUS_REPORT_WORDS:
		text = *(char *const *)at;
		if (text)
			jsonout_str(j, text);
		else
			jsonout_null(j);
		break;
	}
}

static void add_hosts(struct jsonout *j, const char *name,
	const struct status_report_host *h, size_t n)
{
	size_t i;

	jsonout_open_list(jsonout_name(j, name));
	for (i = 0; i < n; i++, h++) {
		jsonout_open_map(j);
		jsonout_str(jsonout_name(j, "name"), h->name);
		jsonout_str(jsonout_name(j, "state"), h->state);
		jsonout_name(j, "since");
		add_time(j, h->since_ns);
		jsonout_name(j, "why");
		if (h->why)
			jsonout_str(j, h->why);
		else
			jsonout_null(j);
		jsonout_close_map(j);
	}
	jsonout_close_list(j);
}

static void add_watches(struct jsonout *j, const struct status_report *b)
{
	size_t i;

	jsonout_open_list(jsonout_name(j, "watch_list"));
	for (i = 0; i < b->n_watch; i++) {
		const struct status_report_watch *w = &b->watch[i];

		jsonout_open_map(j);
		jsonout_str(jsonout_name(j, "name"), w->name);
		jsonout_int(jsonout_name(j, "held"), (int64_t)w->held);
		jsonout_name(j, "since");
		add_time(j, w->since_ns);
		jsonout_int(jsonout_name(j, "times"), (int64_t)w->times);
		jsonout_int(jsonout_name(j, "runs"), (int64_t)w->runs);
		jsonout_int(jsonout_name(j, "failed"), (int64_t)w->failed);
		jsonout_int(jsonout_name(j, "not_run"),
		    (int64_t)w->not_run);
		jsonout_close_map(j);
	}
	jsonout_close_list(j);
}

static void add_json(const struct status_report *b, struct buf *to)
{
	struct buf why = BUF_INIT;
	struct jsonout j;
	size_t i;

	if (!jsonout_begin(&j, to))
		return;
	jsonout_open_map(&j);
	jsonout_int(jsonout_name(&j, "status_version"), 1);
	for (i = 0; i < n_status_report_fields; i++)
		add_field(&j, b, &status_report_fields[i]);
	jsonout_name(&j, "trouble");
	if (status_text_troubles(b, &why) > 0)
		jsonout_str(&j, buf_str(&why));
	else
		jsonout_null(&j);
	add_hosts(&j, "host_list", b->at, b->n_at);
	add_hosts(&j, "database_list", b->server, b->n_server);
	add_watches(&j, b);
	jsonout_close_map(&j);
	jsonout_end(&j);
	buf_release(&why);
}

/* ---- output ---------------------------------------------------------- */

static bool is_troubled(const struct status_report *b)
{
	struct buf why = BUF_INIT;
	bool is = status_text_troubles(b, &why) > 0;

	buf_release(&why);
	return is;
}

static void add_one(const struct status *o, const struct status_report *b,
	bool listed, struct buf *to)
{
	struct zone zone = zone_fixed(o->utc ? 0 : zone_offset_here());

	if (o->format == STATUS_JSON)
		add_json(b, to);
	else if (listed)
		status_text_line(b, &zone, to);
	else
		status_text(b, &zone, GS_MAX(cli_width(), WIDTH_FLOOR), to);
}

/* All recorders, or the one that was named. */
static int show(const struct status *o, const struct runnings *all,
	const struct running *only)
{
	const struct running *item = only ? only : all->item;
	size_t i, n = only ? 1 : all->n;
	int status = EXIT_DONE;
	struct buf to = BUF_INIT;

	if (n > 1 && o->format == STATUS_TEXT)
		buf_add_str(&to, "PID      USER        SINCE                UP HOSTS     "
		    "RECORDING\n");
	for (i = 0; i < n; i++) {
		add_one(o, &item[i].status, n > 1, &to);
		if (is_troubled(&item[i].status))
			status = EXIT_GAPS;
	}
	if (n > 1 && o->format == STATUS_TEXT)
		buf_add_str(&to, "\ngpsnap status RECORDING says more\n");
	(void)cli_write(buf_str(&to), to.len); /* cli_finish() reports it */
	buf_release(&to);
	return status;
}

static int find_and_show(const struct status *o, const char *path)
{
	struct runnings all = RUNNINGS_INIT;
	const struct running *only = NULL;
	struct buf usual = BUF_INIT;
	struct gs_err err;
	int status, r = runnings_find(&all, &err);

	if (r == 0 && (path || all.n == 0))
		r = runnings_choose(&all, path, cli_default_dir(&usual),
		    &only, &err);
	if (r < 0 || !path)
		cli_warning_lines(buf_str(&all.mute));
	if (r == 0) {
		status = show(o, &all, only);
		if (all.n_mute > 0 && !path)
			status = EXIT_CANNOT;
	} else {
		(void)cli_cannot(&err); /* the status says more */
		status = r == GS_E_NOTFOUND && all.n_mute == 0
		    ? EXIT_NOTHING : EXIT_CANNOT;
	}
	runnings_release(&all);
	buf_release(&usual);
	return status;
}

int cmd_status(int argc, char **argv)
{
	struct status o = { 0 };
	struct opt_rest rest;
	int status = cli_start(&status_opts, argc, argv, &o, &rest);

	if (status != CLI_GO)
		return status;
	if (rest.n > 1)
		return cli_usage(&status_opts,
		    "expected one recording, got %d", rest.n);
	return cli_finish(find_and_show(&o, rest.arg[0]));
}
