/* SPDX-License-Identifier: Apache-2.0 */
/*
 * folds.c - rows below rows: which of them are folded, and control groups in the
 * order of a tree.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "tui/tui_int.h"

/* ---- what is folded ------------------------------------------------------ */

#define FOLDS_MAX 1000

static size_t find_fold(const struct folds *f, const char *identity)
{
	size_t i = 0;

	while (i < f->n && strcmp(f->other[i].identity, identity) != 0)
		i++;
	return i;
}

void folds_set(struct folds *f, unsigned depth)
{
	unsigned levels = f->levels;

	folds_release(f);
	*f = (struct folds) { .depth = depth, .levels = levels };
}

void folds_release(struct folds *f)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		free(f->other[i].identity);
	free(f->other);
	*f = (struct folds) { .depth = FOLDS_OPEN };
}

unsigned folds_deepest(const struct folds *f)
{
	unsigned deepest = f->depth;
	size_t i;

	for (i = 0; i < f->n && f->depth != FOLDS_OPEN; i++)
		deepest = GS_MAX(deepest, f->other[i].level + 1);
	return GS_MIN(deepest, f->levels);
}

/* Of nested rows: the last key that the table has. */
static unsigned levels_of(const struct grid *g)
{
	unsigned n = 0;
	size_t k;

	for (k = 0; k < g->n_col; k++)
		n = GS_MAX(n, g->col[k].key);
	return n;
}

bool folds_has_below(const struct folds *f, const struct grid *g, size_t row)
{
	unsigned level = g->row[row].level;

	if (level == 0)
		return false;
	if (row + 1 < g->n_row && g->row[row + 1].level > level)
		return true;
	return level < f->levels && level == levels_of(g);
}

bool folds_hide(const struct folds *f, const struct grid *g, size_t row,
	const char *identity)
{
	return folds_has_below(f, g, row) && (g->row[row].level >= f->depth) !=
	    (find_fold(f, identity) < f->n);
}

bool folds_turn(struct folds *f, const char *identity, unsigned level)
{
	size_t at = find_fold(f, identity);

	if (at < f->n) {
		free(f->other[at].identity);
		f->other[at] = f->other[--f->n];
		return true;
	}
	if (f->n == FOLDS_MAX)
		return false;
	GS_GROW(f->other, &f->cap, f->n + 1);
	f->other[f->n++] = (struct fold) { gs_strdup(identity), level };
	return true;
}

/* ---- control groups by path ------------------------------------------------ */

struct node {
	struct span path, host;
	size_t at; /* in the grid */
	size_t above; /* row that it is below; SIZE_MAX: none */
	size_t first, next; /* row below it, row beside it; SIZE_MAX: none */
};

static struct span text_at(const struct grid_row *row, int col)
{
	return col >= 0 && row->cell[col].kind == CELL_TEXT
	    ? cell_span(&row->cell[col]) : span_str("");
}

/* A slash comes first, so that what is below a path follows it. */
static int compare_paths(struct span a, struct span b)
{
	size_t n = GS_MIN(span_len(a), span_len(b)), i;

	for (i = 0; i < n; i++) {
		int x = a.ptr[i] == '/' ? -1 : (unsigned char)a.ptr[i];
		int y = b.ptr[i] == '/' ? -1 : (unsigned char)b.ptr[i];

		if (x != y)
			return x < y ? -1 : 1;
	}
	return (span_len(a) > n) - (span_len(b) > n);
}

static int by_path(const void *x, const void *y)
{
	const struct node *a = *(struct node *const *)x;
	const struct node *b = *(struct node *const *)y;
	int r = compare_paths(a->host, b->host);

	return r ? r : compare_paths(a->path, b->path);
}

static bool is_below(const struct node *n, const struct node *above)
{
	size_t len = span_len(above->path);

	if (compare_paths(n->host, above->host) != 0 ||
	    span_len(n->path) <= len ||
	    memcmp(n->path.ptr, above->path.ptr, len) != 0)
		return false;
	return (len == 1 && *above->path.ptr == '/') ||
	    n->path.ptr[len] == '/';
}

