/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grid.h - the table of a view: columns, rows, cells, and covered time.
 *
 * Views make grids and renderers print them.  Renderers have no other input, so
 * every format shows the same numbers.  Strings are owned by the grid
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

/* Quantity of a column; decides scaling, digits, and the unit in machine
 * output. */
enum quantity {
	Q_TEXT,
	Q_COUNT, /* whole number, never scaled for ids */
	Q_ID, /* whole number that is an identifier: pid, CPU */
	Q_NUMBER, /* real number without a unit */
	Q_RATE, /* events per second */
	Q_PERCENT,
	Q_BYTES,
	Q_BYTES_RATE, /* bytes per second */
	Q_SECONDS, /* a duration, e.g.  CPU time */
	Q_LATENCY, /* how long one of many took, shown like 412us, 3.1ms, 24.7s */
	Q_AGE, /* a duration, shown like 3d04h, 2h05m, 14m03s, 9.2s */
	Q_TIME, /* an instant, ns since 1970 in .i */
	Q_BY_ROW /* that of the row: grid_row.quantity */
};

/* Unit of exact output: "bytes per second"; "" for text, and if each row has
 * its own. */
const char *quantity_unit(enum quantity q);

enum cell_kind {
	CELL_ABSENT = 0,
	CELL_INT,
	CELL_REAL,
	CELL_TEXT,
	CELL_MAX /* no limit: "max", which is no number */
};

/* A table has millions. */
struct cell {
	uint8_t kind; /* enum cell_kind */
	char mark; /* 0, '~' estimate, '>' at least (shown as >=); in an absent
	            * cell '0': there was nothing, so a sum over it is
	            * complete; '?': it was not readable */
	unsigned char indent; /* of a text in a tree: steps to the right, where
	                       * tables are for people */
	bool of_part : 1; /* of an amount that is '>' (at least): for no other reason
	                   * than that its row was not there all the time; a rate,
	                   * which divides by the time in which it was, is right */
	bool ended : 1; /* a level that its row had before it ended: no part of what
	                 * all rows together have */
	uint32_t len; /* of a text: cell_span() */
	union {
		int64_t i;
		double r;
		const char *text;
	};
};

_Static_assert(sizeof(struct cell) == 16, "no padding");

struct grid_col {
	const char *name; /* machine name, lower case: "cpu_percent" */
	const char *title; /* heading: "CPU%" */
	const char *also; /* another name that it can be asked for by; NULL */
	const char *help;
	enum quantity quantity;
	unsigned min_width; /* shown in text from this terminal width on;
	                     * GRID_ON_REQUEST: only where --columns asks */
	bool flexible; /* last text column: gets the remaining width, is cut */
	bool wraps; /* a text that does not fit goes on below, and is not cut */
	bool below; /* text: on lines of its own below the row, whole */
	bool if_any; /* shown only where some row has it, unless asked for */
	unsigned least; /* text: cut to no less than this; 0: where the layout
	                 * says */
	bool schema; /* "public." in front is left out before a text is cut */
	bool kept; /* names the rows, and so is left out last: if a table has
	            * such columns, no others do */
	bool alarms; /* should be 0: left out last, too, where it isn't */
	bool statement; /* a flexible text that keeps a quarter of the width */
	unsigned yields; /* to a statement: of the columns with one min_width,
	                  * those with the highest are left out first */
	bool stands_for_it; /* if left out, its text is shown in the column of
	                     * statements, in rows that have none */
	bool varies; /* a text or number of the row that changes while it stays:
	              * no label that names a series */
	bool additive; /* a sum over rows has a meaning */
	bool of_server; /* a share of a whole that each server has: no sum over
	                 * rows of several servers has one */
	bool names; /* a number that identifies a row: a bound */
	bool grows; /* an amount that grows with the length of the range */
	unsigned key; /* of nested rows: the level that it names; 0: none */
	bool stands_in; /* compared in place of the column before it: a number
	                 * or a text that its text stands for; never shown */
	bool plus; /* numbers above 0 begin with a plus sign */
	bool fine; /* a duration below a second is shown in ms, us or ns */
	unsigned section; /* enum metric_section: what it is about */
};

/* A column: GRID_COL(name, title, quantity, min_width, help), then other
 * members: .additive = true. */
#define GRID_COL(NAME, TITLE, QUANTITY, WIDTH, ...) \
	{ .name = NAME, .title = TITLE, .quantity = QUANTITY, \
	  .min_width = WIDTH, .help = __VA_ARGS__ }

