/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.h - macros for tables of columns.  Used by src/query and src/view.
 *
 * 	COLUMN("faults_per_second", "FAULTS/s", Q_RATE, 80, "page faults, minor and major",
 * 	    RATE2(THREAD, MINFLT, MAJFLT), ADDS),
 *
 * is a struct figure: name, title, quantity, terminal width from which text
 * shows it, help; then the function that makes a cell, with the columns of the
 * entity that it needs; then other properties.
 */
#ifndef GS_QUERY_COLUMNS_H
#define GS_QUERY_COLUMNS_H

#include "query/figure.h"

#define COLUMN(NAME, TITLE, QUANTITY, WIDTH, HELP, ...) \
	{ .col.name = NAME, .col.title = TITLE, .col.quantity = QUANTITY, \
	  .col.min_width = WIDTH, .col.help = HELP, __VA_ARGS__ }

/* A column of one metric.  The registry gives its help and its quantity, and to
 * METRIC_COLUMN() the name and the title, too. */
#define METRIC_COLUMN(WIDTH, ...) { .col.min_width = WIDTH, __VA_ARGS__ }
#define NAMED_COLUMN(NAME, TITLE, WIDTH, ...) \
	{ .col.name = NAME, .col.title = TITLE, .col.min_width = WIDTH, __VA_ARGS__ }

#define FROM(E, SYM) .n_from = 1, .from = { COL(E, SYM) }
#define FROM2(E, A, B) .n_from = 2, .from = { COL(E, A), COL(E, B) }

/* Made by a function of its own.  ALONE: without a group. */
#define BY(FN) .fn = FN, .scale = 1
#define ALONE(FN) BY(FN), .alone = true

/* The newest value; the sum; the highest sum at any tick. */
#define CELL(E, SYM) BY(figure_cell), FROM(E, SYM)
#define SUM(E, SYM) BY(figure_sum), FROM(E, SYM)
#define PEAK(E, SYM) BY(figure_peak), FROM(E, SYM)

/* Counters per second; for seconds, the percentage of the time. */
#define RATE(E, SYM) BY(figure_rate), FROM(E, SYM)
#define RATE2(E, A, B) BY(figure_rate), FROM2(E, A, B)
#define PERCENT(E, SYM) .fn = figure_rate, .scale = 100, FROM(E, SYM)

/* The first column divided by the second, times scale. */
#define RATIO(TIMES, E, A, B) .fn = figure_ratio, .scale = TIMES, FROM2(E, A, B)

/* The first column as a share of both; absent unless both are known. */
#define PART(E, A, B) .fn = figure_part, .scale = 100, .pick = 1, FROM2(E, A, B)

/* The text of a query, shown where one was recorded.  YIELDS: left out before
 * columns of a lower number, to make room for it. */
#define STATEMENT FLEXES, .col.statement = true, .col.if_any = true
#define YIELDS(N) .col.yields = N
#define STANDS_FOR_IT .col.stands_for_it = true, YIELDS(9)

/* ADDS: a sum over rows has a meaning.  AMOUNT: it also grows with the length of
 * the range; of sums of counters this is known.  FLEXES: text that gets the
 * remaining width.  VARIES: text that changes while the row stays. */
#define ADDS .col.additive = true
#define AMOUNT ADDS, .col.grows = true
#define FLEXES .col.flexible = true
#define VARIES .col.varies = true
#define WRAPS .col.wraps = true

/* WHOLE: a text that is never cut.  KEPT_COLUMN: left out last. */
#define LEAST(N) .col.least = N
#define WHOLE LEAST(UINT_MAX)
#define KEPT_COLUMN .col.kept = true
#define OF_SCHEMA .col.schema = true
#define ALARMS .col.alarms = true

/* Members of a struct view. */
#define FIGURES(TABLE) .figure = TABLE, .n_figure = GS_LEN(TABLE)

#endif
