/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views.c - the list of views, which is views.def.
 */
#include <string.h>

#include "base/compiler.h"
#include "base/suggest.h"
#include "view/findings_tables.h"
#include "view/findings_view.h"
#include "view/view_int.h"

const struct view view_overview = {
	.name = "overview",
	.help = "coverage, a timeline, the top sessions, processes and hosts",
	.grouping = OVERVIEW,
	.entity = ENTITY_HOST,
	.sort = "",
};

/* ---- findings: they look at other views of this list --------------------- */

static const struct view_finder finder = { view_find };

const struct findings_from findings_views = { &finder, findings_columns,
	findings_open, findings_has_rows, findings_grid_of, findings_close };

static void *open_findings(struct engine *e, const struct view_ask *ask)
{
	return findings_new(&findings_views, e, ask->zone);
}

static struct grid *all_findings(void *self, const struct engine *e)
{
	return findings_grid(self, e, 0);
}

static void close_findings(void *self)
{
	findings_free(self);
}

static const struct view_table findings_table = { .open = open_findings,
	.grid = all_findings, .close = close_findings, .col = findings_cols,
	.n_col = FINDINGS_COLS };

const struct view view_findings = {
	.name = "findings",
	.help = "what was wrong, when, how bad, who, and what shows it",
	.grouping = TABLE,
	.entity = ENTITY_HOST,
	.sort = "",
	.table = &findings_table,
};

/* ---- the list ------------------------------------------------------------ */

static const struct view *const views[] = {
#define VIEW(name) &view_##name,
#include "view/views.def"
#undef VIEW
};

const char view_list[] = ""
#define VIEW(name) ", " #name
#include "view/views.def"
#undef VIEW
	;

const struct view *view_find(const char *name)
{
	int e = entity_by_name(name, strlen(name));
	size_t i;

	for (i = 0; i < GS_LEN(views); i++) {
		if (strcmp(views[i]->name, name) == 0)
			return views[i];
	}
	/* "process" for "processes", and so on */
	for (i = 0; e >= 0 && i < GS_LEN(views); i++) {
		if (views[i]->grouping == GROUPING_ROW &&
		    (int)views[i]->entity == e)
			return views[i];
	}
	return NULL;
}

const char *view_at(size_t i)
{
	return i < GS_LEN(views) ? views[i]->name : NULL;
}

const char *view_suggest(const char *name)
{
	const char *best = NULL;
	size_t i;

	for (i = 0; i < GS_LEN(views); i++) {
		const char *n = views[i]->name;

		if (suggest_is_close(name, n) && (!best ||
		    suggest_distance(name, n) < suggest_distance(name, best)))
			best = n;
	}
	return best;
}

int view_unknown(const char *name, struct gs_err *err)
{
	struct buf names = BUF_INIT;
	const char *near = view_suggest(name);
	size_t i;

	for (i = 0; view_at(i); i++)
		buf_printf(&names, "%s%s", i ? ", " : "", view_at(i));
	if (name[0] == '\0')
		(void)gs_fail(err, GS_E_USAGE, "expected a view; there are:\n"
		    "%s", buf_str(&names));
	else if (near)
		(void)gs_fail(err, GS_E_USAGE,
		    "no view %s (did you mean %s?)", name, near);
	else
		(void)gs_fail(err, GS_E_USAGE, "no view %s; there are:\n%s",
		    name, buf_str(&names));
	buf_release(&names);
	return GS_E_USAGE;
}
