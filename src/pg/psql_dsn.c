/* SPDX-License-Identifier: Apache-2.0 */
/*
 * psql_dsn.c - parameters of a connection, for psql: those of --dsn must be
 * taken apart, since our settings are added to them, and a password is not
 * given in arguments.
 *   host=/tmp port=5432 password='it\'s'
 *   postgresql://user:secret@host:5432/database?sslmode=require
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/scan.h"
#include "pg/psql_int.h"

struct list {
	PQconninfoOption *option;
	size_t n, cap;
};

void psql_conninfo_add(struct buf *b, const char *key, const char *value)
{
	buf_printf(b, "%s%s='", b->len ? " " : "", key);
	for (; *value; value++) {
		if (*value == '\'' || *value == '\\')
			buf_add_char(b, '\\');
		buf_add_char(b, *value);
	}
	buf_add_char(b, '\'');
}

/* The last has no keyword. */
static void add(struct list *l, struct span key, struct span value)
{
	GS_GROW(l->option, &l->cap, l->n + 2);
	l->option[l->n++] = (PQconninfoOption) {
		.keyword = gs_strndup(key.ptr, span_len(key)),
		.val = gs_strndup(value.ptr, span_len(value)) };
	l->option[l->n] = (PQconninfoOption) { 0 };
}

void psql_dsn_free(PQconninfoOption *list)
{
	PQconninfoOption *o;

	for (o = list; o && o->keyword; o++) {
		free(o->keyword);
		free(o->val);
	}
	free(list);
}

/* ---- key=value ---------------------------------------------------------- */

static void skip_spaces(struct span *s)
{
	while (!span_empty(*s) && strchr(" \t\n\r\f\v", *s->ptr))
		s->ptr++;
}

static bool scan_value(struct span *s, struct buf *to)
{
	bool quoted = scan_char(s, '\'');

	buf_reset(to);
	while (!span_empty(*s)) {
		if (quoted ? *s->ptr == '\''
		    : strchr(" \t\n\r\f\v", *s->ptr) != NULL)
			break;
		if (*s->ptr == '\\' && span_len(*s) > 1)
			s->ptr++;
		buf_add_char(to, *s->ptr++);
	}
	return !quoted || scan_char(s, '\'');
}

static const char *parse_pairs(struct list *l, struct span s)
{
	struct buf value = BUF_INIT;
	const char *why = NULL;

	for (skip_spaces(&s); !why && !span_empty(s); skip_spaces(&s)) {
		struct span key = { s.ptr, s.ptr };

		while (key.end < s.end && !strchr("= \t\n\r\f\v", *key.end))
			key.end++;
		s.ptr = key.end;
		skip_spaces(&s);
		if (!scan_char(&s, '=') || span_empty(key)) {
			why = "missing \"=\" in connection info string";
			break;
		}
		skip_spaces(&s);
		if (!scan_value(&s, &value))
			why = "unterminated quoted string in connection info "
			    "string";
		else
			add(l, key, span_of(buf_str(&value), value.len));
	}
	buf_release(&value);
	return why;
}

/* ---- URIs ---------------------------------------------------------------- */

static int hex_of(char c)
{
	const char *digits = "0123456789abcdef", *at;

	at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
	return at ? (int)(at - digits) : -1;
}

static const char *add_decoded(struct list *l, const char *key,
	struct span coded)
{
	struct buf b = BUF_INIT;
	const char *p;

	if (span_empty(coded))
		return NULL;
	for (p = coded.ptr; p < coded.end; p++) {
		int high, low;

		if (*p != '%') {
			buf_add_char(&b, *p);
			continue;
		}
		high = coded.end - p > 2 ? hex_of(p[1]) : -1;
		low = high >= 0 ? hex_of(p[2]) : -1;
		if (low < 0 || high + low == 0) {
			buf_release(&b);
			return "invalid percent-encoded token";
		}
		buf_add_char(&b, (char)(16 * high + low));
		p += 2;
	}
	add(l, span_str(key), span_of(buf_str(&b), b.len));
	buf_release(&b);
	return NULL;
}

/* The part of *s up to the character, which is skipped; all, without one. */
static struct span part(struct span *s, char until, bool *ret_found)
{
	const char *at = span_empty(*s) ? NULL
	    : memchr(s->ptr, until, span_len(*s));
	struct span head = { s->ptr, at ? at : s->end };

	*ret_found = at != NULL;
	s->ptr = at ? at + 1 : s->end;
	return head;
}

/* host, host:port, [address]:port; and several of them, with commas. */
static const char *parse_hosts(struct list *l, struct span all)
{
	struct buf hosts = BUF_INIT, ports = BUF_INIT;
	bool more = true, found, port = false;
	const char *why;

	while (more) {
		struct span one = part(&all, ',', &more), host;

		if (scan_char(&one, '[')) {
			host = part(&one, ']', &found);
			found = scan_char(&one, ':');
		} else {
			host = part(&one, ':', &found);
		}
		port |= found;
		buf_add(&hosts, host.ptr, span_len(host));
		buf_add(&ports, one.ptr, found ? span_len(one) : 0);
		if (more) {
			buf_add_char(&hosts, ',');
			buf_add_char(&ports, ',');
		}
	}
	why = add_decoded(l, "host", span_of(buf_str(&hosts), hosts.len));
	if (!why && port)
		why = add_decoded(l, "port", span_of(buf_str(&ports),
		    ports.len));
	buf_release(&hosts);
	buf_release(&ports);
	return why;
}

static const char *parse_query(struct list *l, struct span s)
{
	const char *why = NULL;
	bool more = !span_empty(s), found;

	while (more && !why) {
		struct span value = part(&s, '&', &more);
		struct span name = part(&value, '=', &found);
		char *key;

		if (!found || span_empty(name))
			return "missing \"=\" in URI query parameter";
		key = gs_strndup(name.ptr, span_len(name));
		why = add_decoded(l, strcmp(key, "ssl") == 0 ? "sslmode" : key,
		    value);
		free(key);
	}
	return why;
}

static const char *parse_uri(struct list *l, struct span s)
{
	bool found, at;
	struct span query, base = part(&s, '?', &found), user, name;
	const char *why = NULL, *sign = span_empty(base) ? NULL
	    : memchr(base.ptr, '@', span_len(base));
	const char *slash = span_empty(base) ? NULL
	    : memchr(base.ptr, '/', span_len(base));

	query = s;
	at = sign && (!slash || sign < slash);
	if (at) {
		user = part(&base, '@', &found);
		name = part(&user, ':', &found);
		why = add_decoded(l, "user", name);
		if (!why)
			why = add_decoded(l, "password", user);
	}
	if (!why)
		why = parse_hosts(l, part(&base, '/', &found));
	if (!why)
		why = add_decoded(l, "dbname", base);
	return why ? why : parse_query(l, query);
}

PQconninfoOption *psql_dsn_parse(const char *dsn, char **ret_why)
{
	static const char *const schemes[] = { "postgresql://",
		"postgres://" };
	struct list l = { 0 };
	const char *why = NULL;
	struct span s = span_str(dsn);
	size_t i;

	GS_GROW(l.option, &l.cap, 1);
	l.option[0] = (PQconninfoOption) { 0 };
	for (i = 0; i < 2 && !span_starts(s, schemes[i]); i++)
		;
	if (i < 2) {
		s.ptr += strlen(schemes[i]);
		why = parse_uri(&l, s);
	} else {
		why = parse_pairs(&l, s);
	}
	if (!why)
		return l.option;
	*ret_why = gs_strdup(why);
	psql_dsn_free(l.option);
	return NULL;
}
