/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_head.c - the lines above the tables:
 *
 *   file     incident.gpsnap
 *   hosts    mdw, sdw1, sdw2 and 13 more
 *   database Greenplum 7.1.0, 30 sessions: 4 active, 1 waiting; 94 of 96
 *            segments up
 *   range    2026-11-20 14:05:00 to 14:25:00 UTC+01:00
 *   asked    from 14:00:00
 *   covered  19m50s of 20m00s, 238 ticks every 5s
 *   holes    14:10:00 to 14:10:10 (10.0s): the disk is too slow
 *            and 4 more
 *   mark     14:12:30 gpadmin: deployed 2.3
 *   baseline 2026-11-20 13:05:00 to 13:25:00 UTC+01:00
 *   covered  20m00s, 240 ticks every 5s
 *   scaled   amounts of the baseline by 0.25, to 5m00s
 *   note     2 columns of a newer gpsnap were skipped
 *
 * Two sides that are compared both have lines of their own, of which the first
 * is "A        monday.gpsnap" in place of the files.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/when.h"
#include "base/wrap.h"
#include "base/zone.h"
#include "query/compare.h"
#include "render/text_int.h"

#define LABEL ((size_t)9)
#define NAMES_SHOWN 8
#define HOLES_SHOWN 3
#define MARKS_SHOWN 5
/* Shorter lines are useless: lines have at least this width. */
#define WIDTH_FLOOR ((size_t)20)

static const struct zone *zone_of(const struct render *r)
{
	static const struct zone utc = ZONE_UTC;

	return r->report->zone ? r->report->zone : &utc;
}

struct cell_style text_style(const struct render *r)
{
	const struct report *rep = r->report;

	return (struct cell_style) {
		.utf8 = r->options.utf8,
		.digits = rep->interval_ns > 0 &&
		    rep->interval_ns < GS_NSEC_PER_SEC ? 3 : 0,
		.zone = rep->zone,
		.date = !zone_same_date(zone_of(r), rep->from_ns, rep->to_ns),
	};
}

static void add_instant(const struct render *r, struct buf *to, int64_t ns,
	bool date)
{
	struct cell_style style = text_style(r);
	struct cell c = cell_int(ns);

	style.date = date;
	cell_add_text(to, Q_TIME, &c, &style);
}

void text_add_range(struct render *r, struct buf *to, int64_t from_ns,
	int64_t to_ns)
{
	bool date = text_style(r).date;

	add_instant(r, to, from_ns, date);
	buf_add_str(to, " to ");
	add_instant(r, to, to_ns,
	    date && !zone_same_date(zone_of(r), from_ns, to_ns));
}

void text_add_wrapped(struct render *r, const char *text, size_t at)
{
	struct buf safe = BUF_INIT;
	struct cell c = cell_text(span_str(text));
	struct cell_style style = { .utf8 = r->options.utf8 };

	cell_add_text(&safe, Q_TEXT, &c, &style);
	wrap_add(r->to, buf_str(&safe), at, at,
	    GS_MAX(r->options.width, WIDTH_FLOOR));
	buf_release(&safe);
}

static void add_line(struct render *r, const char *label, const char *text)
{
	buf_printf(r->to, "%-*s", (int)LABEL, label);
	text_add_wrapped(r, text, LABEL);
}

/* The same, and releases the text. */
static void add_text(struct render *r, const char *label, struct buf *text)
{
	add_line(r, label, buf_str(text));
	buf_release(text);
}

static void add_more(struct render *r, size_t n, const char *where)
{
	struct buf text = BUF_INIT;

	if (n == 0)
		return;
	buf_printf(&text, "and %zu more%s", n, where);
	add_text(r, "", &text);
}

