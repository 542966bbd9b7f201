/* SPDX-License-Identifier: Apache-2.0 */
/*
 * title_command.c - command lines of postmasters.
 *
 *   /usr/lib/postgresql/15/bin/postgres -D /data -p 5432
 */
#include "title/title_int.h"

#include "base/compiler.h"

/* Options of `postgres` that make it something other than a server. */
static bool is_no_server(struct span w)
{
	static const char *const options[] = { "--single", "--boot",
		"--check", "--describe-config", "--version", "-V", "--help",
		"-?", "-C", "--forkchild" };
	size_t i;

	for (i = 0; i < GS_LEN(options); i++)
		if (span_eq(w, options[i]))
			return true;
	return false;
}

/* "-p 6000", "-p6000", "-c port=6000", "--port=6000". */
static void parse_port_option(struct title *t, struct span w, struct span rest)
{
	struct span v;
	uint32_t port;

	if (span_eq(w, "-p")) {
		if (!title_next_word(&rest, &v))
			return;
	} else if (span_starts(w, "-p")) {
		v = span_of(w.ptr + 2, span_len(w) - 2);
	} else if (span_starts(w, "--port=")) {
		v = span_of(w.ptr + 7, span_len(w) - 7);
	} else if (span_starts(w, "port=")) {
		v = span_of(w.ptr + 5, span_len(w) - 5);
	} else {
		return;
	}
	if (!title_number(v, &port) || port > 65535)
		return;
	t->port = port;
	t->has_port = true;
}

/* The directory ends where the next option begins: it may hold blanks. */
static struct span up_to_option(struct span s)
{
	const char *p;

	s = title_trim(s);
	for (p = s.ptr; p + 1 < s.end; p++)
		if (title_is_blank(p[0]) && p[1] == '-')
			return title_trim(span_of(s.ptr, (size_t)(p - s.ptr)));
	return s;
}

void title_parse_command(struct title *t, struct span s)
{
	struct span w;
	const char *slash;
	const char *p;

	if (!title_next_word(&s, &w))
		return;
	for (slash = NULL, p = w.ptr; p < w.end; p++)
		if (*p == '/')
			slash = p;
	if (slash)
		w.ptr = slash + 1;
	if (!span_eq(w, "postgres") && !span_eq(w, "postmaster") &&
	    !span_eq(w, "edb-postgres"))
		return;
	while (title_next_word(&s, &w)) {
		if (is_no_server(w)) {
			*t = (struct title) { 0 };
			return;
		}
		parse_port_option(t, w, s);
		if (span_eq(w, "-D"))
			t->datadir = up_to_option(s);
		else if (span_starts(w, "-D"))
			t->datadir = up_to_option(span_of(w.ptr + 2,
			    (size_t)(s.end - w.ptr) - 2));
	}
	t->kind = TITLE_POSTMASTER;
	t->role = ROLE_POSTMASTER;
}
