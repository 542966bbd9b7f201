/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opt.c - parsing a command line by a table.  Help is opt_help.c.
 */
#include "cli/opt.h"

#include <assert.h>
#include <string.h>

#include "base/suggest.h"
#include "base/units.h"
#include "base/when.h"

static const struct opt help_opt = {
	.kind = OPT_HELP, .short_name = 'h', .name = "help",
};

struct parse {
	const struct opt_cmd *cmd;
	char *base; /* the struct that values go to */
	struct opt_rest *rest;
	int argc;
	char **argv;
	int next; /* index of the next word */
	struct gs_err *err;
};

const char *opt_kind_name(enum opt_kind kind)
{
	static const char *const names[] = { [OPT_FLAG] = "flag",
		[OPT_TEXT] = "text", [OPT_TEXTS] = "text", [OPT_PATH] = "path",
		[OPT_DURATION] = "duration", [OPT_SIZE] = "size",
		[OPT_PERCENT] = "percent", [OPT_INT] = "integer",
		[OPT_REAL] = "number", [OPT_ENUM] = "enum",
		[OPT_TIME] = "time", [OPT_MAYBE] = "maybe",
		[OPT_MAYBES] = "maybe", [OPT_COMMAND] = "command",
		[OPT_HELP] = "flag" };

	return names[kind];
}

static bool may_have_arg(const struct opt *o)
{
	return o->kind == OPT_MAYBE || o->kind == OPT_MAYBES;
}

static bool has_arg(const struct opt *o)
{
	return o->kind != OPT_FLAG && o->kind != OPT_HELP &&
	    o->kind != OPT_COMMAND && !may_have_arg(o);
}

static int store_more(const char *text, struct opt_texts *to,
	struct gs_err *err)
{
	if (to->n == OPT_TEXTS_MAX)
		return gs_fail(err, GS_E_USAGE, "expected at most %d of them",
		    OPT_TEXTS_MAX);
	to->text[to->n++] = text;
	return GS_OK;
}

static int store_enum(const struct opt *o, const char *text, int *to,
	struct gs_err *err)
{
	char list[256] = "";
	int i;

	for (i = 0; o->values[i]; i++) {
		if (strcmp(o->values[i], text) == 0) {
			*to = i;
			return GS_OK;
		}
	}
	for (i = 0; o->values[i]; i++) {
		size_t room = sizeof(list) - strlen(list) - 1;

		if (i > 0)
			strncat(list, ", ", room);
		room = sizeof(list) - strlen(list) - 1;
		strncat(list, o->values[i], room);
	}
	return gs_fail(err, GS_E_USAGE, "\"%s\": expected one of %s", text,
	    list);
}

static int store_duration(const struct opt *o, const char *text, int64_t *to,
	struct gs_err *err)
{
	int64_t v;
	int r = units_duration(text, &v, err);

	if (r < 0)
		return r;
	if (o->max != 0 && (v < o->min || v > o->max)) {
		char lo[WHEN_SPAN_MAX], hi[WHEN_SPAN_MAX];

		when_span(lo, o->min);
		when_span(hi, o->max);
		if (o->max == INT64_MAX)
			return gs_fail(err, GS_E_USAGE,
			    "\"%s\": expected a duration of at least %s",
			    text, lo);
		return gs_fail(err, GS_E_USAGE,
		    "\"%s\": expected a duration from %s to %s", text, lo,
		    hi);
	}
	*to = v;
	return GS_OK;
}

/* Stores text as the value of o. */
static int store(const struct opt *o, const char *text, char *base,
	struct gs_err *err)
{
	void *to = base + o->offset;
	int r;

	switch (o->kind) {
	case OPT_FLAG:
	case OPT_COMMAND:
		*(bool *)to = true;
		return GS_OK;
	case OPT_HELP:
		return GS_OK;
	case OPT_TIME:
		r = when_check(text, err);
		if (r < 0)
			return r;
		*(const char **)to = text;
		return GS_OK;
	case OPT_TEXTS:
	case OPT_MAYBES:
		return store_more(text ? text : "", to, err);
	case OPT_TEXT:
	case OPT_PATH:
		*(const char **)to = text;
		return GS_OK;
	case OPT_MAYBE:
		*(const char **)to = text ? text : "";
		return GS_OK;
	case OPT_DURATION:
		return store_duration(o, text, to, err);
	case OPT_SIZE:
		return units_size(text, to, err);
	case OPT_PERCENT:
		return units_percent(text, to, err);
	case OPT_INT:
		return units_int(text, o->min, o->max, to, err);
	case OPT_REAL:
		return units_real(text, to, err);
	case OPT_ENUM:
		return store_enum(o, text, to, err);
	}
	return GS_OK;
}

