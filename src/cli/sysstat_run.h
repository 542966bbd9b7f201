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
#include "cli/opt.h"
#include "replay/archive.h"

/* Rows of the terminal but two; a day of lines if there is none. */
size_t sysstat_screen_rows(void);

/* For the output's write and notice; arg is not used. */
bool sysstat_write(void *arg, const char *p, size_t len);
void sysstat_notice(void *arg, const char *text);

/* "[INTERVAL [COUNT]]"; what is not there stays as it is.  Where the interval
 * is there already, by an option, "[COUNT]". */
int sysstat_operands(const struct opt_rest *rest, int64_t *ret_every_ns,
	uint64_t *ret_count, struct gs_err *err);

/* The part of a recording from one time to another, as written; NULL: open. */
int sysstat_range(struct archive *a, const struct zone *zone,
	const char *from, const char *to, int64_t *ret_from_ns,
	int64_t *ret_to_ns, struct gs_err *err);

/* sar has whole seconds, and its own idea of which samples they are: those of
 * a strict run; then *every_ns becomes 0. */
uint64_t sysstat_slices(bool strict, int64_t *every_ns);

/* As for sysstat, an end without a fraction is all of that second. */
void sysstat_whole_second(const char *to, int64_t *to_ns);

#endif
