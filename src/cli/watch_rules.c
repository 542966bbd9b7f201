/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch_rules.c - the expression or the name of a rule becomes a rule of
 * findings; the list of actions a struct watch.
 */
#include "cli/watch_rules.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "base/units.h"
#include "cli/config.h"
#include "cli/console.h"
#include "cli/start.h"
#include "cli/watch_news.h"
#include "query/view_key.h"
#include "record/schedule.h"
#include "view/find.h"
#include "view/findings_view.h"

#define GAP "5s" /* catalogs are asked every few ticks */
#define FAST_FOR_NS (60 * GS_NSEC_PER_SEC)
#define FAST_FOR_MAX_NS (3600 * GS_NSEC_PER_SEC)

static const char *own(struct watch_rule *w, char *text)
{
	w->owned[w->n_owned++] = text;
	return text;
}

/* ---- on ---------------------------------------------------------------- */

/* "EXPR for 3s": cuts the end off, which is owned; NULL: it has none. */
static const char *take_hold(struct watch_rule *w, char *text)
{
	static const char word[] = " for ";
	char *at = NULL, *p = text;
	struct gs_err err;
	int64_t ns;

	while ((p = strstr(p, word)) != NULL)
		at = p++;
	if (!at || units_duration(at + sizeof(word) - 1, &ns, &err) < 0)
		return NULL;
	*at = '\0';
	return own(w, gs_strdup(at + sizeof(word) - 1));
}

/* "lock-pile-up" is "lock pile-up". */
static bool is_name(const char *text, const char *name)
{
	for (; *text && *name; text++, name++) {
		bool both = (*text == '-' || *text == ' ') &&
		    (*name == '-' || *name == ' ');

		if (*text != *name && !both)
			return false;
	}
	return !*text && !*name;
}

static const struct finding_rule *named_rule(const char *text)
{
	const struct finding_rule *r;
	size_t i;

	for (i = 0; (r = finding_rule_at(i)) != NULL; i++) {
		if (is_name(text, r->name))
			return r;
	}
	return NULL;
}

static const char *near_rule(const char *text)
{
	const struct finding_rule *r;
	const char *near = NULL;
	size_t i;

	for (i = 0; (r = finding_rule_at(i)) != NULL; i++) {
		if (suggest_is_close(text, r->name))
			near = r->name;
	}
	return near;
}

static int no_rule(const char *text, struct gs_err *err)
{
	const char *near = near_rule(text);

	return gs_fail(err, GS_E_USAGE, near
	    ? "no rule %.60s (did you mean %s?); gpsnap findings --explain lists them"
	    : "no rule %.60s; gpsnap findings --explain lists them", text, near);
}

struct saying {
	const struct grid *g;
	struct buf text;
	const char *first; /* column of the condition; NULL: none yet */
	uint64_t seen[4]; /* columns that are in the text */
};

/* A column once; one that identifies the row may be absent. */
static void say(struct saying *s, struct span name, bool optional)
{
	struct span rest = name, key;
	const char *sep = s->text.len > 0 ? ", " : "";
	int col;

	if (scan_until(&rest, '.', &key))
		name = rest;
	col = grid_find_col(s->g, name.ptr, span_len(name));
	if (col < 0 || col >= 256 || s->seen[col / 64] >> (col % 64) & 1)
		return;
	s->seen[col / 64] |= UINT64_C(1) << (col % 64);
	if (!optional && !s->first)
		s->first = s->g->col[col].name;
	buf_printf(&s->text, optional ? "[%s%s {%s}]" : "%s%s {%s}", sep,
	    s->g->col[col].name, s->g->col[col].name);
}

static void say_compared(void *ctx, struct span name)
{
	say(ctx, name, false);
}

/* What the view has of who works for whom. */
static void say_user(struct saying *s)
{
	static const char *const column[] = { "user", "application", "query",
		"text" };
	size_t i;

	for (i = 0; i < GS_LEN(column); i++) {
		int col = grid_find_col(s->g, column[i], strlen(column[i]));

		if (col >= 0 && strcmp(s->g->col[col].name, column[i]) == 0)
			say(s, span_str(column[i]), true);
	}
}