static void add_names(struct render *r, const char *one, const char *many,
	const char *const *name, size_t n)
{
	struct buf text = BUF_INIT;
	size_t i, shown = n > NAMES_SHOWN + 1 ? NAMES_SHOWN : n;

	if (n == 0)
		return;
	for (i = 0; i < shown; i++)
		buf_printf(&text, "%s%s", i ? ", " : "", name[i]);
	if (shown < n)
		buf_printf(&text, " and %zu more", n - shown);
	add_text(r, n == 1 ? one : many, &text);
}

static void add_range(struct render *r, const char *label)
{
	const struct report *rep = r->report;
	struct buf text = BUF_INIT;

	add_instant(r, &text, rep->from_ns, true);
	buf_add_str(&text, " to ");
	add_instant(r, &text, rep->to_ns, text_style(r).date);
	buf_add_char(&text, ' ');
	zone_add_label(zone_of(r), &text);
	add_text(r, label, &text);
}

/* "; recorded from 14:05:00 to 14:10:00", or one of both. */
static void add_recorded(struct render *r, bool early, bool late,
	struct buf *to)
{
	const struct report *rep = r->report;

	buf_add_str(to, "; recorded");
	if (early) {
		buf_add_str(to, " from ");
		add_instant(r, to, rep->from_ns, !zone_same_date(zone_of(r),
		    rep->asked_from_ns, rep->from_ns));
	}
	if (late) {
		buf_add_str(to, " to ");
		add_instant(r, to, rep->to_ns, !zone_same_date(zone_of(r),
		    rep->asked_to_ns, rep->to_ns));
	}
}

/* The requested range, if the data begins later or ends earlier by more than an
 * interval. */
static void add_asked(struct render *r)
{
	const struct report *rep = r->report;
	bool early = rep->asked_from_ns != INT64_MIN &&
	    rep->asked_from_ns < rep->from_ns - rep->interval_ns;
	bool late = rep->asked_to_ns != INT64_MAX &&
	    rep->asked_to_ns > rep->to_ns + rep->interval_ns;
	struct buf text = BUF_INIT;

	if (!early && !late)
		return;
	if (early) {
		buf_add_str(&text, "from ");
		add_instant(r, &text, rep->asked_from_ns,
		    !zone_same_date(zone_of(r), rep->asked_from_ns, rep->from_ns));
	}
	if (late) {
		buf_add_str(&text, early ? " to " : "to ");
		add_instant(r, &text, rep->asked_to_ns,
		    !zone_same_date(zone_of(r), rep->asked_to_ns, rep->to_ns));
	}
	add_recorded(r, early, late, &text);
	add_text(r, "asked", &text);
}

/* "1m", "1m (thinned from 5s)" */
static void add_interval(struct buf *to, int64_t interval_ns, int64_t thinned_ns)
{
	char span[WHEN_SPAN_MAX];

	when_span(span, interval_ns);
	buf_add_str(to, span);
	if (thinned_ns == 0)
		return;
	when_span(span, thinned_ns);
	buf_printf(to, " (thinned from %s)", span);
}

/* " every 1s, 24 of them every 1m (thinned from 1s)" */
static void add_paces(const struct report *rep, struct buf *to)
{
	size_t i;

	buf_add_str(to, " every ");
	add_interval(to, rep->interval_ns, rep->thinned_ns);
	for (i = 0; i < rep->n_pace; i++) {
		buf_printf(to, ", %zu of them every ", rep->pace[i].ticks);
		add_interval(to, rep->pace[i].interval_ns,
		    rep->pace[i].thinned_ns);
	}
}

void text_add_skipped(const struct report *rep, struct buf *to)
{
	if (rep->n_skipped > 0)
		buf_printf(to, ", %" PRIu64 " tick%s skipped", rep->n_skipped,
		    units_plural(rep->n_skipped));
}

