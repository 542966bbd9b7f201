/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - what a rule of the user's says besides columns: kinds, views, brackets.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/scan.h"
#include "findings/findings_int.h"

/* Rules that give way to each other in a row, at most. */
#define BY_DEPTH 8

static int check_subject(const struct finding_rule *r, struct gs_err *err)
{
	struct span rest = span_str(r->subject ? r->subject : ""), word;
	size_t n = 0;

	while (grid_next_name(&rest, &word))
		n += !span_empty(word);
	return n <= SUBJECT_COLS ? GS_OK : gs_fail(err, GS_E_USAGE,
	    "subject: expected at most %d columns, got %zu", SUBJECT_COLS, n);
}

static const struct finding_rule *rule_of(struct span name)
{
	char *kind = gs_strndup(name.ptr, span_len(name));
	const struct finding_rule *r = finding_rule_find(kind);

	free(kind);
	return r;
}

/* The kind is the rule, or gives way to it, or to one that does: neither would be
 * said. */
static bool leads_to(const struct finding_rule *r, struct span kind,
	unsigned depth)
{
	const struct finding_rule *o = rule_of(kind);
	struct span rest = span_str(o && o->by ? o->by : ""), name;

	if (span_eq(kind, r->name))
		return true;
	while (o && o->severity != FINDING_OFF && depth > 0 &&
	    finding_next_kind(&rest, &name)) {
		if (leads_to(r, name, depth - 1))
			return true;
	}
	return false;
}

static int check_kind(const struct finding_rule *r, struct span name,
	struct gs_err *err)
{
	const struct finding_rule *o = rule_of(name);
	char *kind = gs_strndup(name.ptr, span_len(name));
	int status = GS_OK;

	if (!o && !finding_is_of_hole(kind))
		status = gs_fail(err, GS_E_USAGE, "by: no finding \"%.60s\"; "
		    "gpsnap findings --explain lists them", kind);
	else if (leads_to(r, name, BY_DEPTH))
		status = gs_fail(err, GS_E_USAGE, "by: \"%.60s\" gives way to "
		    "\"%.60s\" itself: neither would be said", kind, r->name);
	free(kind);
	return status;
}

static int check_by(const struct finding_rule *r, struct gs_err *err)
{
	struct span rest = span_str(r->by ? r->by : ""), name;
	int status = GS_OK;

	while (status == GS_OK && finding_next_kind(&rest, &name))
		status = check_kind(r, name, err);
	return status;
}

/* deepest: how many may be open at a time. */
static bool are_paired(const char *text, char open, char close, int deepest)
{
	const char *p;
	int n = 0;

	for (p = text ? text : ""; *p && n >= 0 && n <= deepest; p++)
		n += (*p == open) - (*p == close);
	return n == 0;
}

static int check_brackets(const char *member, const char *text,
	struct gs_err *err)
{
	if (!are_paired(text, '[', ']', INT_MAX))
		return gs_fail(err, GS_E_USAGE, "%s: a [ has no ], or a ] no [: "
		    "what is between them is left out where a value is absent",
		    member);
	if (!are_paired(text, '{', '}', 1))
		return gs_fail(err, GS_E_USAGE, "%s: a { has no }, or a } no {: "
		    "what is between them is the name of a column", member);
	return GS_OK;
}

static bool takes_off(struct span *word, const char *prefix)
{
	size_t n = strlen(prefix);

	if (span_len(*word) < n || memcmp(word->ptr, prefix, n) != 0)
		return false;
	word->ptr += n;
	return true;
}

/* The view of "-V VIEW", "-VVIEW", "--view VIEW", "--view=VIEW"; rest is after the
 * word. */
static bool names_view(struct span word, struct span *rest, struct span *ret)
{
	if (!takes_off(&word, "--view=") && !takes_off(&word, "--view") &&
	    !takes_off(&word, "-V"))
		return false;
	*ret = word;
	if (span_empty(word) && !scan_until(rest, ' ', ret)) {
		*ret = *rest;
		rest->ptr = rest->end;
	}
	return true;
}

static int check_view(const struct findings_from *from, struct span view,
	struct gs_err *err)
{
	char *name = gs_strndup(view.ptr, span_len(view));
	bool late = strchr(name, '{') != NULL;
	struct grid *g = late ? NULL : from->columns(from->ctx, name, NULL);
	int status = g || late ? GS_OK : gs_fail(err, GS_E_USAGE,
	    "next: no view %.60s; gpsnap replay --help lists them", name);

	grid_free(g);
	free(name);
	return status;
}

/* "-V locks --at {at}" */
static int check_next(const struct findings_from *from,
	const struct finding_rule *r, struct gs_err *err)
{
	struct span rest = span_str(r->next ? r->next : ""), word, view;
	int status = GS_OK;
	size_t n = 0;

	while (status == GS_OK && !span_empty(rest)) {
		if (!scan_until(&rest, ' ', &word)) {
			word = rest;
			rest.ptr = rest.end;
		}
		if (!names_view(word, &rest, &view))
			continue;
		status = ++n > 1 ? gs_fail(err, GS_E_USAGE,
		    "next: expected one -V VIEW") : check_view(from, view, err);
	}
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
