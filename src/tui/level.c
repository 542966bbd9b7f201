/* SPDX-License-Identifier: Apache-2.0 */
/*
 * level.c - the settings of one table.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "tui/tui_int.h"

void level_set(char **text, const char *to)
{
	char *copy = to && *to ? gs_strdup(to) : NULL;

	free(*text);
	*text = copy;
}

bool level_is_fixed(const struct level *l)
{
	const struct view *v = l->group_by ? NULL : view_find(l->view);

	return v && view_is_overview(v);
}

void level_init(struct level *l, const char *view,
	const struct ask_words *words)
{
	static const struct ask_words none = { .wait = WAIT_ASK_INIT };

	words = words ? words : &none;
	*l = (struct level) { .view = view, .nested = words->nested,
		.normalize = words->normalize, .flatten = words->flatten,
		.n_flatten = words->n_flatten,
		.wait = words->wait, .folds.depth = FOLDS_OPEN };
	level_set(&l->where, words->where);
	level_set(&l->sort, words->sort);
	level_set(&l->columns, words->columns);
	level_set(&l->group_by, words->group_by);
	level_set(&l->ema, words->ema);
	level_set(&l->session, words->session);
	level_set(&l->event, words->wait.event);
	level_set(&l->class, words->wait.classes);
	level_set(&l->query_id, words->wait.query_id);
}

void level_release(struct level *l)
{
	free(l->where);
	free(l->sort);
	free(l->columns);
	free(l->group_by);
	free(l->ema);
	free(l->session);
	free(l->event);
	free(l->class);
	free(l->query_id);
	free(l->zoom);
	free(l->name);
	free(l->chosen);
	free(l->kept);
	folds_release(&l->folds);
	*l = (struct level) { 0 };
}

/* It names a column of the rows below sessions. */
static bool names_lower(const char *text)
{
	return text && (strstr(text, "query") || strstr(text, "process"));
}

/* Rows that are folded are not made, unless a condition may hold for them, or an
 * order is of one of their columns.  0: all are. */
static size_t levels_made(const struct level *l)
{
	return l->where || names_lower(l->sort) || names_lower(l->columns) ? 0
	    : folds_deepest(&l->folds);
}

struct ask_words level_words(const struct level *l, struct buf *where)
{
	struct ask_words w = { .view = l->view, .group_by = l->group_by,
		.nested = l->nested, .top = levels_made(l),
		.normalize = l->normalize, .flatten = l->flatten, .n_flatten = l->n_flatten,
		.ema = l->ema, .session = l->session, .sort = l->sort,
		.columns = l->columns, .wait = l->wait };

	buf_reset(where);
	if (l->zoom && l->where)
		buf_printf(where, "(%s) and (%s)", l->zoom, l->where);
	else if (l->zoom || l->where)
		buf_add_str(where, l->zoom ? l->zoom : l->where);
	w.where = where->len > 0 ? buf_str(where) : NULL;
	w.wait.event = l->event;
	w.wait.classes = l->class;
	w.wait.query_id = l->query_id;
	return w;
}
