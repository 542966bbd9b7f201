/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notable_server.c - postmasters that start, end and crash.
 */
#include "analysis/notable_int.h"

#include <inttypes.h>
#include <stdlib.h>

#include <uthash.h>

#include "base/mem.h"

/* Values of process.role */
#define PROCESS_IS_POSTMASTER 1

struct server_key {
	uint32_t host;
	uint32_t boot;
	uint64_t pid;
};

/* A postmaster's children, as needed to detect crashes. */
struct below {
	struct server_key key;
	bool reset; /* its checkpointer is gone */
	uint64_t lost_tick;
	size_t lost; /* processes that ended in lost_tick, or since reset */
	bool has_seg, has_port;
	int32_t seg;
	uint32_t port;
	UT_hash_handle hh;
};

static uint64_t parent_of(const struct row *r)
{
	uint64_t pid = notable_cell(r, COL(PROCESS, POSTMASTER));

	return pid ? pid : notable_cell(r, COL(PROCESS, PPID));
}

static struct below *below_of(struct notables *n, const struct host *h,
	uint64_t pid, bool make)
{
	struct server_key key = { h->index, (uint32_t)h->boot_ids, pid };
	struct below *b = NULL;

	HASH_FIND(hh, n->below, &key, sizeof(key), b);
	if (b || !make)
		return b;
	b = gs_calloc(1, sizeof(*b));
	b->key = key;
	HASH_ADD(hh, n->below, key, sizeof(b->key), b);
	return b;
}

static bool is_born(const struct notables *n, const struct row *r)
{
	return !r->closed && r->opened == OPEN_BORN &&
	    r->first_tick == world_ticks(n->w);
}

static bool is_child(const struct proc *p)
{
	switch (p->title.kind) {
	case TITLE_NONE:
	case TITLE_POSTMASTER:
		return false;
	case TITLE_QD:
	case TITLE_QE:
	case TITLE_BACKEND:
	case TITLE_BACKGROUND:
	case TITLE_WALSENDER:
		return true;
	}
	return false;
}

static void child_gone(struct notables *n, const struct proc *p)
{
	struct below *b = below_of(n, p->row->host, parent_of(p->row), true);

	if (!b->reset && b->lost_tick != world_ticks(n->w))
		b->lost = 0;
	b->lost_tick = world_ticks(n->w);
	b->lost++;
	if (p->title.role == ROLE_CHECKPOINTER)
		b->reset = true;
}

static const struct row *postmaster_row(const struct host *h, uint64_t pid)
{
	const struct table *t = &h->table[ENTITY_POSTMASTER];
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && notable_cell(t->slot[i], COL(POSTMASTER, PID)) ==
		    pid)
			return t->slot[i];
	}
	return NULL;
}

/* "postmaster 4711 (port 6002, seg0)" */
static void add_server(struct notables *n, const struct host *h,
	uint64_t pid, uint64_t port)
{
	const struct below *b = below_of(n, h, pid, false);
	const struct row *r = postmaster_row(h, pid);

	if (port == 0 && r)
		port = notable_cell(r, COL(POSTMASTER, PORT));
	if (port == 0 && b && b->has_port)
		port = b->port;
	buf_printf(&n->texts, "postmaster %" PRIu64, pid);
	if (port != 0)
		buf_printf(&n->texts, " (port %" PRIu64, port);
	if (b && b->has_seg)
		buf_printf(&n->texts, "%sseg%" PRId32, port ? ", " : " (",
		    b->seg);
	if (port != 0 || (b && b->has_seg))
		buf_add_char(&n->texts, ')');
}

static void child_born(struct notables *n, const struct proc *p)
{
	const struct host *h = p->row->host;
	uint64_t pid = parent_of(p->row);
	struct below *b = below_of(n, h, pid, false);

	if (!b || !b->reset || p->title.role != ROLE_CHECKPOINTER)
		return;
	notable_begin(n, EVENT_CRASH, h, (int64_t)b->lost);
	add_server(n, h, pid, 0);
	buf_printf(&n->texts, " started again after a crash: %zu process%s "
	    "lost", b->lost, b->lost == 1 ? "" : "es");
	notable_end(n);
	b->reset = false;
}

