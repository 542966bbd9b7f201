/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findings_list.c - the findings of a range as a grid: without those that others
 * say better, the worst first.
 */
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/when.h"
#include "findings/findings_int.h"

const struct grid_col findings_cols[FINDINGS_COLS] = {
	GRID_COL("from", "FROM", Q_TIME, 80, "when it began", .kept = true),
	GRID_COL("to", "TO", Q_TIME, 80, "the last tick at which it was so", .yields = 2),
	GRID_COL("length_seconds", "LENGTH", Q_AGE, 80,
	    "from start to end; at least, where it may have lasted longer"),
	GRID_COL("severity", "SEVERITY", Q_TEXT, 80, "problem, warning or note",
	    .yields = 1),
	GRID_COL("finding", "FINDING", Q_TEXT, 80, "kind: the name of the rule"),
	GRID_COL("host", "HOST", Q_TEXT, 100, "its host"),
	GRID_COL("session", "SESSION", Q_TEXT, GRID_ON_REQUEST, "its session"),
	GRID_COL("subject", "SUBJECT", Q_TEXT, 80,
	    "who or what: a session, a device, a segment"),
	GRID_COL("at", "WORST AT", Q_TIME, 120, "the tick that the sentence is about"),
	GRID_COL("cut", "CUT", Q_TEXT, 120,
	    "edges where it may have lasted longer: the start or the end of the range, a hole"),
	GRID_COL("cost_seconds", "COST", Q_AGE, GRID_ON_REQUEST,
	    "its time, multiplied by the sessions that it kept waiting"),
	GRID_COL("ticks", "TICKS", Q_COUNT, GRID_ON_REQUEST, "samples at which it was so"),
	GRID_COL("what", "WHAT", Q_TEXT, 80, "what was wrong, with the figures of the worst tick",
	    .flexible = true, .below = true, .kept = true, .least = 36),
	GRID_COL("next", "NEXT", Q_TEXT, 80, "options of gpsnap replay that show it",
	    .flexible = true, .below = true, .yields = 3),
};

static const char *const cuts[] = { "start", "hole before", "hole after",
	"end" };

/* ---- which -------------------------------------------------------------- */

struct list {
	struct run **run;
	size_t n, cap;
	struct run **hole; /* of those, owned */
	size_t n_hole, hole_cap;
};

static void add(struct list *l, struct run *r)
{
	GS_GROW(l->run, &l->cap, l->n + 1);
	l->run[l->n++] = r;
}

static bool is_silent(const struct list *l, const struct run *r)
{
	size_t i;

	if (!r->by)
		return false;
	for (i = 0; i < l->n; i++) {
		if (run_is_said_by(r, l->run[i]))
			return true;
	}
	return false;
}

