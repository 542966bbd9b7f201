/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare_fuzzy.c - groups of one side only, matched by similar names.
 *
 * The similarity of two names is twice the number of pairs of adjacent
 * characters that they have in common, divided by the number of such pairs in
 * both (Dice's coefficient).  Commands, threads and cgroups of two groups must
 * each have at least SIMILAR_MIN of it; their other keys are equal.  The most
 * similar groups are matched first, each with one other.
 *
 * Limits: SIDE_MAX groups of each side, so SIDE_MAX^2 comparisons of NAME_MAX
 * bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "query/compare_int.h"
#include "query/sort.h"

#define SIMILAR_MIN 0.7
#define SIDE_MAX 500
#define NAME_MAX_BYTES 256

static const char *const names[] = { "command", "thread", "cgroup" };

/* Two groups that are similar enough: positions of their pairs. */
struct match {
	size_t gone, new;
	double similar;
};

struct matches {
	struct match *match;
	size_t n, cap;
};

static int by_value(const void *x, const void *y)
{
	uint16_t a = *(const uint16_t *)x, b = *(const uint16_t *)y;

	return (a > b) - (a < b);
}

static size_t take_pairs(struct span s, uint16_t to[NAME_MAX_BYTES])
{
	size_t i, len = GS_MIN(span_len(s), NAME_MAX_BYTES);

	for (i = 0; i + 1 < len; i++)
		to[i] = (uint16_t)((unsigned char)s.ptr[i] << 8 |
		    (unsigned char)s.ptr[i + 1]);
	qsort(to, i, sizeof(*to), by_value);
	return i;
}

static double similarity(struct span a, struct span b)
{
	uint16_t x[NAME_MAX_BYTES], y[NAME_MAX_BYTES];
	size_t n = take_pairs(a, x), m = take_pairs(b, y);
	size_t i = 0, k = 0, common = 0;

	while (i < n && k < m) {
		if (x[i] == y[k]) {
			common++;
			i++;
			k++;
		} else if (x[i] < y[k]) {
			i++;
		} else {
			k++;
		}
	}
	return n + m > 0 ? 2.0 * (double)common / (double)(n + m) : 0;
}

static bool is_name(const struct grid_col *col)
{
	size_t i;

	for (i = 0; i < GS_LEN(names); i++) {
		if (strcmp(col->name, names[i]) == 0)
			return true;
	}
	return false;
}

/* 1: the same; 0: not to be matched. */
static double similar_cells(const struct grid_col *col, const struct cell *a,
	const struct cell *b)
{
	if (a->kind == b->kind && sort_compare_cells(a, b) == 0)
		return 1;
	return is_name(col) && a->kind == CELL_TEXT && b->kind == CELL_TEXT
	    ? similarity(cell_span(a), cell_span(b)) : 0;
}

static double similar_pairs(const struct compare *c, const size_t *key,
	size_t n_key, const struct compare_pair *gone,
	const struct compare_pair *new)
{
	double least = gone->residual || new->residual ? 0 : 1;
	size_t i;

	for (i = 0; i < n_key && least >= SIMILAR_MIN; i++)
		least = GS_MIN(least, similar_cells(
		    &c->grid[PART_NOW]->col[key[i]],
		    &gone->cell[PART_BASE][key[i]],
		    &new->cell[PART_NOW][key[i]]));
	return least;
}

/* Rows of this side alone. */
static size_t take_alone(const struct compare *c, enum part part,
	size_t to[SIDE_MAX])
{
	size_t i, n = 0;

	for (i = 0; i < c->n_pair && n < SIDE_MAX; i++) {
		if (c->pair[i].cell[part] && !c->pair[i].cell[1 - part])
			to[n++] = i;
	}
	return n;
}

static int by_similarity(const void *x, const void *y)
{
	const struct match *a = x, *b = y;

	if (a->similar < b->similar || a->similar > b->similar)
		return a->similar < b->similar ? 1 : -1;
	if (a->gone != b->gone)
		return a->gone < b->gone ? -1 : 1;
	return (a->new > b->new) - (a->new < b->new);
}

static void find_matches(const struct compare *c, const size_t *key,
	size_t n_key, struct matches *to)
{
	size_t gone[SIDE_MAX], new[SIDE_MAX], i, k;
	size_t n = take_alone(c, PART_BASE, gone);
	size_t m = take_alone(c, PART_NOW, new);

	for (i = 0; i < n; i++) {
		for (k = 0; k < m; k++) {
			double s = similar_pairs(c, key, n_key,
			    &c->pair[gone[i]], &c->pair[new[k]]);

			if (s < SIMILAR_MIN)
				continue;
			GS_GROW(to->match, &to->cap, to->n + 1);
			to->match[to->n++] = (struct match) { gone[i], new[k],
				s };
		}
	}
	if (to->n > 0)
		qsort(to->match, to->n, sizeof(*to->match), by_similarity);
}

static void join(struct compare_pair *gone, struct compare_pair *new)
{
	new->cell[PART_BASE] = gone->cell[PART_BASE];
	new->n[PART_BASE] = gone->n[PART_BASE];
	new->at[PART_BASE] = gone->at[PART_BASE];
	new->similar = true;
	gone->cell[PART_BASE] = NULL;
}

static void drop_empty(struct compare *c)
{
	size_t i, n = 0;

	for (i = 0; i < c->n_pair; i++) {
		if (c->pair[i].cell[PART_NOW] || c->pair[i].cell[PART_BASE])
			c->pair[n++] = c->pair[i];
	}
	c->n_pair = n;
}

void compare_fuzzy(struct compare *c, const size_t *key, size_t n_key)
{
	struct matches all = { NULL, 0, 0 };
	size_t i;

	find_matches(c, key, n_key, &all);
	for (i = 0; i < all.n; i++) {
		struct compare_pair *gone = &c->pair[all.match[i].gone];
		struct compare_pair *new = &c->pair[all.match[i].new];

		if (gone->cell[PART_BASE] && !new->cell[PART_BASE])
			join(gone, new);
	}
	free(all.match);
	drop_empty(c);
}

struct cell compare_similar(struct compare *c, const struct compare_pair *p)
{
	const struct grid *g = c->grid[PART_NOW];
	struct buf b = BUF_INIT;
	struct cell cell;
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		const struct cell *was = &p->cell[PART_BASE][i];

		if (!c->key[i] || was->kind != CELL_TEXT ||
		    sort_compare_cells(was, &p->cell[PART_NOW][i]) == 0)
			continue;
		buf_add_char(&b, b.len ? ' ' : '~');
		buf_add(&b, was->text, was->len);
	}
	cell = cell_text(grid_text(c->to, buf_str(&b), b.len));
	buf_release(&b);
	return cell;
}
