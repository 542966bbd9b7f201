/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/complete.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "cli/commands.h"
#include "cli/sampling.h"
#include "findings/rule.h"
#include "metric/metric.h"
#include "query/label.h"
#include "query/view_key.h"
#include "view/view.h"

/* The words before the one being typed, and what is before its value. */
struct line {
	char *const *word;
	size_t n; /* with the one being typed */
	const struct command *command;
	struct span typed; /* the part that is completed */
	struct span before; /* of the word: "--columns=cpu," */
	struct buf *to;
};

static void add(const struct line *l, const char *value, const char *text)
{
	buf_add(l->to, l->before.ptr, span_len(l->before));
	buf_printf(l->to, "%s\t%s\n", value, text ? text : "");
}

/* ---- values ------------------------------------------------------------- */

/* The value of an option among the words; NULL: it is not there. */
static const char *value_of(const struct line *l, char letter,
	const char *name)
{
	const char *found = NULL;
	size_t i, len = strlen(name);

	for (i = 1; i + 1 < l->n; i++) {
		const char *w = l->word[i];

		if ((w[0] == '-' && w[1] == letter && !w[2]) ||
		    (strncmp(w, "--", 2) == 0 && strcmp(w + 2, name) == 0))
			found = l->word[i + 1];
		else if (strncmp(w, "--", 2) == 0 &&
		    strncmp(w + 2, name, len) == 0 && w[2 + len] == '=')
			found = w + 3 + len;
	}
	return found;
}

static void list_views(struct line *l)
{
	const char *name;
	size_t i;

	for (i = 0; (name = view_at(i)) != NULL; i++)
		add(l, name, view_help(view_find(name)));
}

static void add_columns(const struct line *l, const struct view *v,
	const char *prefix)
{
	struct buf name = BUF_INIT;
	struct grid_col c;
	const char *many;
	size_t i;

	for (i = 0; view_column(v, i, &c, &many); i++) {
		buf_reset(&name);
		buf_printf(&name, "%s%s", prefix, c.name);
		add(l, buf_str(&name), c.help);
	}
	buf_release(&name);
}

static void list_columns(struct line *l)
{
	const char *name = value_of(l, 'V', "view");
	const struct view *v = name ? view_find(name) : NULL;

	if (v)
		add_columns(l, v, "");
}

/* "session.", and after that its columns. */
static void list_found(struct line *l)
{
	const struct view_key *k;
	struct span typed = l->typed, name;
	struct buf prefix = BUF_INIT;
	size_t i;

	if (scan_until(&typed, '.', &name)) {
		k = view_key_find(name.ptr, span_len(name));
		if (k) {
			buf_printf(&prefix, "%s.", k->name);
			add_columns(l, view_find(k->view), buf_str(&prefix));
		}
	} else {
		for (i = 0; (k = view_key_at(i)) != NULL; i++) {
			if (!k->name)
				continue;
			buf_reset(&prefix);
			buf_printf(&prefix, "%s.", k->name);
			add(l, buf_str(&prefix), k->view);
		}
	}
	buf_release(&prefix);
}

/* What a recorder can watch for. */
static void list_watched(struct line *l)
{
	const struct finding_rule *r;
	size_t i;

	list_found(l);
	for (i = 0; (r = finding_rule_at(i)) != NULL &&
	    !memchr(l->typed.ptr, '.', span_len(l->typed)); i++)
		add(l, r->name, r->why);
}

static void list_actions(struct line *l)
{
	add(l, "fast:0.2s/60s", "sample more often for a while");
	add(l, "mark", "set a mark");
	add(l, "run:", "a command");
}

static void list_costly(struct line *l)
{
	size_t i;

	for (i = 0; sampling_with(i); i++)
		add(l, sampling_with(i), NULL);
}

