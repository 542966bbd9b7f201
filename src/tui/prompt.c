/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prompt.c - prompts on the bottom line, and what they do with the answer.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/when.h"
#include "tui/option.h"
#include "tui/tui_int.h"

struct prompt {
	const char *label;
	/* The initial text; may be NULL. */
	void (*begin)(struct tui *t, struct buf *to);
	/* Negative: not a valid answer; the prompt stays. */
	int (*apply)(struct tui *t, const char *text, struct gs_err *err);
	size_t text; /* offset of the text of struct level that it is of */
	bool columns; /* Tab completes names of columns */
	bool views; /* ... or of views */
};

/* ---- jump --------------------------------------------------------------- */

/* A time of day without a date keeps the shown date. */
static bool is_bare_time(const char *text)
{
	return strspn(text, "0123456789:.") == strlen(text) &&
	    strchr(text, ':') != NULL;
}

static int jump(struct tui *t, const char *text, struct gs_err *err)
{
	const struct tui_source *s = t->src;
	struct when_env env = { .zone = &s->zone, .first_ns = s->first_ns,
		.last_ns = s->last_ns, .now_ns = gs_clock_wall_ns() };
	struct buf dated = BUF_INIT;
	int64_t to;
	int r;

	if (*text == '\0')
		return GS_OK;
	if (is_bare_time(text)) {
		struct civil c = zone_to_civil(&s->zone, t->pos_ns);

		buf_printf(&dated, "%04lld-%02d-%02d ", (long long)c.year,
		    c.month, c.day);
	}
	buf_add_str(&dated, text);
	r = when_parse(buf_str(&dated), &env, &to, err);
	buf_release(&dated);
	if (r < 0)
		return r;
	if (to < s->first_ns || to > s->last_ns)
		tui_message(t, "the recording %s", to < s->first_ns
		    ? "begins here" : "ends here");
	t->newest = false;
	time_go(t, to);
	return GS_OK;
}

/* ---- the table ---------------------------------------------------------- */

/* Another question begins with the first columns; another order is of the columns
 * that are there. */
static void scroll_back(struct tui *t, char **text)
{
	struct level *l = tui_level(t);

	if (text == &l->sort || l->left == 0)
		return;
	l->left = 0;
	tui_lay_out(t);
}

/* Sets a text and checks that the table can be made with it. */
static int try_text(struct tui *t, char **text, const char *to,
	struct gs_err *err)
{
	bool stale = t->stale;
	char *was = *text;

	*text = *to ? gs_strdup(to) : NULL;
	if (tui_shoot(t, err) == SHOT_FAILED) {
		level_set(text, NULL);
		*text = was;
		t->stale = stale; /* the old table is still there */
		return GS_E_USAGE;
	}
	free(was);
	scroll_back(t, text);
	return GS_OK;
}

static char **text_of(struct tui *t)
{
	return (char **)(void *)((char *)tui_level(t) + t->prompt->text);
}

static void add_text(struct tui *t, struct buf *to)
{
	buf_add_str(to, *text_of(t) ? *text_of(t) : "");
}

static void add_sort(struct tui *t, struct buf *to)
{
	const struct view *v = view_find(tui_level(t)->view);

	buf_add_str(to, *text_of(t) ? *text_of(t)
	    : v ? view_default_sort(v) : "");
}

static int apply_columns(struct tui *t, const char *text, struct gs_err *err)
{
	int r = try_text(t, text_of(t), text, err);

	if (r == GS_OK)
		columns_keep(t);
	return r;
}

static int apply_text(struct tui *t, const char *text, struct gs_err *err)
{
	return try_text(t, text_of(t), text, err);
}

/* ---- others ------------------------------------------------------------- */

static int apply_file(struct tui *t, const char *text, struct gs_err *err)
{
	enum shot_result is;
	int r;

	if (*text == '\0')
		return GS_OK;
	t->saving = true;
	is = tui_shoot(t, err);
	t->saving = false;
	if (is == SHOT_INTERRUPTED)
		return gs_fail(err, GS_E_BUSY, "interrupted by a key; Enter "
		    "writes it");
	r = is == SHOT_DONE ? save_table(t, text, err) : GS_E_USAGE;
	if (r == GS_OK) {
		level_set(&t->file_name, text);
		tui_message(t, "%s is written", text);
	}
	return r;
}