/* "; 2 of 4 hosts less: sdw3 5.0s, sdw4 nothing" */
void text_add_uneven(const struct report *rep, struct buf *to)
{
	size_t shown = rep->n_cover > NAMES_SHOWN + 1 ? NAMES_SHOWN
	                                              : rep->n_cover;
	char covered[WHEN_SPAN_MAX];
	size_t i;

	if (rep->n_cover == 0)
		return;
	buf_printf(to, "; %zu of %zu hosts less: ", rep->n_cover,
	    rep->n_host);
	for (i = 0; i < shown; i++) {
		const struct report_cover *c = &rep->cover[i];

		when_age(covered, c->covered_s);
		buf_printf(to, "%s%s %s", i ? ", " : "", c->host,
		    c->answered ? covered : "never answered");
	}
	if (shown < rep->n_cover)
		buf_printf(to, " and %zu more", rep->n_cover - shown);
}

/* "; 33.0s of it in a hole": there counters count, and nothing else.  After a
 * reboot they do not, and the time is not covered. */
static void add_in_holes(const struct report *rep, struct buf *to)
{
	double s = rep->blind_s - (rep->elapsed_s - rep->covered_s);
	char span[WHEN_SPAN_MAX];

	/* no less than what is covered, unless the clock was set back */
	if (rep->n_hole == 0 || s <= 0 || s > rep->blind_s + 0.5 ||
	    s < 0.5 * (double)rep->interval_ns / 1e9)
		return;
	when_age(span, s);
	buf_printf(to, "; %s of it in %s", span,
	    rep->n_hole == 1 ? "a hole" : "holes");
}

/* ": none after 14:00:00 up to 14:00:15" */
static void add_between(struct render *r, struct buf *to)
{
	const struct report *rep = r->report;

	if (rep->n_ticks > 0 || rep->n_hole > 0)
		return;
	buf_add_str(to, ": none after ");
	add_instant(r, to, rep->to_ns, false);
	if (rep->asked_to_ns == INT64_MAX || rep->asked_to_ns <
	    gs_sum(rep->to_ns, GS_NSEC_PER_SEC)) /* they look the same */
		return;
	buf_add_str(to, " up to ");
	add_instant(r, to, rep->asked_to_ns, !zone_same_date(zone_of(r),
	    rep->asked_to_ns, rep->to_ns));
}

static void add_covered(struct render *r)
{
	const struct report *rep = r->report;
	struct buf text = BUF_INIT;
	char covered[WHEN_SPAN_MAX], elapsed[WHEN_SPAN_MAX];

	when_age(covered, rep->covered_s);
	when_age(elapsed, rep->elapsed_s);
	buf_add_str(&text, covered);
	/* more, if a host was sampled late at the first tick */
	if (rep->covered_s < rep->elapsed_s && strcmp(covered, elapsed) != 0)
		buf_printf(&text, " of %s", elapsed);
	buf_printf(&text, ", %zu tick%s", rep->n_ticks,
	    rep->n_ticks == 1 ? "" : "s");
	if (rep->interval_ns > 0)
		add_paces(rep, &text);
	text_add_skipped(rep, &text);
	add_in_holes(rep, &text);
	text_add_uneven(rep, &text);
	add_between(r, &text);
	add_text(r, "covered", &text);
}

void text_add_holes(struct render *r)
{
	const struct report *rep = r->report;
	size_t shown = rep->n_hole > HOLES_SHOWN + 1 ? HOLES_SHOWN
	                                             : rep->n_hole;
	struct buf text = BUF_INIT;
	size_t i;

	for (i = 0; i < shown; i++) {
		const struct report_hole *h = &rep->hole[i];
		char length[WHEN_SPAN_MAX];

		if (h->to_ns > h->from_ns) {
			text_add_range(r, &text, h->from_ns, h->to_ns);
			when_age(length,
			    (double)(h->to_ns - h->from_ns) / 1e9);
			buf_printf(&text, " (%s): %s", length, h->why);
		} else { /* its length is unknown */
			buf_add_str(&text, h->before ? "up to " : "from ");
			add_instant(r, &text, h->from_ns,
			    text_style(r).date);
			buf_printf(&text, "%s: %s", h->before ? "" : " on",
			    h->why);
		}
		add_text(r, i ? "" : rep->n_hole == 1 ? "hole" : "holes",
		    &text);
	}
	add_more(r, rep->n_hole - shown, "");
}

