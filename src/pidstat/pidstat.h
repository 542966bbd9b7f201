/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pidstat.h - pidstat's reports of a host's samples.
 *
 * Use: fill struct pidstat_opt; pidstat_new(); give its ops to a resample;
 * pidstat_end(); pidstat_free().
 */
#ifndef GS_PIDSTAT_PIDSTAT_H
#define GS_PIDSTAT_PIDSTAT_H

#include "sysstat/resample.h"
#include "sysstat/reports.h"
#include "sysstat/select.h"
#include "sysstat/stamp.h"

enum pidstat_activity {
	ACTIVITY_CPU = 1 << 0, /* -u */
	ACTIVITY_MEMORY = 1 << 1, /* -r */
	ACTIVITY_STACK = 1 << 2, /* -s */
	ACTIVITY_IO = 1 << 3, /* -d */
	ACTIVITY_SWITCHES = 1 << 4, /* -w */
	ACTIVITY_KERNEL = 1 << 5, /* -v */
	ACTIVITY_REALTIME = 1 << 6 /* -R */
};

enum pidstat_family {
	FAMILY_OF_TASK,
	FAMILY_OF_CHILD,
	FAMILY_OF_ALL
};

struct pidstat_opt {
	unsigned activities; /* bits of enum pidstat_activity; 0: CPU */
	enum pidstat_family family;
	struct selection *select; /* not owned */
	bool threads;
	bool user; /* names, not numbers */
	bool line; /* command lines, not names */
	bool per_cpu; /* -I */
	bool one_line; /* -h */
	bool human;
	bool json;
	bool strict;
	bool since_boot; /* one report of the whole time, at the end */
	bool is_terminal;
	int decimals;
	size_t screen_rows; /* headings are repeated after so many */
	uint64_t count; /* reports; 0: all */
	struct stamp stamp;
	/* Writes output; false: the output failed. */
	bool (*write)(void *arg, const char *p, size_t len);
	void (*notice)(void *arg, const char *text);
	void *arg;
};

struct pidstat;

extern const struct resample_ops pidstat_resample;

/* GS_E_USAGE: nothing to show was selected. */
int pidstat_new(const struct pidstat_opt *opt, struct pidstat **ret,
	struct gs_err *err);

/* The watched program has ended, or a signal came: writes an empty line, if
 * there was output, before its end. */
void pidstat_break(struct pidstat *p);

struct pidstat_result {
	size_t reports, holes; /* reports that were written, holes between */
};

/* Writes averages and the end of the output. */
struct pidstat_result pidstat_end(struct pidstat *p);

void pidstat_free(struct pidstat *p);

#endif
