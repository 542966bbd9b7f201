/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_figures.c - the columns of a use: keys, those of the view or of groups,
 * their moving averages; reduced to the picked ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/when.h"
#include "metric/section.h"
#include "query/labelcol.h"
#include "view/metric_figure.h"
#include "view/view_use.h"

static const char *const key_titles[LABEL_COUNT] = {
	[LABEL_SESSION] = "SESSION",
	[LABEL_QUERY] = "QUERY",
	[LABEL_STATEMENT] = "STATEMENT",
	[LABEL_PROCESS] = "PROCESS",
	[LABEL_USER] = "USER",
	[LABEL_DATABASE] = "DB",
	[LABEL_CLIENT] = "CLIENT",
	[LABEL_STATE] = "STATE",
	[LABEL_HOST] = "HOST",
	[LABEL_SERVER] = "SERVER",
	[LABEL_SEGMENT] = "SEGMENT",
	[LABEL_SLICE] = "SLICE",
	[LABEL_COMMAND] = "COMMAND",
	[LABEL_CGROUP] = "CGROUP",
	[LABEL_CGROUP_CPU] = "CPUCGROUP",
	[LABEL_CGROUP_MEMORY] = "MEMCGROUP",
	[LABEL_THREAD] = "THREAD",
	[LABEL_DEVICE] = "DEVICE",
};

static struct figure key_figure(enum label_kind k, unsigned level)
{
	return (struct figure) {
		.col = { .name = label_name(k), .title = key_titles[k],
		    .quantity = Q_TEXT, .min_width = 80,
		    .help = "key of the group", .key = level,
		    .flexible = k == LABEL_STATEMENT,
		    .statement = k == LABEL_STATEMENT },
		.fn = labelcol_key,
		.scale = (double)k,
	};
}

static struct cell level_cell(FIGURE_ARGS)
{
	return cell_int((int64_t)v->level);
}

static const struct figure level_figure = {
	.col = { .name = "level", .title = "LEVEL", .quantity = Q_COUNT,
	    .min_width = GRID_ON_REQUEST, .names = true,
	    .help = "number of keys that the row has" },
	.fn = level_cell,
};

/* Only default rates have averages: there would be too many columns. */
static bool has_average(const struct figure *f)
{
	return f->col.min_width <= 80 && (f->fn == figure_rate ||
	    f->fn == figure_cpu_rate || f->fn == figure_share);
}

/* "cpu_percent" "_ema_" "5m" */
static const char *keep_name(struct view_use *u, const char *of,
	const char *between, int64_t ns)
{
	char span[WHEN_SPAN_MAX], text[160];

	when_span(span, ns);
	(void)snprintf(text, sizeof(text), "%s%s%s", of, between,
	    span); /* fits */
	u->name = gs_realloc(u->name, (u->n_name + 1) * sizeof(*u->name));
	u->name[u->n_name] = gs_strdup(text);
	return u->name[u->n_name++];
}

static void add_averages(struct view_use *u, const struct figure *f,
	const struct view_ask *ask)
{
	size_t i;

	for (i = 0; i < ask->n_ema && has_average(f); i++) {
		struct figure *a = &u->figure[u->n_figure++];

		*a = *f;
		a->ema = (unsigned)i + 1;
		a->col.name = keep_name(u, f->col.name, "_ema_",
		    ask->ema_ns[i]);
		a->col.title = keep_name(u, f->col.title, "~",
		    ask->ema_ns[i]);
		a->col.help = keep_name(u, f->col.help,
		    ": moving average over ", ask->ema_ns[i]);
	}
}

/* Position of the name in the list of picked columns; n_col: not picked. */
static size_t picked(const struct view_pick *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->n_col; i++) {
		if (strcmp(p->col[i], name) == 0)
			break;
	}
	return i;
}

static void pick_figures(struct view_use *u, const struct view_pick *p)
{
	size_t i, n = 0;

	if (!p)
		return;
	u->late = gs_calloc(u->n_figure + 1, sizeof(*u->late));
	u->scratch = gs_calloc(u->n_figure + 1, sizeof(*u->scratch));
	u->made = gs_calloc(u->n_figure + 1, sizeof(*u->made));
	for (i = 0; i < u->n_figure; i++) {
		size_t at = picked(p, u->figure[i].col.name);

		if (at == p->n_col)
			continue;
		u->late[n] = at >= p->n_first;
		u->figure[n++] = u->figure[i];
	}
	u->n_figure = n;
}

/* ---- metrics of the registry ------------------------------------------- */

/* Views whose rows are rows of the entity. */
static bool is_by_row(const struct view *v)
{
	return v->grouping == GROUPING_ROW && !v->rows && !v->last_tick;
}

