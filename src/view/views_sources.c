/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_sources.c - the kernel files of processes: how often agents could not
 * read them, why, and what would help.
 */
#include "base/compiler.h"
#include "model/unread.h"
#include "query/columns.h"
#include "view/label_figures.h"
#include "view/view_int.h"

typedef void add_fn(const struct unread *u, struct buf *to);

static void add_error(const struct unread *u, struct buf *to)
{
	unread_add_error(u->error, to);
}

/* Absent if no read failed. */
static struct cell words(const struct figure_env *v, const struct group *g,
	add_fn *add)
{
	struct unread u = { .processes = 0 };
	struct cell c = { .kind = CELL_ABSENT };
	struct buf b = BUF_INIT;

	if (!g->row || !row_peek(g->row, COL(SOURCE, ERROR), &u.error))
		return c;
	(void)row_peek(g->row, COL(SOURCE, PROCESSES), &u.processes);
	u.file = row_peek_text(v->engine->world, g->row, COL(SOURCE, FILE));
	add(&u, &b);
	c = figure_text(v, buf_str(&b));
	buf_release(&b);
	return c;
}

static struct cell error(FIGURE_ARGS)
{
	return words(v, g, add_error);
}

static struct cell remedy(FIGURE_ARGS)
{
	return words(v, g, unread_add_remedy);
}

static const struct figure sources[] = {
	HOST_FIGURE(80),
	METRIC_COLUMN(80, CELL(SOURCE, FILE)),
	METRIC_COLUMN(80, CELL(SOURCE, TRIED), ADDS),
	METRIC_COLUMN(80, CELL(SOURCE, FAILED), ADDS),
	METRIC_COLUMN(100, CELL(SOURCE, DENIED), ADDS),
	METRIC_COLUMN(100, CELL(SOURCE, LACKING), ADDS),
	METRIC_COLUMN(100, CELL(SOURCE, OTHERS), ADDS),
	METRIC_COLUMN(80, CELL(SOURCE, LOST), ADDS),
	METRIC_COLUMN(80, CELL(SOURCE, PROCESSES)),
	COLUMN("error", "ERROR", Q_TEXT, 80, "the most frequent error",
	    BY(error), FROM(SOURCE, ERROR)),
	COLUMN("remedy", "REMEDY", Q_TEXT, 80, "what would help",
	    BY(remedy), FROM(SOURCE, ERROR), FLEXES, WRAPS),
};

ROW_VIEW(sources, SOURCE,
    "kernel files of processes: what agents could not read, and why",
    "host,-failed,file");
