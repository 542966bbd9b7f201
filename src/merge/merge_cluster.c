/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_cluster.c - identifies the database clusters of the sources: by their
 * catalogs, or by the hosts of the leading processes of sessions.
 */
#include "merge/merge_int.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/mem.h"
#include "title/title.h"

bool merge_differ(struct span a, struct span b)
{
	return !span_empty(a) && !span_empty(b) &&
	    (span_len(a) != span_len(b) ||
	    memcmp(a.ptr, b.ptr, span_len(a)) != 0);
}

static int refuse(const struct input *a, const struct input *b,
	struct gs_err *err)
{
	return gs_fail(err, GS_E_USAGE, "%s and %s are of two database "
	    "clusters at the same time, whose sessions would be mixed up: "
	    "merge other rows with --entities host,cpu,disk,...",
	    input_name(a), input_name(b));
}

/* True if b does not ask a server that a knows, whose processes look like
 * those of another server. */
static bool has_foreign(const struct merge *m, const struct input *a,
	const struct input *b)
{
	size_t i, k;

	for (i = 0; i < a->n_host; i++) {
		bool there = false;

		if (!a->host[i].is_known || !a->host[i].seen ||
		    !m->host[a->host[i].out].catalog ||
		    m->host[a->host[i].out].server.is_clear)
			continue;
		for (k = 0; k < b->n_host; k++)
			there |= b->host[k].is_known &&
			    b->host[k].out == a->host[i].out;
		if (!there)
			return true;
	}
	return false;
}

/* A server that did not answer yet may be any. */
static bool has_unknown(const struct merge *m, const struct input *l)
{
	size_t i;

	for (i = 0; i < world_hosts(l->filter.world); i++) {
		const struct input_host *b = i < l->n_host ? &l->host[i] : NULL;

		if (world_host(l->filter.world, i)->catalog && (!b ||
		    !b->is_known || !m->host[b->out].server.known))
			return true;
	}
	return false;
}

/* Hosts are identified by name, so a server that only one recorder asks may be
 * mistaken for one that another asks. */
int merge_check_clusters(struct merge *m, struct gs_err *err)
{
	size_t i, k;

	for (i = 0; m->opt.sessions && i < m->n_input; i++) {
		const struct input *a = m->input[i];

		for (k = i + 1; a->joined && k < m->n_input; k++) {
			const struct input *b = m->input[k];

			if (input_covers(b, m->aligned.at_ns) &&
			    has_foreign(m, a, b) && has_foreign(m, b, a) &&
			    !has_unknown(m, a) && !has_unknown(m, b))
				return refuse(a, b, err);
		}
	}
	return GS_OK;
}

/* ---- without a catalog ------------------------------------------------- */

/* A server of a host, and its name in titles. */
struct named {
	uint64_t pid; /* of the postmaster, or the parent */
	struct title_names names;
	UT_hash_handle hh;
};

static struct named *named_of(struct named **all, const struct row *r)
{
	struct named *n = NULL;
	uint64_t pid = 0;

	if (!row_get(r, COL(PROCESS, POSTMASTER), &pid) || pid == 0)
		(void)row_get(r, COL(PROCESS, PPID), &pid); /* 0: absent */
	HASH_FIND(hh, *all, &pid, sizeof(pid), n);
	if (n)
		return n;
	n = gs_calloc(1, sizeof(*n));
	n->pid = pid;
	HASH_ADD(hh, *all, pid, sizeof(n->pid), n);
	return n;
}

static void named_free(struct named **all)
{
	struct named *n, *next;

	HASH_ITER (hh, *all, n, next) {
		HASH_DEL(*all, n);
		free(n);
	}
}

/* Sessions are led by processes of a coordinator. */
static void note_leader(struct input *l, const struct row *r, size_t out,
	const struct title_names *names)
{
	struct title t;

	title_parse_named(row_text(l->filter.world, r, COL(PROCESS, TITLE)),
	    names, &t);
	if (t.kind != TITLE_QD || !t.has_session)
		return;
	GS_GROW(l->led, &l->led_cap, l->n_led + 1);
	l->led[l->n_led++] = (struct led) { t.session, out };
}

/* Names of servers first: without them background processes resemble
 * leaders. */
static void find_leaders_on(struct input *l, const struct host *h, size_t out)
{
	const struct table *t = &h->table[ENTITY_PROCESS];
	struct named *all = NULL;
	size_t k;

	for (k = 0; k < t->n_slot; k++) {
		if (t->slot[k])
			(void)title_learn(&named_of(&all, t->slot[k])->names,
			    row_text(l->filter.world, t->slot[k],
			    COL(PROCESS, TITLE))); /* or it is not known */
	}
	for (k = 0; k < t->n_slot; k++) {
		if (t->slot[k])
			note_leader(l, t->slot[k], out,
			    &named_of(&all, t->slot[k])->names);
	}
	named_free(&all);
}

static void find_leaders(struct input *l)
{
	size_t i;

	l->n_led = 0;
	for (i = 0; i < l->n_host; i++) {
		if (l->host[i].is_known)
			find_leaders_on(l, world_host(l->filter.world, i),
			    l->host[i].out);
	}
}

/* Sessions of a cluster are led on one host, and have unique numbers. */
static int compare(struct merge *m, const struct input *a,
    const struct input *b, struct gs_err *err)
{
	struct buf note = BUF_INIT;
	bool apart = false;
	size_t i, k;

	for (i = 0; i < a->n_led; i++) {
		for (k = 0; k < b->n_led; k++) {
			if (a->led[i].out == b->led[k].out)
				continue;
			apart = true;
			if (a->led[i].session == b->led[k].session)
				return refuse(a, b, err);
		}
	}
	if (!apart)
		return GS_OK;
	buf_printf(&note, "%s and %s have coordinators on different hosts: if "
	    "they are of two clusters, processes of segments may count for a "
	    "session of the other one", input_name(a), input_name(b));
	merge_add_note(m, note.ptr);
	return GS_OK;
}

int merge_check_coordinators(struct merge *m, struct gs_err *err)
{
	size_t i, k;
	int r = GS_OK;

	for (i = 0; m->opt.sessions && i < m->n_input; i++) {
		struct input *l = m->input[i];

		if (!l->joined || !l->held->key)
			continue;
		find_leaders(l);
		for (k = 0; r == GS_OK && k < m->n_input; k++) {
			if (k != i &&
			    input_covers(m->input[k], m->aligned.at_ns))
				r = compare(m, m->input[GS_MIN(i, k)],
				    m->input[GS_MAX(i, k)], err);
		}
	}
	return r;
}
