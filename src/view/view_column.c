/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_column.c - the columns of views.
 */
#include <string.h>

#include "view/metric_figure.h"
#include "view/view_int.h"

static const char *many_of(unsigned min_width)
{
	return min_width == MANY_HOSTS ? "hosts"
	    : min_width == MANY_SERVERS ? "servers"
	    : min_width == WHERE_UNEVEN ? "uneven" : NULL;
}

bool view_table_column(const struct view_table *t, size_t i,
	struct grid_col *ret)
{
	if (t->second && i == 1) {
		*ret = *t->second;
		return true;
	}
	i -= t->second && i > 1;
	if (i >= t->n_col)
		return false;
	*ret = t->col[i];
	return true;
}

bool view_column(const struct view *v, size_t i, struct grid_col *ret,
	const char **ret_many)
{
	size_t n;
	const struct figure *f;
	const struct metric *m;

	if (v && v->table && v->table->page) /* its list */
		v = &view_queries;
	n = v ? v->n_figure : 0;
	f = v ? v->figure : view_group_figures(ENTITY_PROCESS, &n);
	if (v && v->table) {
		if (!view_table_column(v->table, i, ret))
			return false;
	} else if (i < n) {
		*ret = metric_described(&f[i],
		    v ? v->entity : ENTITY_PROCESS).col;
	} else {
		m = v ? view_usual_metric(v, i - n) : NULL;
		if (!m)
			return false;
		*ret = metric_figure(m, m->name, true).col;
	}
	*ret_many = many_of(ret->min_width);
	return true;
}

int view_metric(const char *name, struct gs_err *err)
{
	const struct view *v = &view_processes;
	struct grid *g = grid_new(v->name, NULL);
	const char *many;
	struct grid_col c;
	size_t i;
	int col;

	for (i = 0; view_column(v, i, &c, &many); i++)
		grid_add_col(g, &c);
	col = grid_find_col(g, name, strlen(name));
	if (col < 0)
		col = grid_no_col(g, name, strlen(name), err);
	else if (g->col[col].quantity == Q_TEXT ||
	    g->col[col].quantity == Q_ID)
		col = gs_fail(err, GS_E_USAGE, "%s of processes is no "
		    "quantity", g->col[col].name);
	grid_free(g);
	return col;
}