static bool has_figure(const struct view *v, const char *name)
{
	size_t i;

	for (i = 0; i < v->n_figure; i++) {
		if (strcmp(metric_described(&v->figure[i],
		    v->entity).col.name, name) == 0)
			return true;
	}
	return false;
}

const struct metric *view_usual_metric(const struct view *v, size_t i)
{
	const struct entity *e = entity_get(v->entity);
	unsigned k;

	for (k = 0; is_by_row(v) && k < e->ncols; k++) {
		if (e->metrics[k].width > 0 &&
		    !has_figure(v, e->metrics[k].name) && i-- == 0)
			return &e->metrics[k];
	}
	return NULL;
}

/* The entity whose metrics can be columns. */
const char *view_metrics(const struct view *v)
{
	size_t i;

	for (i = 0; v->grouping >= 0 && i < v->n_figure; i++) {
		if (!v->figure[i].alone)
			return entity_get(v->entity)->name;
	}
	return NULL;
}

bool view_find_metric(const struct view *v, const char *name, size_t len,
	struct view_metric *ret)
{
	const char *kind = entity_get(v->entity)->name;
	size_t n = strlen(kind);

	ret->full = len > n && memcmp(name, kind, n) == 0 && name[n] == '.';
	if (ret->full) {
		name += n + 1;
		len -= n + 1;
	}
	ret->metric = view_metrics(v) ? metric_by_name(v->entity, name, len)
	                              : NULL;
	return ret->metric != NULL;
}

static void add_metric(struct view_use *u, const struct view_metric *of,
	bool by_row)
{
	const struct metric *m = of->metric;
	struct figure f;

	if (!of->stands_in) {
		f = metric_figure(m, of->full ? m->full_name : m->name,
		    by_row);
		if (of->rate)
			metric_figure_as_rate(&f, m);
		u->figure[u->n_figure++] = f;
	} else if (!by_row && metric_stand_in(m, &f)) {
		u->figure[u->n_figure++] = f;
	}
}

static void add_metrics(struct view_use *u, const struct view_ask *ask)
{
	const struct view *v = u->view;
	const struct metric *m;
	size_t i;

	for (i = 0; ask->n_key == 0 && (m = view_usual_metric(v, i)) != NULL;
	    i++)
		u->figure[u->n_figure++] = metric_figure(m, m->name, true);
	for (i = 0; i < ask->n_metric; i++)
		add_metric(u, &ask->metric[i],
		    v->grouping == GROUPING_ROW && ask->n_key == 0);
}

/* ---- all columns ------------------------------------------------------- */

/* Before the flexible texts, of which there are few. */
static bool begins_rest(const struct figure *f, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!f[i].col.flexible)
			return false;
	}
	return n > 0;
}

/* Groups show what the view is about: a figure that groups have on request is
 * shown where the view shows it. */
static void show_as_view(const struct view *v, struct figure *f)
{
	size_t i;

	for (i = 0; f->col.min_width == GRID_ON_REQUEST && i < v->n_figure;
	    i++) {
		if (strcmp(v->figure[i].col.name ? v->figure[i].col.name : "",
		    f->col.name) == 0)
			f->col.min_width = v->figure[i].col.min_width;
	}
}

/* The first columns that a figure needs are often those of the CPU time that
 * others are a part of. */
static enum metric_section section_of(const struct view_use *u,
	const struct figure *f)
{
	return f->n_from == 0 ? SECTION_OTHER : metric_section_of(
	    metric_get(u->view->entity, f->from[f->n_from - 1]));
}

void view_choose_figures(struct view_use *u, const struct view_ask *ask)
{
	const struct figure *f = u->view->figure;
	size_t n = u->view->n_figure;
	struct figure one;
	bool added = false;
	size_t i;

	if (ask->n_key > 0)
		f = view_group_figures(u->view->entity, &n);
	u->figure = gs_calloc(n * (1 + ask->n_ema) + ask->n_key + 1 +
	    entity_get(u->view->entity)->ncols + ask->n_metric,
	    sizeof(*u->figure));
	for (i = 0; i < ask->n_key; i++)
		u->figure[u->n_figure++] = key_figure(ask->key[i],
		    ask->nested ? (unsigned)i + 1 : 0);
	if (ask->nested)
		u->figure[u->n_figure++] = level_figure;
	for (i = 0; i < n; i++) {
		if (!added && begins_rest(&f[i], n - i)) {
			add_metrics(u, ask);
			added = true;
		}
		one = metric_described(&f[i], u->view->entity);
		if (ask->n_key > 0)
			show_as_view(u->view, &one);
		u->figure[u->n_figure++] = one;
		add_averages(u, &one, ask);
	}
	if (!added)
		add_metrics(u, ask);
	pick_figures(u, ask->pick);
	for (i = 0; i < u->n_figure; i++)
		u->figure[i].col.section = section_of(u, &u->figure[i]);
}
