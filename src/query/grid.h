/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grid.h - what a view shows: columns, rows, cells, and what was covered.
 *
 * Views make grids, renderers print them; nothing else passes between them,
 * so every format shows the same numbers.  Strings are owned by the grid
 * (grid_text()) or are constants.
 */
#ifndef GS_QUERY_GRID_H
#define GS_QUERY_GRID_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/scan.h"

struct zone;

/* What a column's numbers are; decides scaling, digits, and the unit that
 * machine output names. */
enum quantity {
	Q_TEXT,
	Q_COUNT, /* whole number, never scaled for ids */
	Q_ID, /* whole number that names something: pid, CPU */
	Q_NUMBER, /* real number without a unit */
	Q_RATE, /* events per second */
	Q_PERCENT,
	Q_BYTES,
	Q_BYTES_RATE, /* bytes per second */
	Q_SECONDS, /* a duration, as of CPU time */
	Q_AGE, /* a duration, shown like 3d04h, 2h05m, 14m03s, 9.2s */
	Q_TIME /* an instant, ns since 1970 in .i */
};

enum cell_kind {
	CELL_ABSENT = 0,
	CELL_INT,
	CELL_REAL,
	CELL_TEXT
};

struct cell {
	enum cell_kind kind;
	char mark; /* 0, '~' estimate, '>' at least (shown as >=); of an absent
	            * one '0': there was nothing, so that no sum misses it */
	union {
		int64_t i;
		double r;
		struct span text;
	};
};

struct grid_col {
	const char *name; /* machine name, lower case: "cpu_percent" */
	const char *title; /* heading: "CPU%" */
	const char *help;
	enum quantity quantity;
	unsigned min_width; /* shown in text from this terminal width on;
	                     * GRID_ON_REQUEST: only where --columns asks */
	bool flexible; /* last text column: takes what room is left, is cut */
	bool additive; /* a sum over rows has a meaning */
	bool names; /* a number that tells rows apart: a bound */
	bool grows; /* an amount: twice as much in twice the time */
};

/* One of these: GRID_COL(name, title, quantity, min_width, help), and what
 * else is true of it: .additive = true. */
#define GRID_COL(NAME, TITLE, QUANTITY, WIDTH, ...) \
	{ .name = NAME, .title = TITLE, .quantity = QUANTITY, \
	  .min_width = WIDTH, .help = __VA_ARGS__ }

/* In text only; machine output has every column. */
#define GRID_ON_REQUEST UINT_MAX

struct grid_row {
	struct cell *cell; /* one per column */
	bool others; /* the sum of the rows that were cut off */
	size_t n_others; /* how many those were */
	uint64_t id; /* the same in each grid of one use for what is the same;
	              * 0: only its cells tell */
	bool residual; /* stands for exited children: a level that is absent
	                * here is missing in no sum */
};

struct grid {
	const char *name; /* view name: "sessions" */
	const char *by; /* keys of --group-by: "user, host"; NULL: none */
	const char *title; /* heading line, NULL: none */
	const char *unseen; /* what was asked for by name and is not there,
	                     * and what is; NULL: all is there */
	int64_t from_ns, to_ns; /* edges asked for or snapped to, wall */
	double covered_s; /* seconds that the data really covers */
	double window_s; /* length of the window before to_ns that it shows;
	                  * 0: it shows its range */
	struct grid_col *col;
	size_t n_col;
	struct grid_row *row;
	size_t n_row, row_cap;
	size_t n_total; /* rows before grid_limit() */
	struct grid_row folded; /* more rows, of which only the sum is known:
	                         * grid_limit() adds it; n_others 0: none */
	struct arena *arena; /* memory of cells and texts */
};

/* Header of everything that is printed for one range. */
struct report {
	const char **file; /* what was read */
	size_t n_file;
	int64_t from_ns, to_ns; /* range that is covered by data */
	int64_t asked_from_ns, asked_to_ns; /* INT64_MIN, INT64_MAX: open */
	double covered_s, elapsed_s;
	size_t n_ticks;
	int64_t interval_ns;
	int64_t thinned_ns; /* of the source, before ticks were left out; 0 */
	int64_t every_ns; /* one table for each such step; 0: one table */
	const int64_t *window_ns; /* one table for each, if there are any */
	size_t n_window;
	const struct zone *zone; /* what times are shown in; NULL: UTC */
	const char **host;
	size_t n_host;
	struct report_cover { /* hosts that cover less than others */
		const char *host;
		double covered_s;
		bool answered; /* at all */
	} *cover;
	size_t n_cover;
	const char *database; /* one line about it, in text; NULL: none */
	struct report_hole {
		int64_t from_ns, to_ns;
		const char *why;
	} *hole;
	size_t n_hole;
	struct report_mark {
		int64_t wall_ns;
		const char *text;
	} *mark; /* what people said meanwhile */
	size_t n_mark;
	const char **note; /* one line each: what was skipped, refused */
	size_t n_note;
	const struct report *baseline; /* of the range that it is compared
	                                * with: times, ticks, holes, hosts
	                                * that cover less */
};

struct grid *grid_new(const char *name, const char *title);
void grid_free(struct grid *g);

/* A grid with all that is g's, which is left with nothing; for those who are
 * only shown one. */
struct grid *grid_take(struct grid *g);
void grid_add_col(struct grid *g, const struct grid_col *col);

/* Adds a number to a sum, which keeps its mark; whole numbers stay whole as
 * long as they fit. */
void grid_add_cell(struct cell *sum, const struct cell *c);

/* There are n more rows; all cells of grid.folded are absent. */
void grid_set_folded(struct grid *g, size_t n);

/* A new last row, all cells absent.  Columns must be complete before. */
struct grid_row *grid_add_row(struct grid *g);

/* Copies text into the grid's memory. */
struct span grid_text(struct grid *g, const char *p, size_t len);

/*
 * Index of a column: by machine name (case ignored); by title as it stands
 * ("CPU"); the first whose name begins with it and an underscore ("cpu":
 * "cpu_percent"); by title, case ignored ("mem"); what stands beside such a
 * column ("cpu_ratio": "cpu_percent_ratio").  -1: none.
 */
int grid_find_col(const struct grid *g, const char *name, size_t len);

/* Fails with GS_E_USAGE: there is no such column, but these. */
int grid_no_col(const struct grid *g, const char *name, size_t len,
	struct gs_err *err);

/*
 * Cuts the list at limit rows (0: no limit) and puts the sum of the others
 * below: additive columns are summed, marked '>' if some of them were absent
 * and '~' if one was an estimate; the label says how many.
 */
void grid_limit(struct grid *g, size_t limit);

/* "480 others"; returns its length. */
#define GRID_LABEL_MAX 40
size_t grid_others_label(const struct grid_row *row,
	char to[GRID_LABEL_MAX]);

/*
 * Chooses columns by a list "a,b,c", in that order; all are then shown at any
 * width.  "+a,+b" keeps the columns there are and shows these as well.  Do
 * this last: the others are gone.  Fails with GS_E_USAGE.
 */
int grid_choose(struct grid *g, const char *list, struct gs_err *err);

/* Takes the next name of such a list, with its sign; false at its end. */
bool grid_next_name(struct span *list, struct span *ret);

static inline struct cell cell_int(int64_t v)
{
	return (struct cell) { .kind = CELL_INT, .i = v };
}

static inline struct cell cell_real(double v)
{
	return (struct cell) { .kind = CELL_REAL, .r = v };
}

static inline struct cell cell_text(struct span s)
{
	return (struct cell) { .kind = CELL_TEXT, .text = s };
}

#endif
