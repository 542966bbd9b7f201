/* SPDX-License-Identifier: Apache-2.0 */
#include "web/tally.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/mem.h"

struct entry {
	struct tally s;
	UT_hash_handle hh;
};

struct tally_table {
	struct entry *all;
	struct tally **list; /* made when it is asked for */
	size_t n_list, cap;
	bool stale;
	struct tally rest;
	size_t most;
	uint64_t tick;
};

struct tally_table *tally_new(size_t most, const char *rest)
{
	struct tally_table *t = gs_calloc(1, sizeof(*t));

	t->most = most;
	t->rest.labels = gs_strdup(rest);
	t->rest.len = strlen(rest);
	return t;
}

static void drop(struct tally_table *t, struct entry *e)
{
	HASH_DEL(t->all, e);
	free(e->s.labels);
	free(e);
	t->n_list = 0;
	t->stale = true;
}

void tally_free(struct tally_table *t)
{
	struct entry *e, *next;

	if (!t)
		return;
	HASH_ITER(hh, t->all, e, next)
		drop(t, e);
	free(t->list);
	free(t->rest.labels);
	free(t);
}

static struct tally *add(struct tally_table *t, const char *labels,
	size_t len)
{
	struct entry *e;

	t->stale = true;
	if (HASH_COUNT(t->all) >= t->most)
		return &t->rest;
	e = gs_calloc(1, sizeof(*e));
	e->s.labels = gs_strndup(labels, len);
	e->s.len = len;
	HASH_ADD_KEYPTR(hh, t->all, e->s.labels, len, e);
	return &e->s;
}

struct tally *tally_at(struct tally_table *t, const char *labels,
	size_t len, uint64_t *ret_before)
{
	struct tally *s;
	struct entry *e;

	HASH_FIND(hh, t->all, labels, len, e);
	s = e ? &e->s : add(t, labels, len);
	*ret_before = s->tick;
	s->tick = t->tick;
	return s;
}

void tally_tick(struct tally_table *t, bool current)
{
	struct entry *e, *next;

	HASH_ITER(hh, t->all, e, next) {
		if (current && e->s.tick < t->tick)
			drop(t, e);
	}
	t->tick++;
}

uint64_t tally_now(const struct tally_table *t)
{
	return t->tick;
}

static void make_list(struct tally_table *t)
{
	struct entry *e, *next;

	GS_GROW(t->list, &t->cap, HASH_COUNT(t->all) + 1);
	t->n_list = 0;
	HASH_ITER(hh, t->all, e, next)
		t->list[t->n_list++] = &e->s;
	if (t->rest.tick > 0)
		t->list[t->n_list++] = &t->rest;
	t->stale = false;
}

size_t tally_count(const struct tally_table *t)
{
	struct tally_table *own = (struct tally_table *)(uintptr_t)t;

	if (t->stale)
		make_list(own);
	return t->n_list;
}

const struct tally *tally_get(const struct tally_table *t, size_t i)
{
	return t->list[i];
}