void text_add_marks(struct render *r)
{
	const struct report *rep = r->report;
	size_t shown = rep->n_mark > MARKS_SHOWN + 1 ? MARKS_SHOWN
	                                             : rep->n_mark;
	struct buf text = BUF_INIT;
	size_t i;

	for (i = 0; i < shown; i++) {
		add_instant(r, &text, rep->mark[i].wall_ns,
		    text_style(r).date);
		buf_printf(&text, " %s", rep->mark[i].text);
		add_text(r, i ? "" : rep->n_mark == 1 ? "mark" : "marks",
		    &text);
	}
	add_more(r, rep->n_mark - shown, ", as -V events tells");
}

static void add_windows(struct render *r)
{
	struct buf text = BUF_INIT;
	char span[WHEN_SPAN_MAX];
	size_t i;

	for (i = 0; i < r->report->n_window; i++) {
		when_span(span, r->report->window_ns[i]);
		buf_printf(&text, "%slast %s", i ? ", " : "", span);
	}
	buf_add_str(&text, ", ticks every ");
	add_interval(&text, r->report->interval_ns, r->report->thinned_ns);
	add_text(r, "windows", &text);
}

static void add_steps(struct render *r)
{
	char step[WHEN_SPAN_MAX];
	struct buf text = BUF_INIT;

	when_span(step, r->report->every_ns);
	buf_printf(&text, "%s, ticks every ", step);
	add_interval(&text, r->report->interval_ns, r->report->thinned_ns);
	add_text(r, "every", &text);
}

/* What amounts of the baseline are multiplied by. */
static void add_scale(struct render *r)
{
	const struct report *rep = r->report;
	double scale = compare_scale(rep->covered_s, rep->baseline->covered_s);
	struct buf text = BUF_INIT;
	char covered[WHEN_SPAN_MAX];

	if (scale == 1)
		return;
	when_age(covered, rep->covered_s);
	buf_printf(&text, "amounts of the baseline by %.3g, to %s", scale,
	    covered);
	add_text(r, "scaled", &text);
}

/* The range of the baseline. */
static void add_baseline(struct render *r)
{
	const struct report *rep = r->report;

	if (!rep->baseline || rep->side)
		return;
	r->report = rep->baseline;
	add_range(r, "baseline");
	add_asked(r);
	add_covered(r);
	text_add_holes(r);
	r->report = rep;
	add_scale(r);
}

/* The lines of the side before this one; and how this one is called. */
static void add_sides(struct render *r)
{
	const struct report *rep = r->report;

	r->report = rep->baseline;
	add_line(r, "A", r->report->side);
	add_names(r, "host", "hosts", r->report->host, r->report->n_host);
	add_range(r, "range");
	add_asked(r);
	add_covered(r);
	text_add_holes(r);
	r->report = rep;
	add_line(r, "B", rep->side);
}

void text_head(struct render *r)
{
	const struct report *rep = r->report;
	size_t i;

	if (rep->side)
		add_sides(r);
	else
		add_names(r, "file", "files", rep->file, rep->n_file);
	add_names(r, "host", "hosts", rep->host, rep->n_host);
	if (rep->database)
		add_line(r, "database", rep->database);
	add_range(r, "range");
	if (rep->n_window > 0) {
		add_windows(r); /* each shows its covered time */
	} else if (rep->every_ns) {
		add_steps(r);
	} else {
		add_asked(r);
		add_covered(r);
		text_add_holes(r);
		text_add_marks(r);
	}
	add_baseline(r);
	for (i = 0; i < rep->n_note; i++)
		add_line(r, "note", rep->note[i]);
}