/* The name of the last time, which can be edited. */
static void add_file_name(struct tui *t, struct buf *to)
{
	buf_add_str(to, t->file_name ? t->file_name : "");
}

static int apply_search(struct tui *t, const char *text, struct gs_err *err)
{
	(void)err;
	if (*text)
		level_set(&t->search, text);
	if (t->search)
		search_next(t, 0);
	return GS_OK;
}

static int apply_find(struct tui *t, const char *text, struct gs_err *err)
{
	return *text ? found_list(t, text, err) : GS_OK;
}


static int apply_metric(struct tui *t, const char *text, struct gs_err *err)
{
	struct timescan s;
	size_t metric = 0;
	bool named = timescan_metric_find(text, &metric);
	int r;

	if (*text == '\0')
		return GS_OK;
	if (named && !t->timescan.column) {
		t->timescan.metric = metric;
		t->timescan.chosen = true;
		return GS_OK;
	}
	r = timescan_init(&s, t->src, metric, named ? NULL : text, err);
	if (r < 0)
		return r;
	s.chosen = true;
	timescan_release(&t->timescan);
	t->timescan = s;
	return GS_OK;
}

static int apply_view(struct tui *t, const char *text, struct gs_err *err)
{
	const char *near;

	if (*text == '\0' || tui_show_view(t, text))
		return GS_OK;
	near = view_suggest(text);
	return gs_fail(err, GS_E_USAGE, near ? "no view %s (did you mean %s?)"
	    : "no view %s; 0 lists them", text, near);
}

static void add_baseline(struct tui *t, struct buf *to)
{
	buf_add_str(to, t->baseline ? t->baseline : "");
}

static int apply_baseline(struct tui *t, const char *text, struct gs_err *err)
{
	if (*text && t->windows)
		return gs_fail(err, GS_E_USAGE, "tables are of windows: W and "
		    "nothing ends that");
	return try_text(t, &t->baseline, text, err);
}

static void add_windows(struct tui *t, struct buf *to)
{
	buf_add_str(to, t->windows ? t->windows : "5s,1m,5m");
}

static int apply_windows(struct tui *t, const char *text, struct gs_err *err)
{
	if (*text && t->baseline)
		return gs_fail(err, GS_E_USAGE, "tables are compared: D and "
		    "nothing ends that");
	return try_text(t, &t->windows, text, err);
}

static int apply_option(struct tui *t, const char *text, struct gs_err *err);

#define TEXT(MEMBER) .text = offsetof(struct level, MEMBER)

static const struct prompt prompts[] = {
	[ASK_JUMP] = { "jump to (14:05, -1h, +5m, yesterday 14:05): ",
	    .apply = jump },
	[ASK_WHERE] = { "only rows where: ", add_text, apply_text,
	    TEXT(where), .columns = true },
	[ASK_SORT] = { "sort by: ", add_sort, apply_text, TEXT(sort),
	    .columns = true },
	[ASK_COLUMNS] = { "columns (a,b or +a,+b; nothing: the usual): ",
	    add_text, apply_columns, TEXT(columns), .columns = true },
	[ASK_FILE] = { "write to (.txt, .csv, .json): ",
	    .begin = add_file_name, .apply = apply_file },
	[ASK_METRIC] = { "line of time (load, waiting, VIEW.COLUMN): ", NULL,
	    apply_metric, .columns = true, .views = true },
	[ASK_BASELINE] = { "compare with (-1h, 14:00..14:05; nothing: stop): ",
	    .begin = add_baseline, .apply = apply_baseline },
	[ASK_WINDOWS] = { "windows that end here (5s,1m,5m; nothing: one): ",
	    .begin = add_windows, .apply = apply_windows },
	[ASK_VIEW] = { "view: ", NULL, apply_view, .views = true },
	[ASK_SEARCH] = { "/", .apply = apply_search },
	[ASK_FIND] = { "when (session.cpu > 50): ", NULL, apply_find,
	    .columns = true },
	[ASK_OPTION] = { ":", NULL, apply_option, .columns = true },
};

static int set_window(struct tui *t, const char *value, struct gs_err *err)
{
	int64_t ns, least = GS_MAX(t->src->interval_ns, 1);
	int r;

	if (strchr(value, ','))
		return apply_windows(t, value, err);
	r = units_duration(value, &ns, err);
	if (r < 0)
		return r;
	level_set(&t->windows, NULL);
	t->window_ns = GS_MAX(GS_MIN(ns, t->src->last_ns - t->src->first_ns),
	    least);
	t->stale = true;
	return GS_OK;
}

