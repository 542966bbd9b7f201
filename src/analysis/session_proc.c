/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_proc.c - processes: their titles, their pids, and the sessions that
 * they join and leave.
 */
#include "analysis/sessions_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void proc_free(struct proc *p)
{
	row_drop(p->row);
	free(p->text);
	free(p);
}

static struct proc_key pid_key(const struct proc *p)
{
	return (struct proc_key) { p->row->host->index,
		(uint32_t)p->row->host->boot_ids, proc_server_pid(p) };
}

static void list_pid(struct sessions *s, struct proc *p)
{
	struct proc_key key = pid_key(p);
	struct pid_entry *e = NULL;

	HASH_FIND(hh, s->by_pid, &key, sizeof(key), e);
	if (!e) {
		e = gs_calloc(1, sizeof(*e));
		e->key = key;
		HASH_ADD(hh, s->by_pid, key, sizeof(e->key), e);
	}
	p->entry = e;
	p->same = e->first;
	if (p->same)
		p->same->same_at = &p->same;
	p->same_at = &e->first;
	e->first = p;
}

static void unlist_pid(struct sessions *s, struct proc *p)
{
	struct pid_entry *e = p->entry;

	*p->same_at = p->same;
	if (p->same)
		p->same->same_at = p->same_at;
	p->same = NULL;
	p->entry = NULL;
	if (e->first)
		return;
	HASH_DEL(s->by_pid, e);
	free(e);
}

/* The agent's reason for recording a process: busy, without a database server. */
#define ROLE_BUSY 3

static void parse_title(const struct sessions *s, const struct proc *p,
	struct span text, struct title *ret)
{
	const struct server *v = server_get(s, p->server);

	*ret = (struct title) { .kind = TITLE_NONE };
	/* Another program named postgres is not a server. */
	if (proc_number(p, COL(PROCESS, ROLE)) != ROLE_BUSY)
		title_parse_named(text, v ? &v->names : NULL, ret);
}

void sessions_read_title(const struct sessions *s, const struct world *w,
	const struct proc *p, struct title *ret)
{
	parse_title(s, p, row_text(w, p->row, COL(PROCESS, TITLE)), ret);
}

static void read_title(struct sessions *s, struct proc *p,
	const struct world *w)
{
	struct span text = row_text(w, p->row, COL(PROCESS, TITLE));

	GS_GROW(p->text, &p->text_cap, span_len(text) + 1);
	memcpy(p->text, text.ptr, span_len(text));
	p->text_len = span_len(text);
	parse_title(s, p, span_of(p->text, p->text_len), &p->title);
	session_login_read(s, p);
}

static bool is_detector(const struct proc *p)
{
	return p->title.kind == TITLE_BACKGROUND &&
	    span_starts(p->title.name, "global deadlock detector");
}

static void will_move(struct sessions *s, const struct world *w,
	struct proc *p)
{
	read_title(s, p, w);
	session_note_wait(&p->waits_ns, s->wall_ns, p->title.state);
	session_note_detector(s, p, is_detector(p));
	server_read_title(s, p);
	p->changed_tick = s->tick;
	if (p->session)
		session_mark_changed(s, p->session);
	GS_GROW(s->moving, &s->moving_cap, s->n_moving + 1);
	s->moving[s->n_moving++] = p;
}

/* The titles of a server's processes, which are also assigned to sessions
 * again. */
static void read_again(struct sessions *s, const struct world *w,
	const struct server *v)
{
	size_t i;

	for (i = 0; i < s->proc_cap; i++) {
		struct proc *p = s->proc[i];

		if (!p || p->row->closed || p->server != v->is.number)
			continue;
		p->misread = true;
		will_move(s, w, p);
	}
}

void proc_opened(struct sessions *s, const struct world *w,
	struct row *r)
{
	struct proc *p = gs_calloc(1, sizeof(*p));
	size_t old = s->proc_cap;

