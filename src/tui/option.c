/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/option.h"

#include <stddef.h>
#include <string.h>

#include "tui/tui_int.h"

#define TEXT(MEMBER) OPTION_TEXT, offsetof(struct level, MEMBER)
#define PROMPT(KIND) OPTION_PROMPT, (size_t)KIND

static const struct option options[] = {
	{ "at", 0, PROMPT(ASK_JUMP), false },
	{ "baseline", 0, PROMPT(ASK_BASELINE), false },
	{ "columns", 'c', PROMPT(ASK_COLUMNS), true },
	{ "ema", 0, TEXT(ema), false },
	{ "find", 0, PROMPT(ASK_FIND), false },
	{ "group-by", 'g', TEXT(group_by), false },
	{ "quit", 'q', OPTION_QUIT, 0, false },
	{ "session", 0, TEXT(session), true },
	{ "sort", 's', PROMPT(ASK_SORT), true },
	{ "to", 0, PROMPT(ASK_JUMP), false },
	{ "view", 'V', PROMPT(ASK_VIEW), false },
	{ "where", 0, PROMPT(ASK_WHERE), true },
	{ "window", 'W', OPTION_WINDOW, 0, false },
};

/* By its letter after one dash, else by its beginning, which must be clear. */
static const struct option *find(const char *name, size_t len, bool letter)
{
	const struct option *found = NULL;
	size_t i;

	for (i = 0; i < GS_LEN(options); i++) {
		const struct option *o = &options[i];

		if (letter && len == 1 && o->letter == *name)
			return o;
		if (letter || strncmp(o->name, name, len) != 0)
			continue;
		if (strlen(o->name) == len)
			return o;
		if (found)
			return NULL;
		found = o;
	}
	return found;
}

static void list(struct buf *to)
{
	size_t i;

	for (i = 0; i < GS_LEN(options); i++)
		buf_printf(to, "%s%s", i > 0 ? ", " : "", options[i].name);
}

int option_find(const char *text, const struct option **ret,
	const char **ret_value, struct gs_err *err)
{
	size_t dashes = strspn(text, "-"), len;
	const char *name = text + dashes;
	struct buf b = BUF_INIT;
	int r;

	len = strcspn(name, " =");
	*ret = find(name, len, dashes == 1);
	*ret_value = name + len + strspn(name + len, " =");
	if (*ret && len > 0)
		return GS_OK;
	list(&b);
	r = gs_fail(err, GS_E_USAGE, "%.*s: expected an option that can be "
	    "changed here: %s", (int)len, name, buf_str(&b));
	buf_release(&b);
	return r;
}
