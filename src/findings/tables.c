/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tables.c - what the rules need: one table for each view, with the columns of
 * all rules on it, those of the conditions first.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "findings/findings_int.h"

/* ---- one rule ----------------------------------------------------------- */

struct naming {
	const struct grid *whole; /* of the view */
	const struct grid *who; /* of the view of who; NULL: none */
	struct gs_err *err;
	int status;
};

static const char *column(const struct grid *g, struct span name)
{
	int col = grid_find_col(g, name.ptr, span_len(name));

	return col >= 0 ? g->col[col].name : NULL;
}

/* The part after "who."; false: it is a column of the rule's own view. */
static bool is_who(struct span *name)
{
	struct span rest = *name, first;

	if (!scan_until(&rest, '.', &first) || !span_eq(first, "who"))
		return false;
	*name = rest;
	return true;
}

static void check_name(void *ctx, struct span name)
{
	struct naming *n = ctx;
	const struct grid *g = is_who(&name) ? n->who : n->whole;

	if (n->status < 0)
		return;
	if (!g)
		n->status = gs_fail(n->err, GS_E_USAGE, "{who...} needs who = "
		    "VIEW.COLUMN");
	else if (!column(g, name))
		n->status = grid_no_col(g, name.ptr, span_len(name), n->err);
}

/* Calls fn with each word of a list. */
static void each_word(const char *list,
	void (*fn)(void *ctx, struct span name), void *ctx)
{
	struct span s = span_str(list ? list : ""), word;

	while (grid_next_name(&s, &word)) {
		if (!span_empty(word) && (*word.ptr == '-' ||
		    *word.ptr == '+'))
			word.ptr++;
		if (!span_empty(word))
			fn(ctx, word);
	}
}

/* All columns that a rule shows or sums. */
static void each_shown(const struct finding_rule *r,
	void (*fn)(void *ctx, struct span name), void *ctx)
{
	each_word(r->subject, fn, ctx);
	each_word(r->peak, fn, ctx);
	each_word(r->cost, fn, ctx);
	each_word(r->sum, fn, ctx);
	sentence_columns(r->says ? r->says : "", fn, ctx);
	sentence_columns(r->next ? r->next : "", fn, ctx);
}

/* "sessions.cpu_percent >= 20": false, if it has no view. */
static bool parse_who(const char *text, struct span *ret_view,
	struct span *ret_col, double *ret_least)
{
	struct span rest = span_str(text), col;
	struct gs_err err;

	*ret_least = 0;
	if (!scan_until(&rest, '.', ret_view))
		return false;
	if (!scan_until(&rest, ' ', &col)) {
		*ret_col = rest;
		return true;
	}
	*ret_col = col;
	return span_starts(rest, ">= ") &&
	    units_real(rest.ptr + 3, ret_least, &err) == GS_OK;
}

static int check_who(const struct findings_from *from,
	const struct finding_rule *r, struct naming *n)
{
	struct span view, col;
	double least;
	char *name;

	if (!r->who)
		return GS_OK;
	if (!parse_who(r->who, &view, &col, &least))
		return gs_fail(n->err, GS_E_USAGE, "who: expected VIEW.COLUMN "
		    "or VIEW.COLUMN >= NUMBER, got %.60s", r->who);
	name = gs_strndup(view.ptr, span_len(view));
	n->who = from->columns(from->ctx, name, NULL);
	if (!n->who)
		(void)gs_fail(n->err, GS_E_USAGE, "who: no view %.60s", name);
	free(name);
	if (!n->who)
		return GS_E_USAGE;
	return column(n->who, col) ? GS_OK : grid_no_col(n->who, col.ptr,
	    span_len(col), n->err);
}

static int check_condition(const char *text, const struct grid *g,
	struct gs_err *err)
{
	struct filter *f = filter_new_over_time(text ? text : "", g, NULL,
	    err);

	filter_free(f);
	return f ? GS_OK : GS_E_USAGE;
}

int findings_check(const struct findings_from *from,
	const struct finding_rule *r, struct gs_err *err)
{
	struct grid *whole = r->view ? from->columns(from->ctx, r->view, NULL) : NULL;
	struct naming n = { .whole = whole, .err = err };

	if (!whole)
		return gs_fail(err, GS_E_USAGE, "expected the name of a view, "
		    "got %.60s", r->view ? r->view : "none");
	n.status = check_who(from, r, &n);
	if (n.status == GS_OK)
		n.status = check_condition(r->when, whole, err);
	if (n.status == GS_OK && r->until)
		n.status = check_condition(r->until, whole, err);
	each_shown(r, check_name, &n);
	if (n.status == GS_OK && (!r->says || !*r->says))
		n.status = gs_fail(err, GS_E_USAGE, "expected a sentence: "
		    "says = ...");
	if (n.status == GS_OK)
		n.status = rule_check_texts(from, r, err);
	grid_free(whole);
	grid_free((struct grid *)(uintptr_t)n.who);
	return n.status;
}