	p->row = r;
	row_hold(r);
	GS_GROW(s->proc, &s->proc_cap, (size_t)r->serial + 1);
	memset(s->proc + old, 0, (s->proc_cap - old) * sizeof(*s->proc));
	s->proc[r->serial] = p;
	p->server = server_of(s, r);
	server_join(s, p);
	list_pid(s, p);
	will_move(s, w, p);
}

void proc_changed(struct sessions *s, const struct world *w,
	struct proc *p)
{
	const struct row *r = p->row;
	unsigned title = COL(PROCESS, TITLE);
	unsigned sid = COL(PROCESS, OS_SESSION);
	unsigned comm = COL(PROCESS, COMM);

	if (r->was.val[title] != r->now.val[title] ||
	    cells_has(r->was, title) != cells_has(r->now, title) ||
	    r->was.val[sid] != r->now.val[sid])
		will_move(s, w, p);
	else if (r->was.val[comm] != r->now.val[comm] && p->session)
		session_mark_changed(s, p->session);
}

void proc_ended_late(struct sessions *s, const struct world *w, struct proc *p)
{
	if (p->session->leader != p)
		return;
	read_title(s, p, w);
	if (p->session->kind == SESSION_GREENPLUM &&
	    p->title.kind == TITLE_QD)
		session_place(s, p); /* its number may have changed */
	session_label_last(s, w, p->session);
}

void proc_closed(struct sessions *s, struct proc *p)
{
	enum row_close why = p->row->closed;
	bool exited = why == CLOSE_EXITED || why == CLOSE_UNSEEN;
	struct session *n = p->session;

	if (n->leader == p && exited) {
		n->over = true;
		session_entry(n)->over_tick = s->tick;
	}
	session_entry(n)->exited = exited;
	n->left = !exited;
	server_leave(s, p);
	session_note_detector(s, p, false);
	proc_untie(s, p);
	unlist_pid(s, p);
	session_leave(s, p);
	GS_GROW(s->ended, &s->ended_cap, s->n_ended + 1);
	s->ended[s->n_ended++] = p;
}

void procs_forget_ended(struct sessions *s)
{
	size_t i;

	for (i = 0; i < s->n_ended; i++) {
		s->proc[s->ended[i]->row->serial] = NULL;
		server_drop(s, s->ended[i]);
		proc_free(s->ended[i]);
	}
	s->n_ended = 0;
}

/* ---- cluster_name ------------------------------------------------------- */

static void name_known(struct sessions *s, const struct world *w,
	struct server *v)
{
	gs_set_text(&v->cluster, span_of(v->names.name, v->names.len));
	s->unnamed = true;
	read_again(s, w, v);
}

/* A new title may contain the name of its server. */
static void learn_from(struct sessions *s, const struct world *w,
	const struct row *r)
{
	const struct proc *p = sessions_proc(s, r);
	unsigned title = COL(PROCESS, TITLE);
	struct server *v;

	if (p && r->was.val[title] == r->now.val[title])
		return;
	v = server_get(s, p ? p->server : server_of(s, r));
	/* orphans of many servers have the same parent */
	if (v && (v->is_postmaster || v->key.pid > 1) &&
	    title_learn(&v->names, row_text(w, r, title)))
		name_known(s, w, v);
}

void servers_learn(struct sessions *s, const struct world *w,
	struct row *const *touched, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (touched[i]->entity == ENTITY_PROCESS &&
		    !touched[i]->closed)
			learn_from(s, w, touched[i]);
	}
}

void servers_learn_settings(struct sessions *s, const struct world *w)
{
	size_t i, k;

	for (i = 0; i < s->n_source; i++) {
		const struct source *of = &s->source[i];
		struct server *v = server_get(s, of->server);
		const struct table *t = &of->host->table[ENTITY_CLUSTER];

		for (k = 0; of->tied && !v->names.known && k < t->n_slot;
		    k++) {
			if (t->slot[k] && title_name_is(&v->names, row_text(w,
			    t->slot[k], COL(CLUSTER, NAME))))
				name_known(s, w, v);
		}
	}
}
