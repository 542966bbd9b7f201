/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_title.c - any bytes as a process title: all spans lie within them,
 * numbers are in range, and what was found is consistent.  As lines they are
 * titles of one server: names that some tell split others.
 */
#include <stdlib.h>

#include "analysis/logins.h"
#include "base/compiler.h"
#include "fuzz.h"
#include "title/title.h"

static void check(bool ok)
{
	if (!ok)
		abort();
}

/* Both names are known, a blank apart, and all that there was. */
static void check_split(struct logins *l, const struct title *t)
{
	check(t->user.ptr == t->user_db.ptr && !span_empty(t->user));
	check(t->user.end + 1 == t->database.ptr && *t->user.end == ' ');
	check(t->database.end == t->user_db.end && !span_empty(t->database));
	check(!logins_add(l, LOGIN_USER, t->user));
	check(!logins_add(l, LOGIN_DATABASE, t->database));
}

/* The names at the first blank, or at the last one, become known. */
static void add_names(struct logins *l, const struct title *t, bool last)
{
	const char *p, *at = NULL;

	for (p = t->user_db.ptr; p < t->user_db.end; p++) {
		if (*p == ' ' && (last || !at))
			at = p;
	}
	if (!at)
		return;
	(void)logins_add(l, LOGIN_USER, span_of(t->user_db.ptr,
	    (size_t)(at - t->user_db.ptr))); /* or it was known */
	(void)logins_add(l, LOGIN_DATABASE, span_of(at + 1,
	    (size_t)(t->user_db.end - at - 1)));
}

static void use_line(struct logins *l, struct title_names *names,
	struct span line)
{
	const struct logins *const of[] = { NULL, l };
	struct title t;

	(void)title_learn(names, line);
	title_parse_named(line, names, &t);
	(void)logins_learn(l, names, &t);
	check(!logins_learn(l, names, &t) || logins_count(l) == LOGINS_MAX);
	if (span_len(line) % 3 > 0)
		add_names(l, &t, span_len(line) % 3 == 1);
	if (!logins_split(of, GS_LEN(of), &t))
		return;
	check_split(l, &t);
	check(!logins_learn(l, names, &t)); /* that would be a guess */
	logins_unsplit(&t);
	check(span_empty(t.user) && span_empty(t.database));
}

static void use_lines(struct span text)
{
	struct title_names names = { 0 };
	struct logins *l = logins_new();
	struct span line;

	while (scan_until(&text, '\n', &line))
		use_line(l, &names, line);
	use_line(l, &names, text);
	check(logins_count(l) <= LOGINS_MAX);
	logins_free(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = span_of((const char *)data, size);
	struct title t;
	const struct span *s[] = { &t.cluster, &t.user_db, &t.user,
		&t.database, &t.client, &t.name, &t.activity, &t.datadir };
	struct title_names names = { 0 };
	size_t i;

	(void)title_learn(&names, text); /* what it says is used below */
	names.known = true;
	title_parse_named(text, &names, &t);
	check(!span_empty(t.cluster) || names.len == 0 ||
	    t.kind == TITLE_NONE);
	title_parse(text, &t);
	for (i = 0; i < GS_LEN(s); i++)
		check((!s[i]->ptr && !s[i]->end) || (s[i]->ptr >= text.ptr &&
		    s[i]->ptr <= s[i]->end && s[i]->end <= text.end));
	check(!t.has_port || t.port <= 65535);
	check((t.kind == TITLE_QE) == t.has_seg || t.kind == TITLE_WALSENDER);
	check(t.kind != TITLE_QD || t.has_session);
	check(t.kind <= TITLE_WALSENDER && t.role <= ROLE_POSTMASTER);
	use_lines(text);
	return 0;
}
