/* SPDX-License-Identifier: Apache-2.0 */
/*
 * search.c - texts in rows: to search for, and to copy.
 */
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "tui/tui_int.h"

static void add_cell(const struct grid *g, const struct grid_row *row,
	size_t col, struct buf *to)
{
	(void)cell_add_exact(to, g->col[col].quantity, &row->cell[col]);
}

/* ---- search --------------------------------------------------------------- */

static bool has_text(const char *in, const char *text)
{
	size_t len = strlen(text);

	for (; *in; in++) {
		if (strncasecmp(in, text, len) == 0)
			return true;
	}
	return false;
}

/* What is on the screen, and the whole of what is cut there. */
static bool row_matches(const struct tui *t, size_t n, const char *text)
{
	const struct grid_row *row;
	const struct layout *lay;
	struct buf b = BUF_INIT;
	size_t grid, at, k;
	bool is = false;

	if (!sheet_get(&t->sheet, n, &grid, &at))
		return false;
	lay = &t->sheet.layout[grid];
	row = &lay->g->row[at];
	for (k = 0; k < lay->g->n_col && !is; k++) {
		const struct piece *p = &layout_row(lay, at)[k];

		if (!lay->shown[k])
			continue;
		buf_reset(&b);
		buf_add(&b, buf_str(&lay->text) + p->at, p->len);
		buf_add_char(&b, '\n');
		if (row->cell[k].kind == CELL_TEXT)
			add_cell(lay->g, row, k, &b);
		is = has_text(buf_str(&b), text);
	}
	buf_release(&b);
	return is;
}

/* 0: from the chosen row on, itself included. */
void search_next(struct tui *t, int direction)
{
	size_t n = t->sheet.n_row, from = tui_level(t)->row, i;

	for (i = direction != 0; i < n + (direction != 0); i++) {
		size_t at = direction < 0 ? (from + n - i) % n
		                          : (from + i) % n;

		if (!row_matches(t, at, t->search))
			continue;
		if (direction > 0 && at <= from)
			tui_message(t, "/%s: from the first row again",
			    t->search);
		if (direction < 0 && at >= from)
			tui_message(t, "/%s: from the last row again",
			    t->search);
		tui_choose(t, at);
		return;
	}
	tui_message(t, "/%s: no row has it", t->search);
	level_set(&t->search, NULL);
}

/* ---- copy ----------------------------------------------------------------- */

/* The query, else the name: the first column. */
static size_t telling(const struct grid *g, const struct grid_row *row)
{
	static const char *const columns[] = { "query", "text", "what" };
	size_t i;

	for (i = 0; i < GS_LEN(columns); i++) {
		int col = grid_find_col(g, columns[i], strlen(columns[i]));

		if (col >= 0 && row->cell[col].kind == CELL_TEXT &&
		    row->cell[col].len > 0)
			return (size_t)col;
	}
	return 0;
}

/* What is shown of a row, whole and exact. */
static void add_shown(const struct layout *lay, size_t row, struct buf *to)
{
	size_t k, n = 0;

	for (k = 0; k < lay->g->n_col; k++) {
		if (!lay->shown[k])
			continue;
		if (n++ > 0)
			buf_add_char(to, '\t');
		add_cell(lay->g, &lay->g->row[row], k, to);
	}
}

void copy_row(struct tui *t, int whole)
{
	const struct grid *g;
	size_t grid, row, k;

	if (!sheet_get(&t->sheet, tui_level(t)->row, &grid, &row)) {
		tui_message(t, "no row is chosen");
		return;
	}
	g = t->shot.grid[grid];
	buf_reset(&t->copied);
	if (whole)
		add_shown(&t->sheet.layout[grid], row, &t->copied);
	k = telling(g, &g->row[row]);
	if (!whole)
		add_cell(g, &g->row[row], k, &t->copied);
	if (whole)
		tui_message(t, "the row is copied, with the columns shown");
	else
		tui_message(t, "copied, %s: %.60s", g->col[k].name,
		    buf_str(&t->copied));
}
