/* SPDX-License-Identifier: Apache-2.0 */
#include "web/target.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool is_path(const char *p)
{
	return p[0] == '/' && p[strspn(p, "/._-abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")] == '\0';
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* In place: %41 is A, + is a space.  False: something else, or a control
 * character. */
static bool decode(char *s)
{
	char *to = s;

	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '+') {
			c = ' ';
		} else if (c == '%') {
			if (hex(s[1]) < 0 || hex(s[2]) < 0)
				return false;
			c = (unsigned char)(hex(s[1]) << 4 | hex(s[2]));
			s += 2;
		}
		if (c < 0x20 || c == 0x7f)
			return false;
		*to++ = (char)c;
	}
	*to = '\0';
	return true;
}

static int add_param(struct target *t, char *word, struct gs_err *err)
{
	char *value = strchr(word, '=');
	size_t i;

	if (!value)
		return gs_fail(err, GS_E_USAGE,
		    "expected NAME=VALUE in the address");
	*value++ = '\0';
	if (!decode(word) || !decode(value))
		return gs_fail(err, GS_E_USAGE,
		    "the address has a character that is none");
	for (i = 0; i < t->n; i++) {
		if (strcmp(t->param[i].name, word) == 0)
			return gs_fail(err, GS_E_USAGE, "%s: given twice",
			    word);
	}
	if (t->n == TARGET_PARAMS_MAX)
		return gs_fail(err, GS_E_USAGE, "at most %d parameters",
		    TARGET_PARAMS_MAX);
	t->param[t->n++] = (struct target_param) { word, value };
	return GS_OK;
}

static int add_params(struct target *t, char *p, struct gs_err *err)
{
	while (p && *p) {
		char *end = strchr(p, '&');
		int r;

		if (end)
			*end++ = '\0';
		r = add_param(t, p, err);
		if (r < 0)
			return r;
		p = end;
	}
	return GS_OK;
}

int target_parse(const char *raw, struct target *ret, struct gs_err *err)
{
	char *query;
	int r;

	*ret = (struct target) { .path = NULL };
	if (strnlen(raw, TARGET_MAX + 1) > TARGET_MAX)
		return gs_fail(err, GS_E_USAGE, "the address is too long");
	ret->path = ret->text = gs_strdup(raw);
	query = strchr(ret->text, '?');
	if (query)
		*query++ = '\0';
	if (!is_path(ret->path))
		r = gs_fail(err, GS_E_USAGE, "there is no such path");
	else
		r = add_params(ret, query, err);
	if (r < 0)
		target_release(ret);
	return r;
}

void target_release(struct target *t)
{
	free(t->text);
	*t = (struct target) { .path = NULL };
}
