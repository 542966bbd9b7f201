/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sysstat_run.h - what gpsnap's versions of sysstat's programs do alike.
 */
#ifndef GS_CLI_SYSSTAT_RUN_H
#define GS_CLI_SYSSTAT_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/zone.h"
#include "cli/day.h"
#include "cli/opt.h"
#include "cli/times.h"
#include "replay/archive.h"
#include "sysstat/resample.h"

/* Rows of the terminal but two; a day of lines if there is none. */
size_t sysstat_screen_rows(void);

/* For the output's write and notice; arg is not used. */
bool sysstat_write(void *arg, const char *p, size_t len);
void sysstat_notice(void *arg, const char *text);

/* "[INTERVAL [COUNT]]"; what is not there stays as it is.  Where the interval
 * is there already, by an option, "[COUNT]". */
int sysstat_operands(const struct opt_rest *rest, int64_t *ret_every_ns,
	uint64_t *ret_count, struct gs_err *err);

/* The part of a recording that the times say; of ret from_ns and to_ns. */
int sysstat_range(struct archive *a, const struct zone *zone,
	const struct times *t, struct resample_opt *ret, struct gs_err *err);

/* The same of a day, if one is wanted, which the times become those of; as for
 * sysstat, an end without a fraction is all of that second. */
int sysstat_range_of_day(struct archive *a, const struct zone *zone,
	struct day *day, struct times *t, struct resample_opt *ret,
	struct gs_err *err);

/* sar has whole seconds, and its own idea of which samples they are: those of
 * a strict run; then *every_ns becomes 0. */
uint64_t sysstat_slices(bool strict, int64_t *every_ns);

/* Shows the version; the exit status. */
int sysstat_version(const struct opt_cmd *c);

/* The exit status of what was done: negative, err is told; positive: with
 * holes. */
int sysstat_told(const struct opt_cmd *c, int r, const struct gs_err *err);

/* One run over a recording. */
struct sysstat_run {
	const struct opt_cmd *cmd;
	const char *file; /* NULL: the day's */
	struct day *day; /* NULL: there is a file */
	const char **ret_path; /* set to what is read; NULL */
	bool spools; /* has temporary files */
	/* Returns 1 if there were holes; negative: in err. */
	int (*replay)(void *self, struct archive *a);
	void *self;
	struct gs_err *err;
};

/* Reads it, once the sandbox is in force; the exit status. */
int sysstat_run(const struct sysstat_run *s);

#endif