static void set_defaults(const struct parse *p)
{
	size_t i;

	for (i = 0; i < p->cmd->n_opt; i++) {
		const struct opt *o = &p->cmd->opt[i];
		int r = o->dflt ? store(o, o->dflt, p->base, NULL) : GS_OK;

		assert(r == GS_OK); /* the table's defaults are right */
		(void)r; /* without assertions */
	}
}

/* Fails, naming the closest long name if one is close. */
static int unknown_long(const struct parse *p, const char *name, size_t len)
{
	const struct opt *best = NULL;
	char word[64];
	size_t i, best_distance = SIZE_MAX;

	len = GS_MIN(len, sizeof(word) - 1);
	memcpy(word, name, len);
	word[len] = '\0';
	for (i = 0; i < p->cmd->n_opt; i++) {
		const struct opt *o = &p->cmd->opt[i];
		size_t d = suggest_distance(word, o->name);

		if (o->hidden || d >= best_distance ||
		    !suggest_is_close(word, o->name))
			continue;
		best = o;
		best_distance = d;
	}
	if (best)
		return gs_fail(p->err, GS_E_USAGE,
		    "unknown option --%s (did you mean --%s?)", word,
		    best->name);
	return gs_fail(p->err, GS_E_USAGE, "unknown option --%s", word);
}

/* The option with that long name, or the only one that begins so. */
static int find_long(const struct parse *p, const char *name, size_t len,
	const struct opt **ret)
{
	const struct opt *found = NULL;
	size_t i;

	for (i = 0; len > 0 && i <= p->cmd->n_opt; i++) {
		const struct opt *o =
		    i < p->cmd->n_opt ? &p->cmd->opt[i] : &help_opt;

		if (strncmp(o->name, name, len) != 0)
			continue;
		if (o->name[len] == '\0') {
			found = o;
			break;
		}
		if (o->hidden)
			continue;
		if (found)
			return gs_fail(p->err, GS_E_USAGE,
			    "option --%.*s is short for --%s and --%s",
			    (int)len, name, found->name, o->name);
		found = o;
	}
	if (!found)
		return unknown_long(p, name, len);
	*ret = found;
	return GS_OK;
}

static const struct opt *find_short(const struct parse *p, char c)
{
	size_t i;

	for (i = 0; i < p->cmd->n_opt; i++) {
		if (p->cmd->opt[i].short_name == c)
			return &p->cmd->opt[i];
	}
	return c == help_opt.short_name ? &help_opt : NULL;
}

/* Stores the value and notes that it was given. */
static int store_given(const struct parse *p, const struct opt *o,
	const char *text)
{
	int r;

	if (o->kind == OPT_HELP) {
		p->rest->help = true;
		return GS_OK;
	}
	r = store(o, text, p->base, p->err);
	if (r < 0) {
		gs_err_prefix(p->err, "--%s", o->name);
		return GS_E_USAGE;
	}
	p->rest->given |= UINT64_C(1) << (o - p->cmd->opt);
	p->rest->dashes |= o->kind == OPT_COMMAND;
	return GS_OK;
}

/* The option's argument is the next word. */
static int store_next(struct parse *p, const struct opt *o)
{
	if (p->next >= p->argc)
		return gs_fail(p->err, GS_E_USAGE, "--%s: expected %s",
		    o->name, o->arg);
	return store_given(p, o, p->argv[p->next++]);
}

/* The next word, if it may be the argument of such an option. */
static int store_maybe(struct parse *p, const struct opt *o)
{
	const char *word = p->next < p->argc ? p->argv[p->next] : "";

	if (*word == '\0' || *word == '-' ||
	    strspn(word, "0123456789") == strlen(word))
		return store_given(p, o, NULL);
	p->next++;
	return store_given(p, o, word);
}

static int parse_long(struct parse *p, const char *word)
{
	size_t len = strcspn(word, "=");
	const struct opt *o = NULL;
	int r = find_long(p, word, len, &o);

	if (r < 0)
		return r;
	if (word[len] == '=' && !has_arg(o) && !may_have_arg(o))
		return gs_fail(p->err, GS_E_USAGE,
		    "option --%s takes no argument", o->name);
	if (word[len] == '=')
		return store_given(p, o, word + len + 1);
	return has_arg(o) ? store_next(p, o) : store_given(p, o, NULL);
}

