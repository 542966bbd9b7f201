/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - what a rule of the user's says besides columns: kinds, views, brackets.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/scan.h"
#include "findings/findings_int.h"

static int check_subject(const struct finding_rule *r, struct gs_err *err)
{
	struct span rest = span_str(r->subject ? r->subject : ""), word;
	size_t n = 0;

	while (grid_next_name(&rest, &word))
		n += !span_empty(word);
	return n <= SUBJECT_COLS ? GS_OK : gs_fail(err, GS_E_USAGE,
	    "subject: expected at most %d columns, got %zu", SUBJECT_COLS, n);
}

static int check_kind(struct span name, struct gs_err *err)
{
	char *kind = gs_strndup(name.ptr, span_len(name));
	int r = finding_rule_find(kind) || finding_is_of_hole(kind) ? GS_OK
	    : gs_fail(err, GS_E_USAGE, "by: no finding \"%.60s\"; gpsnap "
	    "findings --explain lists them", kind);

	free(kind);
	return r;
}

/* Their names have blanks in them, and may have some around them. */
static int check_by(const struct finding_rule *r, struct gs_err *err)
{
	struct span rest = span_str(r->by ? r->by : ""), name;
	bool more = true;
	int status = GS_OK;

	while (more && status == GS_OK) {
		more = scan_until(&rest, ',', &name);
		if (!more)
			name = rest;
		while (!span_empty(name) && *name.ptr == ' ')
			name.ptr++;
		while (!span_empty(name) && name.end[-1] == ' ')
			name.end--;
		if (!span_empty(name))
			status = check_kind(name, err);
	}
	return status;
}

static int check_brackets(const char *member, const char *text,
	struct gs_err *err)
{
	const char *p;
	int open = 0;

	for (p = text ? text : ""; *p && open >= 0; p++)
		open += (*p == '[') - (*p == ']');
	return open == 0 ? GS_OK : gs_fail(err, GS_E_USAGE, "%s: a [ has no ], "
	    "or a ] no [: what is between them is left out where a value is "
	    "absent", member);
}

/* "-V locks --at {at}" */
static int check_next(const struct findings_from *from,
	const struct finding_rule *r, struct gs_err *err)
{
	const char *view = r->next ? strstr(r->next, "-V ") : NULL;
	struct grid *g;
	char *name;
	int status;

	if (!view)
		return GS_OK;
	view += strlen("-V ");
	name = gs_strndup(view, strcspn(view, " "));
	g = strchr(name, '{') ? NULL : from->columns(from->ctx, name, NULL);
	status = g || strchr(name, '{') ? GS_OK : gs_fail(err, GS_E_USAGE,
	    "next: no view %.60s; gpsnap replay --help lists them", name);
	grid_free(g);
	free(name);
	return status;
}

int rule_check_texts(const struct findings_from *from,
	const struct finding_rule *r, struct gs_err *err)
{
	int status = check_subject(r, err);

	if (status == GS_OK)
		status = check_by(r, err);
	if (status == GS_OK)
		status = check_brackets("says", r->says, err);
	if (status == GS_OK)
		status = check_brackets("next", r->next, err);
	return status == GS_OK ? check_next(from, r, err) : status;
}
