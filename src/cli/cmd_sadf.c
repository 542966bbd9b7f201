/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_sadf.c - gpsnap sadf: what sar measures, in the formats of sysstat's
 * sadf, from a recording.
 */
#include <locale.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/cmds.h"
#include "cli/sadf_opts.h"
#include "cli/start.h"
#include "cli/sysstat_run.h"
#include "sadf/sadf.h"
#include "sysstat/day.h"

struct work {
	struct sadf_cli o;
	struct sar_cli sar;
	struct day day;
	struct sar_choice choice;
	struct sadf_drawing drawing;
	struct sadf_opt opt;
	struct resample_opt range;
	struct sadf *sadf;
	struct resample resample;
	struct gs_err err;
};

/* ---- options --------------------------------------------------------- */

static const struct {
	size_t offset; /* of bool */
	enum sadf_form form;
} forms[] = {
	{ OPT_AT(struct sadf_cli, lines), SADF_LINES },
	{ OPT_AT(struct sadf_cli, table), SADF_TABLE },
	{ OPT_AT(struct sadf_cli, json), SADF_JSON },
	{ OPT_AT(struct sadf_cli, xml), SADF_XML },
	{ OPT_AT(struct sadf_cli, svg), SADF_SVG },
};

static int set_form(struct work *w)
{
	size_t i, n = 0;

	w->opt.form = w->o.head ? SADF_ABOUT : SADF_LINES;
	for (i = 0; i < GS_LEN(forms); i++) {
		if (!*(const bool *)((const char *)&w->o + forms[i].offset))
			continue;
		w->opt.form = forms[i].form;
		n++;
	}
	if (n > 1)
		return gs_fail(&w->err, GS_E_USAGE,
		    "-p, -d, -j, -x, -g: expected only one of them");
	w->opt.head_only = w->o.head && (w->opt.form == SADF_JSON ||
	    w->opt.form == SADF_XML || w->opt.form == SADF_SVG);
	return GS_OK;
}

static int set_drawing(struct work *w)
{
	int r = sadf_drawing(w->o.drawing, &w->drawing, &w->err);

	if (r == GS_OK && w->o.drawing && w->opt.form != SADF_SVG)
		r = gs_fail(&w->err, GS_E_USAGE, "-O needs -g");
	w->opt.svg = w->drawing.svg;
	w->opt.show_idle = w->drawing.show_idle;
	return r;
}

static int set_options(struct work *w, const struct opt_rest *rest)
{
	int r = set_form(w);

	w->range = (struct resample_opt) { .host = w->sar.when.host,
		.every_ns = w->sar.every_ns };
	if (r == GS_OK)
		r = set_drawing(w);
	if (r == GS_OK)
		r = sysstat_operands(rest, &w->range.every_ns, &w->opt.count,
		    &w->err);
	if (r == GS_OK && rest->n > 0 && w->range.every_ns == 0)
		r = gs_fail(&w->err, GS_E_USAGE, "INTERVAL 0: expected more; "
		    "without INTERVAL every sample is written");
	w->sar.all |= w->opt.form == SADF_ABOUT;
	if (r == GS_OK)
		r = sar_selection(&w->sar, &w->opt.activities, &w->choice,
		    &w->err);
	if (w->sar.strict)
		w->choice.omit_idle = false; /* sadf shows them */
	w->opt.every_s = sysstat_slices(w->sar.strict, &w->range.every_ns);
	w->opt.choice = &w->choice;
	w->opt.one_line = w->o.one_line;
	w->opt.strict = w->sar.strict;
	w->opt.comments = w->sar.comments;
	w->opt.version = cli_version();
	w->opt.write = sysstat_write;
	w->opt.notice = cli_notice_text;
	return r;
}

/* ---- times ----------------------------------------------------------- */

/* This machine's zone, with daylight saving if the zone has a name. */
static struct zone zone_here(void)
{
	const char *tz = getenv("TZ");
	struct gs_err ignored;
	struct zone zone;

	if (tz && zone_parse(&zone, tz, &ignored) == GS_OK)
		return zone;
	return zone_fixed(zone_offset_here());
}

static int set_zone(struct work *w, struct archive *a)
{
	const struct sadf_cli *o = &w->o;
	const char *tz = w->sar.when.tz;
	struct times times = { .tz = tz, .utc = !o->made_local && !tz };
	int r = times_zone(&times, archive_utc_offset(a), &w->opt.zone,
	    &w->err);

	w->opt.time = o->epoch ? SADF_EPOCH : o->local || o->made_local || tz
	    ? SADF_LOCAL : SADF_UTC;
	if (o->local)
		w->opt.zone = zone_here();
	w->opt.made_zone = zone_fixed(archive_utc_offset(a));
	return r;
}

