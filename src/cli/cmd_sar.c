/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_sar.c - gpsnap sar: what sysstat's sar would have printed, from a
 * recording.
 */
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmds.h"
#include "cli/sar_opts.h"
#include "cli/start.h"
#include "cli/sysstat_run.h"
#include "sar/sar.h"
#include "sysstat/day.h"

struct work {
	struct sar_cli o;
	struct day day;
	struct sar_choice choice;
	struct sar_opt opt;
	struct resample_opt range;
	const struct sar_layout *layout;
	void *run; /* of the layout */
	struct resample resample;
	struct gs_err err;
};

static int set_options(struct work *w, const struct opt_rest *rest)
{
	const struct sar_cli *o = &w->o;
	int r;

	w->range = (struct resample_opt) { .host = o->when.host,
		.every_host = !o->when.host, .every_ns = o->every_ns };
	r = sysstat_operands(rest, &w->range.every_ns, &w->opt.count,
	    &w->err);
	if (r == GS_OK && rest->n > 0 && w->range.every_ns == 0)
		r = gs_fail(&w->err, GS_E_USAGE, "INTERVAL 0: expected more; "
		    "without INTERVAL every sample is shown");
	if (r == GS_OK)
		r = sar_selection(o, &w->opt.activities, &w->choice, &w->err);
	w->layout = o->table ? &sar_host_table : &sar_host_by_host;
	w->opt.every_s = sysstat_slices(o->strict, &w->range.every_ns);
	w->opt.choice = &w->choice;
	w->opt.one_host = o->when.host != NULL;
	w->opt.strict = o->strict;
	w->opt.human = o->human || o->readable;
	w->opt.pretty = o->pretty || o->readable;
	w->opt.comments = o->comments;
	w->opt.extremes = o->extremes;
	w->opt.is_terminal = isatty(STDOUT_FILENO);
	w->opt.decimals = (int)o->decimals;
	w->opt.screen_rows = sysstat_screen_rows();
	w->opt.write = sysstat_write;
	w->opt.notice = cli_notice_text;
	return r;
}

/* 1: with holes.  Fails if there was nothing to report, or some of it is
 * lost. */
static int end_output(struct work *w, struct archive *a,
	const struct zone *zone)
{
	struct sar_result r = w->layout->end(w->run);

	if (r.error)
		return gs_fail(&w->err, GS_E_IO, "temporary file of pending "
		    "output: %s", strerror(r.error));
	if (r.reports > 0 && !r.empty)
		return sysstat_done(&w->resample, r.holes);
	if (r.reports == 0)
		return sysstat_nothing(a, zone, &w->range, "a host", &w->err);
	return gs_fail(&w->err, GS_E_GONE, "nothing to report: "
	    "nothing that was asked for was recorded");
}

static int replay(void *self, struct archive *a)
{
	struct work *w = self;
	struct zone zone;
	int r = times_zone(&w->o.when, archive_utc_offset(a), &zone, &w->err);

	if (r == GS_OK)
		r = sysstat_range_of_day(a, &zone, &w->day, &w->o.when,
		    &w->range, &w->err);
	if (r < 0)
		return r;
	w->opt.stamp = stamp_new(&zone, false);
	w->run = w->layout->new(&w->opt);
	resample_init(&w->resample, &w->range, archive_header(a)->interval_ns,
	    w->layout->resample, w->run);
	r = sysstat_read(&w->resample, a, &zone, &w->range, &w->err);
	return r < 0 ? r : end_output(w, a, &zone);
}

static int run(struct work *w)
{
	const struct sysstat_run run = { .cmd = &sar_opts, .file = w->o.file,
		.day = &w->day, .spools = !w->o.when.host, .replay = replay,
		.self = w, .err = &w->err };

	/* times and numbers in the locale's form, as sar writes them */
	(void)setlocale(LC_TIME, "");
	(void)setlocale(LC_NUMERIC, "");
	return sysstat_run(&run);
}

static int check(const struct sar_cli *o)
{
	if (o->table && (o->strict || o->when.host))
		return cli_usage(&sar_opts, "--table is of all hosts, and "
		    "sar has no such: not with --host or --strict");
	return times_check(&sar_opts, &o->when);
}

int cmd_sar(int argc, char **argv)
{
	struct work w = { .choice = SAR_CHOICE_INIT };
	struct opt_rest rest;
	bool strict = sysstat_is_strict(argc, argv);
	int status;

	argc = day_parse(&w.day, argc, argv);
	sar_default_times(argc, argv);
	status = cli_start(&sar_opts, argc, argv, &w.o, &rest);
	w.day.wanted |= !w.o.file;
	if (status == CLI_GO && w.o.version)
		return sysstat_version(&sar_opts);
	if (status == CLI_GO)
		status = check(&w.o);
	if (status == CLI_GO && set_options(&w, &rest) < 0)
		status = cli_usage(&sar_opts, "%s", w.err.msg);
	if (status == CLI_GO)
		status = run(&w);
	resample_release(&w.resample);
	if (w.layout)
		w.layout->free(w.run);
	sar_choice_release(&w.choice);
	day_release(&w.day);
	return sysstat_exit(strict, cli_finish(status));
}