/* In text only; machine output has every column. */
#define GRID_ON_REQUEST UINT_MAX

struct group_memo;

struct grid_row {
	struct cell *cell; /* one per column */
	const struct cell *stand_in; /* of the column that stands for a
	                             * statement, if it was not chosen; NULL */
	size_t n_others; /* number of rows that it is the sum of, if .others */
	uint64_t id; /* identifies a row across grids of one use; 0: only its
	              * cells do */
	size_t nest, above; /* of nested rows: its number, from 1; that of the row
	                     * that it is part of, or 0 */
	unsigned level; /* of nested rows, nest.h: from 1; 0: not nested */
	enum quantity quantity; /* of its cells in columns of Q_BY_ROW */
	bool others; /* the sum of the rows that were cut off */
	bool residual; /* represents reaped children: sums over absent levels
	                * here are complete */
	bool rest; /* what is not attributed to any other row */
	/* only set where rows are picked: */
	bool done; /* its group is complete: no later table has it */
	bool came, left, later; /* edges of covered_s, as of group_edges() */
	double covered_s; /* that its rates divide by, of the host that has most
	                   * of it; 0: it has none */
	double answered_s; /* of counters that a server keeps: time between the answers
	                    * that they are from; 0: of others, and where none came */
	struct group_memo *memo; /* of its group (rollup.h); NULL: it has none */
};

struct grid {
	const char *name; /* view name: "sessions" */
	const char *by; /* keys of --group-by: "user, host"; NULL: none */
	bool (*is_key)(struct span name); /* a key that it could be by; NULL */
	const char *title; /* heading line, NULL: none */
	bool says_empty; /* the title tells it if there are no rows */
	const char *unseen; /* message: the name asked for is unknown, and known
	                     * names; NULL: none */
	int64_t from_ns, to_ns; /* range asked for, or its ticks; wall */
	double covered_s; /* seconds with data */
	double window_s; /* length of the window, which ends at to_ns; 0: it
	                  * shows its range */
	struct grid_col *col;
	size_t n_col;
	struct grid_row *row;
	size_t n_row, row_cap;
	size_t n_total; /* rows before grid_limit() */
	struct grid_row folded; /* sum of further rows, without the rows:
	                         * grid_limit() adds it; n_others 0: none */
	struct arena *arena; /* memory of cells and texts */
	struct grid *more; /* shown after it, as it is; owned.  NULL: none */
};

/* Header of all output for one range. */
struct report {
	const char **file; /* files that were read */
	size_t n_file;
	int64_t from_ns, to_ns; /* range that has data */
	int64_t asked_from_ns, asked_to_ns; /* range asked for; INT64_MIN,
	                                     * INT64_MAX: open */
	double covered_s, elapsed_s;
	size_t n_ticks;
	uint64_t n_skipped; /* ticks that were due and never sampled */
	int64_t interval_ns;
	int64_t thinned_ns; /* interval of the source before ticks were left
	                     * out; 0: none were */
	struct report_pace { /* so many of the ticks have another interval */
		int64_t interval_ns, thinned_ns;
		size_t ticks;
	} pace[3];
	size_t n_pace;
	int64_t every_ns; /* one table per step of this length; 0: one table */
	bool joined; /* there is one table for each step: in text they are one */
	const int64_t *window_ns; /* one table per window, if there are any */
	size_t n_window;
	const struct zone *zone; /* time zone of output; NULL: UTC */
	const char **host;
	size_t n_host;
	struct report_cover { /* hosts that cover less than others */
		const char *host;
		double covered_s;
		bool answered; /* false: never */
	} *cover;
	size_t n_cover;
	const char *database; /* one line on the database, in text; NULL: none */
	struct report_hole {
		int64_t from_ns, to_ns; /* the same: its length is not known, */
		bool before; /* and it ends then, or else begins then */
		const char *why;
	} *hole;
	size_t n_hole;
	double blind_s; /* time without data */
	struct report_mark {
		int64_t wall_ns;
		const char *text;
	} *mark; /* marks that users set in the range */
	size_t n_mark;
	const char **note; /* one line each: data that was skipped or refused */
	size_t n_note;
	const char *side; /* one of two sides that are compared, as the user
	                   * named it; NULL: it is not */
	const struct report *baseline; /* of the range it is compared with:
	                                * times, ticks, holes, hosts that cover
	                                * less */
};

struct grid *grid_new(const char *name, const char *title);
void grid_free(struct grid *g);

/* Moves all of g into a new grid and leaves g empty; for callers that only see
 * a grid. */
