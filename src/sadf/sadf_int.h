/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf_int.h - what the files of sadf share: sadf.c (from samples to a form of
 * output), the forms, and sadf_out.c (what these have in common).
 */
#ifndef GS_SADF_SADF_INT_H
#define GS_SADF_SADF_INT_H

#include "sadf/sadf.h"
#include "sysstat/paint.h"
#include "sysstat/spool.h"
#include "sysstat/stamp.h"

struct sadf;

enum sadf_note_kind {
	SADF_RESTART,
	SADF_COMMENT,
	SADF_HOLE
};

/* Something between two samples. */
struct sadf_note {
	enum sadf_note_kind kind;
	int64_t from_ns, to_ns; /* to_ns: of a hole; INT64_MAX: the end */
	uint64_t cpus; /* of a restart */
	const char *text; /* of a comment or a hole */
};

/* A form of output: what it adds to out, or to a spool.  NULL: nothing. */
struct sadf_writer {
	void (*begin)(struct sadf *s); /* the host is known */
	void (*sample)(struct sadf *s);
	void (*stretch)(struct sadf *s); /* what follows is not compared with
	                                  * what was */
	void (*note)(struct sadf *s, const struct sadf_note *n);
	void (*end)(struct sadf *s); /* begin was called */
	void (*release)(struct sadf *s);
};

extern const struct sadf_writer sadf_lines, sadf_table, sadf_json, sadf_xml,
	sadf_svg, sadf_about;

/* One activity that is wanted. */
struct sadf_page {
	const struct sar_activity *activity;
	struct spool spool; /* of -p and -d */
	bool headed;
	bool any; /* something of it was recorded */
};

struct sadf {
	struct sadf_opt opt;
	const struct sadf_writer *writer;
	struct sadf_page page[SAR_ACTIVITIES]; /* in order */
	size_t n_page;
	struct sar_data data;
	struct banner banner;
	bool begun; /* there is a banner */
	bool stopped; /* the output failed */
	bool waits; /* there may be nothing to show: output is held */
	struct spool held;
	bool enough; /* as many samples as are wanted, of the stretch */
	struct slice slice;
	int64_t last_ns; /* when the host was there last */
	size_t n_samples, n_holes;
	size_t n_stretch; /* samples since the last boot or hole */
	struct paint paint; /* of figures, to out */
	struct buf out;
	/* Of JSON and XML: the part after the samples. */
	struct spool restarts, comments, holes;
	size_t n_restart, n_comment, n_hole;
	struct chart_page charts;
};

/* Seconds that the sample covers, as sysstat rounds them. */
int64_t sadf_interval(const struct sadf *s);

/* The same; less than a second, which sysstat does not know, with its
 * fraction. */
void sadf_add_interval(struct sadf *s);

/* "2026-11-21 14:05:30 UTC", or in the form that the options name. */
void sadf_add_stamp(struct sadf *s, int64_t ns);

/* When and where the recording was made, fact by fact. */
typedef void (*sadf_fact_fn)(struct sadf *s, const char *name,
	const char *text);
void sadf_facts(struct sadf *s, sadf_fact_fn add);

/* "2026-11-21", "14:05:30", of the options' zone, or of UTC. */
void sadf_add_date(struct buf *to, const struct zone *z, int64_t ns);
void sadf_add_clock(struct buf *to, const struct zone *z, int64_t ns);

/* Appends a figure in its unit; nothing if it is absent. */
void sadf_add_value(struct sadf *s, const struct sar_column *c,
	const struct value *v);

/* The next row of a page that has any value, from *at = 0 on, and the values of
 * its columns; with empty, rows without a value, too. */
bool sadf_next_row(const struct sadf *s, struct sadf_page *page, bool empty,
	size_t *at, struct sar_calc *ret, struct value v[SAR_COLUMNS_MAX]);

/* Whether the page at one index is in the same object, or group, as the
 * neighbouring one; false if there is no such page. */
enum sadf_share { SADF_SHARE_OBJECT, SADF_SHARE_GROUP };
bool sadf_shares(const struct sadf *s, size_t at, size_t beside,
	enum sadf_share what);

/* Two columns are in the same object or element. */
bool sadf_same_group(const struct sar_activity *a, size_t x, size_t y);

/* A column that is written with an earlier one of its group. */
bool sadf_is_grouped(const struct sar_activity *a, size_t column);

/* Wanted activities of which nothing was recorded. */
uint64_t sadf_missing(const struct sadf *s);

/* Writes held output: there is something to show. */
void sadf_flush_held(struct sadf *s);

/* Writes what was added. */
void sadf_flush(struct sadf *s);
void sadf_flush_spool(struct sadf *s, struct spool *spool);

#endif
