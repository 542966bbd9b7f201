/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_int.h - shared by sar.c (from samples to pages), sar_text.c (their text),
 * sar_cluster.c and sar_hosts.c (the layouts).
 */
#ifndef GS_SAR_SAR_INT_H
#define GS_SAR_SAR_INT_H

#include "sar/sar.h"
#include "sysstat/extremes.h"
#include "sysstat/paint.h"
#include "sysstat/spool.h"

/* The output of one activity: activities follow each other, each over the whole
 * stretch. */
struct sar_page {
	enum sar_activity_id id;
	struct spool spool;
	struct extremes extremes; /* of the stretch */
	size_t below; /* lines since the last heading */
	bool headed; /* the last report had one */
	bool any; /* something of it was recorded */
};

struct sar {
	struct sar_opt opt;
	struct sar_page page[SAR_ACTIVITIES]; /* that are wanted, in order */
	size_t n_page;
	struct sar_data data;
	struct slice slice;
	struct banner banner;
	bool begun; /* there is a banner */
	bool enough; /* reports, of this stretch */
	bool stopped; /* the output takes no more */
	int error; /* errno of a spool's file */
	int64_t last_ns; /* when the host answered last */
	size_t n_reports, n_holes;
	size_t n_stretch; /* reports since the last boot or hole */
	struct paint paint;
	struct buf out;
};

struct sar *sar_new(const struct sar_opt *opt);
void sar_free(struct sar *s);

extern const struct resample_ops sar_resample;

/* The host was lost, for good. */
void sar_lost(struct sar *s);

/* Writes the last averages. */
void sar_end_stretch(struct sar *s);

/* Activities (bits) of which something was recorded; of sar's own all that
 * the host knows. */
uint64_t sar_seen(const struct sar *s);

/* A host of several in one table. */
struct sar_site {
	uint32_t host; /* its index */
	char *name; /* owned */
	struct sar_data data;
	int64_t last_ns; /* when it answered last; 0: never */
	bool fresh; /* it has a report to make */
};

struct sar_sites {
	struct sar_site **site;
	size_t n;
	int width; /* of the longest name */
	int64_t before_ns, now_ns; /* for headings and rows */
};

/* The report of all pages, or averages, into their spools: of sites, in rows
 * that name them, or of the run's own data (NULL). */
void sar_text_report(struct sar *s, const struct sar_sites *sites,
	bool average);

/* A line of its own in every page. */
void sar_text_line(struct sar *s, int64_t wall_ns, enum paint_color color,
	const char *text);

/* Writes pages that are complete; or the only one, as it grows. */
void sar_flush_pages(struct sar *s, bool complete);

#endif