struct grid *grid_take(struct grid *g);
void grid_add_col(struct grid *g, const struct grid_col *col);

/* Adds a number to a sum, which keeps its mark.  Whole numbers stay whole
 * unless they overflow; a sum with "max" in it is "max". */
void grid_add_cell(struct cell *sum, const struct cell *c);

/* Sets grid.folded to n further rows, all cells absent. */
void grid_set_folded(struct grid *g, size_t n);

/* Appends a row, all cells absent.  Columns must be complete before. */
struct grid_row *grid_add_row(struct grid *g);

/* Copies text into the grid's memory. */
struct span grid_text(struct grid *g, const char *p, size_t len);

/* A cell of another grid, which is freed earlier. */
struct cell grid_copy_cell(struct grid *g, const struct cell *c);

/*
 * Index of a column, by the first that matches: machine name (case ignored);
 * its other name; title as written ("CPU"); beginning of a name before an underscore ("cpu":
 * "cpu_percent"), unless is_key ("user"); title, case ignored ("mem"); a column that belongs to such a
 * column ("cpu_ratio": "cpu_percent_ratio").  -1: not found.
 */
int grid_find_col(const struct grid *g, const char *name, size_t len);

/* Fails with GS_E_USAGE: no such column; the message lists the columns. */
int grid_no_col(const struct grid *g, const char *name, size_t len,
	struct gs_err *err);

/*
 * Cuts the list after limit rows (0: no limit) and appends the sum of the
 * others: additive columns are summed, marked '>' if some of them were absent
 * and '~' if one was an estimate; the label shows how many.  Levels of rows that have
 * ended are left out.
 */
void grid_limit(struct grid *g, size_t limit);

/* Sets the additive columns of to to the sum of n rows of g, as grid_limit()
 * does. */
void grid_sum_rows(const struct grid *g, const struct grid_row *rows, size_t n,
	struct grid_row *to);

/* "480 others"; returns its length. */
#define GRID_LABEL_MAX 40
size_t grid_others_label(const struct grid_row *row,
	char to[GRID_LABEL_MAX]);

/*
 * Chooses columns by a list "a,b,c", in that order; all are then shown at any
 * width.  "+a,+b" adds columns to those already chosen; "+a,b" is
 * refused.  Call this last: the other columns are removed.  Fails with
 * GS_E_USAGE.
 */
int grid_choose(struct grid *g, const char *list, struct gs_err *err);

/* True of "+a,b". */
bool grid_list_is_mixed(const char *list);

/* The column of that very name; -1: none. */
int grid_find_exactly(const struct grid *g, const char *name);

/* Reads the next name of such a list, with its sign; false at its end. */
bool grid_next_name(struct span *list, struct span *ret);

/* The name is in such a list. */
bool grid_list_has(const char *list, const char *name);

/* The quantity of a cell of a row. */
static inline enum quantity grid_quantity(const struct grid_col *col,
	const struct grid_row *row)
{
	return col->quantity == Q_BY_ROW ? row->quantity : col->quantity;
}

static inline struct cell cell_int(int64_t v)
{
	return (struct cell) { .kind = CELL_INT, .i = v };
}

/* A number from a file, which may be of any size. */
static inline struct cell cell_count(uint64_t n)
{
	return n <= INT64_MAX
	    ? (struct cell) { .kind = CELL_INT, .i = (int64_t)n }
	    : (struct cell) { .kind = CELL_REAL, .r = (double)n };
}

/* There was nothing. */
static inline struct cell cell_none(void)
{
	return (struct cell) { .kind = CELL_ABSENT, .mark = '0' };
}

static inline bool cell_is_none(const struct cell *c)
{
	return c->kind == CELL_ABSENT && c->mark == '0';
}

static inline struct cell cell_real(double v)
{
	return (struct cell) { .kind = CELL_REAL, .r = v };
}

static inline struct cell cell_max(void)
{
	return (struct cell) { .kind = CELL_MAX };
}

/* The text of a cell that has one; an empty one may be NULL, to which nothing is
 * added. */
static inline struct span cell_span(const struct cell *c)
{
	return (struct span) { c->text, c->len ? c->text + c->len : c->text };
}

/* Texts are shorter than 4 GiB: they come from ticks. */
static inline void cell_set_span(struct cell *c, struct span s)
{
	c->text = s.ptr;
	c->len = (uint32_t)span_len(s);
}

static inline struct cell cell_text(struct span s)
{
	struct cell c = { .kind = CELL_TEXT };

	cell_set_span(&c, s);
	return c;
}

#endif
