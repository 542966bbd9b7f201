/* SPDX-License-Identifier: Apache-2.0 */
/*
 * normal.c - the classes of names.
 *
 * A name is scanned for pieces: places that may differ within a class, and what
 * stands for them.  The name with all pieces replaced is the class.  Of a class
 * its first name is kept, and which of its pieces differ in another name.
 */
#include "query/normal.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/buf.h"
#include "base/mem.h"

#define PIECES_MAX 64 /* of one name; places after them are not replaced */

struct piece {
	size_t at, len;
	const char *as; /* "{N}" */
};

struct pieces {
	struct piece piece[PIECES_MAX];
	size_t n;
};

struct class {
	char *key;
	char *first; /* a name of it */
	bool several; /* there is another one */
	uint64_t differs; /* bit per piece: not the same in all names */
	UT_hash_handle hh;
};

_Static_assert(PIECES_MAX <= 64, "class.differs has a bit per piece");

struct normal {
	enum normal_kind kind;
	char *glob[NORMAL_GLOBS_MAX];
	size_t n_glob;
	struct class *classes;
	size_t n_class;
	struct pieces scratch, other;
	struct buf key, text;
};

struct normal *normal_new(enum normal_kind kind)
{
	struct normal *n = gs_calloc(1, sizeof(*n));

	n->kind = kind;
	return n;
}

enum normal_kind normal_kind_of(const char *key)
{
	static const struct {
		const char *key;
		enum normal_kind kind;
	} of[] = {
		{ "command", NORMAL_COMMAND },
		{ "thread", NORMAL_COMMAND },
		{ "cgroup", NORMAL_CGROUP },
		{ "cgroup_cpu", NORMAL_CGROUP },
		{ "cgroup_memory", NORMAL_CGROUP },
	};
	size_t i;

	for (i = 0; i < GS_LEN(of); i++) {
		if (strcmp(of[i].key, key) == 0)
			return of[i].kind;
	}
	return NORMAL_NONE;
}

void normal_clear(struct normal *n)
{
	struct class *c, *tmp;

	HASH_ITER (hh, n->classes, c, tmp) {
		HASH_DEL(n->classes, c);
		free(c->key);
		free(c->first);
		free(c);
	}
	n->n_class = 0;
}

void normal_free(struct normal *n)
{
	if (!n)
		return;
	normal_clear(n);
	while (n->n_glob > 0)
		free(n->glob[--n->n_glob]);
	buf_release(&n->key);
	buf_release(&n->text);
	free(n);
}

int normal_flatten(struct normal *n, const char *glob, struct gs_err *err)
{
	size_t len = strlen(glob);

	if (len == 0 || len > NORMAL_GLOB_LEN_MAX)
		return gs_fail(err, GS_E_USAGE, "a glob has %zu bytes: expected "
		    "1 to %d", len, NORMAL_GLOB_LEN_MAX);
	if (n->n_glob == NORMAL_GLOBS_MAX)
		return gs_fail(err, GS_E_USAGE, "more than %d globs",
		    NORMAL_GLOBS_MAX);
	n->glob[n->n_glob++] = gs_strdup(glob);
	return GS_OK;
}

/* ---- pieces of a name --------------------------------------------------- */

static void add_piece(struct pieces *to, struct span name, const char *from,
	const char *end, const char *as)
{
	if (to->n < PIECES_MAX && from < end)
		to->piece[to->n++] = (struct piece) {
			(size_t)(from - name.ptr), (size_t)(end - from), as };
}

static bool is_digit(char c)
{
	return isdigit((unsigned char)c) != 0;
}

static bool is_hex(char c)
{
	return isxdigit((unsigned char)c) != 0;
}

static bool is_between(enum normal_kind kind, char c)
{
	static const char plain[] = ".-_/:@+[] \t\n\r\v\f";
	static const char more[] = "(),#=";

	return c != '\0' && (strchr(plain, c) ||
	    (kind == NORMAL_TITLE && strchr(more, c)));
}

static const char *skip(const char *p, const char *end, bool digits)
{
	while (p < end && is_digit(*p) == digits)
		p++;
	return p;
}

