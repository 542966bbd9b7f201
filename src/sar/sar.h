/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar.h - sar's reports of a host's samples.
 *
 * Use: fill struct sar_opt; sar_new(); give its ops to a resample; sar_end();
 * sar_free().
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
	/* Where the output goes; false: it takes no more. */
	bool (*write)(void *arg, const char *p, size_t len);
	void (*notice)(void *arg, const char *text); /* of a cluster */
	void *arg;
};

struct sar;

extern const struct resample_ops sar_resample;

struct sar *sar_new(const struct sar_opt *opt);

/* The host was lost, for good. */
void sar_lost(struct sar *s);

/* The last averages. */
void sar_end(struct sar *s);

/* Reports that were made, and holes between them. */
size_t sar_reports(const struct sar *s);
size_t sar_holes(const struct sar *s);

/* errno, if buffered output was lost in a file; or 0. */
int sar_error(const struct sar *s);

/* Activities (bits) of which something was recorded; of sar's own all that
 * the host knows. */
uint64_t sar_seen(const struct sar *s);

void sar_free(struct sar *s);

#endif
