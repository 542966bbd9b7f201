/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findings_int.h - shared by the files of findings.h:
 *
 *   tables.c          which tables and columns the rules need
 *   findings.c        ticks: tables, conditions
 *   run.c             the times in which a rule holds for a row
 *   holes.c           findings about data that is missing
 *   said.c            what is said of a run, and whether another says it better
 *   findings_list.c   order, silence, the grid
 */
#ifndef GS_FINDINGS_FINDINGS_INT_H
#define GS_FINDINGS_FINDINGS_INT_H

#include <uthash.h>

#include "findings/findings.h"
#include "findings/rule.h"
#include "findings/sentence.h"
#include "query/filter.h"

/* Findings that are kept; others are counted. */
#define FINDINGS_MAX 20000u

/* Runs that are open at a time. */
#define RUNS_MAX 20000u

#define SUBJECT_COLS 4

/* Edges at which it may have lasted longer. */
enum {
	CUT_START = 1 << 0, /* of the range */
	CUT_HOLE_BEFORE = 1 << 1,
	CUT_HOLE_AFTER = 1 << 2,
	CUT_END = 1 << 3
};

/* A rule's condition held for a row; a finding, once it is long enough. */
struct run {
	uint64_t key;
	const struct judged *of; /* NULL: a hole */
	const char *kind;
	const char *by; /* kinds that say it better; NULL: none */
	enum finding_severity severity;
	int64_t from_ns, to_ns; /* first and last instant at which it held */
	int64_t held_ns; /* of that, without what was between */
	int64_t at_ns; /* the worst tick */
	int64_t tick_ns; /* the last tick with a row of it, */
	unsigned range; /* in that range */
	double peak;
	bool has_peak;
	struct grid *own, *named; /* a row each: of the worst tick, and who is
	                           * named; NULL: none */
	double who; /* the figure of that, or of who is not named: it works on
	             * several hosts */
	uint64_t peak_id; /* name_of() its row */
	int64_t peak_ns; /* the tick */
	double cost; /* seconds, times sessions */
	double sum; /* of the column rule.sum */
	size_t ticks;
	size_t rows, most_rows; /* of this tick; at most in any */
	const struct grid_row *row; /* the worst of this tick; valid while the
	                             * rules are applied to its table */
	bool told; /* that it began */
	unsigned cut;
	bool blind; /* begun with the tick after a hole, whose figures may be
	             * of the hole, or of before it */
	bool over; /* rule.until came true */
	bool silent; /* another one says it better */
	char *subject, *session, *host, *says, *next;
	UT_hash_handle hh;
};

/* A rule that fits its view. */
struct judged {
	const struct finding_rule *rule;
	struct findings *in;
	struct table_use *table;
	struct filter *filter; /* on the table's columns */
	struct filter *until; /* NULL: the condition must hold in each tick */
	int64_t hold_ns, gap_ns;
	size_t subject[SUBJECT_COLS], n_subject;
	int host, session, time; /* columns; -1: none */
	int peak, cost, sum; /* columns; -1: none */
	double side; /* -1: the lowest value is the worst */
	struct table_use *who; /* NULL: not asked for */
	int who_by; /* its column */
	int who_on; /* the column of hosts on which they are; -1: none */
	double who_least; /* less is not worth a name */
	struct run *open; /* by key */
	uint64_t n_row, n_judged; /* 0: there was no row; none for which it
	                           * was known whether the condition holds */
};

/* A view that rules need. */
struct table_use {
	char *view;
	void *use;
	const struct findings_from *from;
	struct grid *part; /* its picked columns, without rows */
	struct findings_pick pick;
	struct grid *names_of; /* owns the names for pick: */
	const char **name;
	size_t name_cap;
	struct judged **judged;
	size_t n_judged;
	bool whole; /* some rule compares rows: all are kept */
	bool recorded; /* in some tick it was certain that it has no row */
	bool all; /* the next grid keeps all rows */
};

struct findings {
	const struct findings_from *from;
	const struct zone *zone;
	struct findings_ask ask;
	struct judged *judged;
	size_t n_judged;
	struct table_use **table;
	size_t n_table;
	size_t n_open;
	struct run **done; /* of the range */
	size_t n_done, done_cap;
	size_t n_more; /* that were not kept */
	int64_t before_ns; /* the tick before; 0: there was none */
	bool any; /* some tick was seen */
	bool begun; /* a range has begun, */
	uint64_t ticks; /* and so many ticks were in all since */
	unsigned range; /* counts them */
};

/* tables.c */
void tables_make(struct findings *f, struct engine *e);
void tables_free(struct findings *f);

/* The rule holds for the row.  It counts rows: some more than once. */
bool judged_holds(struct judged *j, const struct grid_row *row,
	const struct row_cells *cells);

/* All rows of the table in this tick; the caller frees it. */
struct grid *table_all(struct table_use *t, const struct engine *e);

/* run.c */
struct tick_span {
	int64_t from_ns, to_ns; /* the tick before, or less after a hole */
	unsigned cut; /* of what begins now */
	int64_t interval_ns;
	bool blind; /* more than one sample is missing before it */
};

/* The condition holds for the row in this tick. */
void run_hold(struct judged *j, const struct grid *g,
	const struct grid_row *row, const struct tick_span *t,
	const struct engine *e);

/* The row ends what began with another of its subject. */
void run_over(struct judged *j, const struct grid_row *row);

/* After all rows of a tick: ends the runs that are over. */
void runs_end(struct judged *j, const struct tick_span *t);
/* After the rows of a tick, while its table is there: tells of those that
 * began. */
void runs_tell(struct judged *j, const struct grid *g,
	const struct engine *e);

/* Ends all that are open: the clock was set back, and each has times of one clock. */
void runs_cut(struct judged *j);
/* Drops all that are open. */
void runs_drop(struct judged *j);

/* A range begins: what open runs say is of the worst tick from now on. */
void runs_restart(struct judged *j);
void run_free(struct run *r);

/* said.c: true if it is long enough, and not of the tick after a hole alone. */
bool run_counts(const struct run *r);

/* b says what a says, for at least half of its time. */
bool run_is_said_by(const struct run *a, const struct run *b);

/* Some other finding, open or of the range, says it better. */
bool run_is_said(const struct findings *f, const struct run *r);

/* Appends the text of a run, with its instants and its count. */
void run_add_text(const struct findings *f, const struct run *r,
	const char *text, struct tick_pace pace, struct buf *to);

/* holes.c: a tick is blind. */
void stall_note(struct findings *f, const struct engine *e);

/* Appends a run for each hole of the range, unless it was noted as a stall; the
 * caller frees them. */
void holes_add(const struct findings *f, const struct engine *e,
	struct run ***to, size_t *n, size_t *cap);

/* The next name of a rule's list with commas: names have blanks in them, and may have
 * some around them; false: no more. */
bool finding_next_kind(struct span *rest, struct span *ret);

/* ---- check.c ---- */

/* What of a rule no column of a view tells. */
int rule_check_texts(const struct findings_from *from,
	const struct finding_rule *r, struct gs_err *err);

#endif
