/* SPDX-License-Identifier: Apache-2.0 */
#include "query/serverkey.h"

#include <stdlib.h>

#include <uthash.h>

#include "analysis/instances.h"
#include "base/mem.h"

/* A postmaster. */
struct serverkey_entry {
	struct { uint64_t host, boot, pid; } key;
	struct serverkey is;
	UT_hash_handle hh;
};

/* The current or last owner of a host's port. */
struct serverkey_holder {
	struct { uint64_t host, port; } key;
	uint64_t pid;
	char *datadir; /* "": not known */
	struct serverkey is;
	UT_hash_handle hh;
};

void serverkeys_release(struct serverkeys *k)
{
	struct serverkey_entry *e, *e_next;
	struct serverkey_holder *h, *h_next;

	HASH_ITER(hh, k->by_pid, e, e_next) {
		HASH_DEL(k->by_pid, e);
		free(e);
	}
	HASH_ITER(hh, k->by_port, h, h_next) {
		HASH_DEL(k->by_port, h);
		free(h->datadir);
		free(h);
	}
}

/* ---- what is known of a postmaster -------------------------------------- */

struct place {
	bool has_port;
	uint64_t port;
	struct span datadir; /* empty: not known */
};

static uint64_t cell(const struct row *r, unsigned col)
{
	uint64_t v = 0;

	(void)row_get(r, col, &v); /* absent counts as 0 */
	return v;
}

static struct place place_of(const struct world *w, const struct row *row,
	const struct proc *p, uint64_t pid)
{
	const struct table *t = &row->host->table[ENTITY_POSTMASTER];
	struct place at = { false, 0, span_str("") };
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		const struct row *r = t->slot[i];

		if (!r || cell(r, COL(POSTMASTER, PID)) != pid)
			continue;
		at.has_port = row_get(r, COL(POSTMASTER, PORT), &at.port);
		at.datadir = row_text(w, r, COL(POSTMASTER, DATADIR));
	}
	if (p && !at.has_port && p->title.has_port) {
		at.has_port = true;
		at.port = p->title.port;
	}
	return at;
}

static bool is_alive(const struct host *h, uint64_t pid)
{
	const struct table *t = &h->table[ENTITY_PROCESS];
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && cell(t->slot[i], COL(PROCESS, PID)) == pid &&
		    process_postmaster(t->slot[i]) == pid)
			return true;
	}
	return false;
}

/* ---- keys ---------------------------------------------------------------- */

/* Whether a postmaster succeeds the port's owner: the owner has ended, and had
 * the same data directory.  Two that run have a network namespace each. */
static bool follows(const struct serverkey_holder *h, const struct host *host,
	const struct place *at)
{
	if (is_alive(host, h->pid))
		return false;
	return span_empty(at->datadir) || !h->datadir[0] ||
	    span_eq(at->datadir, h->datadir);
}

static void hold(struct serverkeys *k, const struct serverkey_entry *e,
	const struct place *at)
{
	struct serverkey_holder *h = gs_calloc(1, sizeof(*h));

	h->key.host = e->key.host;
	h->key.port = at->port;
	h->pid = e->key.pid;
	h->datadir = gs_strndup(at->datadir.ptr, span_len(at->datadir));
	h->is = e->is;
	HASH_ADD(hh, k->by_port, key, sizeof(h->key), h);
}

/* The key of a postmaster that is seen for the first time. */
static void decide(struct serverkeys *k, struct serverkey_entry *e,
	const struct host *host, const struct place *at)
{
	struct serverkey_holder *h = NULL, key = {
		.key = { e->key.host, at->port } };

	e->is = (struct serverkey) { { e->key.host, e->key.boot, e->key.pid },
		at->has_port, at->port };
	if (!at->has_port)
		return;
	HASH_FIND(hh, k->by_port, &key.key, sizeof(key.key), h);
	if (!h) {
		hold(k, e, at);
	} else if (follows(h, host, at)) {
		e->is = h->is;
		h->pid = e->key.pid;
	}
}

const struct serverkey *serverkeys_of(struct serverkeys *k,
	const struct world *w, const struct row *row, const struct proc *p,
	uint64_t pid)
{
	struct serverkey_entry *e = NULL, key = { .key = { row->host->index,
		row->host->boot_ids, pid } };
	struct place at;

	HASH_FIND(hh, k->by_pid, &key.key, sizeof(key.key), e);
	if (e)
		return &e->is;
	e = gs_calloc(1, sizeof(*e));
	e->key = key.key;
	at = place_of(w, row, p, pid);
	decide(k, e, row->host, &at);
	HASH_ADD(hh, k->by_pid, key, sizeof(e->key), e);
	return &e->is;
}