static void list_keys(struct line *l)
{
	const char *name = value_of(l, 'V', "view");
	const struct view *v = name ? view_find(name) : NULL;
	int k;

	for (k = 0; k < LABEL_COUNT; k++) {
		if (!v || view_has_key(v, (enum label_kind)k))
			add(l, label_name((enum label_kind)k), NULL);
	}
}

static void list_entities(struct line *l)
{
	int e;

	for (e = 0; e < ENTITY_COUNT; e++) {
		const struct entity *en = entity_get((enum entity_id)e);

		add(l, en->plural, en->help);
	}
}

static void list_times(struct line *l)
{
	static const char *const times[][2] = {
		{ "-5m", "five minutes before the end of the recording" },
		{ "-1h", "an hour before its end" },
		{ "now", "by this machine's clock" },
		{ "today", "its first instant" },
		{ "yesterday", "its first instant; as an end its last" },
	};
	size_t i;

	for (i = 0; i < GS_LEN(times); i++)
		add(l, times[i][0], times[i][1]);
}

static void list_zones(struct line *l)
{
	add(l, "local", "of this machine");
	add(l, "UTC", NULL);
}

/* Nobody waits longer for what a key may propose. */
#define READ_SECONDS 3

/* To open a pipe would wait for its writer. */
static bool is_recording(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && (S_ISREG(st.st_mode) ||
	    S_ISDIR(st.st_mode)) && access(path, R_OK) == 0;
}

/* The first of the words that is a file or a directory. */
static const char *recording(const struct line *l)
{
	size_t i;

	for (i = 1; i + 1 < l->n; i++) {
		if (l->word[i][0] != '-' && is_recording(l->word[i]))
			return l->word[i];
	}
	return NULL;
}

/* Lists a column of a view of the recording. */
static void replay_column(const struct line *l, const char *view,
	const char *column, const char *from)
{
	const char *path = recording(l);

	buf_reset(l->to);
	if (!path)
		return;
	(void)alarm(READ_SECONDS); /* stays after execl(): none was set */
	(void)execl("/proc/self/exe", "gpsnap", "replay", path, "-V", view,
	    "-c", column, "-f", "csv", "--no-header", "--limit", "100",
	    "--from", from, (char *)NULL);
	(void)alarm(0);
}

static void list_hosts(struct line *l)
{
	replay_column(l, "hosts", "host", "-24h");
}

/* Those of all of a long recording would take too long. */
static void list_sessions(struct line *l)
{
	replay_column(l, "sessions", "session", "-10m");
}

static const struct {
	const char *option;
	void (*list)(struct line *l);
	const char *signs; /* may stand before an item; NULL: there is one item */
} lists[] = {
	{ "view", list_views, NULL },
	{ "columns", list_columns, "+" },
	{ "fields", list_columns, "+" },
	{ "sort", list_columns, "+-" },
	{ "series", list_columns, "" },
	{ "group-by", list_keys, "" },
	{ "where", list_columns, NULL },
	{ "find", list_found, NULL },
	{ "on", list_watched, NULL },
	{ "do", list_actions, "" },
	{ "with", list_costly, "" },
	{ "entities", list_entities, "" },
	{ "from", list_times, NULL },
	{ "to", list_times, NULL },
	{ "at", list_times, NULL },
	{ "tz", list_zones, NULL },
	{ "host", list_hosts, NULL },
	{ "session", list_sessions, NULL },
};

/* Of a list the last item is completed: "cpu,-mem". */
static void to_last_item(struct line *l, const char *signs)
{
	const char *p = l->typed.end;

	while (p > l->typed.ptr && p[-1] != ',')
		p--;
	if (p < l->typed.end && strchr(signs, *p))
		p++;
	l->typed.ptr = p;
	l->before.end = p;
}

