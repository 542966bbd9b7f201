/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf.h - a host's samples in sadf's forms.
 *
 * Use: fill struct sadf_opt; sadf_new(); give its ops to a resample;
 * sadf_end(); sadf_free().
 */
#ifndef GS_SADF_SADF_H
#define GS_SADF_SADF_H

#include "sadf/svg.h"
#include "sar/sar_table.h"
#include "sysstat/resample.h"

enum sadf_form {
	SADF_LINES, /* -p: a line per value, for awk */
	SADF_TABLE, /* -d: a line per row, for a database */
	SADF_JSON,
	SADF_XML,
	SADF_SVG,
	SADF_ABOUT, /* -H alone: about the recording */
	SADF_FORMS
};

enum sadf_time {
	SADF_UTC,
	SADF_LOCAL, /* in the zone, which is not named */
	SADF_EPOCH /* in seconds since 1970 */
};

struct sadf_opt {
	enum sadf_form form;
	bool head_only; /* no samples */
	bool one_line; /* -d: all activities side by side */
	uint64_t activities; /* bits by enum sar_activity_id */
	const struct sar_choice *choice; /* not owned */
	bool strict; /* as sadf has it, even where it is wrong */
	bool comments;
	uint64_t every_s; /* as sadf chooses samples (instant.h); 0: all */
	uint64_t count; /* samples shown; 0: all */
	enum sadf_time time;
	struct zone zone; /* of times; UTC with SADF_UTC */
	/* About the recording. */
	const char *path, *version; /* not owned */
	struct zone made_zone; /* where it was made */
	int64_t made_ns; /* when it begins */
	/* Of a drawing. */
	int64_t from_ns, to_ns; /* what is shown; from_ns < to_ns */
	bool show_idle;
	struct svg_opt svg; /* zone, heading and name are set here */
	/* Writes output; false: the output failed. */
	bool (*write)(void *arg, const char *p, size_t len);
	void (*notice)(void *arg, const char *text);
	void *arg;
};

struct sadf;

extern const struct resample_ops sadf_resample;

struct sadf *sadf_new(const struct sadf_opt *opt);

struct sadf_result {
	size_t samples, holes; /* samples that were shown, holes between them */
	bool stopped; /* the output failed */
	bool empty; /* nothing that is wanted was recorded: no output */
};

/* Writes the end of the output. */
struct sadf_result sadf_end(struct sadf *s);

void sadf_free(struct sadf *s);

#endif
