/* SPDX-License-Identifier: Apache-2.0 */
#include "web/asks.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/mem.h"

#define JSON "application/json"

static const char *const data[] = { "report", "--output=-", "--data",
	"--quiet", NULL };
static const char *const of_data[] = { "from", "to", "findings", "utc", "tz",
	NULL };

static const char *const replay[] = { "replay", "--format=json", NULL };
static const char *const of_view[] = { "view", "from", "to", "at", "every",
	"ticks", "count", "duration", "baseline", "columns", "group-by",
	"nested", "normalize", "where", "ema", "session", "server", "sort",
	"limit", "event", "class", "query-id", "pid", "min-pct", "top",
	"metric", "utc", "tz", NULL };
static const char *const of_find[] = { "find", "from", "to", "every", "where",
	"sort", "limit", "utc", "tz", NULL };

static const char *const findings[] = { "findings", "--format=json", NULL };
static const char *const of_findings[] = { "from", "to", "host", "where",
	"limit", "utc", "tz", NULL };

static const struct asks_row rows[] = {
	{ "data", "application/octet-stream", data, of_data, true, true },
	{ "view", JSON, replay, of_view, false, false },
	{ "find", JSON, replay, of_find, false, false },
	{ "findings", JSON, findings, of_findings, false, false },
};

/* Options without a value: 1 sets them. */
static const char *const flags[] = { "findings", "ticks", "nested",
	"normalize", "utc", NULL };

const struct asks_row *asks_find(const char *name)
{
	size_t i;

	for (i = 0; i < GS_LEN(rows); i++) {
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	}
	return NULL;
}

static bool is_in(const char *const *list, const char *name)
{
	for (; *list; list++) {
		if (strcmp(*list, name) == 0)
			return true;
	}
	return false;
}

static void add(struct asks_line *l, const char *word)
{
	l->word[l->n++] = gs_strdup(word);
	l->word[l->n] = NULL;
}

/* value NULL: an option without one. */
static void add_option(struct asks_line *l, const char *name,
	const char *value)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "--%s", name);
	if (value)
		buf_printf(&b, "=%s", value);
	add(l, buf_str(&b));
	buf_release(&b);
}

static int add_param(struct asks_line *l, const struct target_param *p,
	struct gs_err *err)
{
	bool flag = is_in(flags, p->name);

	if (flag && strcmp(p->value, "1") != 0)
		return gs_fail(err, GS_E_USAGE, "%s: expected 1", p->name);
	add_option(l, p->name, flag ? NULL : p->value);
	return GS_OK;
}

static int add_params(struct asks_line *l, const struct asks_row *row,
	const struct target *t, struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	for (i = 0; r == GS_OK && i < t->n; i++) {
		const struct target_param *p = &t->param[i];

		if (!is_in(row->param, p->name))
			return gs_fail(err, GS_E_USAGE,
			    "%.60s: %s has no such parameter", p->name,
			    row->name);
		r = add_param(l, p, err);
	}
	return r;
}

int asks_line(const struct asks_row *row, const struct target *t,
	const struct asks_of *of, struct asks_line *ret, struct gs_err *err)
{
	_Static_assert(ASKS_WORD_MAX > 1 + 4 + 3 + TARGET_PARAMS_MAX +
	    ASKS_PATHS_MAX, "all of them fit");
	size_t i;
	int r;

	*ret = (struct asks_line) { .n = 0 };
	add(ret, "gpsnap");
	for (i = 0; row->fixed[i]; i++)
		add(ret, row->fixed[i]);
	add_option(ret, "memory", of->memory);
	if (row->titled)
		add_option(ret, "title", of->title);
	r = add_params(ret, row, t, err);
	if (r == GS_OK)
		add(ret, "--");
	for (i = 0; r == GS_OK && i < of->n_path; i++)
		add(ret, of->path[i]);
	if (r < 0)
		asks_release(ret);
	return r;
}

static bool is_instant(const char *time)
{
	size_t len = strlen(time);

	return len > 0 && time[len - 1] == 'Z' &&
	    strspn(time, "0123456789-T:.Z") == len;
}

bool asks_keeps(const struct asks_row *row, const struct target *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		const struct target_param *p = &t->param[i];

		if ((strcmp(p->name, "from") == 0 ||
		    strcmp(p->name, "to") == 0) && !is_instant(p->value))
			return false;
	}
	return row->keeps;
}

void asks_release(struct asks_line *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->word[i]);
	l->n = 0;
}
