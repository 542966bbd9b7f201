/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tables.c - the comparison of both tables of a section.
 */
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "diff/diff_int.h"

/* Copies the keys that rows are matched without; returns how many. */
static size_t choose_without(const struct diff *d, const struct view *v,
	const char **to)
{
	size_t n;

	for (n = 0; n < d->n_without; n++)
		to[n] = d->without[n];
	/* the coordinator knows it otherwise than segments do */
	if (n > 0 && strcmp(view_name(v), "queries") == 0)
		to[n++] = "command";
	return n;
}

int diff_compare(struct diff *d, size_t i, bool lines, struct grid **ret,
	struct gs_err *err)
{
	struct diff_section *s = &d->section[i];
	const struct view *v = ask_view(s->ask);
	size_t n_key = ask_of_view(s->ask)->n_key;
	const char *without[GS_LEN(d->without) + 1];
	size_t n = choose_without(d, v, without);
	const struct compare_ask how = { .view = view_name(v), .n_key = n_key,
		.sort = n_key ? view_group_sort(v)
		              : view_default_sort(v),
		.fixed = view_is_fixed(v), .without = without,
		.n_without = n, .nested = ask_of_view(s->ask)->nested,
		.normalize = ask_of_view(s->ask)->normal.on,
		.totals = d->o->totals,
		.fuzzy = d->o->fuzzy,
		.lines = lines, .all = s->all, .metrics = d->o->metrics,
		.order = d->o->words.sort };

	return compare_grids(d->b.grid[i], d->a.grid[i], &how, ret, err);
}

struct when_env diff_when(const struct diff *d)
{
	const struct show_source *src = d->side[1].src;

	return (struct when_env) { .zone = &src->zone,
		.first_ns = src->first_ns, .last_ns = src->last_ns,
		.now_ns = gs_clock_wall_ns() };
}
