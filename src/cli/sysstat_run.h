/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sysstat_run.h - shared by gpsnap's versions of sysstat's programs.
 */
#ifndef GS_CLI_SYSSTAT_RUN_H
#define GS_CLI_SYSSTAT_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/zone.h"
#include "cli/opt.h"
#include "cli/times.h"
#include "replay/archive.h"
#include "sysstat/day.h"
#include "sysstat/resample.h"

/* Rows of the terminal minus two; without a terminal the seconds of a day. */
size_t sysstat_screen_rows(void);

/* For the output's write; arg is not used. */
bool sysstat_write(void *arg, const char *p, size_t len);

/* "[INTERVAL [COUNT]]"; a missing value is not changed.  If an option gave the
 * interval: "[COUNT]". */
int sysstat_operands(const struct opt_rest *rest, int64_t *ret_every_ns,
	uint64_t *ret_count, struct gs_err *err);

/* The range of the options' times; sets from_ns and to_ns of ret. */
int sysstat_range(struct archive *a, const struct zone *zone,
	const struct times *t, struct resample_opt *ret, struct gs_err *err);

/* The same for a day, if one is given: the times become times of that day.  As
 * in sysstat, an end without a fraction includes that second. */
int sysstat_range_of_day(struct archive *a, const struct zone *zone,
	struct day *day, struct times *t, struct resample_opt *ret,
	struct gs_err *err);

/* sar has whole seconds and its own choice of samples: used in a strict run;
 * then *every_ns becomes 0. */
uint64_t sysstat_slices(bool strict, int64_t *every_ns);

/* Before options are parsed, as one before it may be wrong. */
bool sysstat_is_strict(int argc, char *const argv[]);

/* In a strict run wrong usage is status 1, as of sysstat; others stay. */
int sysstat_exit(bool strict, int status);

/* Shows the version; the exit status. */
int sysstat_version(const struct opt_cmd *c);

/* The exit status of a run. r negative: prints err; positive: there were
 * holes. */
int sysstat_status(const struct opt_cmd *c, int r, const struct gs_err *err);

/* resample_run() of a recording; on a terminal with how far it is.  Reports
 * what is damaged before the first sample. */
int sysstat_read(struct resample *f, struct archive *a, const struct zone *zone,
	const struct resample_opt *range, struct gs_err *err);

/* Fails: there was nothing to report, since the range is outside of the recording, or
 * has less than two samples.  of: "the host", "a host". */
int sysstat_nothing(struct archive *a, const struct zone *zone,
	const struct resample_opt *range, const char *of, struct gs_err *err);

/* 1: with holes, of which so many are in the output. */
int sysstat_done(const struct resample *f, size_t holes);

/* One run over a recording. */
struct sysstat_run {
	const struct opt_cmd *cmd;
	const char *file; /* NULL: the day's */
	struct day *day; /* NULL: there is a file */
	const char **ret_path; /* set to the path that is read; NULL */
	bool spools; /* has temporary files */
	/* Returns 1 if there were holes; negative: in err. */
	int (*replay)(void *self, struct archive *a);
	void *self;
	struct gs_err *err;
};

/* Reads it, once the sandbox is in force; the exit status. */
int sysstat_run(const struct sysstat_run *s);

#endif