static void add_token(struct pieces *to, struct span name, struct span t)
{
	const char *digits = skip(t.ptr, t.end, false);
	const char *rest = skip(digits, t.end, true);
	const char *p = t.ptr;

	while (p < t.end && is_hex(*p))
		p++;
	if (digits == t.end)
		return; /* it has none */
	if (digits == t.ptr && rest == t.end)
		add_piece(to, name, t.ptr, t.end, "{N}");
	else if (p == t.end)
		add_piece(to, name, t.ptr, t.end, "{H}");
	else if (rest == t.end ||
	    (digits == t.ptr && skip(rest, t.end, false) == t.end))
		add_piece(to, name, digits, rest, "{N}");
}

#define UUID_LEN 36

/* The UUID whose first eight digits are before a separator; NULL: none. */
static const char *find_uuid(const char *from, const char *sep, const char *end)
{
	const char *p = sep - 8;
	size_t i;

	if (sep - from < 8 || end - p < UUID_LEN || (*sep != '-' && *sep != '_'))
		return NULL;
	for (i = 0; i < UUID_LEN; i++) {
		bool between = i == 8 || i == 13 || i == 18 || i == 23;

		if (between ? p[i] != *sep : !is_hex(p[i]))
			return NULL;
	}
	return end - p > UUID_LEN && is_hex(p[UUID_LEN]) ? NULL : p;
}

static void add_tokens(struct pieces *to, enum normal_kind kind,
	struct span name, struct span part)
{
	const char *p = part.ptr, *from, *uuid;

	while (p < part.end) {
		if (is_between(kind, *p)) {
			p++;
			continue;
		}
		for (from = p; p < part.end && !is_between(kind, *p);)
			p++;
		uuid = p < part.end ? find_uuid(from, p, part.end) : NULL;
		if (!uuid) {
			add_token(to, name, (struct span) { from, p });
			continue;
		}
		p = uuid + UUID_LEN;
		add_piece(to, name, uuid, p, "{UUID}");
	}
}

/* ---- systemd units and titles ------------------------------------------- */

/* The dot of "@id.service" at the end of a component; NULL: it is no unit. */
static const char *unit_dot(struct span part)
{
	static const char *const types[] = { ".service", ".socket", ".slice",
		".scope", ".mount", ".swap", ".timer", ".path", ".target",
		".device" };
	const char *dot = span_empty(part) ? NULL
	    : memrchr(part.ptr, '.', span_len(part));

	return dot && span_is_any((struct span) { dot, part.end }, types,
	    GS_LEN(types)) ? dot : NULL;
}

/* One component of a path. */
static void add_component(struct pieces *to, struct span name,
	struct span part)
{
	const char *dot = unit_dot(part);
	const char *at = dot ? memchr(part.ptr, '@', (size_t)(dot - part.ptr))
	                     : NULL;

	if (!at || at + 1 == dot) {
		add_tokens(to, NORMAL_CGROUP, name, part);
		return;
	}
	add_tokens(to, NORMAL_CGROUP, name, (struct span) { part.ptr, at });
	add_piece(to, name, at + 1, dot, "{I}");
}

static void add_path(struct pieces *to, struct span name)
{
	struct span rest = name, part;

	while (scan_until(&rest, '/', &part))
		add_component(to, name, part);
	add_component(to, name, rest);
}

/* Workers of a server whose names end in the database or client they serve. */
static void add_title(struct pieces *to, struct span name)
{
	static const char *const workers[] = { "autovacuum worker process ",
		"autovacuum worker ", "wal sender process ", "walsender " };
	const char *end = name.end;
	size_t i;

	for (i = 0; i < GS_LEN(workers) && end == name.end &&
	    span_starts(name, "postgres:"); i++) {
		size_t len = strlen(workers[i]);
		const char *p = memmem(name.ptr, span_len(name), workers[i],
		    len);

		end = p ? p + len : end;
	}
	add_tokens(to, NORMAL_TITLE, name, (struct span) { name.ptr, end });
	while (end < name.end && *end == ' ')
		end++;
	add_piece(to, name, end, name.end, "{I}");
}

