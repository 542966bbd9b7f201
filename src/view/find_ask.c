/* SPDX-License-Identifier: Apache-2.0 */
/*
 * find_ask.c - checks of a condition before there is a table: its view, how
 * rows are split, which columns are needed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "view/find_int.h"
#include "view/report.h"

/* ---- the view ----------------------------------------------------------- */

/* "session" of "session.cpu"; false if the column has no prefix. */
static bool split_name(struct span name, struct span *ret_view_key,
	struct span *ret_col)
{
	*ret_col = name;
	return scan_until(ret_col, '.', ret_view_key);
}

struct key_names {
	struct span first; /* first name found */
	struct span other; /* a different one */
};

static void add_key_name(void *ctx, struct span name)
{
	struct key_names *l = ctx;
	struct span key, col;

	if (!split_name(name, &key, &col))
		return;
	if (!l->first.ptr)
		l->first = key;
	else if (!l->other.ptr && (span_len(key) != span_len(l->first) ||
	    memcmp(key.ptr, l->first.ptr, span_len(key)) != 0))
		l->other = key;
}

static const char *view_or_null(const char *name)
{
	const struct view *v = name ? view_find(name) : NULL;

	return v && !view_is_overview(v) ? view_name(v) : NULL;
}

static int no_key(struct gs_err *err)
{
	struct gs_err list;
	const char *names;

	(void)view_key_none("", 0, &list); /* for its text */
	names = strchr(list.msg, '\n');
	return gs_fail(err, GS_E_USAGE, "expected a kind of row before a "
	    "column, as in session.cpu > 50; there are:%s", names ? names : "");
}

int find_view(const char *text, const char *asked, const char **ret,
	struct gs_err *err)
{
	const char *of_asked = view_or_null(asked);
	struct key_names l = { .first = { NULL, NULL } };
	const struct view_key *t;

	filter_names(text, add_key_name, &l);
	if (!l.first.ptr) {
		if (!of_asked)
			return no_key(err);
		*ret = of_asked;
		return GS_OK;
	}
	t = view_key_find(l.first.ptr, span_len(l.first));
	if (!t)
		return view_key_none(l.first.ptr, span_len(l.first), err);
	if (l.other.ptr)
		return gs_fail(err, GS_E_USAGE, "all columns must be of one "
		    "kind of row: expected %s, got %.*s", t->name,
		    (int)GS_MIN(span_len(l.other), 60), l.other.ptr);
	if (of_asked && strcmp(of_asked, t->view) != 0)
		return gs_fail(err, GS_E_USAGE, "it is about %s, not about "
		    "the view %s", t->view, of_asked);
	*ret = t->view;
	return GS_OK;
}

/* ---- rows that are split ------------------------------------------------ */

struct split {
	const struct grid *whole;
	enum label_kind key[LABEL_COUNT]; /* named in the condition */
	size_t n_key;
	bool needed; /* some of them is not a column of the view */
};

static void add_key(struct split *s, const char *name)
{
	enum label_kind k[LABEL_COUNT];
	size_t n, i;

	if (label_parse(name, k, &n, NULL) < 0 || n != 1 ||
	    !label_is_of(k[0], ENTITY_PROCESS))
		return;
	for (i = 0; i < s->n_key; i++) {
		if (s->key[i] == k[0])
			return;
	}
	s->key[s->n_key++] = k[0];
}

static void find_label(void *ctx, struct span name)
{
	struct split *s = ctx;
	struct span key, col = name;
	char text[32];
	size_t before = s->n_key;

	(void)split_name(name, &key, &col); /* else the whole name */
	if (span_len(col) >= sizeof(text))
		return;
	memcpy(text, col.ptr, span_len(col));
	text[span_len(col)] = '\0';
	add_key(s, text);
	if (s->n_key > before &&
	    grid_find_col(s->whole, col.ptr, span_len(col)) < 0)
		s->needed = true;
}

/* "session.cpu > 50 and host = sdw3": sessions have no host, but work on
 * some, and can be grouped by both. */
static void split_rows(struct find *f, const char *text)
{
	const struct view_key *t = view_key_of_view(view_name(f->view));
	struct split s = { .whole = f->whole };

	if (f->ask.n_key > 0 || !t || !t->name || !view_sums_processes(f->view) ||
	    view_groups_by_session_only(f->view))
		return;
	add_key(&s, t->name);
	if (s.n_key == 0)
		return;
	filter_names(text, find_label, &s);
	if (!s.needed)
		return;
	memcpy(f->ask.key, s.key, sizeof(s.key));
	f->ask.n_key = s.n_key;
	grid_free(f->whole);
	f->whole = view_columns(f->view, &f->ask);
}

/* ---- columns ------------------------------------------------------------ */

static void add_name(struct find *f, const char *name)
{
	size_t i;

	for (i = 0; i < f->pick.n_col; i++) {
		if (strcmp(f->name[i], name) == 0)
			return;
	}
	f->name[f->pick.n_col++] = name;
}

/* Of several servers each row is one's. */
#define OF_SERVER "server"
#define SHOWN_MAX (GS_MAX(LABEL_COUNT, VIEW_KEY_COLS) + 1)

static bool is_among(const char *const *names, size_t n, const char *name)
{
	while (n-- > 0) {
		if (strcmp(names[n], name) == 0)
			return true;
	}
	return false;
}