static int text_order(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int by_weight(const void *x, const void *y)
{
	const struct run *a = *(struct run *const *)x;
	const struct run *b = *(struct run *const *)y;
	int r;

	if (a->severity != b->severity)
		return a->severity > b->severity ? -1 : 1;
	if (a->cost != b->cost)
		return a->cost > b->cost ? -1 : 1;
	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	r = strcmp(a->kind, b->kind);
	if (r == 0)
		r = text_order(a->subject, b->subject);
	return r ? r : text_order(a->says, b->says);
}

/* It may be open, or have ended, since the range before: then nothing of it was seen in
 * this one. */
static bool is_of_range(const struct findings *f, const struct run *r)
{
	return !r->of || r->of->until || r->range == f->range;
}

static void gather(const struct findings *f, const struct engine *e,
	struct list *l)
{
	size_t i, n = 0;

	holes_add(f, e, &l->hole, &l->n_hole, &l->hole_cap);
	for (i = 0; i < l->n_hole; i++)
		add(l, l->hole[i]);
	for (i = 0; i < f->n_done; i++) {
		if (is_of_range(f, f->done[i]))
			add(l, f->done[i]);
	}
	for (i = 0; i < f->n_judged; i++) {
		struct run *r, *tmp;

		HASH_ITER (hh, f->judged[i].open, r, tmp) {
			if (run_counts(r) && is_of_range(f, r))
				add(l, r);
		}
	}
	for (i = 0; i < l->n; i++)
		l->run[i]->silent = is_silent(l, l->run[i]);
	for (i = 0; i < l->n; i++) {
		if (!l->run[i]->silent)
			l->run[n++] = l->run[i];
	}
	l->n = n;
}

/* ---- the grid ----------------------------------------------------------- */

static struct cell text(struct grid *g, const char *s)
{
	return s && *s ? cell_text(grid_text(g, s, strlen(s)))
	               : (struct cell) { .kind = CELL_ABSENT };
}

static unsigned cut_of(const struct run *r, const struct engine *e)
{
	bool ends = r->of && (r->of->time < 0 || r->of->until) &&
	    !r->over && r->to_ns >= e->to_ns;

	return r->cut | (ends ? CUT_END : 0u);
}

static struct cell cut_cell(struct grid *g, unsigned cut)
{
	struct buf b = BUF_INIT;
	struct cell c;
	size_t i;

	for (i = 0; i < GS_LEN(cuts); i++) {
		if (cut >> i & 1)
			buf_printf(&b, "%s%s", b.len ? ", " : "", cuts[i]);
	}
	c = text(g, buf_str(&b));
	buf_release(&b);
	return c;
}

static struct cell timed(struct grid *g, const struct run *r,
	const char *says, const struct findings *f, struct tick_pace pace)
{
	struct buf b = BUF_INIT;
	struct cell c;

	run_add_text(f, r, says ? says : "", pace, &b);
	c = text(g, buf_str(&b));
	buf_release(&b);
	return c;
}

/* Of a thinned recording: it holds at the ticks that stay, and from one to the other may
 * have lasted for less. */
static bool is_estimate(const struct run *r, const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->n_paced && e->paced[i].pace.thinned_ns == 0; i++)
		;
	return (e->thinned_ns > 0 || i < e->n_paced) && r->of &&
	    r->of->time < 0 && !r->of->until;
}

static void add_row(const struct findings *f, const struct engine *e,
	struct grid *g, const struct run *r)
{
	struct cell *c = grid_add_row(g)->cell;
	unsigned cut = cut_of(r, e);
	size_t length = 2;

	*c++ = cell_int(r->from_ns);
	*c++ = cell_int(r->to_ns);
	*c++ = cell_real((double)(r->to_ns - r->from_ns) / 1e9);
	*c++ = text(g, finding_severity_name(r->severity));
	*c++ = text(g, r->kind);
	*c++ = text(g, r->host);
	*c++ = text(g, r->session);
	*c++ = text(g, r->subject);
	*c++ = cell_int(r->at_ns);
	*c++ = cut_cell(g, cut);
	*c++ = cell_real(r->cost);
	*c++ = cell_int((int64_t)r->ticks);
	*c++ = timed(g, r, r->says, f, engine_pace(e));
	*c = timed(g, r, r->next, f, engine_pace(e));
	if (is_estimate(r, e))
		g->row[g->n_row - 1].cell[length].mark = '~';
	else if (cut)
		g->row[g->n_row - 1].cell[length].mark = '>';
}

static void add_count(struct buf *b, size_t n, enum finding_severity s)
{
	if (n > 0)
		buf_printf(b, "%s%zu %s%s", b->len ? ", " : "", n,
		    finding_severity_name(s), units_plural(n));
}

/* "nothing found in 1h00m, 3 hosts covered whole" */
static void add_nothing(struct buf *b, const struct engine *e)
{
	char span[WHEN_SPAN_MAX];
	size_t hosts = engine_hosts(e);

	when_age(span, engine_covered_s(e));
	buf_printf(b, "nothing found in %s", span);
	if (hosts > 0)
		buf_printf(b, ", %zu host%s covered%s", hosts,
		    units_plural(hosts), engine_is_uneven(e) ? ", not all of "
		    "them whole" : " whole");
}