static void complete_value(struct line *l, const struct opt *o)
{
	size_t i;

	for (i = 0; o->kind == OPT_ENUM && o->values[i]; i++)
		add(l, o->values[i], NULL);
	if (o->kind == OPT_PATH)
		buf_add_str(l->to, COMPLETE_FILES);
	for (i = 0; o->kind != OPT_ENUM && i < GS_LEN(lists); i++) {
		if (strcmp(o->name, lists[i].option) != 0)
			continue;
		if (lists[i].signs)
			to_last_item(l, lists[i].signs);
		lists[i].list(l);
	}
}

/* ---- options ------------------------------------------------------------ */

static bool takes_value(const struct opt *o)
{
	return o->kind != OPT_FLAG && o->kind != OPT_HELP &&
	    o->kind != OPT_COMMAND && o->kind != OPT_MAYBE &&
	    o->kind != OPT_MAYBES;
}

/* The option that a word is, up to its "="; NULL: it is none. */
static const struct opt *option_of(const struct line *l, const char *word)
{
	const struct opt_cmd *c = l->command->opts;
	bool is_long = strncmp(word, "--", 2) == 0;
	size_t i, len = is_long ? strcspn(word + 2, "=") : 0;

	for (i = 0; word[0] == '-' && i < c->n_opt; i++) {
		const struct opt *o = &c->opt[i];

		if (is_long ? strlen(o->name) == len &&
		    strncmp(word + 2, o->name, len) == 0
		    : o->short_name && word[1] == o->short_name && !word[2])
			return o;
	}
	return NULL;
}

static void add_options(const struct line *l)
{
	const struct opt_cmd *c = l->command->opts;
	struct buf name = BUF_INIT;
	size_t i;

	for (i = 0; i < c->n_opt + c->n_common; i++) {
		const struct opt *o = i < c->n_opt ? &c->opt[i]
		    : &c->common[i - c->n_opt];

		if (o->hidden)
			continue;
		buf_reset(&name);
		buf_printf(&name, "--%s", o->name);
		add(l, buf_str(&name), o->help);
	}
	add(l, "--help", "show the help");
	buf_release(&name);
}

/* ---- words -------------------------------------------------------------- */

static void add_commands(const struct line *l)
{
	const struct command *c;
	size_t i;

	for (i = 0; (c = command_at(i)) != NULL; i++)
		add(l, c->opts->name, c->opts->summary);
}

static void complete_first(const struct line *l)
{
	static const char *const options[][2] = {
		{ "--record", "record" }, { "--replay", "replay" },
		{ "--help", "show what gpsnap can do" },
		{ "--version", "show the version" },
	};
	size_t i;

	add_commands(l);
	for (i = 0; i < GS_LEN(options); i++)
		add(l, options[i][0], options[i][1]);
}

/* "--record" stands for "record". */
static const struct command *command_of(const char *word)
{
	return command_find(strncmp(word, "--", 2) == 0 ? word + 2 : word);
}

static void complete_further(struct line *l)
{
	const char *word = l->word[l->n - 1], *equals = strchr(word, '=');
	const struct opt *o = l->n > 2 ? option_of(l, l->word[l->n - 2])
	                               : NULL;

	if (o && takes_value(o) && !strchr(l->word[l->n - 2], '=')) {
		complete_value(l, o);
	} else if (strncmp(word, "--", 2) == 0 && equals) {
		l->typed.ptr = l->before.end = equals + 1;
		o = option_of(l, word);
		if (o && takes_value(o))
			complete_value(l, o);
	} else if (word[0] == '-') {
		add_options(l);
	} else if (strcmp(l->command->opts->name, "help") == 0) {
		add_commands(l);
	} else {
		buf_add_str(l->to, COMPLETE_RECORDINGS);
	}
}

void complete_words(char *const word[], size_t n, struct buf *to)
{
	struct line l = { .word = word, .n = n, .to = to };

	if (n == 0)
		return;
	l.typed = span_str(word[n - 1]);
	l.before = span_of(l.typed.ptr, 0);
	if (n == 1) {
		complete_first(&l);
		return;
	}
	l.command = command_of(word[0]);
	if (l.command)
		complete_further(&l);
}