/* Names of the identifying columns; for a grouping, its keys. */
static size_t shown_names(const struct find *f, const char *ret[SHOWN_MAX])
{
	const struct view_key *t = view_key_of_view(view_name(f->view));
	size_t i, n = 0;

	for (i = 0; i < f->ask.n_key; i++)
		ret[n++] = label_name(f->ask.key[i]);
	for (i = 0; f->ask.n_key == 0 && i < VIEW_KEY_COLS && t->shown[i]; i++)
		ret[n++] = t->shown[i];
	if (f->ask.n_key == 0 && !is_among(ret, n, OF_SERVER) &&
	    grid_find_col(f->whole, OF_SERVER, strlen(OF_SERVER)) >= 0)
		ret[n++] = OF_SERVER;
	return n;
}

/* Columns of the condition come first. */
static void pick_columns(struct find *f, const struct filter *filter)
{
	const char *shown[SHOWN_MAX];
	size_t i, n = shown_names(f, shown);

	f->name = gs_calloc(f->whole->n_col + n, sizeof(*f->name));
	for (i = 0; i < f->whole->n_col; i++) {
		if (filter_side(filter, i) != FILTER_UNUSED)
			add_name(f, f->whole->col[i].name);
	}
	f->pick.n_first = f->pick.n_col;
	for (i = 0; i < n; i++)
		add_name(f, shown[i]);
	f->pick.col = f->name;
	f->pick.keep = find_keep;
	f->pick.ctx = f;
	f->ask.pick = &f->pick;
	f->part = view_columns(f->view, &f->ask);
	f->shown = gs_calloc(n + 1, sizeof(*f->shown));
	f->shown_width = gs_calloc(n + 1, sizeof(*f->shown_width));
	for (i = 0; i < n; i++) {
		int col = grid_find_col(f->part, shown[i], strlen(shown[i]));

		if (col < 0)
			continue;
		f->shown_width[f->n_shown] = 80;
		f->shown[f->n_shown++] = (size_t)col;
	}
	f->host = f->n_shown;
	for (i = 0; i < f->n_shown; i++) {
		if (strcmp(f->part->col[f->shown[i]].name, "host") == 0)
			f->host = i;
	}
}

/* Columns with an order of magnitude: not ids, not instants. */
static void note_figures(struct find *f)
{
	size_t i;

	f->figure = gs_calloc(f->part->n_col + 1, sizeof(*f->figure));
	for (i = 0; i < f->part->n_col; i++) {
		enum quantity q = f->part->col[i].quantity;
		enum filter_side side = filter_side(f->filter, i);

		if (side >= FILTER_MOST && q != Q_ID && q != Q_TIME)
			f->figure[f->n_figure++] = (struct find_figure) {
				i, side };
	}
}

/* Explains the columns in an error. */
static void fail_split(const struct find *f, struct gs_err *err)
{
	struct buf by = BUF_INIT;
	size_t i;

	if (f->ask.n_key == 0)
		return;
	for (i = 0; i < f->ask.n_key; i++)
		buf_printf(&by, "%s%s", i ? ", " : "by ",
		    label_name(f->ask.key[i]));
	gs_err_prefix(err, "%s", buf_str(&by));
	buf_release(&by);
}

static int set_up(struct find *f, const char *text,
	const struct when_env *when, struct gs_err *err)
{
	struct filter *filter;

	if (!view_key_of_view(view_name(f->view)))
		return gs_fail(err, GS_E_USAGE, "the view %s can't be "
		    "searched", view_name(f->view));
	f->whole = view_columns(f->view, &f->ask);
	f->by_id = f->ask.n_key == 0;
	split_rows(f, text);
	filter = filter_new_over_time(text, f->whole, when, err);
	if (!filter) {
		fail_split(f, err);
		return GS_E_USAGE;
	}
	pick_columns(f, filter);
	filter_free(filter);
	/* fewer columns, so that abbreviations are unambiguous */
	f->filter = filter_new_over_time(text, f->part, when, err);
	if (!f->filter)
		return GS_E_USAGE;
	note_figures(f);
	return GS_OK;
}

int find_new(const char *text, const struct view *v,
	const struct view_ask *ask, const struct when_env *when,
	struct find **ret, struct gs_err *err)
{
	struct find *f = gs_calloc(1, sizeof(*f));
	int r;

	f->view = v;
	f->ask = *ask;
	f->ask.most = 0;
	r = set_up(f, text, when, err);
	if (r < 0) {
		find_free(f);
		return r;
	}
	*ret = f;
	return GS_OK;
}

/* ---- hosts that are not there -------------------------------------------- */

struct host_names {
	const struct world *world;
	struct buf *to;
	bool any;
};

static void check_host(void *ctx, const char *name)
{
	struct host_names *c = ctx;
	size_t i;

	for (i = 0; i < world_hosts(c->world); i++) {
		const struct host *h = world_host(c->world, i);

		if (h->name && strcmp(h->name, name) == 0)
			return;
	}
	buf_printf(c->to, "%s%s", c->any ? ", " : "no host ", name);
	c->any = true;
}

bool find_note_hosts(const struct find *f, const struct world *w,
	struct buf *to)
{
	struct host_names c = { .world = w, .to = to };
	int col = grid_find_col(f->part, "host", strlen("host"));

	if (col >= 0)
		filter_texts(f->filter, (size_t)col, check_host, &c);
	if (!c.any)
		return false;
	buf_add_str(to, " in this range; there are ");
	report_add_hosts(w, to);
	return true;
}

void find_free(struct find *f)
{
	if (!f)
		return;
	find_clear(f);
	view_close(f->use);
	filter_free(f->filter);
	grid_free(f->whole);
	grid_free(f->part);
	free(f->name);
	free(f->shown);
	free(f->shown_width);
	free(f->figure);
	free(f->bounds);
	free(f);
}