static void set_title(struct grid *g, const struct findings *f,
	const struct engine *e, const struct list *l, size_t shown)
{
	struct buf b = BUF_INIT, all = BUF_INIT;
	int s;

	for (s = FINDING_PROBLEM; s > FINDING_OFF; s--) {
		size_t i, n = 0;

		for (i = 0; i < l->n; i++)
			n += (int)l->run[i]->severity == s;
		add_count(&b, n, (enum finding_severity)s);
	}
	if (l->n == 0)
		add_nothing(&b, e);
	g->says_empty = true;
	buf_printf(&all, "findings: %s", buf_str(&b));
	if (l->n > shown)
		buf_printf(&all, "; %zu more: -V findings", l->n - shown);
	if (f->n_more > 0)
		buf_printf(&all, "; %zu more were not kept", f->n_more);
	g->title = grid_text(g, buf_str(&all), all.len + 1).ptr;
	buf_release(&b);
	buf_release(&all);
}

struct grid *findings_grid(const struct findings *f, const struct engine *e,
	size_t most)
{
	struct grid *g = grid_new("findings", NULL);
	struct list l = { .n = 0 };
	size_t i, shown;

	for (i = 0; i < FINDINGS_COLS; i++)
		grid_add_col(g, &findings_cols[i]);
	g->from_ns = e->from_ns;
	g->to_ns = e->to_ns;
	g->covered_s = engine_covered_s(e);
	gather(f, e, &l);
	if (l.n > 1)
		qsort(l.run, l.n, sizeof(*l.run), by_weight);
	shown = most > 0 ? GS_MIN(most, l.n) : l.n;
	for (i = 0; i < shown; i++)
		add_row(f, e, g, l.run[i]);
	set_title(g, f, e, &l, shown);
	g->n_total = l.n;
	for (i = 0; i < l.n_hole; i++)
		run_free(l.hole[i]);
	free(l.hole);
	free(l.run);
	return g;
}

/* ---- rules -------------------------------------------------------------- */

static const struct grid_col rule_cols[] = {
	GRID_COL("finding", "FINDING", Q_TEXT, 80, "kind: the name of the rule"),
	GRID_COL("severity", "SEVERITY", Q_TEXT, 80, "problem, warning, note or off"),
	GRID_COL("view", "VIEW", Q_TEXT, 80, "whose rows it looks at"),
	GRID_COL("for", "FOR", Q_TEXT, 80, "how long the condition must hold"),
	GRID_COL("gap", "GAP", Q_TEXT, 120, "times with less than this between them are one"),
	GRID_COL("judged", "JUDGED", Q_TEXT, 80,
	    "whether the range has what the condition needs"),
	GRID_COL("own", "OWN", Q_TEXT, GRID_ON_REQUEST, "yes: the configuration has set it"),
	GRID_COL("by", "BY", Q_TEXT, GRID_ON_REQUEST, "kinds that say the same better"),
	GRID_COL("when", "WHEN", Q_TEXT, 80, "the condition", .below = true),
	GRID_COL("why", "WHY", Q_TEXT, 80, "reason of its figures", .flexible = true, .below = true),
};

static const char *judged_text(const struct findings *f,
	const struct finding_rule *r)
{
	size_t i;

	if (r->severity == FINDING_OFF)
		return "off";
	for (i = 0; i < f->n_judged; i++) {
		const struct judged *j = &f->judged[i];

		if (strcmp(j->rule->name, r->name) != 0)
			continue;
		return j->n_judged > 0 || j->table->recorded ? "yes" : j->n_row > 0
		    ? "no: figures absent" : "no: no rows";
	}
	return "no: wrong";
}

struct grid *findings_rules_grid(const struct findings *f)
{
	struct grid *g = grid_new("rules", "rules");
	const struct finding_rule *r;
	size_t i;

	for (i = 0; i < GS_LEN(rule_cols); i++)
		grid_add_col(g, &rule_cols[i]);
	for (i = 0; (r = finding_rule_at(i)) != NULL; i++) {
		struct cell *c = grid_add_row(g)->cell;

		*c++ = text(g, r->name);
		*c++ = text(g, finding_severity_name(r->severity));
		*c++ = text(g, r->view);
		*c++ = text(g, r->hold);
		*c++ = text(g, r->gap);
		*c++ = text(g, f ? judged_text(f, r) : NULL);
		*c++ = text(g, r->own ? "yes" : NULL);
		*c++ = text(g, r->by);
		*c++ = text(g, r->when);
		*c = text(g, r->why);
	}
	g->n_total = g->n_row;
	return g;
}