/* A sentence for an expression: what it compares, which row that is, and what
 * works there for whom. */
static void set_sentence(struct watch_rule *w, const struct grid *g)
{
	struct saying s = { .g = g, .text = BUF_INIT };
	const struct view_key *k = view_key_of_view(w->rule.view);
	struct buf next = BUF_INIT;
	size_t i;

	filter_names(w->rule.when, say_compared, &s);
	w->rule.peak = s.first ? own(w, gs_strdup(s.first)) : NULL;
	for (i = 0; k && i < VIEW_KEY_COLS && k->shown[i]; i++)
		say(&s, span_str(k->shown[i]), true);
	say_user(&s);
	buf_printf(&next, "-V %s --at {at}", w->rule.view);
	w->rule.says = own(w, gs_strdup(buf_str(&s.text)));
	w->rule.next = own(w, gs_strdup(buf_str(&next)));
	buf_release(&s.text);
	buf_release(&next);
}

/* Rows of the view are one subject: it holds as long as it does for any. */
static int set_expression(struct watch_rule *w, const char *text,
	struct gs_err *err)
{
	const char *view;
	struct grid *g;
	int r = find_view(text, NULL, &view, err);

	if (r < 0)
		return r;
	w->rule = (struct finding_rule) { .name = w->on, .when = text,
		.severity = FINDING_WARNING, .view = view, .gap = GAP };
	g = findings_views.columns(findings_views.ctx, view, NULL);
	if (!g)
		return gs_fail(err, GS_E_USAGE, "nothing can be watched for "
		    "in the view %s", view);
	set_sentence(w, g);
	grid_free(g);
	return GS_OK;
}

static int set_rule(struct watch_rule *w, const char *text,
	struct gs_err *err)
{
	static const char prefix[] = "finding:";
	bool named = strncmp(text, prefix, sizeof(prefix) - 1) == 0;
	const char *name = named ? text + sizeof(prefix) - 1 : text;
	const struct finding_rule *r = named_rule(name);

	/* a name with an error is no expression: that compares something */
	named |= !r && !strpbrk(name, ".<>=~") && near_rule(name);
	if (!r)
		return named ? no_rule(name, err)
		             : set_expression(w, text, err);
	w->rule = *r;
	w->rule.by = NULL; /* it was asked for */
	if (w->rule.severity == FINDING_OFF)
		w->rule.severity = FINDING_WARNING;
	return GS_OK;
}

static int set_on(struct watch_rule *w, const char *on, struct gs_err *err)
{
	char *text = gs_strdup(on);
	const char *hold;
	int r;

	w->on = on;
	(void)own(w, text);
	hold = take_hold(w, text);
	r = set_rule(w, text, err);
	if (r == GS_OK && hold)
		w->rule.hold = hold;
	return r == GS_OK ? findings_check(&findings_views, &w->rule, err) : r;
}

/* ---- do ---------------------------------------------------------------- */

/* "0.2s/60s" */
static int set_fast(struct watch *w, const char *text, int64_t interval_ns,
	struct gs_err *err)
{
	const char *slash = strchr(text, '/');
	size_t len = slash ? (size_t)(slash - text) : strlen(text);
	char *first = gs_strndup(text, len);
	int r = units_duration(first, &w->fast_ns, err);

	free(first);
	w->fast_for_ns = FAST_FOR_NS;
	if (r == GS_OK && slash)
		r = units_duration(slash + 1, &w->fast_for_ns, err);
	if (r < 0)
		return r;
	if (w->fast_ns < SCHEDULE_INTERVAL_MIN_NS)
		return gs_fail(err, GS_E_USAGE,
		    "fast: the interval is at least 0.1s");
	if (w->fast_ns >= interval_ns)
		return gs_fail(err, GS_E_USAGE, "fast: %.40s is not shorter "
		    "than the interval of the recording", text);
	if (w->fast_for_ns <= 0 || w->fast_for_ns > FAST_FOR_MAX_NS)
		return gs_fail(err, GS_E_USAGE, "fast: at most 1h at once");
	return GS_OK;
}

