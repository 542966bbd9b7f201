/* SPDX-License-Identifier: Apache-2.0 */
/*
 * title_learn.c - finds cluster_name in the titles of a server's background
 * processes.
 */
#include "title/title_int.h"

/* "NAME: checkpointer": processes whose titles end with their kind. */
static bool is_plain(enum title_role role)
{
	return role == ROLE_CHECKPOINTER || role == ROLE_BGWRITER ||
	    role == ROLE_WALWRITER || role == ROLE_LOGGER ||
	    role == ROLE_STATS || role == ROLE_AUTOVAC_LAUNCHER ||
	    role == ROLE_LOGICAL_LAUNCHER || role == ROLE_ARCHIVER;
}

/* The last letters of all kinds of is_plain(): most titles are of sessions, and have
 * another one. */
static bool may_end_with_plain(struct span s)
{
	return !span_empty(s) && (s.end[-1] == 'r' || s.end[-1] == 's');
}

/* The text before the kind.  Users can't choose anything in such titles,
 * except the database of an autovacuum worker. */
static bool name_before(struct span s, enum title_role *ret_role,
	struct span *ret)
{
	size_t i;

	if (!may_end_with_plain(s) || title_starts_word(s, "autovacuum worker"))
		return false;
	for (i = 0; i < title_n_backgrounds; i++) {
		const struct title_background *b = &title_backgrounds[i];
		size_t n = strlen(b->name);

		if (!is_plain(b->role) || !title_ends_with(s, b->name))
			continue;
		*ret_role = b->role;
		*ret = span_of(s.ptr, 0);
		if (span_len(s) == n)
			return true;
		if (span_len(s) < n + 3 ||
		    memcmp(s.end - n - 2, ": ", 2) != 0)
			continue;
		ret->end = s.end - n - 2;
		return true;
	}
	return false;
}

static bool is_name(const struct title_names *n, struct span s)
{
	return n->len == span_len(s) &&
	    (n->len == 0 || memcmp(n->name, s.ptr, n->len) == 0);
}

static void set_name(struct title_names *n, struct span s)
{
	n->len = span_len(s);
	if (n->len > 0)
		memcpy(n->name, s.ptr, n->len);
}

bool title_learn(struct title_names *n, struct span text)
{
	struct title t = { 0 };
	enum title_role role;
	struct span name;

	if (n->known || !title_parse_front(&t, &text) || span_empty(text) ||
	    !name_before(text, &role, &name) ||
	    span_len(name) > sizeof(n->name))
		return false;
	n->known = n->role != ROLE_UNKNOWN && n->role != (int)role &&
	    is_name(n, name);
	n->role = (int)role;
	set_name(n, name);
	return n->known;
}

bool title_name_is(struct title_names *n, struct span name)
{
	name = title_trim(name);
	if (n->known || span_empty(name) || span_len(name) > sizeof(n->name))
		return false;
	set_name(n, name);
	return n->known = true;
}
