/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/thin_steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"

static int refuse(const char *text, const char *why, struct gs_err *err)
{
	return gs_fail(err, GS_E_USAGE, "--thin: '%s': %s: expected "
	    "AFTER:EVERY, such as 30d:1m", text, why);
}

static int parse_step(const char *text, struct thin_step *ret,
	struct gs_err *err)
{
	const char *colon = strchr(text, ':');
	struct gs_err why;
	char *after;
	int r;

	if (!colon)
		return refuse(text, "no ':' in it", err);
	after = gs_strndup(text, (size_t)(colon - text));
	r = units_duration(after, &ret->after_ns, &why);
	free(after);
	if (r == GS_OK)
		r = units_duration(colon + 1, &ret->every_ns, &why);
	if (r < 0)
		return gs_fail(err, GS_E_USAGE, "--thin: '%s': %s", text,
		    why.msg);
	if (ret->every_ns == 0)
		return refuse(text, "EVERY is 0", err);
	return GS_OK;
}

/* The later of two must be the coarser one: else it never has an effect. */
static int compare(const struct thin_steps *s, const char *const *text,
	struct gs_err *err)
{
	const struct thin_step *a, *b = &s->step[s->n - 1];
	size_t i;

	for (i = 0; i + 1 < s->n; i++) {
		a = &s->step[i];
		if ((a->after_ns < b->after_ns && a->every_ns < b->every_ns) ||
		    (a->after_ns > b->after_ns && a->every_ns > b->every_ns))
			continue;
		return gs_fail(err, GS_E_USAGE, "--thin: '%s' and '%s': "
		    "expected the later one to be the coarser one", text[i],
		    text[s->n - 1]);
	}
	return GS_OK;
}

int thin_steps_parse(const char *const *text, size_t n,
	struct thin_steps *ret, struct gs_err *err)
{
	size_t i;
	int r = GS_OK;

	ret->n = 0;
	for (i = 0; r == GS_OK && i < n; i++) {
		r = parse_step(text[i], &ret->step[ret->n++], err);
		if (r == GS_OK)
			r = compare(ret, text, err);
	}
	return r;
}

int64_t thin_steps_at(const struct thin_steps *s, int64_t age_ns)
{
	int64_t every = 0;
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (s->step[i].after_ns <= age_ns)
			every = GS_MAX(every, s->step[i].every_ns);
	}
	return every;
}