/* Words that only a shell understands. */
static bool is_of_shell(const char *word)
{
	static const char *const words[] = { ">", ">>", "<", "|", "||", "&",
		"&&", ";", "2>", "2>>", "2>&1" };

	return span_is_any(span_str(word), words, GS_LEN(words));
}

static int set_run(struct watch_rule *r, struct watch *w, const char *text,
	struct gs_err *err)
{
	int status = remote_command_split(&r->command, text, err);
	size_t i;

	if (status == GS_OK && r->command.n == 0)
		return gs_fail(err, GS_E_USAGE, "run: expected a command");
	for (i = 0; status == GS_OK && i < r->command.n; i++) {
		if (is_of_shell(r->command.word[i]))
			status = gs_fail(err, GS_E_USAGE, "run: there is no "
			    "shell for \"%s\"; run:sh -c '...' has one",
			    r->command.word[i]);
	}
	if (status < 0)
		return status;
	GS_GROW(r->command.word, &r->command.cap, r->command.n + 1);
	r->command.word[r->command.n] = NULL;
	w->command = r->command.word;
	return GS_OK;
}

static int set_action(struct watch_rule *r, struct watch *w,
	const char *word, int64_t interval_ns, struct gs_err *err)
{
	if (strcmp(word, "mark") == 0) {
		w->mark = true;
		return GS_OK;
	}
	if (strncmp(word, "fast:", 5) == 0)
		return set_fast(w, word + 5, interval_ns, err);
	if (strncmp(word, "run:", 4) == 0)
		return set_run(r, w, word + 4, err);
	return gs_fail(err, GS_E_USAGE, "expected fast:INTERVAL/TIME, mark or "
	    "run:COMMAND, got \"%.60s\"", word);
}

/* A command stands last: it may have commas. */
static int set_do(struct watch_rule *r, struct watch *w, const char *list,
	int64_t interval_ns, struct gs_err *err)
{
	char *text = gs_strdup(list), *p = text, *comma;
	int status = GS_OK;

	while (status == GS_OK && p) {
		comma = strncmp(p, "run:", 4) == 0 ? NULL : strchr(p, ',');
		if (comma)
			*comma++ = '\0';
		status = set_action(r, w, p, interval_ns, err);
		p = comma;
	}
	free(text);
	return status;
}

/* ---- all --------------------------------------------------------------- */

static int none_left(struct gs_err *err)
{
	return gs_fail(err, GS_E_USAGE, "at most %d conditions can be watched "
	    "for", WATCHES_MAX);
}

static size_t find_named(const struct watch_rules *w, const char *name)
{
	size_t i;

	for (i = 0; i < w->n && strcmp(w->watch[i].name, name) != 0; i++)
		continue;
	return i;
}

static int take_entry(void *ctx, const char *name, const char *key,
	const char *value, struct gs_err *err)
{
	struct watch_rules *w = ctx;
	size_t i = find_named(w, name);

	if (i == WATCHES_MAX)
		return none_left(err);
	if (strcmp(key, "on") != 0 && strcmp(key, "do") != 0)
		return gs_fail(err, GS_E_USAGE, "%s: expected on or do", key);
	w->n = GS_MAX(w->n, i + 1);
	w->watch[i].name = name;
	if (strcmp(key, "on") == 0)
		w->one[i].on = value;
	else
		w->one[i].actions = value;
	return GS_OK;
}

