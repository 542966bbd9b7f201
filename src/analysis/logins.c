/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/logins.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/mem.h"

struct login {
	unsigned kinds; /* of enum login_kind */
	UT_hash_handle hh;
	char name[];
};

struct logins {
	struct login *by_name;
	size_t n;
};

struct logins *logins_new(void)
{
	return gs_calloc(1, sizeof(struct logins));
}

void logins_clear(struct logins *l)
{
	struct login *k, *next;

	HASH_ITER (hh, l->by_name, k, next) {
		HASH_DEL(l->by_name, k);
		free(k);
	}
	l->n = 0;
}

void logins_free(struct logins *l)
{
	if (!l)
		return;
	logins_clear(l);
	free(l);
}

size_t logins_count(const struct logins *l)
{
	return l->n;
}

static struct login *find(const struct logins *l, struct span name)
{
	struct login *k = NULL;

	if (l)
		HASH_FIND(hh, l->by_name, name.ptr, span_len(name), k);
	return k;
}

bool logins_add(struct logins *l, enum login_kind kind, struct span name)
{
	struct login *k;

	if (span_empty(name) || span_len(name) > LOGIN_BYTES_MAX)
		return false;
	k = find(l, name);
	if ((k && k->kinds & kind) || l->n == LOGINS_MAX)
		return false;
	if (!k) {
		k = gs_calloc(1, sizeof(*k) + span_len(name));
		memcpy(k->name, name.ptr, span_len(name));
		HASH_ADD_KEYPTR(hh, l->by_name, k->name, span_len(name), k);
	}
	k->kinds |= kind;
	l->n++;
	return true;
}

/* What stands before a colon may be the server's name or a user's. */
static bool is_sure(const struct title_names *names, const struct title *t)
{
	return !span_empty(t->client) && !t->split &&
	    (names->known || span_empty(t->cluster));
}

bool logins_learn(struct logins *l, const struct title_names *names,
	const struct title *t)
{
	bool any;

	if (t->role == ROLE_AUTOVAC_WORKER)
		return logins_add(l, LOGIN_DATABASE, t->database);
	if (!is_sure(names, t) || span_empty(t->user) ||
	    span_empty(t->database))
		return false;
	any = logins_add(l, LOGIN_USER, t->user);
	any |= logins_add(l, LOGIN_DATABASE, t->database);
	return any;
}

static bool is_known(const struct logins *const *of, size_t n,
	enum login_kind kind, struct span name)
{
	size_t i;

	if (span_empty(name) || span_len(name) > LOGIN_BYTES_MAX)
		return false;
	for (i = 0; i < n; i++) {
		const struct login *k = find(of[i], name);

		if (k && k->kinds & kind)
			return true;
	}
	return false;
}

bool logins_split(const struct logins *const *of, size_t n, struct title *t)
{
	struct span all = t->user_db;
	const char *p, *found = NULL;

	if (t->role != ROLE_CLIENT || span_empty(all) || !span_empty(t->user))
		return false;
	for (p = all.ptr; p < all.end && p - all.ptr <= LOGIN_BYTES_MAX; p++) {
		if (*p != ' ' ||
		    !is_known(of, n, LOGIN_USER, span_of(all.ptr,
		    (size_t)(p - all.ptr))) ||
		    !is_known(of, n, LOGIN_DATABASE, span_of(p + 1,
		    (size_t)(all.end - p - 1))))
			continue;
		if (found)
			return false;
		found = p;
	}
	if (!found)
		return false;
	t->user = span_of(all.ptr, (size_t)(found - all.ptr));
	t->database = span_of(found + 1, (size_t)(all.end - found - 1));
	return t->split = true;
}

void logins_unsplit(struct title *t)
{
	if (!t->split)
		return;
	t->user = t->database = (struct span) { 0 };
	t->split = false;
}