/* ---- the columns of a table --------------------------------------------- */

static bool has_name(const struct table_use *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->pick.n_col; i++) {
		if (strcmp(t->name[i], name) == 0)
			return true;
	}
	return false;
}

static void add_name(struct table_use *t, const char *name)
{
	if (!name || has_name(t, name))
		return;
	GS_GROW(t->name, &t->name_cap, t->pick.n_col + 1);
	t->name[t->pick.n_col++] = name;
}

struct adding {
	struct findings *f;
	const struct finding_rule *r;
};

static struct table_use *table_of(struct findings *f, const char *view,
	size_t len)
{
	struct table_use *t;
	size_t i;

	for (i = 0; i < f->n_table; i++) {
		if (strlen(f->table[i]->view) == len &&
		    memcmp(f->table[i]->view, view, len) == 0)
			return f->table[i];
	}
	t = gs_calloc(1, sizeof(*t));
	t->view = gs_strndup(view, len);
	t->from = f->from;
	t->part = f->from->columns(f->from->ctx, t->view, NULL); /* replaced below */
	f->table = gs_realloc(f->table, (f->n_table + 1) *
	    sizeof(struct table_use *));
	f->table[f->n_table++] = t;
	return t;
}

static struct table_use *table_of_who(struct findings *f,
	const struct finding_rule *r, struct span *ret_col, double *ret_least)
{
	struct span view = span_str("");

	(void)parse_who(r->who, &view, ret_col, ret_least); /* was checked */
	return table_of(f, view.ptr, span_len(view));
}

static void add_shown(void *ctx, struct span name)
{
	const struct adding *a = ctx;
	struct span by;
	double least;
	struct table_use *t = is_who(&name)
	    ? table_of_who(a->f, a->r, &by, &least)
	    : table_of(a->f, a->r->view, strlen(a->r->view));

	add_name(t, column(t->part, name));
}

static void add_columns(struct table_use *t, const char *when)
{
	struct filter *all = filter_new_over_time(when, t->part, NULL, NULL);
	size_t i;

	for (i = 0; all && i < t->part->n_col; i++) {
		if (filter_side(all, i) != FILTER_UNUSED)
			add_name(t, t->part->col[i].name);
	}
	filter_free(all);
}

static void add_condition(struct findings *f, const struct finding_rule *r)
{
	struct table_use *t = table_of(f, r->view, strlen(r->view));

	add_columns(t, r->when);
	if (r->until)
		add_columns(t, r->until);
}

/* Of sessions: the host of those of the operating system. */
#define OS_HOST "os_host"

/* Who makes a host busy is on it. */
#define WHO_ON "on_hosts"

static void add_rest(struct findings *f, const struct finding_rule *r)
{
	static const char *const always[] = { "host", OS_HOST, "session", "time" };
	struct adding a = { f, r };
	struct table_use *t = table_of(f, r->view, strlen(r->view));
	struct span col;
	double least;
	size_t i;

	each_shown(r, add_shown, &a);
	for (i = 0; i < GS_LEN(always); i++)
		add_name(t, column(t->part, span_str(always[i])));
	if (r->who) {
		t = table_of_who(f, r, &col, &least);
		add_name(t, column(t->part, col));
		add_name(t, column(t->part, span_str(WHO_ON)));
	}
}

/* ---- rules on tables ---------------------------------------------------- */

static int find(const struct grid *g, const char *name)
{
	int col = grid_find_col(g, name, strlen(name));

	/* not one that begins so */
	return col >= 0 && strcmp(g->col[col].name, name) == 0 ? col : -1;
}

static int host_of(const struct grid *g)
{
	return GS_MAX(find(g, "host"), find(g, OS_HOST));
}

static void note_subject(void *ctx, struct span name)
{
	struct judged *j = ctx;
	int col = grid_find_col(j->table->part, name.ptr, span_len(name));

	if (col >= 0 && j->n_subject < SUBJECT_COLS)
		j->subject[j->n_subject++] = (size_t)col;
}

