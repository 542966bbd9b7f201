/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identity: the session of a process.
 */
#include "analysis/sessions_int.h"

#include <string.h>

#include "base/arith.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/decimal.h"
#include "base/mem.h"
#include "model/diff.h"

#define PF_KTHREAD 0x00200000u /* linux/sched.h */

#define NAME_MAX_LEN 32

/* Whether a new process starts a new session of a name that was used before:
 * pids, and after a restart of the cluster session ids, are reused.  A session
 * of the operating system outlives its leader. */
static bool starts_new(const struct session *n, const struct proc *p)
{
	return n->over && (n->kind != SESSION_OS || proc_leads(n, p));
}

/* The session of the key, for names with one session at a time. */
static struct session *find_or_make(struct sessions *s,
	enum session_kind kind, const char *name, const struct proc *p)
{
	struct entry *e = session_named(s);
	struct session *n;

	if (e && (&e->session == p->session || !starts_new(&e->session, p)))
		return &e->session;
	n = session_new(s, kind, name);
	if (kind == SESSION_POSTGRES)
		n->server = p->server;
	if (e)
		session_unname(e);
	return n;
}

/* Sets a session's name. */
static const char *name_of(char to[NAME_MAX_LEN], uint64_t number)
{
	to[gs_put_decimal(to, number)] = '\0';
	return to;
}

/* The key: a word and numbers. */
static void set_key(struct sessions *s, const char *kind, const uint64_t *number, size_t n)
{
	size_t i;

	buf_reset(&s->key);
	buf_add_str(&s->key, kind);
	for (i = 0; i < n; i++) {
		buf_add_char(&s->key, ' ');
		buf_add_uint(&s->key, number[i]);
	}
}

/* ---- Greenplum -------------------------------------------------------- */

static void con_key(struct sessions *s, uint32_t number)
{
	set_key(s, "con", &(uint64_t) { number }, 1);
}

static struct session *con_new(struct sessions *s, uint32_t number,
	uint32_t server)
{
	char name[NAME_MAX_LEN];
	struct session *n;

	n = session_new(s, SESSION_GREENPLUM, name_of(name, number));
	n->session_id = number;
	n->server = server;
	return n;
}

/* A child of the init process has lost its postmaster. */
static bool is_orphan(const struct server *v)
{
	return v && v->key.pid == 1;
}

/* The catalog of an executor's cluster; NULL: not known. */
static const struct source *executors_of(const struct sessions *s,
	const struct proc *p)
{
	return p->title.has_port ? catalog_of(s, p->row->host, p->title.port)
	                         : NULL;
}

/* The coordinator's postmaster of an executor's session; 0: not known. */
static uint32_t coordinator_of(const struct sessions *s,
	const struct proc *p)
{
	const struct server *v = server_get(s, p->server);
	const struct server *lead = server_get(s, v ? v->coordinator : 0);
	const struct source *of;

	if (p->title.seg == -1)
		return p->server; /* it has the postmaster of its coordinator
		                   * process */
	of = executors_of(s, p);
	if (of && of->tied)
		return of->server;
	/* one that ended may have been started again */
	return lead && (lead->key.pid == 0 || lead->n_procs > 0)
	    ? lead->is.number : 0;
}

static struct span user_of(const struct session *n)
{
	return n->leader ? n->leader->title.user_db : span_str("");
}

/* How well an executor matches a session of its number; 0: not at all. */
static int fits(const struct sessions *s, const struct session *n,
	const struct proc *p, uint32_t coordinator)
{
	const struct source *of = executors_of(s, p);
	struct span user = user_of(n);
	int how = 1;

	if (of && n->catalog && n->catalog != of->host)
		return 0;
	if (coordinator && n->server && n->server != coordinator)
		return 0;
	/* a segment's postmaster has no coordinator processes: a process that
	 * looks like one is connected in utility mode */
	if (p->title.seg >= 0 && n->server && n->server == p->server &&
	    !is_orphan(server_get(s, p->server)))
		return 0;
	if (!span_empty(user) && !span_empty(p->title.user_db)) {
		if (!span_same(user, p->title.user_db))
			return 0;
		how += 2;
	}
	if (coordinator && n->server == coordinator)
		how += 4;
	return how;
}

/* An executor that came between two ticks may be one of a session that ended in the
 * same time. */
static bool may_execute(const struct sessions *s, struct session *n,
	const struct proc *p)
{
	return !starts_new(n, p) ||
	    (s->thinned && session_entry(n)->over_tick == s->tick);
}

