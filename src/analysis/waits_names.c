/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_names.c - the events and queries of samples, each stored once.
 */
#include <stdlib.h>

#include "analysis/waits_int.h"
#include "base/hash.h"
#include "base/mem.h"

/* Distinct queries of a range; further ones have no row of their own. */
#define QUERIES_MAX 20000

struct event_entry {
	struct wait_event event;
	char *key;
	UT_hash_handle hh;
};

struct query_entry {
	struct wait_query query;
	char *key;
	UT_hash_handle hh;
};

void wait_names_release(struct wait_names *n)
{
	struct event_entry *e, *e_next;
	struct query_entry *q, *q_next;

	HASH_ITER(hh, n->event, e, e_next) {
		HASH_DEL(n->event, e);
		free(e->event.class);
		free(e->event.event);
		free(e->key);
		free(e);
	}
	HASH_ITER(hh, n->query, q, q_next) {
		HASH_DEL(n->query, q);
		free(q->query.text);
		free(q->key);
		free(q);
	}
	buf_release(&n->key);
}

static bool is_event(const struct wait_event *e, const struct wait_what *what)
{
	return e->kind == what->kind && span_eq(what->event, e->event) &&
	    span_eq(what->class, e->class);
}

const struct wait_event *wait_names_event(struct wait_names *n,
	const struct wait_what *what, const struct wait_event *guess)
{
	struct event_entry *e;

	if (guess && is_event(guess, what))
		return guess;
	buf_reset(&n->key);
	buf_add_int(&n->key, (int)what->kind);
	buf_add_char(&n->key, ':');
	buf_add(&n->key, what->class.ptr, span_len(what->class));
	buf_add_char(&n->key, ':');
	buf_add(&n->key, what->event.ptr, span_len(what->event));
	HASH_FIND(hh, n->event, n->key.ptr, n->key.len, e);
	if (e)
		return &e->event;
	e = gs_calloc(1, sizeof(*e));
	e->event.kind = what->kind;
	e->event.class = gs_strndup(what->class.ptr, span_len(what->class));
	e->event.event = gs_strndup(what->event.ptr, span_len(what->event));
	e->key = gs_strndup(n->key.ptr, n->key.len);
	HASH_ADD_KEYPTR(hh, n->event, e->key, n->key.len, e);
	return &e->event;
}

static bool is_query(const struct wait_query *q, const struct wait_sample *l)
{
	return q->has_id == l->has_query_id && (q->has_id
	    ? q->id == l->query_id : span_eq(l->query, q->text));
}

struct wait_query *wait_names_query(struct wait_names *n,
	const struct wait_sample *l, struct wait_query *guess)
{
	struct query_entry *q;

	if (!l->has_query_id && span_empty(l->query))
		return NULL;
	if (guess && is_query(guess, l))
		return guess;
	buf_reset(&n->key);
	/* a text may consist of digits */
	buf_add_char(&n->key, l->has_query_id ? '#' : ':');
	if (l->has_query_id)
		buf_add_int(&n->key, l->query_id);
	else
		buf_add(&n->key, l->query.ptr, span_len(l->query));
	HASH_FIND(hh, n->query, n->key.ptr, n->key.len, q);
	if (q)
		return &q->query;
	if (HASH_COUNT(n->query) >= QUERIES_MAX)
		return NULL;
	q = gs_calloc(1, sizeof(*q));
	q->query.has_id = l->has_query_id;
	q->query.id = l->query_id;
	q->query.text = gs_strndup(l->query.ptr, span_len(l->query));
	q->key = gs_strndup(n->key.ptr, n->key.len);
	HASH_ADD_KEYPTR(hh, n->query, q->key, n->key.len, q);
	return &q->query;
}
