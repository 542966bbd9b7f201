/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grouping_labels.c - groups with their labels; those of --group-by, whose keys are
 * texts, and classes of names.
 */
#include "query/grouping_int.h"

#include <string.h>

#include "base/mem.h"

struct group *grouping_group(const struct grouping *l, struct rollup *r,
	const struct row *row, const void *key, size_t len,
	struct label **ret)
{
	bool fresh;
	struct group *g = rollup_group(r, key, len, &fresh);

	if (fresh) {
		g->label = gs_calloc(1, sizeof(struct label));
		label_set_uid(g->label, l->from.w, row);
	}
	*ret = g->label;
	return g;
}

/* Replaces the name at the end of b by its class. */
static void put_class(struct normal *n, struct buf *b, size_t at)
{
	struct span name = span_of(buf_str(b) + at, b->len - at);
	const char *class;

	if (!n)
		return;
	normal_add(n, name);
	class = normal_class(n, name);
	b->len = at;
	buf_add_str(b, class);
}

bool grouping_is_of_session(enum label_kind k)
{
	return k == LABEL_SESSION || k == LABEL_QUERY || k == LABEL_PROCESS;
}

/* What the key is of is kept as long as the label. */
static void hold_subject(struct label *n, enum label_kind k,
	const struct label_row *of, struct query *q)
{
	if (!n->of && of->p && grouping_is_of_session(k)) {
		n->of = of->p->session;
		session_hold(n->of);
	}
	if (q && k == LABEL_QUERY) /* another one had the number before the range */
		label_set_query(n, q);
}

struct group *grouping_label_group(struct grouping *l, struct rollup *r,
	const struct row *row, struct query *q)
{
	const struct label_row of = label_row_of(&l->from, row);
	struct buf *b = &l->from.scratch;
	struct label *n;
	struct group *g;
	size_t at[LABEL_COUNT + 1], i;

	if (!of.p && !label_is_own(row->entity))
		return NULL;
	buf_reset(b);
	/* a label can't contain a NUL: it ends each */
	for (i = 0; i < l->n_key; i++) {
		at[i] = b->len;
		label_add_key(&l->from, b, l->key[i], &of, q);
		put_class(l->normal[l->key[i]], b, at[i]);
		buf_add_char(b, '\0');
	}
	at[i] = b->len;
	for (i = 0; i < l->n_key; i++)
		label_add_identifier(b, l->key[i], &of);
	g = grouping_group(l, r, row, b->ptr, b->len, &n);
	for (i = 0; i < l->n_key; i++) {
		hold_subject(n, l->key[i], &of, q);
		label_set_key(&l->from, n, l->key[i], span_of(b->ptr + at[i],
		    at[i + 1] - at[i] - 1), of.process);
		g->estimated |= label_is_guess(n, l->key[i], q);
	}
	return g;
}

/* A session of Greenplum that loses its executors goes on under another number. */
static bool session_stays(const struct label *n, const struct session *s,
	enum label_kind k)
{
	char name[SESSION_NAME_MAX];

	if (n->of != s)
		return false;
	if (k != LABEL_SESSION || s->kind != SESSION_GREENPLUM)
		return true;
	session_name(s, name);
	return strcmp(label_key(n, k), name) == 0;
}

static bool key_stays(const struct grouping *l, const struct label *n,
	enum label_kind k, const struct label_row *of)
{
	if (grouping_is_of_session(k))
		return session_stays(n, of->p->session, k);
	return !l->normal[k] && label_same(&l->from, k, of, label_key(n, k));
}

bool grouping_label_stays(const struct grouping *l, const struct label *n,
	const struct row *row, const struct proc *p)
{
	const struct label_row of = { row, row, p };
	const struct query *q = grouping_query(p);
	size_t i;

	if (!l->steady || !grouping_wants(l, p) || (n->of_query &&
	    (n->of_query != q || n->of_number != q->number)))
		return false;
	for (i = 0; i < l->n_key; i++) {
		if (!key_stays(l, n, l->key[i], &of))
			return false;
	}
	return true;
}

/* ---- classes of names --------------------------------------------------- */

void grouping_set_normal(struct grouping *l, const struct normal_ask *ask)
{
	size_t i, k;

	for (i = 0; i < l->n_key; i++) {
		enum label_kind key = l->key[i];
		bool globs = label_is_cgroup(key) && ask->n_glob > 0;

		if (l->normal[key] || (!globs &&
		    (!ask->on || normal_kind_of(label_name(key)) ==
		    NORMAL_NONE)))
			continue;
		l->normal[key] = normal_new(ask->on
		    ? normal_kind_of(label_name(key)) : NORMAL_NONE);
		for (k = 0; globs && k < ask->n_glob; k++)
			(void)normal_flatten(l->normal[key], ask->glob[k],
			    NULL); /* it is a good one */
	}
}

void grouping_add_names(struct grouping *l, enum label_kind k)
{
	struct buf *b = &l->from.scratch;
	const struct group *in;
	size_t i;

	normal_clear(l->normal[k]);
	for (i = 0; i < rollup_live(l->rollup); i++) {
		const struct row *row = rollup_live_row(l->rollup, i, &in);
		const struct label_row of = label_row_of(&l->from, row);

		if (row->closed || (!of.p && !label_is_own(row->entity)))
			continue;
		buf_reset(b);
		label_add_key(&l->from, b, k, &of, NULL);
		normal_add(l->normal[k], span_of(buf_str(b), b->len));
	}
}

const char *grouping_key(const struct grouping *l, const struct group *g,
	enum label_kind k)
{
	const char *key = label_key(g->label, k);

	return l->normal[k] && key ? normal_shown(l->normal[k], key) : key;
}

/* The key of grouping_label_group(): all texts, then all identifiers. */
struct group *grouping_above(const struct grouping *l, const struct group *g,
	const struct grouping *whole)
{
	const char *text = g->key, *end = text, *id, *id_end;
	struct buf key = BUF_INIT;
	struct group *above;
	size_t i;

	for (id = text, i = 0; i < l->n_key; i++) {
		id += strlen(id) + 1;
		end = i + 1 == whole->n_key ? id : end;
	}
	for (id_end = id, i = 0; i < whole->n_key; i++)
		id_end = label_skip_identifier(l->key[i], id_end);
	buf_add(&key, text, (size_t)(end - text));
	buf_add(&key, id, (size_t)(id_end - id));
	above = rollup_find(whole->rollup, key.ptr, key.len);
	buf_release(&key);
	return above;
}
