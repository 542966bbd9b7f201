/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_member.c - the processes and backends of a session.
 */
#include "analysis/sessions_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

uint64_t proc_number(const struct proc *p, unsigned col)
{
	uint64_t v = 0;

	(void)row_get(p->row, col, &v); /* absent counts as 0 here */
	return v;
}

uint64_t process_server_pid(const struct row *process)
{
	uint64_t pid = 0;

	if (!row_get(process, COL(PROCESS, NS_PID), &pid) || pid == 0)
		(void)row_get(process, COL(PROCESS, PID), &pid);
	return pid;
}

uint64_t proc_server_pid(const struct proc *p)
{
	return process_server_pid(p->row);
}

bool proc_leads(const struct session *n, const struct proc *p)
{
	char pid[32];

	switch (n->kind) {
	case SESSION_GREENPLUM:
		return p->title.kind == TITLE_QD;
	case SESSION_POSTGRES:
		return p->title.kind == TITLE_BACKEND;
	case SESSION_OS:
		(void)snprintf(pid, sizeof(pid), "%" PRIu64,
		    proc_number(p, COL(PROCESS, PID)));
		return strcmp(pid, n->name) == 0;
	}
	return false;
}

/* ---- backends ---------------------------------------------------------- */

struct tie *tie_of_row(const struct sessions *s, const struct row *r)
{
	struct tie *t = NULL;

	HASH_FIND_PTR(s->tie_of, &r, t);
	return t;
}

struct proc *sessions_proc_of_backend(const struct sessions *s,
	const struct row *backend)
{
	const struct tie *t = tie_of_row(s, backend);

	return t ? t->proc : NULL;
}

struct session *sessions_of_backend(const struct sessions *s,
	const struct row *backend)
{
	const struct tie *t = tie_of_row(s, backend);

	return t && t->entry ? &t->entry->session : NULL;
}

static struct tie *tie_of_proc(const struct sessions *s,
	const struct proc *p)
{
	size_t i;

	for (i = 0; p->tied && i < s->n_tie; i++) {
		if (s->tie[i]->proc == p)
			return s->tie[i];
	}
	return NULL;
}

void tie_detach(struct sessions *s, struct tie *t)
{
	struct tie **at;

	if (!t->entry)
		return;
	for (at = &t->entry->tie; *at != t; at = &(*at)->next)
		;
	*at = t->next;
	t->next = NULL;
	t->entry->n_main -= t->main;
	if (t->entry->lead == t)
		t->entry->lead = NULL;
	session_mark_changed(s, &t->entry->session);
	t->entry = NULL;
	s->loose = true;
}

void tie_attach(struct sessions *s, struct tie *t, struct session *n)
{
	struct entry *e = n ? session_entry(n) : NULL;

	if (t->entry == e)
		return;
	tie_detach(s, t);
	if (!e)
		return;
	t->entry = e;
	n->catalog = t->row->host;
	t->next = e->tie;
	e->tie = t;
	e->n_main += t->main;
	session_mark_changed(s, n);
}

/* The backend stays in the session until it is closed in the catalog. */
void proc_untie(struct sessions *s, const struct proc *p)
{
	struct tie *t = tie_of_proc(s, p);

	if (t) {
		t->proc = NULL;
		s->loose = true;
	}
}

/* ---- processes --------------------------------------------------------- */

/* Nobody can ask its processes any more. */
static void keep_server(const struct sessions *s, struct session *n,
	const struct proc *last)
{
	const struct dbserver *v = sessions_server_of(s, last->row);

	n->left_server = v ? v->number : 0;
}

void session_leave(struct sessions *s, struct proc *p)
{
	struct session *n = p->session;

	if (n->kind == SESSION_OS && n->n_procs == 1)
		keep_server(s, n, p);
	*p->at = p->next;
	if (p->next)
		p->next->at = p->at;
	p->next = NULL;
	n->n_procs--;
	n->last_ns = s->wall_ns;
	if (n->leader == p)
		n->leader = NULL;
	session_mark_changed(s, n);
}

/* Its backend follows it to another session. */
static void follow(struct sessions *s, const struct proc *p)
{
	struct tie *t = tie_of_proc(s, p);

	if (t && t->entry)
		tie_attach(s, t, p->detects ? NULL : p->session);
}

/* Who sums up its work by sessions looks at rows that a tick touched. */
static void note_switch(struct sessions *s, const struct proc *p)
{
	if (p->row->touched_tick == s->tick)
		return;
	GS_GROW(s->switched, &s->switched_cap, s->n_switched + 1);
	s->switched[s->n_switched++] = p->row;
}

void session_join(struct sessions *s, struct session *n, struct proc *p)
{
	if (p->session == n)
		return;
	note_switch(s, p);
	if (p->session)
		session_leave(s, p);
	p->session = n;
	p->next = n->procs;
	if (p->next)
		p->next->at = &p->next;
	p->at = &n->procs;
	n->procs = p;
	n->n_procs++;
	session_entry(n)->exited = false;
	if (!n->leader && proc_leads(n, p))
		n->leader = p;
	session_mark_changed(s, n);
	follow(s, p);
}