static void find_pieces(const struct normal *n, struct span name,
	struct pieces *ret)
{
	ret->n = 0;
	if (span_len(name) > NORMAL_NAME_MAX)
		return;
	switch (n->kind) {
	case NORMAL_NONE:
		break;
	case NORMAL_COMMAND:
		add_tokens(ret, n->kind, name, name);
		break;
	case NORMAL_CGROUP:
		add_path(ret, name);
		break;
	case NORMAL_TITLE:
		add_title(ret, name);
		break;
	}
}

/* ---- classes ------------------------------------------------------------ */

/* Replaces the pieces whose bit is set. */
static void replace(struct buf *to, struct span name, const struct pieces *p,
	uint64_t which)
{
	size_t i, at = 0;

	buf_reset(to);
	for (i = 0; i < p->n; i++) {
		if (!(which >> i & 1))
			continue;
		buf_add(to, name.ptr + at, p->piece[i].at - at);
		buf_add_str(to, p->piece[i].as);
		at = p->piece[i].at + p->piece[i].len;
	}
	buf_add(to, name.ptr + at, span_len(name) - at);
}

/* The glob that matches; NULL: none. */
static const char *flattened(struct normal *n, struct span name)
{
	size_t i;

	if (n->n_glob == 0 || span_len(name) > NORMAL_NAME_MAX)
		return NULL;
	buf_reset(&n->text);
	buf_add(&n->text, name.ptr, span_len(name));
	for (i = 0; i < n->n_glob; i++) {
		if (fnmatch(n->glob[i], buf_str(&n->text), 0) == 0)
			return n->glob[i];
	}
	return NULL;
}

/* The class, in n->key; its pieces are in n->scratch. */
static struct class *class_of(struct normal *n, struct span name)
{
	struct class *c = NULL;

	find_pieces(n, name, &n->scratch);
	replace(&n->key, name, &n->scratch, UINT64_MAX);
	HASH_FIND(hh, n->classes, buf_str(&n->key), n->key.len, c);
	return c;
}

static void add_class(struct normal *n, struct span name)
{
	struct class *c;

	if (n->n_class == NORMAL_CLASSES_MAX)
		return;
	c = gs_calloc(1, sizeof(*c));
	c->key = gs_strndup(buf_str(&n->key), n->key.len);
	c->first = gs_strndup(name.ptr, span_len(name));
	HASH_ADD_KEYPTR(hh, n->classes, c->key, n->key.len, c);
	n->n_class++;
}

static bool is_same_piece(const struct class *c, const struct piece *a,
	struct span name, const struct piece *b)
{
	return a->len == b->len &&
	    memcmp(c->first + a->at, name.ptr + b->at, a->len) == 0;
}

void normal_add(struct normal *n, struct span name)
{
	const struct pieces *new = &n->scratch, *old = &n->other;
	struct class *c;
	size_t i;

	if (flattened(n, name))
		return;
	c = class_of(n, name);
	if (!c) {
		add_class(n, name);
		return;
	}
	if (span_eq(name, c->first))
		return;
	c->several = true;
	find_pieces(n, span_str(c->first), &n->other);
	for (i = 0; i < new->n && i < old->n; i++) {
		if (!is_same_piece(c, &old->piece[i], name, &new->piece[i]))
			c->differs |= UINT64_C(1) << i;
	}
}

const char *normal_class(struct normal *n, struct span name)
{
	const char *glob = flattened(n, name);

	if (glob)
		return glob;
	(void)class_of(n, name); /* makes the key */
	return buf_str(&n->key);
}

/* In n->text. */
static const char *show(struct normal *n, struct class *c)
{
	struct span first = span_str(c->first);

	if (!c->several)
		return c->first;
	if (n->kind != NORMAL_CGROUP)
		return c->key;
	find_pieces(n, first, &n->scratch);
	replace(&n->text, first, &n->scratch, c->differs);
	return buf_str(&n->text);
}

const char *normal_name(struct normal *n, struct span name)
{
	const char *glob = flattened(n, name);
	struct class *c;

	if (glob)
		return glob;
	c = class_of(n, name);
	if (c)
		return show(n, c);
	buf_reset(&n->text);
	buf_add(&n->text, name.ptr, span_len(name));
	return buf_str(&n->text);
}

const char *normal_shown(struct normal *n, const char *of_class)
{
	struct class *c = NULL;

	HASH_FIND(hh, n->classes, of_class, strlen(of_class), c);
	return c ? show(n, c) : of_class;
}
