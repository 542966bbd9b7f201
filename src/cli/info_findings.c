/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/info_findings.h"

#include <string.h>

#include "base/arith.h"
#include "base/wrap.h"
#include "query/range.h"
#include "replay/archive.h"
#include "view/findings_view.h"

/* As the other lines of info. */
#define LABEL ((size_t)11)
#define SHOWN 3

static int no_table(void *ctx, const struct engine *e)
{
	(void)ctx;
	(void)e;
	return 0;
}

static const struct cell *cell_of(const struct grid *g, size_t row,
	const char *name)
{
	return &g->row[row].cell[grid_find_col(g, name, strlen(name))];
}

/* "14:05:30 problem: idle in transaction 89" */
static void add_finding(const struct grid *g, size_t row,
	const struct zone *zone, struct page *p)
{
	static const char *const names[] = { "severity", "finding",
		"subject" };
	size_t i;

	zone_add_time(zone, cell_of(g, row, "from")->i, 0, &p->line);
	for (i = 0; i < GS_LEN(names); i++) {
		const struct cell *c = cell_of(g, row, names[i]);

		if (c->kind == CELL_TEXT)
			buf_printf(&p->line, "%s %.*s", i == 1 ? ":" : "",
			    (int)c->len, c->text);
	}
	page_add(p, "");
}

/* "3 problems; 13 more: gpsnap findings PATH": the title is that of a view. */
static void add_title(const char *title, const char *path, struct buf *to)
{
	const char *view = strstr(title, "-V findings");

	title = strchr(title, ' ') + 1; /* "findings: ..." */
	if (view)
		buf_printf(to, "%.*sgpsnap findings %s", (int)(view - title),
		    title, path);
	else
		buf_add_str(to, title);
}

static void add_all(const struct grid *g, const char *path,
	const struct zone *zone, size_t width, struct buf *to)
{
	struct page p = { .to = to, .width = width, .column = LABEL };
	size_t i;

	add_title(g->title, path, &p.line);
	page_add(&p, "findings");
	for (i = 0; i < g->n_row; i++)
		add_finding(g, i, zone, &p);
	buf_release(&p.line);
}

static void add_unasked(const char *path, size_t width, struct buf *to)
{
	struct page p = { .to = to, .width = width, .column = LABEL };

	buf_printf(&p.line, "not looked for in a range this long: gpsnap "
	    "findings %s", path);
	page_add(&p, "findings");
	buf_release(&p.line);
}

void info_findings(const char *name, char *const *path, size_t n,
	const struct zone *zone, size_t width, struct buf *to)
{
	const struct range all = { INT64_MIN, INT64_MAX, 0 };
	struct archive *a = NULL;
	struct range_result res = { 0 };
	struct findings *f;
	struct gs_err err; /* reading reported it, or will */
	int64_t first_ns, last_ns;
	struct engine e;

	if (archive_open(path, n, &a, &err) < 0)
		return;
	if (archive_bounds(a, &first_ns, &last_ns) &&
	    !findings_are_cheap(gs_difference(last_ns, first_ns),
	    archive_header(a)->interval_ns)) {
		add_unasked(name, width, to);
		archive_free(a);
		return;
	}
	engine_init(&e, archive_header(a)->interval_ns);
	f = findings_new(&findings_views, &e, zone);
	if (range_run(&all, archive_cursor(a), &e, no_table, NULL, &res,
	    &err) == GS_OK && res.any) {
		struct grid *g = findings_grid(f, &e, SHOWN);

		add_all(g, name, zone, width, to);
		grid_free(g);
	}
	findings_free(f);
	engine_release(&e);
	archive_free(a);
}
