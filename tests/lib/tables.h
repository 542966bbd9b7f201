/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tables.h - grids as one line of text: "a|1;b|2".
 */
#ifndef TESTS_LIB_TABLES_H
#define TESTS_LIB_TABLES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scan.h"
#include "query/grid.h"

/* A column as "name:kind", kinds below; a "+" after it: additive; "*": grows
 * with time; "?": shown on request; "=": it stands in for the one before. */
static inline enum quantity table_quantity(char kind)
{
	switch (kind) {
	case 't':
		return Q_TEXT;
	case 'i':
		return Q_ID;
	case 'T':
		return Q_TIME;
	case 's':
		return Q_SECONDS;
	case '%':
		return Q_PERCENT;
	case 'B':
		return Q_BYTES;
	case 'r':
		return Q_RATE;
	case 'c':
		return Q_COUNT;
	default:
		return Q_NUMBER;
	}
}

static inline bool table_next(struct span *list, char sep, char to[64])
{
	struct span one;

	if (!list->ptr)
		return false;
	if (!scan_until(list, sep, &one)) {
		one = *list;
		list->ptr = NULL;
	}
	(void)snprintf(to, 64, "%.*s", (int)span_len(one), one.ptr);
	return true;
}

static inline void table_add_cols(struct grid *g, const char *cols)
{
	struct span list = span_str(cols);
	char word[64];

	while (table_next(&list, ' ', word)) {
		char *kind = strchr(word, ':');
		struct grid_col c = { .quantity = table_quantity(kind[1]),
			.min_width = strchr(kind, '?') ? GRID_ON_REQUEST : 80,
			.stands_in = strchr(kind, '=') != NULL, .help = "a figure",
			.additive = strchr(kind, '+') != NULL,
			.grows = strchr(kind, '*') != NULL };

		c.name = grid_text(g, word, (size_t)(kind - word)).ptr;
		c.title = c.name;
		grid_add_col(g, &c);
	}
}

/* "-": absent; a leading "~": an estimate; "!": its row has ended. */
static inline struct cell table_cell(struct grid *g, enum quantity q, const char *word)
{
	struct cell c;

	if (strcmp(word, "-") == 0)
		return (struct cell) { .kind = CELL_ABSENT };
	if (q == Q_TEXT)
		return cell_text(grid_text(g, word, strlen(word)));
	if (q == Q_ID || q == Q_TIME || q == Q_COUNT)
		return cell_int(atoll(word));
	c = cell_real(atof(word + (*word == '~' || *word == '!')));
	c.ended = *word == '!';
	c.mark = *word == '~' ? '~' : 0;
	return c;
}

/* Rows are separated by ";", cells by "|". */
static inline struct grid *table_new(const char *view, const char *cols,
	const char *rows, double covered_s)
{
	struct grid *g = grid_new(view, NULL);
	struct span list = span_str(rows);
	char row[64], word[64];

	g->covered_s = covered_s;
	table_add_cols(g, cols);
	while (rows[0] && table_next(&list, ';', row)) {
		struct span cells = span_str(row);
		struct cell *to = grid_add_row(g)->cell;
		size_t i;

		for (i = 0; table_next(&cells, '|', word); i++)
			to[i] = table_cell(g, g->col[i].quantity, word);
		assert_int_equal(i, g->n_col);
	}
	return g;
}

static inline void table_put(struct buf *to, const struct cell *c)
{
	const char *mark = c->mark ? c->mark == '~' ? "~" : ">" : "";

	switch (c->kind) {
	case CELL_ABSENT:
		buf_add_char(to, '-');
		break;
	case CELL_TEXT:
		buf_add(to, c->text, c->len);
		break;
	case CELL_INT:
		buf_printf(to, "%s%lld", mark, (long long)c->i);
		break;
	case CELL_REAL:
		buf_printf(to, "%s%.4g", mark, c->r);
		break;
	case CELL_MAX:
		buf_add_str(to, "max");
		break;
	}
}

static inline bool table_shows(const struct grid *g, size_t col, const char *want)
{
	char name[80];

	(void)snprintf(name, sizeof(name), " %s ", g->col[col].name);
	return strstr(want, name) != NULL;
}

/* Rows as above, of the columns in show, which has a blank around each. */
static inline void table_write(struct buf *to, const struct grid *g,
	const char *show)
{
	size_t i, k;

	for (i = 0; i < g->n_row; i++) {
		bool first = true;

		if (i > 0)
			buf_add_char(to, ';');
		for (k = 0; k < g->n_col; k++) {
			if (!table_shows(g, k, show))
				continue;
			if (!first)
				buf_add_char(to, '|');
			first = false;
			table_put(to, &g->row[i].cell[k]);
		}
	}
}

#endif
