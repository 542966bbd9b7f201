/* SPDX-License-Identifier: Apache-2.0 */
/*
 * anon_title.c - titles of database processes.
 *
 * Names in the title get the same pseudonyms as elsewhere; of the rest only
 * known words stay.  The result is parsed again: if it does not describe the
 * process as before, it is not used.
 */
#include "anonymize/anon_int.h"
#include "base/compiler.h"
#include "title/title.h"

/* Names of a title. */
#define PIECES_MAX 6

struct piece {
	struct span s;
	anon_fn *put;
};

static void put_login(struct aliases *a, struct span s, struct buf *to)
{
	alias_put(a, ALIAS_LOGIN, s, to);
}

/* "(40836)" at the end; the empty end if there is none. */
static struct span port_of(struct span s)
{
	const char *open = memchr(s.ptr, '(', span_len(s));

	if (!open || s.end[-1] != ')' || s.end - open < 3 ||
	    !anon_is_number(span_of(open + 1, (size_t)(s.end - open - 2))))
		return span_of(s.end, 0);
	return span_of(open, (size_t)(s.end - open));
}

/* "[local]", "host(port)", "address". */
static void put_client(struct aliases *a, struct span s, struct buf *to)
{
	struct span port = port_of(s);

	if (span_eq(s, "[local]")) {
		buf_add_str(to, "[local]");
		return;
	}
	anon_place(a, span_of(s.ptr, (size_t)(port.ptr - s.ptr)), to);
	buf_add(to, port.ptr, span_len(port));
}

static void put_words(struct aliases *a, struct span s, struct buf *to)
{
	anon_words(a, s, ANON_TITLE, to);
}

/* The title names no client: the number of its words identifies it. */
static bool is_counted_by_words(const struct title *t)
{
	return t->kind == TITLE_BACKEND && span_empty(t->client);
}

static void insert(struct piece *p, size_t *n, struct span s, anon_fn *put)
{
	size_t i;

	if (span_empty(s))
		return;
	for (i = *n; i > 0 && p[i - 1].s.ptr > s.ptr; i--)
		p[i] = p[i - 1];
	p[i] = (struct piece) { s, put };
	(*n)++;
}

static size_t find_pieces(const struct title *t, struct piece *p)
{
	size_t n = 0;

	insert(p, &n, t->cluster, anon_cluster);
	insert(p, &n, t->user, anon_user);
	insert(p, &n, t->database, anon_database);
	if (span_empty(t->user))
		insert(p, &n, t->user_db,
		    is_counted_by_words(t) ? put_words
		    : memchr(t->user_db.ptr ? t->user_db.ptr : "", ' ',
		    span_len(t->user_db)) ? put_login : anon_user);
	insert(p, &n, t->client, put_client);
	insert(p, &n, t->datadir, anon_path);
	return n;
}

static bool same_figures(const struct title *a, const struct title *b)
{
	return a->has_port == b->has_port && a->port == b->port &&
	    a->has_session == b->has_session && a->session == b->session &&
	    a->has_seg == b->has_seg && a->seg == b->seg &&
	    a->has_cmd == b->has_cmd && a->cmd == b->cmd &&
	    a->has_slice == b->has_slice && a->slice == b->slice &&
	    a->has_leader == b->has_leader && a->leader_pid == b->leader_pid;
}

static bool same_parts(const struct title *a, const struct title *b)
{
	return span_empty(a->cluster) == span_empty(b->cluster) &&
	    span_empty(a->user) == span_empty(b->user) &&
	    span_empty(a->user_db) == span_empty(b->user_db) &&
	    span_empty(a->database) == span_empty(b->database) &&
	    span_empty(a->client) == span_empty(b->client) &&
	    span_empty(a->name) == span_empty(b->name);
}

static bool is_equivalent(const struct title *was, struct span now)
{
	struct title t;

	title_parse(now, &t);
	return t.kind == was->kind && t.role == was->role &&
	    t.state == was->state && same_figures(was, &t) &&
	    same_parts(was, &t);
}

bool anon_parsed_title(struct aliases *a, struct span s,
	const struct title *t, struct buf *to)
{
	struct piece piece[PIECES_MAX];
	const char *at = s.ptr;
	size_t i, n, from = to->len;

	n = find_pieces(t, piece);
	for (i = 0; i < n; i++) {
		if (piece[i].s.ptr < at)
			continue; /* within the previous one */
		put_words(a, span_of(at, (size_t)(piece[i].s.ptr - at)), to);
		piece[i].put(a, piece[i].s, to);
		at = piece[i].s.end;
	}
	put_words(a, span_of(at, (size_t)(s.end - at)), to);
	return is_equivalent(t, span_of(to->ptr + from, to->len - from));
}

bool anon_title(struct aliases *a, struct span s, struct buf *to)
{
	struct title t;

	title_parse(s, &t);
	return anon_parsed_title(a, s, &t, to);
}
