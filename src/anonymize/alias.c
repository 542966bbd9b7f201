/* SPDX-License-Identifier: Apache-2.0 */
#include "anonymize/alias.h"

#include <inttypes.h>
#include <stdlib.h>

#include <uthash.h>

#include "base/mem.h"

struct entry {
	struct alias alias;
	char *key; /* the kind, then the name */
	UT_hash_handle hh;
};

struct aliases {
	struct entry *by_name;
	struct entry **all;
	size_t n, cap;
	struct entry **of_kind[ALIAS_KIND_COUNT]; /* by number - 1 */
	size_t n_of[ALIAS_KIND_COUNT], cap_of[ALIAS_KIND_COUNT];
};

/* Objects occur in query texts, where - is an operator. */
static const char *const prefixes[ALIAS_KIND_COUNT] = {
	[ALIAS_USER] = "user-",
	[ALIAS_DATABASE] = "db-",
	[ALIAS_LOGIN] = "login-",
	[ALIAS_HOST] = "host-",
	[ALIAS_DOMAIN] = "domain-",
	[ALIAS_ADDRESS] = "addr-",
	[ALIAS_APPLICATION] = "app-",
	[ALIAS_OBJECT] = "obj_",
	[ALIAS_GROUP] = "group-",
	[ALIAS_CLUSTER] = "cluster-",
	[ALIAS_DIRECTORY] = "dir-",
	[ALIAS_DEVICE] = "dev-",
	[ALIAS_PROGRAM] = "prog-",
	[ALIAS_BOOT] = "boot-",
	[ALIAS_WORD] = "word-",
};

struct aliases *aliases_new(void)
{
	return gs_calloc(1, sizeof(struct aliases));
}

void aliases_free(struct aliases *a)
{
	struct entry *e, *next;
	int k;

	if (!a)
		return;
	HASH_ITER(hh, a->by_name, e, next) {
		HASH_DEL(a->by_name, e);
		free(e->key);
		free(e);
	}
	for (k = 0; k < ALIAS_KIND_COUNT; k++)
		free(a->of_kind[k]);
	free(a->all);
	free(a);
}

static struct entry *find(const struct aliases *a, enum alias_kind kind,
	struct span name)
{
	struct buf key = BUF_INIT;
	struct entry *e;

	buf_add_char(&key, (char)kind);
	buf_add(&key, name.ptr, span_len(name));
	HASH_FIND(hh, a->by_name, key.ptr, key.len, e);
	buf_release(&key);
	return e;
}

static struct entry *add(struct aliases *a, enum alias_kind kind,
	struct span name)
{
	struct entry *e = gs_calloc(1, sizeof(*e));
	size_t len = span_len(name), n = a->n_of[kind];

	e->key = gs_malloc(len + 1);
	e->key[0] = (char)kind;
	if (len > 0)
		memcpy(e->key + 1, name.ptr, len);
	e->alias = (struct alias) { kind, (uint32_t)n + 1,
		span_of(e->key + 1, len) };
	HASH_ADD_KEYPTR(hh, a->by_name, e->key, len + 1, e);
	GS_GROW(a->all, &a->cap, a->n + 1);
	a->all[a->n++] = e;
	GS_GROW(a->of_kind[kind], &a->cap_of[kind], n + 1);
	a->of_kind[kind][a->n_of[kind]++] = e;
	return e;
}

void alias_write(enum alias_kind kind, uint32_t number, struct buf *to)
{
	buf_printf(to, "%s%" PRIu32, prefixes[kind], number);
}

void alias_put(struct aliases *a, enum alias_kind kind, struct span name,
	struct buf *to)
{
	struct entry *e = find(a, kind, name);

	if (!e && a->n_of[kind] < ALIAS_MAX &&
	    span_len(name) <= ALIAS_NAME_MAX)
		e = add(a, kind, name);
	alias_write(kind, e ? e->alias.number : 0, to);
}

bool alias_put_known(const struct aliases *a, struct span name,
	struct buf *to)
{
	int k;

	for (k = 0; k < ALIAS_KIND_COUNT; k++) {
		const struct entry *e = find(a, (enum alias_kind)k, name);

		if (!e)
			continue;
		alias_write(e->alias.kind, e->alias.number, to);
		return true;
	}
	return false;
}

bool alias_scan(struct span *s, enum alias_kind *ret_kind,
	uint32_t *ret_number)
{
	uint64_t number;
	int k;

	for (k = 0; k < ALIAS_KIND_COUNT; k++) {
		struct span t = *s;

		if (!span_starts(t, prefixes[k]))
			continue;
		t.ptr += strlen(prefixes[k]);
		if (span_empty(t) || *t.ptr < '1' || *t.ptr > '9' ||
		    !scan_u64(&t, &number) || number > ALIAS_MAX)
			return false;
		*ret_kind = (enum alias_kind)k;
		*ret_number = (uint32_t)number;
		*s = t;
		return true;
	}
	return false;
}

const struct alias *alias_get(const struct aliases *a, enum alias_kind kind,
	uint32_t number)
{
	if (number == 0 || number > a->n_of[kind])
		return NULL;
	return &a->of_kind[kind][number - 1]->alias;
}

size_t aliases_count(const struct aliases *a)
{
	return a->n;
}

const struct alias *alias_at(const struct aliases *a, size_t i)
{
	return &a->all[i]->alias;
}

bool alias_restore(struct aliases *a, enum alias_kind kind, uint32_t number,
	struct span name)
{
	if (number != a->n_of[kind] + 1 || number > ALIAS_MAX ||
	    span_len(name) > ALIAS_NAME_MAX || find(a, kind, name))
		return false;
	(void)add(a, kind, name);
	return true;
}
