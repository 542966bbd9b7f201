/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sysstat_run.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "cli/confine.h"
#include "cli/meter.h"
#include "cli/start.h"
#include "model/header.h"
#include "model/tick.h"
#include "view/report.h"

/* The seconds of a day, as in sysstat. */
#define LINES_OF_FILE (24u * 3600)

size_t sysstat_screen_rows(void)
{
	struct winsize ws;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_row > 2)
		return ws.ws_row - 2u;
	return LINES_OF_FILE;
}

bool sysstat_write(void *arg, const char *p, size_t len)
{
	(void)arg;
	return cli_write(p, len);
}

static int prefixed(int r, const char *name, struct gs_err *err)
{
	if (r < 0)
		gs_err_prefix(err, "%s", name);
	return r;
}

static bool names_file(const char *text)
{
	int64_t ns;

	return units_duration(text, &ns, NULL) < 0 && access(text, F_OK) == 0;
}

int sysstat_operands(const struct opt_rest *rest, int64_t *ret_every_ns,
	uint64_t *ret_count, struct gs_err *err)
{
	bool only_count = *ret_every_ns > 0;
	int64_t count = 0;
	int r = GS_OK, at = only_count ? 0 : 1;

	if (rest->n > at + 1)
		return gs_fail(err, GS_E_USAGE, "unexpected %s%s",
		    rest->arg[at + 1], only_count ? ": with -i there is only "
		    "COUNT" : "");
	if (rest->n > 0 && !only_count && names_file(rest->arg[0]))
		return gs_fail(err, GS_E_USAGE, "unexpected %s: a recording is "
		    "named with -f", rest->arg[0]);
	if (rest->n > 0 && !only_count && strchr(rest->arg[0], ':'))
		return gs_fail(err, GS_E_USAGE, "unexpected %s: times are given "
		    "with --from and --to", rest->arg[0]);
	if (rest->n > 0 && !only_count)
		r = prefixed(units_duration(rest->arg[0], ret_every_ns, err),
		    "INTERVAL", err);
	if (r == GS_OK && rest->n > at)
		r = prefixed(units_int(rest->arg[at], 1, INT64_MAX, &count,
		    err), "COUNT", err);
	if (r == GS_OK && count > 0 && *ret_every_ns == 0)
		return gs_fail(err, GS_E_USAGE, "COUNT needs an INTERVAL "
		    "of more than 0");
	if (count > 0)
		*ret_count = (uint64_t)count;
	return r;
}

int sysstat_range(struct archive *a, const struct zone *zone,
	const struct times *t, struct resample_opt *ret, struct gs_err *err)
{
	int64_t first_ns, last_ns;

	(void)archive_bounds(a, &first_ns, &last_ns); /* or of a pipe */
	return times_range(t, zone, first_ns, last_ns, &ret->from_ns,
	    &ret->to_ns, err);
}

int sysstat_range_of_day(struct archive *a, const struct zone *zone,
	struct day *day, struct times *t, struct resample_opt *ret,
	struct gs_err *err)
{
	int r;

	day_set(day, zone, gs_clock_wall_ns(), &t->from, &t->to);
	r = sysstat_range(a, zone, t, ret, err);
	if (t->to && !strchr(t->to, '.') && ret->to_ns < TICK_TIME_MAX_NS)
		ret->to_ns += GS_NSEC_PER_SEC - 1;
	return r;
}

uint64_t sysstat_slices(bool strict, int64_t *every_ns)
{
	int64_t every_s = *every_ns / GS_NSEC_PER_SEC;

	if (!strict || *every_ns % GS_NSEC_PER_SEC != 0)
		return 0;
	*every_ns = 0;
	return (uint64_t)every_s;
}

bool sysstat_is_strict(int argc, char *const argv[])
{
	int i = 0;

	while (i < argc && strcmp(argv[i], "--strict") != 0)
		i++;
	return i < argc;
}

int sysstat_exit(bool strict, int status)
{
	return strict && status == EXIT_WRONG_USAGE ? 1 : status;
}

int sysstat_version(const struct opt_cmd *c)
{
	(void)printf("gpsnap %s %s\n", c->name, cli_version());
	return cli_finish(EXIT_DONE);
}

int sysstat_status(const struct opt_cmd *c, int r, const struct gs_err *err)
{
	if (r < 0)
		return cli_fail(c, err);
	return r > 0 ? EXIT_GAPS : EXIT_DONE;
}

/* On the standard error: the output begins with the first sample. */
static void report_head(const struct resample *f, const struct zone *zone)
{
	struct buf text = BUF_INIT;

	if (!f->headless)
		return;
	buf_add_str(&text, "hole from ");
	if (f->head.from_ns == INT64_MIN)
		buf_add_str(&text, "the start");
	else
		zone_add_date_time(zone, f->head.from_ns, 0, &text);
	buf_add_str(&text, " to ");
	if (f->head.to_ns == INT64_MAX)
		buf_add_str(&text, "the end");
	else
		zone_add_date_time(zone, f->head.to_ns, 0, &text);
	cli_notice("%s: %s", buf_str(&text), f->head.why);
	buf_release(&text);
}

int sysstat_nothing(struct archive *a, const struct zone *zone,
	const struct resample_opt *range, const char *of, struct gs_err *err)
{
	const struct range asked = { .from_ns = range->from_ns,
		.to_ns = range->to_ns };
	int64_t first_ns, last_ns;

	if (archive_range(a, &first_ns, &last_ns) &&
	    (range->from_ns > last_ns || range->to_ns < first_ns))
		return report_nothing(&asked, NULL, zone, first_ns, last_ns,
		    err);
	return gs_fail(err, GS_E_GONE, "nothing to report: the range has less "
	    "than two samples of %s", of);
}

int sysstat_done(const struct resample *f, size_t holes)
{
	return holes > 0 || f->headless;
}

int sysstat_read(struct resample *f, struct archive *a, const struct zone *zone,
	const struct resample_opt *range, struct gs_err *err)
{
	int64_t first_ns, last_ns;
	struct meter m;
	int r;

	meter_init(&m, true);
	if (archive_bounds(a, &first_ns, &last_ns))
		meter_range(&m, zone, range->from_ns, range->to_ns, first_ns,
		    last_ns);
	r = resample_run(f, meter_cursor(&m, archive_cursor(a)), err);
	meter_end(&m);
	report_head(f, zone);
	return r;
}

int sysstat_run(const struct sysstat_run *s)
{
	const char *file = s->file || !s->day ? s->file
	    : cli_default_dir(&s->day->place);
	char *path[] = { (char *)(uintptr_t)file };
	struct archive *a = NULL;
	int r;

	if (s->ret_path)
		*s->ret_path = file;
	r = cli_confine(s->cmd, &(struct confine) { .read = path, .n_read = 1,
	    .spools = s->spools });
	if (r != CLI_GO)
		return r;
	r = archive_open(path, 1, &a, s->err);
	if (!s->file)
		r = cli_no_default_dir(file, "name a recording with -f", r,
		    s->err);
	if (r == GS_OK)
		r = s->replay(s->self, a);
	archive_free(a);
	return sysstat_status(s->cmd, r, s->err);
}