static struct session *find_executors(struct sessions *s,
	const struct proc *p)
{
	uint32_t coordinator = coordinator_of(s, p);
	struct server *v = server_get(s, p->server);
	struct session *best = NULL;
	struct entry *e;
	int most = 0, n_fit = 0;

	for (e = session_named(s); e; e = e->same) {
		int how = may_execute(s, &e->session, p)
		    ? fits(s, &e->session, p, coordinator) : 0;

		if (how == 0)
			continue;
		n_fit++;
		if (how > most) {
			most = how;
			best = &e->session;
		}
	}
	if (!best)
		return con_new(s, p->title.session, coordinator);
	if (n_fit == 1 && v && best->server && best->leader)
		server_lead(s, v, best->server);
	return best;
}

static struct session *find_coordinators(struct sessions *s,
	const struct proc *p)
{
	struct entry *e;

	for (e = session_named(s); e; e = e->same) {
		struct session *n = &e->session;

		if (starts_new(n, p))
			continue;
		if (!n->server || !p->server || n->server == p->server) {
			n->server = p->server;
			return n;
		}
	}
	return con_new(s, p->title.session, p->server);
}

/* Executors of the new number may have been seen a tick before their
 * coordinator process. */
static void absorb(struct sessions *s, struct session *n)
{
	struct entry *e, *next;

	for (e = session_named(s); e; e = next) {
		struct session *from = &e->session;

		next = e->same;
		if (from == n || from->leader || from->over || e->tie ||
		    (from->server && from->server != n->server))
			continue;
		while (from->procs)
			session_join(s, n, from->procs);
		from->over = true;
	}
}

/* Its gangs were lost: the coordinator process continues with another number. */
static void renumber(struct sessions *s, struct session *n, uint32_t number)
{
	char name[NAME_MAX_LEN];

	GS_GROW(s->renamed, &s->renamed_cap, s->n_renamed + 1);
	s->renamed[s->n_renamed++] = (struct session_renamed) { n,
		n->session_id, number };
	n->session_id = number;
	gs_set_text(&n->name, span_str(name_of(name, number)));
	session_rename(s, session_entry(n));
	absorb(s, n);
}

static void place_greenplum(struct sessions *s, struct proc *p)
{
	uint32_t number = p->title.session;
	struct session *n = p->session;

	if (n && p->session_id == number &&
	    (n->kind == SESSION_GREENPLUM || p->detects))
		return;
	p->detects = false;
	p->session_id = number;
	con_key(s, number);
	if (n && n->kind == SESSION_GREENPLUM && n->leader == p) {
		if (n->session_id != number)
			renumber(s, n, number);
		return;
	}
	n = p->title.kind == TITLE_QD ? find_coordinators(s, p)
	                              : find_executors(s, p);
	session_join(s, n, p);
}

/* False: the catalog is of another server. */
static bool may_know(const struct source *of, const struct session *n)
{
	if (n->catalog && n->catalog != of->host)
		return false;
	return !n->server || !of->tied || n->server == of->server;
}

struct session *session_in_catalog(struct sessions *s,
	const struct source *of, uint32_t number)
{
	struct entry *e;

	con_key(s, number);
	for (e = session_named(s); e; e = e->same) {
		struct session *n = &e->session;

		if (n->over)
			continue;
		if (may_know(of, n))
			return n;
	}
	return NULL;
}

struct session *session_of_catalog(struct sessions *s,
	const struct source *of, uint32_t number)
{
	struct session *n = session_in_catalog(s, of, number);

	if (n)
		return n;
	n = con_new(s, number, of->tied ? of->server : 0);
	n->catalog = of->host;
	return n;
}

/* ---- the deadlock detector ---------------------------------------------- */

/* A coordinator process is seen before its executors are this old. */
#define DETECTOR_AGE_NS (5 * GS_NSEC_PER_SEC)

static bool may_detect(const struct proc *p)
{
	const struct host *h = p->row->host;
	int64_t start_ns = (int64_t)(proc_number(p, COL(PROCESS, START)) *
	    diff_tick_ns(h));

	return p->title.kind == TITLE_QE && p->title.seg >= 0 &&
	    p->title.state == TITLE_IDLE &&
	    span_eq(p->title.database, "postgres") &&
	    gs_difference(h->clock.boot_ns, start_ns) >= DETECTOR_AGE_NS;
}

/* The detector of an executor's cluster; if that is not known, the only one. */
static struct proc *detector_of(const struct sessions *s,
	const struct proc *p)
{
	uint32_t coordinator = coordinator_of(s, p);
	size_t i;

	if (coordinator == 0)
		return s->n_detector == 1 ? s->detector[0] : NULL;
	for (i = 0; i < s->n_detector; i++) {
		if (s->detector[i]->server == coordinator)
			return s->detector[i];
	}
	return NULL;
}