/* One --do is for each --on, or there is one for each, in order. */
static int take_options(struct watch_rules *w, const struct opt_texts *on,
	const struct opt_texts *actions, struct gs_err *err)
{
	size_t i;

	if (on->n == 0 && actions->n > 0)
		return gs_fail(err, GS_E_USAGE, "--do needs --on");
	if (actions->n > 1 && actions->n != on->n)
		return gs_fail(err, GS_E_USAGE, "expected one --do, or one "
		    "for each --on");
	for (i = 0; i < on->n; i++) {
		struct watch_rule *r = &w->one[w->n];

		if (w->n == WATCHES_MAX)
			return none_left(err);
		r->on = on->text[i];
		r->actions = actions->n == 0 ? NULL
		    : actions->text[actions->n == 1 ? 0 : i];
		w->watch[w->n++].name = on->text[i];
	}
	return GS_OK;
}

static int complete(struct watch_rules *w, size_t i, int64_t interval_ns,
	struct gs_err *err)
{
	struct watch_rule *r = &w->one[i];
	int status;

	if (!r->on)
		return gs_fail(err, GS_E_USAGE, "watch %s: on = ... is "
		    "missing", w->watch[i].name);
	w->rule[i] = &r->rule;
	status = set_on(r, r->on, err);
	if (status < 0) {
		gs_err_prefix(err, "--on");
		return status;
	}
	status = set_do(r, &w->watch[i], r->actions ? r->actions : "mark",
	    interval_ns, err);
	if (status < 0)
		gs_err_prefix(err, "--do");
	return status;
}

int watch_rules_set(const struct opt_cmd *cmd, const struct opt_texts *on,
	const struct opt_texts *actions, int64_t interval_ns,
	struct watch_rules *w)
{
	struct gs_err err;
	int r = config_each_watch(take_entry, w, &err);
	size_t i;

	if (r == GS_OK)
		r = take_options(w, on, actions, &err);
	for (i = 0; r == GS_OK && i < w->n; i++)
		r = complete(w, i, interval_ns, &err);
	if (r < 0)
		return cli_usage(cmd, "%s", err.msg);
	for (i = 0; i < w->n; i++) {
		int status = w->watch[i].command
		    ? cli_check_command(w->watch[i].command[0]) : CLI_GO;

		if (status != CLI_GO)
			return EXIT_CANNOT;
	}
	w->judge.interval_ns = interval_ns;
	return CLI_GO;
}

void watch_rules_release(struct watch_rules *w)
{
	size_t i, k;

	watch_judge_release(&w->judge);
	for (i = 0; i < WATCHES_MAX; i++) {
		remote_command_release(&w->one[i].command);
		for (k = 0; k < w->one[i].n_owned; k++)
			free(w->one[i].owned[k]);
	}
}

/* ---- for the recorder -------------------------------------------------- */

static size_t index_of(const struct watch_rules *w,
	const struct finding_rule *r)
{
	size_t i;

	for (i = 0; w->rule[i] != r; i++)
		continue;
	return i;
}

static void tell(void *ctx, const struct finding_news *n)
{
	struct watch_rules *w = ctx;
	struct watch_news *news = watch_news_of(n, index_of(w, n->rule));

	**w->end = news;
	*w->end = &news->link;
}

static int judge(void *arg, const struct tick *t, bool again, bool lost,
	struct watch_news ***ret_end, size_t *ret_bytes, struct gs_err *err)
{
	struct watch_rules *w = arg;
	int r;

	w->end = ret_end;
	r = watch_judge_tick(&w->judge, t, again, lost, err);
	*ret_bytes = w->judge.budget.used_bytes;
	return r;
}

static void describe(const struct watch_news *n, const char *file,
	struct buf *to)
{
	watch_news_json(n, NULL, file, to);
}

void watch_rules_options(struct watch_rules *w, struct watch_options *ret)
{
	const struct findings_ask ask = { .rule = w->rule, .n_rule = w->n,
		.tell = tell, .ctx = w };

	watch_judge_init(&w->judge, w->judge.interval_ns, &ask);
	*ret = (struct watch_options) { .watch = w->watch, .n = w->n,
		.judge = { .tick = judge, .describe = describe, .arg = w } };
}
