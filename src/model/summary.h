/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary.h - what a reader must know to pass over a stretch of ticks.
 *
 * A stretch begins after one key and ends with a later one.  Counters grow by
 * what the keys themselves differ by, and levels are those of the second key.
 * What the keys do not tell is here: for which entities that is the whole
 * truth (no row came or went, no counter went back, no host was missed), the
 * highest levels in between, counters that some tick lacked, and marks.
 *
 * A summary is derived data.  Without it a reader takes the ticks.
 */
#ifndef GS_MODEL_SUMMARY_H
#define GS_MODEL_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/scan.h"
#include "metric/metric.h"

/* Limits of what is read. */
#define SUMMARY_ROWS_MAX (1u << 20)
#define SUMMARY_FIGURES_MAX 4096u /* columns of all views are some hundreds */
#define SUMMARY_ID_MAX (1u << 16) /* bytes */
#define SUMMARY_MARK_MAX (1u << 16) /* bytes of its text */
#define SUMMARY_NAME_MAX 256u /* bytes */

struct summary_peak {
	uint16_t col;
	int64_t level;
};

/* A user's mark. */
struct summary_mark {
	int64_t wall_ns;
	size_t text, len; /* in summary.bytes */
};

/* A column of a view, in tables of one tick each. */
struct summary_figure {
	size_t name, len; /* in summary.bytes: "hosts.busy_percent" */
	double low, high; /* of all rows and ticks; low > high: no row had it */
};

/* A row with levels. */
struct summary_row {
	enum entity_id entity;
	uint32_t host; /* index within the recording */
	size_t id, id_len; /* its identity, in summary.bytes */
	size_t peak, n_peak; /* in summary.peak */
	uint64_t missing[COL_WORDS_MAX]; /* counters that some tick lacked */
};

struct summary {
	uint64_t from_seq, to_seq; /* the keys */
	int64_t from_ns, to_ns; /* their times */
	uint64_t n_ticks; /* after the first key, with the second */
	uint64_t n_skipped; /* tick_skipped_before() of these */
	int64_t covered_ns; /* sum over ticks of the covered time of the host that
	                     * has most of the tick; only with figures; for readers of
	                     * earlier versions */
	uint64_t plain; /* bit per entity: it can be passed over */
	struct summary_row *row;
	size_t n_row, row_cap;
	struct summary_peak *peak;
	size_t n_peak, peak_cap;
	struct summary_mark *mark;
	size_t n_mark, mark_cap;
	struct summary_figure *figure;
	size_t n_figure, figure_cap;
	struct buf bytes;
};

_Static_assert(ENTITY_COUNT <= 64, "summary.plain");

static inline uint64_t summary_bit(enum entity_id e)
{
	return UINT64_C(1) << e;
}

void summary_release(struct summary *s);

/* Makes it empty; keeps the memory. */
void summary_reset(struct summary *s);

/* Adds an empty row of that identity; valid until the next one is added. */
struct summary_row *summary_add_row(struct summary *s, enum entity_id e,
	uint32_t host, struct span id);

void summary_add_mark(struct summary *s, int64_t wall_ns, struct span text);
void summary_add_figure(struct summary *s, struct span name, double low,
	double high);

/* True for the name of the figure of that column of that view: "hosts.busy_percent". */
bool summary_name_is(struct span name, const char *view, const char *column);

/* NULL: it is not known. */
const struct summary_figure *summary_find_figure(const struct summary *s,
	const char *view, const char *column);

/* Of the row added last. */
void summary_add_peak(struct summary *s, unsigned col, int64_t level);

/* What kept says is what whole, made of the same ticks, says.  Whole may have more
 * entities, and either may have figures that the other lacks. */
bool summary_fits(const struct summary *kept, const struct summary *whole);

static inline struct span summary_bytes(const struct summary *s, size_t at,
	size_t len)
{
	return len > 0 ? span_of(s->bytes.ptr + at, len) : span_str("");
}

static inline struct span summary_id(const struct summary *s,
	const struct summary_row *r)
{
	return summary_bytes(s, r->id, r->id_len);
}

static inline struct span summary_figure_name(const struct summary *s,
	const struct summary_figure *f)
{
	return summary_bytes(s, f->name, f->len);
}

static inline struct span summary_mark_text(const struct summary *s,
	const struct summary_mark *m)
{
	return summary_bytes(s, m->text, m->len);
}

#endif
