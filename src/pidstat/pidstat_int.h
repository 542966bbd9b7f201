/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pidstat_int.h - what the files of pidstat share: pidstat.c (from samples to
 * reports), pidstat_rows.c (which tasks have a row), pidstat_text.c and
 * pidstat_json.c (the forms of output).
 */
#ifndef GS_PIDSTAT_PIDSTAT_INT_H
#define GS_PIDSTAT_PIDSTAT_INT_H

#include "pidstat/pidstat.h"
#include "sysstat/paint.h"

struct yajl_gen_t;

struct pidstat {
	struct pidstat_opt opt;
	enum report_id report[REPORT_COUNT]; /* that are wanted, in order */
	size_t n_report;
	size_t n_task; /* of them: of the task; first, where in one line */
	struct tasks tasks;
	struct instant first, prev, now;
	struct banner banner;
	bool begun; /* the first sample was taken */
	bool stopped; /* the output failed */
	bool ended; /* enough was shown */
	bool was_there; /* one of the processes that were named */
	bool gone; /* all selected tasks have ended */
	size_t n_reports, n_holes;
	size_t below; /* reports since the last heading: pidstat counts each as
	               * a line of the screen */
	bool headed; /* there was one */
	/* figures that reports need and no task had */
	uint64_t missing;
	bool any_thread;
	struct paint paint;
	struct buf out;
	struct yajl_gen_t *gen; /* of JSON; NULL before the first report */
};

/* Which reports there are, by the options, and in what order. */
void pidstat_choose_reports(struct pidstat *p);

/* A row's formulas; average: over the run. */
struct calc pidstat_calc(const struct pidstat *p, const struct task *k,
	bool average);

/* Whether a task is selected and has a row, if these figures (bits by enum fig)
 * must have changed. */
bool pidstat_shows(const struct pidstat *p, uint64_t active,
	size_t at, bool average);

/* The figures of one row with all reports of the task, or of it with its
 * children. */
uint64_t pidstat_active(const struct pidstat *p, bool child);

/* The task's process as a whole; NULL: unknown. */
const struct task *pidstat_process(const struct pidstat *p, size_t task);

/* Its name, or command line; threads have names. */
const char *pidstat_name(const struct pidstat *p, const struct task *k);

void pidstat_text_report(struct pidstat *p, bool average);

void pidstat_json_report(struct pidstat *p);
void pidstat_json_end(struct pidstat *p);

#endif
