/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findings.h - what was wrong in a range, when, how bad, who, and what shows it.
 *
 * Rules (rule.h) are conditions on rows of views.  All of them are checked in
 * the one pass over the ticks that a caller makes anyway: each tick, each view
 * that some rule needs gives one table of that tick alone.  Consecutive ticks in
 * which a rule holds for a row are a run; a run that is long enough is a finding.
 *
 * Order of use: findings_new() on an engine before its first tick; ticks;
 * findings_grid() as often as wanted; findings_free().
 *
 * This folder does not know views: the caller gives the functions that make
 * their tables.
 */
#ifndef GS_FINDINGS_FINDINGS_H
#define GS_FINDINGS_FINDINGS_H

#include "base/zone.h"
#include "query/engine.h"
#include "query/filter.h"
#include "query/grid.h"

/* Columns of a table, and which rows it keeps: as struct view_pick. */
struct findings_pick {
	const char *const *col;
	size_t n_col;
	bool (*keep)(void *ctx, const struct grid_row *row,
		const struct row_cells *cells);
	void *ctx;
};

/* The tables of views. */
struct findings_from {
	const void *ctx; /* of the first two */
	/* Without rows: of all columns, or of the picked ones (pick may be
	 * NULL).  NULL: no such view. */
	struct grid *(*columns)(const void *ctx, const char *view,
		const struct findings_pick *pick);
	/* On an engine before its first tick; pick must outlive it. */
	void *(*open)(const void *ctx, const char *view, struct engine *e,
		const struct findings_pick *pick);
	/* False: no row can be in it now.  *ret_recorded: its rows are
	 * recorded, so that no row means that nothing was there. */
	bool (*has_rows)(const void *use, const struct engine *e,
		bool *ret_recorded);
	/* Of the last tick alone. */
	struct grid *(*grid)(const void *use, const struct engine *e);
	void (*close)(void *use);
};

struct findings;

/* zone: of instants in commands; not owned; NULL: UTC.  Rules have
 * to be checked: those of findings.def by a test, others by findings_check(). */
struct findings *findings_new(const struct findings_from *from,
	struct engine *e, const struct zone *zone);
void findings_free(struct findings *f);

/* A finding that begins or ends, while ticks come.  All is valid during the call
 * only; texts may be NULL. */
struct finding_news {
	const struct finding_rule *rule;
	bool begins;
	int64_t from_ns; /* when it began */
	int64_t to_ns; /* the last tick at which it was so */
	const char *subject, *session, *host;
	const char *says, *next;
	/* Of one that begins: the worst row of this tick; else NULL. */
	const struct grid *grid;
	const struct grid_row *row;
};

/* Which rules, and who is told. */
struct findings_ask {
	const struct finding_rule *const *rule; /* not owned; must outlive it */
	size_t n_rule;
	bool all; /* all rules there are, in place of those */
	/* Called from engine_tick(); may be NULL.  A finding begins once it has
	 * lasted as long as its rule wants, unless another one says it better;
	 * each that begins ends, or lasts to the end. */
	void (*tell)(void *ctx, const struct finding_news *news);
	void *ctx;
};

/* As findings_new(), of chosen rules. */
struct findings *findings_new_of(const struct findings_from *from,
	struct engine *e, const struct zone *zone,
	const struct findings_ask *ask);

/* Checks one rule: GS_E_USAGE, the view or a column does not exist, or the
 * expression is wrong. */
struct finding_rule;
int findings_check(const struct findings_from *from,
	const struct finding_rule *r, struct gs_err *err);

/* Ticks of a range in which findings are looked for without being asked: they take
 * twice the time of a view.  length_ns 0: the length is not known. */
#define FINDINGS_UNASKED_TICKS 3600
bool findings_are_cheap(int64_t length_ns, int64_t interval_ns);

/* The columns of findings_grid(), without rows. */
#define FINDINGS_COLS 14
extern const struct grid_col findings_cols[FINDINGS_COLS];

/* The findings of the range so far, the worst first; most 0: all.  The title
 * counts them, or says that there are none and what is covered. */
struct grid *findings_grid(const struct findings *f, const struct engine *e,
	size_t most);

/* The rules, and whether they could be judged; f NULL: the rules alone. */
struct grid *findings_rules_grid(const struct findings *f);

#endif
