/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.h - how tables of columns are written.  Private to src/view.
 *
 *	COLUMN("reads_per_second", "R/s", Q_RATE, 80, "read requests", RATE(DISK, READS), ADDS),
 *
 * is a struct figure: name, title, quantity, width from which text shows it,
 * help; then the function that makes it, with the columns of the entity that
 * it needs; then what else is true of it.
 */
#ifndef GS_QUERY_COLUMNS_H
#define GS_QUERY_COLUMNS_H

#include "query/figure.h"

#define COLUMN(NAME, TITLE, QUANTITY, WIDTH, HELP, ...) \
	{ .col.name = NAME, .col.title = TITLE, .col.quantity = QUANTITY, \
	  .col.min_width = WIDTH, .col.help = HELP, __VA_ARGS__ }

#define FROM(E, SYM) .n_from = 1, .from = { COL(E, SYM) }
#define FROM2(E, A, B) .n_from = 2, .from = { COL(E, A), COL(E, B) }

/* Made by a function of its own; without a group. */
#define BY(FN) .fn = FN, .scale = 1
#define ALONE(FN) BY(FN), .alone = true

/* The newest value; the sum, and the most of it at any tick. */
#define CELL(E, SYM) BY(figure_cell), FROM(E, SYM)
#define SUM(E, SYM) BY(figure_sum), FROM(E, SYM)
#define PEAK(E, SYM) BY(figure_peak), FROM(E, SYM)

/* Counters per second; of seconds, the percentage of the time. */
#define RATE(E, SYM) BY(figure_rate), FROM(E, SYM)
#define RATE2(E, A, B) BY(figure_rate), FROM2(E, A, B)
#define PERCENT(E, SYM) .fn = figure_rate, .scale = 100, FROM(E, SYM)

/* So many times the first by the second. */
#define RATIO(TIMES, E, A, B) .fn = figure_ratio, .scale = TIMES, FROM2(E, A, B)

/* A sum over rows has a meaning; text that takes what room is left. */
#define ADDS .col.additive = true
#define FLEXES .col.flexible = true

/* Of a struct view. */
#define FIGURES(TABLE) .figure = TABLE, .n_figure = GS_LEN(TABLE)

#endif