/* The whole day in which it begins. */
static void set_whole_day(struct sadf_opt *o)
{
	struct civil c = zone_to_civil(&o->zone, o->from_ns);

	c.hour = c.minute = c.second = c.ns = 0;
	o->from_ns = zone_from_civil(&o->zone, &c, false);
	civil_from_days(&c, civil_to_days(c.year, c.month, c.day) + 1);
	o->to_ns = zone_from_civil(&o->zone, &c, false);
}

/* A drawing shows the recorded part of the range. */
static void set_axis(struct work *w, struct archive *a)
{
	int64_t first_ns, last_ns;

	(void)archive_bounds(a, &first_ns, &last_ns); /* or of a pipe */
	w->opt.made_ns = first_ns;
	w->opt.from_ns = GS_MAX(first_ns, w->range.from_ns);
	w->opt.to_ns = GS_MIN(last_ns, w->range.to_ns);
	if (w->drawing.one_day)
		set_whole_day(&w->opt);
	if (w->opt.to_ns <= w->opt.from_ns)
		w->opt.to_ns = w->opt.from_ns + GS_NSEC_PER_SEC;
}

/* ---- the command ----------------------------------------------------- */

static int replay(void *self, struct archive *a)
{
	struct work *w = self;
	struct sadf_result done;
	int r = set_zone(w, a);

	if (r == GS_OK)
		r = sysstat_range_of_day(a, &w->opt.zone, &w->day,
		    &w->sar.when, &w->range, &w->err);
	if (r < 0)
		return r;
	set_axis(w, a);
	w->sadf = sadf_new(&w->opt);
	resample_init(&w->resample, &w->range, archive_header(a)->interval_ns,
	    &sadf_resample, w->sadf);
	r = sysstat_read(&w->resample, a, &w->opt.zone, &w->range, &w->err);
	if (r < 0)
		return r;
	done = sadf_end(w->sadf);
	if (w->opt.head_only || done.stopped)
		return sysstat_done(&w->resample, done.holes);
	if (done.samples == 0)
		return sysstat_nothing(a, &w->opt.zone, &w->range, "the host",
		    &w->err);
	if (done.empty)
		return gs_fail(&w->err, GS_E_GONE, "nothing to report: "
		    "nothing that was asked for was recorded");
	return sysstat_done(&w->resample, done.holes);
}

static int run(struct work *w)
{
	const struct sysstat_run run = { .cmd = &sadf_opts, .file = w->o.file,
		.day = &w->day, .ret_path = &w->opt.path, .replay = replay,
		.self = w, .err = &w->err };

	(void)setlocale(LC_TIME, ""); /* of dates of -H */
	return sysstat_run(&run);
}

static int check(const struct sadf_cli *o)
{
	const char *not = o->convert ? "-c: gpsnap reads every version of its "
	    "recordings as it is"
	    : o->raw ? "-r: the raw counters are in gpsnap export"
	    : o->pcp ? "-l: gpsnap writes no PCP archives" : NULL;

	if (not)
		return cli_usage(&sadf_opts, "%s", not);
	if (o->local + o->made_local + o->epoch + (o->when.tz != NULL) > 1)
		return cli_usage(&sadf_opts,
		    "-T, -t, -U, --tz: expected only one of them");
	if (o->one_line && !o->table)
		return cli_usage(&sadf_opts, "-h needs -d");
	return CLI_GO;
}

int cmd_sadf(int argc, char **argv)
{
	struct work w = { .choice = SAR_CHOICE_INIT };
	struct opt_rest rest;
	bool strict = sysstat_is_strict(argc, argv);
	int status;

	argc = day_parse(&w.day, argc, argv);
	sar_default_times(argc, argv);
	status = sadf_start(argc, argv, &w.o, &w.sar, &rest);
	w.day.wanted |= !w.o.file;
	if (status == CLI_GO && w.o.version)
		return sysstat_version(&sadf_opts);
	if (status == CLI_GO)
		status = check(&w.o);
	if (status == CLI_GO && set_options(&w, &rest) < 0)
		status = cli_usage(&sadf_opts, "%s", w.err.msg);
	if (status == CLI_GO)
		status = run(&w);
	resample_release(&w.resample);
	sadf_free(w.sadf);
	sar_choice_release(&w.choice);
	day_release(&w.day);
	return sysstat_exit(strict, cli_finish(status));
}
