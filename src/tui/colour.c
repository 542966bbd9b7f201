/* SPDX-License-Identifier: Apache-2.0 */
/*
 * colour.c - the colours of figures.  Colours only repeat the figures: without
 * them no information is lost.
 *
 * A row: a column, and the values from which on it is worth a look, and bad;
 * falling: values below these.  Columns without a row stand out if they are a
 * large part of the sum of their column.
 */
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "tui/looks.h"
#include "tui/tui_int.h"
#include "view/view.h"

struct threshold {
	const char *column; /* machine name */
	double watch, bad;
	bool falling;
};

static const struct threshold thresholds[] = {
	{ "busy_percent", 80, 95, false },
	{ "iowait_percent", 20, 50, false },
	{ "steal_percent", 5, 20, false },
	{ "idle_percent", 20, 5, true },
	{ "util_percent", 80, 95, false },
	{ "available_percent", 10, 3, true },
	{ "throttled_percent", 5, 25, false },
	{ "await_ms", 20, 100, false },
	{ "read_await_ms", 20, 100, false },
	{ "write_await_ms", 20, 100, false },
	{ "disk_await_ms", 20, 100, false },
	{ "blocked", 4, 16, false },
	{ "swap_bytes_per_second", 1, 1 << 20, false },
	{ "run_queue_percent", 20, 100, false },
	{ "skew", 2, 4, false },
	{ "waited_seconds", 1, 60, false },
	{ "wait_seconds", 1, 60, false },
	{ "sessions_waiting", 1, 10, false },
	{ "rx_drops_per_second", 1, 100, false },
	{ "tx_drops_per_second", 1, 100, false },
	{ "rx_errors_per_second", 1, 100, false },
	{ "tx_errors_per_second", 1, 100, false },
};

/* Configured thresholds override the table. */
#define SET_MAX 64
static struct threshold set[SET_MAX];
static size_t n_set;

static bool is_column(const char *name)
{
	struct grid_col col;
	size_t i, k;
	const char *many;

	for (i = 0; view_at(i); i++) {
		const struct view *v = view_find(view_at(i));

		for (k = 0; view_column(v, k, &col, &many); k++) {
			if (strcmp(col.name, name) == 0)
				return true;
		}
	}
	return false;
}

int looks_set_threshold(const char *column, double watch, double bad,
	struct gs_err *err)
{
	if (!is_column(column))
		return gs_fail(err, GS_E_USAGE, "no view has such a column: "
		    "expected a name like busy_percent, as -f csv has it");
	if (n_set == SET_MAX)
		return gs_fail(err, GS_E_USAGE, "expected at most %d "
		    "thresholds", SET_MAX);
	set[n_set++] = (struct threshold) { gs_strdup(column), watch, bad,
		bad < watch };
	return GS_OK;
}

static const struct threshold *threshold_of(const char *column)
{
	size_t i;

	for (i = n_set; i-- > 0;) {
		if (strcmp(column, set[i].column) == 0)
			return &set[i];
	}
	for (i = 0; i < GS_LEN(thresholds); i++) {
		if (strcmp(column, thresholds[i].column) == 0)
			return &thresholds[i];
	}
	return NULL;
}

/* Texts of the column "state". */
static const struct {
	const char *text;
	enum style style;
} states[] = {
	{ "lock", STYLE_BAD },
	{ "queue", STYLE_WATCH },
	{ "repl", STYLE_WATCH },
	{ "idle-tx", STYLE_WATCH },
	{ "aborted", STYLE_WATCH },
	{ "D", STYLE_WATCH },
	{ "Z", STYLE_WATCH },
	{ "active", STYLE_STRONG },
	{ "R", STYLE_STRONG },
	{ "ended", STYLE_DIM },
	{ "left", STYLE_DIM },
};

/* A share of the column's sum that is worth a look, if there are many rows. */
#define LARGE_SHARE 0.25

static enum style of_state(const struct cell *c)
{
	size_t i;

	for (i = 0; i < GS_LEN(states); i++) {
		if (span_eq(cell_span(c), states[i].text))
			return states[i].style;
	}
	return STYLE_PLAIN;
}

static enum style of_value(const struct threshold *t, double v)
{
	if (t->falling)
		return v <= t->bad ? STYLE_BAD : v <= t->watch ? STYLE_WATCH
		                                  : STYLE_PLAIN;
	return v >= t->bad ? STYLE_BAD : v >= t->watch ? STYLE_WATCH
	                                      : STYLE_PLAIN;
}

enum style colour_of(const struct grid_col *col, const struct cell *c,
	double sum)
{
	const struct threshold *t = threshold_of(col->name);
	double v;

	if (cell_is_absent(c))
		return STYLE_DIM;
	if (c->kind == CELL_TEXT)
		return strcmp(col->name, "state") == 0 ? of_state(c)
		                                       : STYLE_PLAIN;
	if (c->kind == CELL_MAX)
		return STYLE_PLAIN;
	v = c->kind == CELL_INT ? (double)c->i : c->r;
	if (t)
		return of_value(t, v);
	if (col->additive && sum > 0 && v >= LARGE_SHARE * sum)
		return STYLE_STRONG;
	return STYLE_PLAIN;
}