/* Which row each is below. */
static void find_above(struct node *node, size_t n)
{
	struct node **sorted = gs_calloc(n, sizeof(struct node *));
	size_t i;

	for (i = 0; i < n; i++)
		sorted[i] = &node[i];
	qsort(sorted, n, sizeof(struct node *), by_path);
	for (i = 1; i < n; i++) {
		const struct node *up = sorted[i - 1];

		while (up && !is_below(sorted[i], up))
			up = up->above == SIZE_MAX ? NULL : &node[up->above];
		sorted[i]->above = up ? up->at : SIZE_MAX;
	}
	free(sorted);
}

/* The rows below one, or, of SIZE_MAX, the first ones, in their order, each
 * followed by those below it. */
static void put_rows(struct grid *g, const struct node *node, size_t first,
	const struct grid_row *was)
{
	size_t at = first, to = 0;
	unsigned level = 1;

	while (at != SIZE_MAX) {
		g->row[to] = was[at];
		g->row[to++].level = level;
		if (node[at].first != SIZE_MAX) {
			at = node[at].first;
			level++;
			continue;
		}
		while (node[at].next == SIZE_MAX && node[at].above != SIZE_MAX) {
			at = node[at].above;
			level--;
		}
		at = node[at].next;
	}
}

void folds_by_path(struct grid *g)
{
	int path = grid_find_col(g, "cgroup", strlen("cgroup"));
	int host = grid_find_col(g, "host", strlen("host"));
	struct node *node;
	struct grid_row *was;
	size_t first = SIZE_MAX, i;

	if (path < 0 || g->n_row == 0)
		return;
	node = gs_calloc(g->n_row, sizeof(*node));
	was = gs_calloc(g->n_row, sizeof(*was));
	memcpy(was, g->row, g->n_row * sizeof(*was));
	for (i = 0; i < g->n_row; i++)
		node[i] = (struct node) { text_at(&was[i], path),
			text_at(&was[i], host), i, SIZE_MAX, SIZE_MAX,
			SIZE_MAX };
	find_above(node, g->n_row);
	for (i = g->n_row; i-- > 0;) {
		size_t *head = node[i].above == SIZE_MAX ? &first
		    : &node[node[i].above].first;

		node[i].next = *head;
		*head = i;
	}
	put_rows(g, node, first, was);
	free(node);
	free(was);
}

/* ---- names in the tree ----------------------------------------------------- */

/* What of a path those above it do not say. */
static struct span own_part(const struct grid *g, size_t row, int path)
{
	struct span is = text_at(&g->row[row], path);
	size_t i = row;

	while (i-- > 0) {
		if (g->row[i].level < g->row[row].level) {
			size_t len = span_len(text_at(&g->row[i], path));

			is.ptr += GS_MIN(len, span_len(is));
			break;
		}
	}
	is.ptr += span_len(is) > 1 && *is.ptr == '/' && i < row;
	return is;
}

void folds_names(struct layout *lay)
{
	const struct grid *g = lay->g;
	int path = grid_find_col(g, "cgroup", strlen("cgroup"));
	struct piece *p;
	size_t i, col = (size_t)path;

	if (path < 0)
		return;
	lay->natural[col] = utf8_width(g->col[col].title,
	    strlen(g->col[col].title));
	for (i = 0; i < g->n_row; i++) {
		struct span own = own_part(g, i, path);

		p = &lay->piece[i * g->n_col + col];
		p->at = lay->text.len;
		buf_add_fill(&lay->text, ' ', 2 * (g->row[i].level - 1));
		utf8_add_safe(&lay->text, own.ptr, span_len(own));
		layout_end_piece(lay, p);
		lay->natural[col] = GS_MAX(lay->natural[col], p->width);
	}
}
