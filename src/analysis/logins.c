/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/logins.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct login {
	uint16_t len_bytes;
	uint8_t kinds; /* of enum login_kind */
	char name[];
};

/* There may be a list per process, of two names: a hash each would take more
 * than all that is known of the process. */
struct logins {
	struct login **by_name; /* sorted */
	size_t n_name, cap;
	size_t n; /* users and databases */
};

struct logins *logins_new(void)
{
	return gs_calloc(1, sizeof(struct logins));
}

void logins_free(struct logins *l)
{
	size_t i;

	for (i = 0; l && i < l->n_name; i++)
		free(l->by_name[i]);
	if (l)
		free(l->by_name);
	free(l);
}

size_t logins_count(const struct logins *l)
{
	return l->n;
}

/* By length first. */
static int compare(const struct login *k, struct span name)
{
	if (k->len_bytes != span_len(name))
		return k->len_bytes < span_len(name) ? -1 : 1;
	return memcmp(k->name, name.ptr, k->len_bytes);
}

/* Its index, or where it would be inserted; *ret: NULL if it is not in the
 * list. */
static size_t find(const struct logins *l, struct span name,
	struct login **ret)
{
	size_t lo = 0, hi = l->n_name;

	*ret = NULL;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int r = compare(l->by_name[mid], name);

		if (r == 0) {
			*ret = l->by_name[mid];
			return mid;
		}
		if (r < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Doubles from two on: most lists have a user and a database. */
static void make_room(struct logins *l)
{
	if (l->n_name < l->cap)
		return;
	l->cap = l->cap ? 2 * l->cap : 2;
	l->by_name = gs_realloc(l->by_name, l->cap * sizeof(struct login *));
}

static struct login *insert(struct logins *l, size_t at, struct span name)
{
	struct login *k = gs_malloc(sizeof(*k) + span_len(name));

	k->len_bytes = (uint16_t)span_len(name);
	k->kinds = 0;
	memcpy(k->name, name.ptr, span_len(name));
	make_room(l);
	memmove(&l->by_name[at + 1], &l->by_name[at],
	    (l->n_name - at) * sizeof(struct login *));
	l->by_name[at] = k;
	l->n_name++;
	return k;
}

bool logins_add(struct logins *l, enum login_kind kind, struct span name)
{
	struct login *k;
	size_t at;

	if (span_empty(name) || span_len(name) > LOGIN_BYTES_MAX)
		return false;
	at = find(l, name, &k);
	if ((k && k->kinds & kind) || l->n == LOGINS_MAX)
		return false;
	if (!k)
		k = insert(l, at, name);
	k->kinds |= (uint8_t)kind;
	l->n++;
	return true;
}

/* The text before a colon may be the server's name or a user's. */
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
		struct login *k;

		if (!of[i])
			continue;
		(void)find(of[i], name, &k);
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
