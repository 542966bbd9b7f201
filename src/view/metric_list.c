/* SPDX-License-Identifier: Apache-2.0 */
#include "view/metric_list.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/suggest.h"
#include "metric/metric.h"
#include "metric/needs.h"
#include "metric/section.h"
#include "metric/unit.h"

#define NEAR_MAX 3
#define NEED_MAX 80

/* ---- the table ---------------------------------------------------------- */

/* An empty text is an absent cell. */
static struct cell text_of(const char *s)
{
	return *s ? cell_text(span_str(s))
	          : (struct cell) { .kind = CELL_ABSENT };
}

static struct cell name_of(struct grid *g, const struct metric *m)
{
	(void)g;
	return text_of(m->full_name);
}

static struct cell entity_of(struct grid *g, const struct metric *m)
{
	(void)g;
	return text_of(entity_get((enum entity_id)m->entity)->name);
}

static struct cell id_of(struct grid *g, const struct metric *m)
{
	(void)g;
	return cell_int(m->id);
}

static struct cell class_of(struct grid *g, const struct metric *m)
{
	(void)g;
	return text_of(metric_class_name((enum metric_class)m->cls));
}

static struct cell unit_of(struct grid *g, const struct metric *m)
{
	(void)g;
	return text_of(unit_name((enum unit_id)m->unit));
}

static struct cell rule_of(struct grid *g, const struct metric *m)
{
	(void)g;
	return text_of(m->agg == AGG_CPUS ? "cpus"
	    : metric_agg_name((enum metric_agg)m->agg));
}

static struct cell section_of(struct grid *g, const struct metric *m)
{
	(void)g;
	return text_of(metric_section_name(metric_section_of(m)));
}

static struct cell needs_of(struct grid *g, const struct metric *m)
{
	const char *capability = needs_capability(
	    (enum metric_source)m->source);
	char text[NEED_MAX];
	int n;

	if (*capability == '\0' || !(m->flags & (F_SAMEUID | F_ROOT)))
		return text_of(capability);
	n = snprintf(text, sizeof(text), "same user or %s", capability);
	return cell_text(grid_text(g, text, GS_MIN((size_t)n,
	    sizeof(text) - 1)));
}

static struct cell kernel_of(struct grid *g, const struct metric *m)
{
	(void)g;
	return text_of(needs_of_metric(m));
}

static struct cell source_of(struct grid *g, const struct metric *m)
{
	(void)g;
	return text_of(metric_source_path((enum metric_source)m->source));
}

static struct cell field_of(struct grid *g, const struct metric *m)
{
	(void)g;
	return text_of(m->field);
}

static struct cell when_of(struct grid *g, const struct metric *m)
{
	(void)g;
	return text_of(m->flags & F_RETIRED ? "never"
	    : m->flags & F_OPT || m->entity == ENTITY_THREAD ? "request"
	    : "always");
}

static struct cell help_of(struct grid *g, const struct metric *m)
{
	(void)g;
	return text_of(m->help);
}

static const struct {
	struct grid_col col;
	struct cell (*cell)(struct grid *g, const struct metric *m);
} columns[] = {
	{ GRID_COL("metric", "METRIC", Q_TEXT, 80, "full name"), name_of },
	{ GRID_COL("entity", "ENTITY", Q_TEXT, GRID_ON_REQUEST,
	    "kind of rows that it is of"), entity_of },
	{ GRID_COL("id", "ID", Q_ID, GRID_ON_REQUEST,
	    "its number in files, within the entity"), id_of },
	{ GRID_COL("class", "CLASS", Q_TEXT, 80,
	    "counter, gauge, peak, state, text"), class_of },
	{ GRID_COL("unit", "UNIT", Q_TEXT, 80, "unit of what is stored"),
	    unit_of },
	{ GRID_COL("rule", "RULE", Q_TEXT, 80,
	    "how several rows are put together"), rule_of },
	{ GRID_COL("section", "SECTION", Q_TEXT, GRID_ON_REQUEST,
	    "what it is about: a section of gpsnap diff"), section_of },
	{ GRID_COL("recorded", "RECORDED", Q_TEXT, 160,
	    "always; request: record --with; never: in old files"), when_of },
	{ GRID_COL("needs", "NEEDS", Q_TEXT, 120,
	    "who may read it: the user of the process, or who has this "
	    "capability; absent: everybody"), needs_of },
	{ GRID_COL("kernel", "KERNEL", Q_TEXT, 100,
	    "what is known to be needed: first version after 3.10, options "
	    "and settings of the kernel; absent: nothing", .wraps = true),
	    kernel_of },
	{ GRID_COL("source", "SOURCE", Q_TEXT, 140,
	    "file below /proc, of a process below /proc/PID"), source_of },
	{ GRID_COL("field", "FIELD", Q_TEXT, 160, "what of that file"),
	    field_of },
	{ GRID_COL("help", "HELP", Q_TEXT, 80, "what it is",
	    .flexible = true, .wraps = true), help_of },
};

