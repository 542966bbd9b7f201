/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar.h - sar's reports of the samples of hosts.
 *
 * Use: fill struct sar_opt; new(); give the layout's ops to a resample; end();
 * free().
 */
#ifndef GS_SAR_SAR_H
#define GS_SAR_SAR_H

#include "sar/sar_table.h"
#include "sysstat/resample.h"
#include "sysstat/stamp.h"

struct sar_opt {
	uint64_t activities; /* bits by enum sar_activity_id */
	const struct sar_choice *choice; /* not owned */
	bool strict; /* as sar has it */
	bool human;
	bool pretty; /* the name of a row comes after its values */
	bool comments;
	bool extremes; /* minimum and maximum beside averages */
	bool is_terminal;
	int decimals;
	size_t screen_rows; /* headings are repeated after so many */
	uint64_t every_s; /* the samples that sar would choose for this
	                   * interval; 0: all */
	uint64_t count; /* reports; 0: as many as there are */
	bool one_host; /* only one of the recording's is shown */
	struct stamp stamp;
	/* Writes output; false: the output failed. */
	bool (*write)(void *arg, const char *p, size_t len);
	void (*notice)(void *arg, const char *text); /* of a cluster */
	void *arg;
};

struct sar_result {
	size_t reports, holes; /* reports that were made, holes between them */
	bool empty; /* nothing that is wanted was recorded: no output */
	int error; /* errno, if pending output was lost in a file; or 0 */
};

/* How the reports of several hosts are put together. */
struct sar_layout {
	const struct resample_ops *resample; /* its self is a run */
	void *(*new)(const struct sar_opt *opt);
	/* Writes averages, and all output that waited. */
	struct sar_result (*end)(void *run);
	void (*free)(void *run); /* NULL is allowed */
};

/* One host below the other, from one reading of the recording: for a resample
 * of one host or of every host. */
extern const struct sar_layout sar_host_by_host;

/* One table: the hosts' rows of one time are below each other.  For a resample
 * of every host. */
extern const struct sar_layout sar_host_table;

#endif