void session_note_detector(struct sessions *s, struct proc *p, bool is)
{
	size_t i;

	for (i = 0; i < s->n_detector && s->detector[i] != p; i++)
		;
	if (is && i == s->n_detector) {
		GS_GROW(s->detector, &s->detector_cap, s->n_detector + 1);
		s->detector[s->n_detector++] = p;
	} else if (!is && i < s->n_detector) {
		s->detector[i] = s->detector[--s->n_detector];
	}
}

/* The detector, for a session that has only executors and whose coordinator
 * process was never seen, although it would be recorded.  NULL: another
 * session. */
static struct proc *detector_for(const struct sessions *s,
	const struct entry *e)
{
	const struct session *n = &e->session;
	struct proc *found = NULL;
	const struct proc *p;

	if (n->kind != SESSION_GREENPLUM || n->leader || e->led || n->over ||
	    e->n_main > 0)
		return NULL;
	for (p = n->procs; p; p = p->next) {
		struct proc *d = may_detect(p) ? detector_of(s, p) : NULL;

		if (!d || (found && found != d))
			return NULL;
		found = d;
	}
	return found;
}

void session_adopt_detectors(struct sessions *s)
{
	size_t i;

	for (i = 0; s->n_detector > 0 && i < s->n; i++) {
		struct session *n = &s->all[i]->session;
		const struct proc *d = detector_for(s, s->all[i]);

		if (!d)
			continue;
		while (n->procs) {
			n->procs->detects = true;
			session_join(s, d->session, n->procs);
		}
		n->over = true;
		session_mark_changed(s, n);
	}
}

/* ---- PostgreSQL, and what is no backend -------------------------------- */

static struct session *find_backend(struct sessions *s, const struct proc *p)
{
	uint64_t pid = p->title.has_leader ? p->title.leader_pid
	                                   : proc_server_pid(p);
	struct tie *t = backend_waiting(s, p);
	const uint64_t key[] = { p->row->host->index, p->row->host->boot_ids,
		p->server, pid };
	char name[NAME_MAX_LEN];

	set_key(s, "pg", key, GS_LEN(key));
	(void)name_of(name, p->title.has_leader ? pid : proc_number(p,
	    COL(PROCESS, PID)));
	if (t && t->entry && t->entry->session.n_procs == 0 &&
	    t->entry->session.kind == SESSION_POSTGRES) {
		gs_set_text(&t->entry->session.name, span_str(name));
		t->entry->session.server = p->server;
		session_rename(s, t->entry);
		return &t->entry->session;
	}
	return find_or_make(s, SESSION_POSTGRES, name, p);
}

static struct session *find_os(struct sessions *s, const struct proc *p)
{
	uint64_t sid = proc_number(p, COL(PROCESS, OS_SESSION)), key[3];
	char name[NAME_MAX_LEN];

	/* Threads of the kernel are one session, 0; the first process of a pid
	 * namespace may have 0, too. */
	if (proc_number(p, COL(PROCESS, FLAGS)) & PF_KTHREAD)
		sid = 0;
	else if (sid == 0)
		sid = proc_number(p, COL(PROCESS, PID));
	key[0] = p->row->host->index;
	key[1] = p->row->host->boot_ids;
	key[2] = sid;
	set_key(s, "os", key, GS_LEN(key));
	return find_or_make(s, SESSION_OS, name_of(name, sid), p);
}

/* Its session was chosen from its title before the title was understood. */
static void place_again(struct sessions *s, struct proc *p)
{
	struct session *was = p->session;
	struct session *n = NULL;

	p->misread = false;
	p->session_id = 0;
	if (p->title.has_session)
		place_greenplum(s, p);
	else if (p->title.kind == TITLE_BACKEND || p->title.has_leader)
		n = find_backend(s, p);
	else
		n = find_os(s, p);
	if (n)
		session_join(s, n, p);
	if (was != p->session && was->n_procs == 0)
		was->over = true;
}

void session_place(struct sessions *s, struct proc *p)
{
	const struct session *now = p->session;
	struct session *n;

	if (now && p->misread) {
		place_again(s, p);
		return;
	}
	p->misread = false;
	if (p->title.has_session) {
		place_greenplum(s, p);
		return;
	}
	/* An exiting process loses its name, not its session. */
	if (now && (now->kind == SESSION_GREENPLUM || now->leader == p) &&
	    now->kind != SESSION_OS)
		return;
	if (p->title.kind == TITLE_BACKEND || p->title.has_leader)
		n = find_backend(s, p);
	else if (now && now->kind == SESSION_POSTGRES)
		return;
	else
		n = find_os(s, p);
	session_join(s, n, p);
}
