/* SPDX-License-Identifier: Apache-2.0 */
#include "query/statement.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/mem.h"
#include "base/sqlshape.h"

/* Texts whose shape is remembered; then all are forgotten. */
#define TEXTS_MAX 65536u

/* A server does not know the id of a query yet while it waits for a lock in parse
 * analysis.  So one without an id is the one with an id that has its text. */
struct entry {
	struct statement is;
	bool has_text; /* is in by_text */
	UT_hash_handle hh; /* by is.id */
	UT_hash_handle by_text; /* of one text the first */
};

/* A text as it was recorded. */
struct seen {
	char *text;
	const struct entry *of;
	UT_hash_handle hh;
};

struct statements {
	struct entry *ids, *texts;
	struct seen *seen;
	uint64_t n;
	struct entry others;
	struct buf shape; /* scratch */
};

struct statements *statements_new(void)
{
	struct statements *s = gs_calloc(1, sizeof(*s));

	s->others.is.key = ++s->n;
	s->others.is.text = gs_strdup("(others)");
	return s;
}

static void forget_texts(struct statements *s)
{
	struct seen *t, *next;

	HASH_ITER(hh, s->seen, t, next) {
		HASH_DEL(s->seen, t);
		free(t->text);
		free(t);
	}
}

static void entry_free(struct entry *e)
{
	free(e->is.text);
	free(e);
}

void statements_free(struct statements *s)
{
	struct entry *e, *next;

	if (!s)
		return;
	forget_texts(s);
	HASH_ITER(hh, s->ids, e, next) {
		HASH_DELETE(hh, s->ids, e);
		if (!e->has_text)
			entry_free(e);
	}
	HASH_ITER(by_text, s->texts, e, next) {
		HASH_DELETE(by_text, s->texts, e);
		entry_free(e);
	}
	free(s->others.is.text);
	buf_release(&s->shape);
	free(s);
}

static struct entry *entry_new(struct statements *s)
{
	struct entry *e;

	if (s->n >= STATEMENTS_MAX)
		return NULL;
	e = gs_calloc(1, sizeof(*e));
	e->is.key = ++s->n;
	e->is.text = gs_strndup(buf_str(&s->shape), s->shape.len);
	return e;
}

/* The one of the text in s->shape, or NULL. */
static struct entry *of_shape(const struct statements *s)
{
	struct entry *e;

	HASH_FIND(by_text, s->texts, s->shape.ptr, s->shape.len, e);
	return e;
}

static void add_text(struct statements *s, struct entry *e)
{
	HASH_ADD_KEYPTR(by_text, s->texts, e->is.text, s->shape.len, e);
	e->has_text = true;
}

/* Of a new id: the entry that had its text and no id, else a new one. */
static struct entry *entry_of_id(struct statements *s)
{
	struct entry *e = s->shape.len > 0 ? of_shape(s) : NULL;
	bool is_known = e != NULL, is_text = s->shape.len > 0;

	if (e && !e->is.has_id)
		return e;
	e = entry_new(s);
	if (e && is_text && !is_known)
		add_text(s, e);
	return e;
}

static void name_by_id(struct entry *e, int64_t id)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "(query id %" PRId64 ")", id);
	free(e->is.text);
	e->is.text = gs_strndup(buf_str(&b), b.len);
	buf_release(&b);
}

static const struct entry *by_id(struct statements *s, int64_t id,
	struct span text)
{
	struct entry *e;

	HASH_FIND(hh, s->ids, &id, sizeof(id), e);
	if (e)
		return e;
	buf_reset(&s->shape);
	sqlshape(text.ptr, span_len(text), &s->shape);
	e = entry_of_id(s);
	if (!e)
		return &s->others;
	if (s->shape.len == 0)
		name_by_id(e, id);
	e->is.id = id;
	e->is.has_id = true;
	HASH_ADD(hh, s->ids, is.id, sizeof(e->is.id), e);
	return e;
}

static const struct entry *by_shape(struct statements *s, struct span text)
{
	struct entry *e;

	buf_reset(&s->shape);
	sqlshape(text.ptr, span_len(text), &s->shape);
	if (s->shape.len == 0)
		return NULL;
	e = of_shape(s);
	if (e)
		return e;
	e = entry_new(s);
	if (!e)
		return &s->others;
	add_text(s, e);
	return e;
}

static const struct entry *by_text(struct statements *s, struct span text)
{
	const struct entry *e;
	struct seen *t;

	HASH_FIND(hh, s->seen, text.ptr, span_len(text), t);
	if (t)
		return t->of;
	e = by_shape(s, text);
	if (!e)
		return NULL;
	if (HASH_COUNT(s->seen) >= TEXTS_MAX)
		forget_texts(s);
	t = gs_calloc(1, sizeof(*t));
	t->text = gs_strndup(text.ptr, span_len(text));
	t->of = e;
	HASH_ADD_KEYPTR(hh, s->seen, t->text, span_len(text), t);
	return e;
}

static const struct statement *find(struct statements *s, bool has_id,
	int64_t id, struct span text)
{
	const struct entry *e = has_id ? by_id(s, id, text)
	    : span_empty(text) ? NULL : by_text(s, text);

	return e ? &e->is : NULL;
}

const struct statement *statement_of_query(struct statements *s,
	const struct query *q)
{
	return find(s, q->has_id, q->id, query_text(q));
}

const struct statement *statement_of_session(struct statements *s,
	const struct session *n)
{
	return find(s, n->has_query_id, n->query_id, span_str(n->text));
}

const struct statement *statement_of_tick(struct statements *s,
	const struct world *w, const struct session *n)
{
	if (n->query)
		return statement_of_query(s, n->query);
	return n->ran_tick == world_ticks(w) ? statement_of_session(s, n) : NULL;
}