static int first_of(const struct grid *g, const char *list)
{
	size_t skip = list ? strspn(list, "+-") : 0;

	return list ? grid_find_col(g, list + skip, strlen(list + skip)) : -1;
}

static void judge(struct findings *f, const struct finding_rule *r,
	struct judged *j)
{
	struct table_use *t = table_of(f, r->view, strlen(r->view));
	struct span by;

	*j = (struct judged) { .rule = r, .in = f, .table = t,
		.hold_ns = finding_rule_hold(r), .gap_ns = finding_rule_gap(r),
		.host = host_of(t->part),
		.session = find(t->part, "session"),
		.time = find(t->part, "time"),
		.peak = first_of(t->part, r->peak),
		.cost = first_of(t->part, r->cost),
		.sum = first_of(t->part, r->sum),
		.side = r->peak && *r->peak == '-' ? -1 : 1 };
	j->filter = filter_new_over_time(r->when, t->part, NULL, NULL);
	if (r->until)
		j->until = filter_new_over_time(r->until, t->part, NULL, NULL);
	each_word(r->subject, note_subject, j);
	t->whole |= filter_needs_rows(j->filter);
	if (r->who) {
		j->who = table_of_who(f, r, &by, &j->who_least);
		j->who_by = grid_find_col(j->who->part, by.ptr, span_len(by));
		j->who_on = find(j->who->part, WHO_ON);
	}
	t->judged = gs_realloc(t->judged, (t->n_judged + 1) *
	    sizeof(struct judged *));
	t->judged[t->n_judged++] = j;
}

bool judged_holds(struct judged *j, const struct grid_row *row,
	const struct row_cells *cells)
{
	bool holds = filter_match_made(j->filter, row, cells);

	j->n_row++;
	j->n_judged += holds || !filter_missed(j->filter);
	return holds;
}

/* Rows are kept for which some rule holds. */
static bool keep(void *ctx, const struct grid_row *row,
	const struct row_cells *cells)
{
	const struct table_use *t = ctx;
	bool any = t->all || t->whole;
	size_t i;

	for (i = 0; !any && i < t->n_judged; i++) {
		struct judged *j = t->judged[i];

		any = judged_holds(j, row, cells) || (j->until &&
		    filter_match_made(j->until, row, cells));
	}
	return any;
}

/* The rules to judge, NULL after the last. */
static const struct finding_rule *asked_rule(const struct findings *f,
	size_t i)
{
	if (f->ask.all)
		return finding_rule_at(i);
	return i < f->ask.n_rule ? f->ask.rule[i] : NULL;
}

void tables_make(struct findings *f, struct engine *e)
{
	const struct finding_rule *r;
	const struct finding_rule **use = NULL;
	size_t i, n = 0, cap = 0;

	for (i = 0; (r = asked_rule(f, i)) != NULL; i++) {
		if (r->severity == FINDING_OFF)
			continue;
		GS_GROW(use, &cap, n + 1);
		use[n++] = r;
	}
	for (i = 0; i < n; i++)
		add_condition(f, use[i]);
	for (i = 0; i < n; i++)
		add_rest(f, use[i]);
	for (i = 0; i < f->n_table; i++) {
		struct table_use *t = f->table[i];
		struct grid *all = t->part;

		t->pick.col = t->name;
		t->pick.keep = keep;
		t->pick.ctx = t;
		t->part = f->from->columns(f->from->ctx, t->view, &t->pick);
		t->use = f->from->open(f->from->ctx, t->view, e, &t->pick);
		t->names_of = all;
	}
	f->judged = gs_calloc(n + 1, sizeof(*f->judged));
	for (i = 0; i < n; i++)
		judge(f, use[i], &f->judged[f->n_judged++]);
	free(use);
}

struct grid *table_all(struct table_use *t, const struct engine *e)
{
	const struct findings_from *from = t->from;
	struct grid *g;

	t->all = true;
	g = from->grid(t->use, e);
	t->all = false;
	return g;
}

void tables_free(struct findings *f)
{
	size_t i;

	for (i = 0; i < f->n_table; i++) {
		struct table_use *t = f->table[i];

		if (t->use)
			f->from->close(t->use);
		grid_free(t->part);
		grid_free(t->names_of);
		free(t->name);
		free(t->judged);
		free(t->view);
		free(t);
	}
	free(f->table);
	for (i = 0; i < f->n_judged; i++) {
		filter_free(f->judged[i].filter);
		filter_free(f->judged[i].until);
	}
	free(f->judged);
}