/* Learns about a server from the titles of its children. */
static void note_server(struct notables *n, const struct proc *p)
{
	struct below *b;

	if (!p->title.has_port && !p->title.has_seg)
		return;
	b = below_of(n, p->row->host, parent_of(p->row), true);
	if (p->title.has_port) {
		b->has_port = true;
		b->port = p->title.port;
	}
	if (p->title.has_seg && p->title.seg >= 0) {
		b->has_seg = true;
		b->seg = p->title.seg;
	}
}

static void note_postmaster(struct notables *n, const struct host *h,
	uint64_t pid, uint64_t port, bool gone)
{
	struct below *b = below_of(n, h, pid, false);

	notable_begin(n, EVENT_POSTMASTER, h, (int64_t)pid);
	add_server(n, h, pid, port);
	buf_add_str(&n->texts, gone ? " is gone" : " began");
	notable_end(n);
	if (gone && b) {
		HASH_DEL(n->below, b);
		free(b);
	}
}

/* A child that has not set its title yet has its parent's command line. */
static bool has_postmaster_for_parent(const struct notables *n,
	const struct row *r)
{
	const struct table *t = &r->host->table[ENTITY_PROCESS];
	uint64_t ppid = notable_cell(r, COL(PROCESS, PPID));
	size_t i;

	for (i = 0; ppid && i < t->n_slot; i++) {
		const struct proc *p = t->slot[i] && notable_cell(t->slot[i],
		    COL(PROCESS, PID)) == ppid ? sessions_proc(n->s,
		    t->slot[i]) : NULL;

		if (p)
			return p->title.kind == TITLE_POSTMASTER;
	}
	return false;
}

static bool is_postmaster(const struct notables *n, const struct proc *p)
{
	uint64_t role;

	if (row_get(p->row, COL(PROCESS, ROLE), &role))
		return role == PROCESS_IS_POSTMASTER;
	return p->title.kind == TITLE_POSTMASTER &&
	    !has_postmaster_for_parent(n, p->row);
}

/* Whether the agent records postmasters as rows of their own. */
static bool has_postmaster_rows(const struct notables *n,
	const struct host *h)
{
	size_t k, i;
	struct row *const *touched = world_touched(n->w, &k);

	if (h->table[ENTITY_POSTMASTER].n_live > 0)
		return true;
	for (i = 0; i < k; i++) {
		if (touched[i]->entity == ENTITY_POSTMASTER &&
		    touched[i]->host == h)
			return true;
	}
	return false;
}

static void check_postmaster(struct notables *n, const struct row *r)
{
	uint64_t pid = notable_cell(r, COL(POSTMASTER, PID));
	uint64_t port = notable_cell(r, COL(POSTMASTER, PORT));

	if (notable_is_gone(r))
		note_postmaster(n, r->host, pid, port, true);
	else if (is_born(n, r))
		note_postmaster(n, r->host, pid, port, false);
}

static void check_server_process(struct notables *n, const struct proc *p)
{
	const struct row *r = p->row;

	if (!(notable_is_gone(r) || is_born(n, r)) || !is_postmaster(n, p) ||
	    has_postmaster_rows(n, r->host))
		return;
	note_postmaster(n, r->host, notable_cell(r, COL(PROCESS, PID)),
	    p->title.has_port ? p->title.port : 0, notable_is_gone(r));
}

void notable_servers(struct notables *n)
{
	size_t k, i;
	struct row *const *touched = world_touched(n->w, &k);
	int pass;

	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < k; i++) {
			const struct row *r = touched[i];
			const struct proc *p = r->entity == ENTITY_PROCESS
			    ? sessions_proc(n->s, r) : NULL;

			if (!p || (pass == 0) != notable_is_gone(r))
				continue;
			if (is_child(p) && pass == 0)
				child_gone(n, p);
			else if (is_child(p) && is_born(n, r))
				child_born(n, p);
			if (pass == 1 && p->changed_tick == world_ticks(n->w))
				note_server(n, p);
		}
	}
	for (i = 0; i < k; i++) {
		const struct proc *p = touched[i]->entity == ENTITY_PROCESS
		    ? sessions_proc(n->s, touched[i]) : NULL;

		if (touched[i]->entity == ENTITY_POSTMASTER)
			check_postmaster(n, touched[i]);
		else if (p)
			check_server_process(n, p);
	}
}

void notable_forget_servers(struct notables *n)
{
	struct below *b, *next;

	HASH_ITER (hh, n->below, b, next) {
		HASH_DEL(n->below, b);
		free(b);
	}
}