/* A word of one-letter options; the last may carry its argument. */
static int parse_short(struct parse *p, const char *word)
{
	bool alone = word[0] && !word[1];

	for (; *word; word++) {
		const struct opt *o = find_short(p, *word);
		int r;

		if (!o)
			return gs_fail(p->err, GS_E_USAGE,
			    "unknown option -%c", *word);
		if (o->kind == OPT_COMMAND && word[1])
			return gs_fail(p->err, GS_E_USAGE,
			    "-%c: expected %s in words of its own", *word,
			    o->arg);
		if (has_arg(o))
			return word[1] ? store_given(p, o, word + 1)
			               : store_next(p, o);
		r = alone && may_have_arg(o) ? store_maybe(p, o)
		                             : store_given(p, o, NULL);
		if (r < 0)
			return r;
	}
	return GS_OK;
}

static int store_flag(const char *text, bool *to, struct gs_err *err)
{
	if (strcmp(text, "yes") == 0 || strcmp(text, "no") == 0) {
		*to = text[0] == 'y';
		return GS_OK;
	}
	return gs_fail(err, GS_E_USAGE, "\"%s\": expected yes or no", text);
}

int opt_preset(const struct opt_cmd *c, const char *name, const char *value,
	void *to, struct opt_rest *rest, struct gs_err *err)
{
	const char *near = NULL;
	size_t i;
	int r;

	for (i = 0; i < c->n_opt; i++) {
		const struct opt *o = &c->opt[i];

		if (suggest_is_close(name, o->name) && !o->hidden)
			near = o->name;
		if (strcmp(o->name, name) != 0)
			continue;
		r = o->kind == OPT_FLAG
		    ? store_flag(value, (bool *)((char *)to + o->offset), err)
		    : store(o, value, to, err);
		if (r < 0)
			gs_err_prefix(err, "%s", name);
		rest->preset |= UINT64_C(1) << i;
		return r < 0 ? GS_E_USAGE : GS_OK;
	}
	return gs_fail(err, GS_E_NOTFOUND, near
	    ? "%s has no option %s (did you mean %s?)"
	    : "%s has no option %s", c->name, name, near);
}

int opt_parse_over(const struct opt_cmd *c, int argc, char **argv, void *to,
	opt_preset_fn preset, struct opt_rest *ret, struct gs_err *err)
{
	struct parse p = {
		.cmd = c, .base = to, .rest = ret, .argc = argc,
		.argv = argv, .next = 1, .err = err,
	};
	int r = GS_OK;

	assert(c->n_opt <= OPT_MAX);
	*ret = (struct opt_rest) { .arg = argc > 0 ? argv + 1 : argv };
	set_defaults(&p);
	if (preset)
		r = preset(c, to, ret, err);
	while (p.next < argc && r == GS_OK && !ret->help && !ret->dashes) {
		char *word = argv[p.next++];

		if (strcmp(word, "--") == 0)
			ret->dashes = true;
		else if (word[0] != '-' || word[1] == '\0')
			ret->arg[ret->n++] = word;
		else if (word[1] == '-')
			r = parse_long(&p, word + 2);
		else
			r = parse_short(&p, word + 1);
	}
	ret->n_before = ret->n;
	while (p.next < argc)
		ret->arg[ret->n++] = argv[p.next++];
	if (argc > 0)
		ret->arg[ret->n] = NULL; /* argv[argc] at the latest */
	return r;
}

int opt_parse(const struct opt_cmd *c, int argc, char **argv, void *to,
	struct opt_rest *ret, struct gs_err *err)
{
	return opt_parse_over(c, argc, argv, to, NULL, ret, err);
}

/* The option's bit. */
static uint64_t bit_of(const struct opt_cmd *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->n_opt; i++) {
		if (strcmp(c->opt[i].name, name) == 0)
			return UINT64_C(1) << i;
	}
	assert(false && "no such option in the table");
	return 0;
}

bool opt_given(const struct opt_cmd *c, const struct opt_rest *rest,
	const char *name)
{
	return (rest->given & bit_of(c, name)) != 0;
}

bool opt_is_set(const struct opt_cmd *c, const struct opt_rest *rest,
	const char *name)
{
	return ((rest->given | rest->preset) & bit_of(c, name)) != 0;
}