/* ---- patterns ----------------------------------------------------------- */

static bool fits(const char *pattern, const struct metric *m)
{
	const struct entity *e = entity_get((enum entity_id)m->entity);

	return fnmatch(pattern, m->full_name, 0) == 0 ||
	    fnmatch(pattern, m->name, 0) == 0 ||
	    strcmp(pattern, metric_source_path(
	    (enum metric_source)m->source)) == 0 ||
	    strcmp(pattern, e->name) == 0 || strcmp(pattern, e->plural) == 0;
}

static bool fits_any(char *const *pattern, size_t n, const struct metric *m)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (fits(pattern[i], m))
			return true;
	}
	return n == 0;
}

/* The metric at a position (enum metric_pos); NULL after the last.  They are
 * one list, in which those of the first entity come first. */
static const struct metric *metric_at(size_t i)
{
	return i < METRIC_COUNT ? &entity_get((enum entity_id)0)->metrics[i]
	                        : NULL;
}

struct grid *metric_list(char *const *pattern, size_t n)
{
	struct grid *g = grid_new("metrics", NULL);
	const struct metric *m;
	size_t i, k;

	for (k = 0; k < GS_LEN(columns); k++)
		grid_add_col(g, &columns[k].col);
	for (i = 0; (m = metric_at(i)) != NULL; i++) {
		struct grid_row *row;

		if (!fits_any(pattern, n, m))
			continue;
		row = grid_add_row(g);
		for (k = 0; k < GS_LEN(columns); k++)
			row->cell[k] = columns[k].cell(g, m);
	}
	return g;
}

bool metric_list_has(const char *pattern)
{
	const struct metric *m;
	size_t i;

	for (i = 0; (m = metric_at(i)) != NULL; i++) {
		if (fits(pattern, m))
			return true;
	}
	return false;
}

/* ---- what may have been meant ------------------------------------------- */

/* A pattern without wildcards: the entity that it names, and the rest. */
struct word {
	int entity; /* -1: any */
	char name[64]; /* cut to the room */
};

static struct word word_of(const char *pattern)
{
	const char *dot = strchr(pattern, '.');
	struct word w = { .entity = dot ? entity_by_name(pattern,
	    (size_t)(dot - pattern)) : -1 };
	const char *p = w.entity < 0 ? pattern : dot + 1;
	size_t n = 0;

	for (; *p && n + 1 < sizeof(w.name); p++) {
		if (!strchr("*?[]", *p))
			w.name[n++] = *p;
	}
	return w;
}

static bool may_be(const struct word *w, const struct metric *m)
{
	return w->entity < 0 || w->entity == m->entity;
}

/* Edits to the name, or to its beginning of the word's length; SIZE_MAX: too
 * many. */
static size_t distance(const struct word *w, const struct metric *m)
{
	size_t len = strlen(w->name), most = len < 6 ? 1 : len < 10 ? 2 : 3;
	size_t d = suggest_distance(w->name, m->name);
	char head[sizeof(w->name)];

	(void)snprintf(head, sizeof(head), "%.*s", (int)len, m->name);
	d = GS_MIN(d, suggest_distance(w->name, head));
	return may_be(w, m) && d <= most && d < len ? d : SIZE_MAX;
}

/* The closest names, of those at the same distance the first. */
static void suggest_names(const struct word *w, struct buf *to)
{
	const struct metric *m;
	size_t i, best = SIZE_MAX, n = 0;

	for (i = 0; (m = metric_at(i)) != NULL; i++)
		best = GS_MIN(best, distance(w, m));
	if (best == SIZE_MAX)
		return;
	for (i = 0; (m = metric_at(i)) != NULL && n < NEAR_MAX; i++) {
		if (distance(w, m) == best)
			buf_printf(to, "%s%s", n++ ? ", " : " (did you mean ",
			    m->full_name);
	}
	buf_add_str(to, "?)");
}

void metric_list_suggest(const char *pattern, struct buf *to)
{
	struct word w = word_of(pattern);
	const struct metric *m;
	size_t i, n = 0;

	for (i = 0; w.name[0] && (m = metric_at(i)) != NULL; i++)
		n += may_be(&w, m) && strstr(m->name, w.name);
	if (n > 0)
		buf_printf(to, " (did you mean '%s%s*%s*', with %zu?)",
		    w.entity < 0 ? ""
		    : entity_get((enum entity_id)w.entity)->name,
		    w.entity < 0 ? "" : ".", w.name, n);
	else
		suggest_names(&w, to);
}