int prompt_apply(struct tui *t, size_t kind, const char *text,
	struct gs_err *err)
{
	const struct prompt *was = t->prompt;
	int r;

	t->prompt = &prompts[kind];
	r = t->prompt->apply(t, text, err);
	t->prompt = was;
	return r;
}

static int apply_option(struct tui *t, const char *text, struct gs_err *err)
{
	const struct option *o;
	const char *value;
	int r = *text ? option_find(text, &o, &value, err) : 1;

	if (r != GS_OK)
		return r < 0 ? r : GS_OK;
	if (o->table && level_is_fixed(tui_level(t)))
		return gs_fail(err, GS_E_USAGE, OVERVIEW_IS_FIXED);
	switch (o->is) {
	case OPTION_PROMPT:
		return prompt_apply(t, o->of, value, err);
	case OPTION_TEXT:
		return try_text(t, (char **)(void *)((char *)tui_level(t) +
		    o->of), value, err);
	case OPTION_WINDOW:
		return set_window(t, value, err);
	case OPTION_QUIT:
		t->over = true;
		return GS_OK;
	}
	return GS_OK;
}

void prompt_open(struct tui *t, int kind)
{
	struct buf text = BUF_INIT;

	t->prompt = &prompts[kind];
	if (t->prompt->begin)
		t->prompt->begin(t, &text);
	edit_set(&t->edit, buf_str(&text));
	buf_release(&text);
	t->mode = MODE_PROMPT;
}

const char *prompt_label(const struct tui *t)
{
	return t->prompt->label;
}

/* ---- completion --------------------------------------------------------- */

/* The common prefix of names that begin so. */
struct match {
	const char *word;
	size_t len; /* of the word */
	char common[64];
	size_t n;
};

static void offer(struct match *m, const char *name)
{
	size_t i = 0;

	if (strncasecmp(name, m->word, m->len) != 0)
		return;
	if (m->n++ == 0) {
		size_t len = GS_MIN(strlen(name), sizeof(m->common) - 1);

		memcpy(m->common, name, len);
		m->common[len] = '\0';
		return;
	}
	while (m->common[i] && m->common[i] == name[i])
		i++;
	m->common[i] = '\0';
}

/* "sessions.mem": columns of that view. */
static void offer_of_view(struct match *m, const char *dot)
{
	char *name = gs_strndup(m->word, (size_t)(dot - m->word));
	const struct view *v = view_find(name);
	struct grid_col col;
	const char *many;
	size_t i;

	m->len -= (size_t)(dot + 1 - m->word);
	m->word = dot + 1;
	for (i = 0; v && view_column(v, i, &col, &many); i++)
		offer(m, col.name);
	free(name);
}

static void complete(struct tui *t)
{
	size_t start = edit_word(&t->edit), i;
	const char *text = buf_str(&t->edit.text);
	struct match m = { .word = text + start, .len = t->edit.at - start };
	const char *dot = memchr(m.word, '.', m.len);

	if (t->prompt->views && dot)
		offer_of_view(&m, dot);
	for (i = 0; t->prompt->views && !dot && view_at(i); i++)
		offer(&m, view_at(i));
	if (t->prompt->columns && !t->prompt->views && t->shot.n_grid > 0) {
		const struct grid *g = t->shot.grid[t->shot.n_grid - 1];

		for (i = 0; i < g->n_col; i++)
			offer(&m, g->col[i].name);
	}
	if (m.n > 0)
		edit_replace(&t->edit, (size_t)(m.word - text), m.common);
}

void prompt_key(struct tui *t, int key)
{
	struct gs_err err = { .status = GS_OK };

	buf_reset(&t->message);
	t->trouble = false;
	if (key == TKEY_ESCAPE || key == TKEY_CTRL('g')) {
		t->mode = MODE_TABLE;
	} else if (key == TKEY_TAB) {
		complete(t);
	} else if (key == TKEY_ENTER || key == '\n') {
		t->mode = MODE_TABLE;
		if (t->prompt->apply(t, buf_str(&t->edit.text), &err) < 0) {
			t->mode = MODE_PROMPT;
			/* another one is typed over it */
			t->edit.selected = t->prompt == &prompts[ASK_OPTION];
			tui_error(t, err.msg);
		}
	} else {
		(void)edit_key(&t->edit, key);
	}
}
