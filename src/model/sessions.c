#include "model/sessions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/buf.h"
#include "base/mem.h"

struct entry {
	struct session session;
	UT_hash_handle hh;
};

struct sessions {
	struct entry *by_key;
	struct entry **all; /* in order of appearance */
	size_t n, cap;
	struct proc **proc; /* by serial of the row */
	size_t proc_cap;
	struct proc **ended; /* by the last tick */
	size_t n_ended, ended_cap;
	size_t in_class[SESSION_WAITING + 1];
	struct session **settled; /* by the last tick */
	size_t n_settled, settled_cap;
	uint64_t tick;
	int64_t wall_ns, before_ns; /* of the tick and the one before */
	struct buf scratch;
};

struct sessions *sessions_new(void)
{
	return gs_calloc(1, sizeof(struct sessions));
}

void query_hold(struct query *q)
{
	q->holds++;
}

void query_drop(struct query *q)
{
	if (!q || --q->holds > 0)
		return;
	free(q->activity);
	free(q);
}

static void session_free(struct entry *e)
{
	struct session *s = &e->session;

	query_drop(s->query);
	query_drop(s->before);
	free(s->mixed.activity);
	free(s->key);
	free(s->name);
	free(s->user);
	free(s->database);
	free(s->client);
	free(s->title);
	free(s->activity);
	free(s->command);
	free(e);
}

static void proc_free(struct proc *p)
{
	row_drop(p->row);
	free(p->text);
	free(p);
}

void sessions_free(struct sessions *s)
{
	size_t i;

	if (!s)
		return;
	HASH_CLEAR(hh, s->by_key);
	for (i = 0; i < s->n; i++) {
		struct proc *p = s->all[i]->session.procs;

		while (p) {
			struct proc *next = p->next;

			proc_free(p);
			p = next;
		}
		session_free(s->all[i]);
	}
	for (i = 0; i < s->n_ended; i++)
		proc_free(s->ended[i]);
	free(s->all);
	free(s->proc);
	free(s->ended);
	free(s->settled);
	buf_release(&s->scratch);
	free(s);
}

/* ---- sessions -------------------------------------------------------- */

static void set_text(char **to, struct span s)
{
	if (*to && span_eq(s, *to))
		return;
	free(*to);
	*to = gs_strndup(s.ptr, span_len(s));
}

static uint64_t number(const struct row *r, unsigned col)
{
	uint64_t v = 0;

	(void)row_get(r, col, &v); /* absent counts as 0 here */
	return v;
}

static bool is_pid(const struct row *r, const char *name)
{
	char pid[32];

	(void)snprintf(pid, sizeof(pid), "%" PRIu64,
	    number(r, COL(PROCESS, PID)));
	return strcmp(pid, name) == 0;
}

static struct session *session_new(struct sessions *s,
	enum session_kind kind, const char *name)
{
	struct entry *e = gs_calloc(1, sizeof(*e));
	struct session *n = &e->session;

	n->kind = kind;
	n->key = gs_strdup(buf_str(&s->scratch));
	n->name = gs_strdup(name);
	n->user = gs_strdup("");
	n->database = gs_strdup("");
	n->client = gs_strdup("");
	n->title = gs_strdup("");
	n->activity = gs_strdup("");
	n->command = gs_strdup("");
	n->first_ns = n->since_ns = s->wall_ns;
	n->mixed = (struct query) { .session = n, .holds = 1,
		.activity = gs_strdup(""), .first_ns = s->wall_ns };
	HASH_ADD_KEYPTR(hh, s->by_key, n->key, strlen(n->key), e);
	GS_GROW(s->all, &s->cap, s->n + 1);
	s->all[s->n++] = e;
	return n;
}

/* Whether a process that comes starts a session of a name that was used
 * before: pids, and after a restart of the cluster session ids, come again.
 * A session of the operating system outlives its leader. */
static bool starts_anew(const struct session *n, const struct row *r,
	const char *name)
{
	if (!n->over)
		return false;
	return n->kind != SESSION_OS || is_pid(r, name);
}

/* The session of the key in scratch, for a process that is in now. */
static struct session *session_of(struct sessions *s, enum session_kind kind,
	const char *name, const struct row *r, const struct session *now)
{
	struct entry *e = NULL;

	HASH_FIND(hh, s->by_key, buf_str(&s->scratch), s->scratch.len, e);
	if (!e)
		return session_new(s, kind, name);
	if (&e->session == now || !starts_anew(&e->session, r, name))
		return &e->session;
	HASH_DEL(s->by_key, e); /* it stays on the list of all */
	return session_new(s, kind, name);
}

#define PF_KTHREAD 0x00200000u /* linux/sched.h */

/* Names the session that a process belongs to, in scratch, and returns it.
 * now: the one that it is in, or NULL. */
static struct session *find_session(struct sessions *s, const struct row *r,
	const struct title *t, const struct session *now)
{
	char name[32];
	uint64_t pid = number(r, COL(PROCESS, PID));
	struct buf *key = &s->scratch;

	buf_reset(key);
	if (t->has_session) {
		struct session *n;

		(void)snprintf(name, sizeof(name), "%" PRIu32, t->session);
		buf_printf(key, "con %s", name);
		n = session_of(s, SESSION_GREENPLUM, name, r, now);
		n->number = t->session;
		return n;
	}
	if (t->has_leader)
		pid = t->leader_pid;
	if (t->kind == TITLE_BACKEND || t->has_leader) {
		(void)snprintf(name, sizeof(name), "%" PRIu64, pid);
		buf_printf(key, "pg %" PRIu32 " %" PRIu64 " %s",
		    r->host->index, r->host->boot_ids, name);
		return session_of(s, SESSION_POSTGRES, name, r, now);
	}
	/* Threads of the kernel are one session, 0; the first process of a
	 * pid namespace may say 0, too. */
	if (number(r, COL(PROCESS, FLAGS)) & PF_KTHREAD)
		pid = 0;
	else if (!row_get(r, COL(PROCESS, OS_SESSION), &pid) || pid == 0)
		pid = number(r, COL(PROCESS, PID));
	(void)snprintf(name, sizeof(name), "%" PRIu64, pid);
	buf_printf(key, "os %" PRIu32 " %" PRIu64 " %s", r->host->index,
	    r->host->boot_ids, name);
	return session_of(s, SESSION_OS, name, r, now);
}

/* ---- processes ------------------------------------------------------- */

static void join(struct session *n, struct proc *p)
{
	p->session = n;
	p->next = n->procs;
	n->procs = p;
	n->n_procs++;
}

static void leave(struct sessions *s, struct proc *p)
{
	struct session *n = p->session;
	struct proc **at = &n->procs;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	p->next = NULL;
	n->n_procs--;
	n->last_ns = s->wall_ns;
	if (n->leader == p)
		n->leader = NULL;
}

static bool leads(const struct session *n, const struct proc *p)
{
	switch (n->kind) {
	case SESSION_GREENPLUM:
		return p->title.kind == TITLE_QD;
	case SESSION_POSTGRES:
		return p->title.kind == TITLE_BACKEND;
	case SESSION_OS:
		return is_pid(p->row, n->name);
	}
	return false;
}

static bool is_open(const struct title *t)
{
	switch (t->state) {
	case TITLE_ACTIVE:
	case TITLE_WAITING:
	case TITLE_QUEUED:
	case TITLE_REPLICATION:
		return true;
	case TITLE_STATE_NONE:
	case TITLE_IDLE:
	case TITLE_IDLE_TX:
	case TITLE_IDLE_ABORTED:
	case TITLE_STARTUP:
	case TITLE_AUTHENTICATION:
		return false;
	}
	return false;
}

/* The executor that speaks for a session whose leading process is not
 * recorded: an active one, with the highest counter. */
static struct proc *stand_in(const struct session *n)
{
	struct proc *best = NULL, *p;

	for (p = n->procs; p; p = p->next) {
		if (!best || is_open(&p->title) > is_open(&best->title) ||
		    (is_open(&p->title) == is_open(&best->title) &&
		    p->title.cmd > best->title.cmd))
			best = p;
	}
	return best;
}

/* A waiting SELECT is the same query as the SELECT. */
static struct span verb_of(const struct title *t)
{
	struct span a = t->activity, w, rest;

	if (t->state != TITLE_WAITING && t->state != TITLE_QUEUED)
		return a;
	rest = a;
	w = (struct span) { a.ptr, a.ptr };
	while (scan_word(&rest, &w)) {
		if (span_eq(w, "waiting") || span_eq(w, "queuing"))
			break;
		a.end = w.end;
	}
	return a.end > a.ptr ? a : t->activity;
}

static bool same_query(const struct session *n, const struct query *q,
	const struct title *t)
{
	if (q->has_cmd != t->has_cmd || q->cmd != t->cmd)
		return false;
	return n->kind == SESSION_GREENPLUM ||
	    span_eq(verb_of(t), q->activity);
}

static struct query *query_new(struct sessions *s, struct session *n,
	const struct title *t)
{
	struct query *q = gs_calloc(1, sizeof(*q));
	struct span verb = verb_of(t);

	q->session = n;
	q->number = ++n->n_queries;
	q->has_cmd = t->has_cmd;
	q->cmd = t->cmd;
	q->activity = gs_strndup(verb.ptr, span_len(verb));
	q->first_ns = q->last_ns = s->wall_ns;
	q->open = true;
	q->holds = 1; /* the session's, as query and then as before */
	return q;
}

static void set_query(struct sessions *s, struct session *n,
	const struct title *t)
{
	struct query *q = n->query;
	bool open = t && is_open(t);

	if (q && open && same_query(n, q, t)) {
		/* one command may do several things: the newest counts */
		set_text(&q->activity, verb_of(t));
		q->last_ns = s->wall_ns;
		return;
	}
	if (!q && !open)
		return;
	if (q) {
		q->open = false;
		q->last_ns = s->before_ns;
	}
	query_drop(n->before);
	n->before = q;
	n->query_tick = s->tick;
	n->query = open ? query_new(s, n, t) : NULL;
}

/* Executors' counters, where they differ from the leading process's. */
static void set_range(struct session *n)
{
	const struct proc *p;

	n->has_range = false;
	for (p = n->procs; p; p = p->next) {
		if (p == n->leader || !p->title.has_cmd)
			continue;
		if (!n->has_range) {
			n->cmd_low = n->cmd_high = p->title.cmd;
			n->has_range = true;
		}
		n->cmd_low = GS_MIN(n->cmd_low, p->title.cmd);
		n->cmd_high = GS_MAX(n->cmd_high, p->title.cmd);
	}
}

static void set_labels(struct sessions *s, struct session *n,
	const struct proc *p)
{
	const struct title *t = &p->title;
	struct span verb = verb_of(t);

	if (n->state != t->state || n->has_cmd != t->has_cmd ||
	    n->cmd != t->cmd || !span_eq(verb, n->activity)) {
		n->since_exact = n->state != TITLE_STATE_NONE ||
		    p->row->opened == OPEN_BORN;
		n->since_ns = s->wall_ns;
	}
	n->state = t->state;
	n->has_cmd = t->has_cmd;
	n->cmd = t->cmd;
	set_text(&n->activity, verb);
	set_text(&n->title, span_of(p->text, p->text_len));
	if (!span_empty(t->user_db)) {
		set_text(&n->user, span_empty(t->user) ? t->user_db
		                                       : t->user);
		set_text(&n->database, t->database);
	}
	if (t->kind != TITLE_QE && !span_empty(t->client))
		set_text(&n->client, t->client);
}

static enum session_class class_of(const struct session *n)
{
	if (n->kind == SESSION_OS || n->n_procs == 0)
		return SESSION_OTHER;
	switch (n->state) {
	case TITLE_ACTIVE:
		return SESSION_ACTIVE;
	case TITLE_WAITING:
	case TITLE_QUEUED:
	case TITLE_REPLICATION:
		return SESSION_WAITING;
	case TITLE_STATE_NONE:
	case TITLE_IDLE:
	case TITLE_IDLE_TX:
	case TITLE_IDLE_ABORTED:
	case TITLE_STARTUP:
	case TITLE_AUTHENTICATION:
		return SESSION_OTHER;
	}
	return SESSION_OTHER;
}

static void classify(struct sessions *s, struct session *n)
{
	enum session_class c = class_of(n);

	if (n->class == c)
		return;
	if (n->class != SESSION_OTHER)
		s->in_class[n->class]--;
	if (c != SESSION_OTHER)
		s->in_class[c]++;
	n->class = c;
}

size_t sessions_in(const struct sessions *s, enum session_class c)
{
	return s->in_class[c];
}

static void settle(struct sessions *s, const struct world *w,
	struct session *n)
{
	struct proc *p = n->leader;

	if (!p || !leads(n, p)) {
		for (p = n->procs; p && !leads(n, p); p = p->next)
			;
		n->leader = p;
	}
	if (!p)
		p = stand_in(n);
	set_range(n);
	set_query(s, n, p ? &p->title : NULL);
	if (p)
		set_labels(s, n, p);
	classify(s, n);
	if (p && p->title.kind == TITLE_POSTMASTER)
		set_text(&n->command, span_str("postmaster"));
	else if (p)
		set_text(&n->command, !span_empty(p->title.name)
		    ? p->title.name
		    : row_text(w, p->row, COL(PROCESS, COMM)));
}

static void read_title(struct proc *p, const struct world *w)
{
	struct span s = row_text(w, p->row, COL(PROCESS, TITLE));
	uint64_t role = number(p->row, COL(PROCESS, ROLE));

	GS_GROW(p->text, &p->text_cap, span_len(s) + 1);
	memcpy(p->text, s.ptr, span_len(s));
	p->text_len = span_len(s);
	p->title = (struct title) { .kind = TITLE_NONE };
	/* A foreign process that calls itself postgres is none. */
	if (role != 3)
		title_parse(span_of(p->text, p->text_len), &p->title);
}

/* It is looked at anew once the whole tick is known. */
static void need_settle(struct sessions *s, struct session *n)
{
	if (n->settled_tick == s->tick)
		return;
	n->settled_tick = s->tick;
	GS_GROW(s->settled, &s->settled_cap, s->n_settled + 1);
	s->settled[s->n_settled++] = n;
}

static void proc_opened(struct sessions *s, const struct world *w,
	struct row *r)
{
	struct proc *p = gs_calloc(1, sizeof(*p));
	size_t old = s->proc_cap;

	p->row = r;
	row_hold(r);
	GS_GROW(s->proc, &s->proc_cap, (size_t)r->serial + 1);
	memset(s->proc + old, 0, (s->proc_cap - old) * sizeof(*s->proc));
	s->proc[r->serial] = p;
	read_title(p, w);
	p->changed_tick = s->tick;
	join(find_session(s, r, &p->title, NULL), p);
	need_settle(s, p->session);
}

static void proc_changed(struct sessions *s, const struct world *w,
	struct proc *p)
{
	const struct row *r = p->row;
	struct session *n;
	unsigned title = COL(PROCESS, TITLE);
	unsigned sid = COL(PROCESS, OS_SESSION);

	if (r->was.val[title] == r->now.val[title] &&
	    cells_has(r->was, title) == cells_has(r->now, title) &&
	    r->was.val[sid] == r->now.val[sid])
		return;
	read_title(p, w);
	p->changed_tick = s->tick;
	need_settle(s, p->session);
	if (p->session->kind == SESSION_GREENPLUM && p->title.has_session &&
	    p->session->number == p->title.session)
		return;
	n = find_session(s, r, &p->title, p->session);
	/* A backend on its way out drops its name; it stays what it was. */
	if (n != p->session && !(p->session->kind != SESSION_OS &&
	    n->kind == SESSION_OS)) {
		leave(s, p);
		join(n, p);
		need_settle(s, n);
	}
}

static void proc_closed(struct sessions *s, struct proc *p)
{
	enum row_close why = p->row->closed;

	if (p->session->leader == p &&
	    (why == CLOSE_EXITED || why == CLOSE_UNSEEN))
		p->session->over = true;
	need_settle(s, p->session);
	leave(s, p);
	s->proc[p->row->serial] = p;
	GS_GROW(s->ended, &s->ended_cap, s->n_ended + 1);
	s->ended[s->n_ended++] = p;
}

static void forget_ended(struct sessions *s)
{
	size_t i;

	for (i = 0; i < s->n_ended; i++) {
		s->proc[s->ended[i]->row->serial] = NULL;
		proc_free(s->ended[i]);
	}
	s->n_ended = 0;
}

struct proc *sessions_proc(const struct sessions *s, const struct row *r)
{
	return r->serial < s->proc_cap ? s->proc[r->serial] : NULL;
}

void sessions_tick(struct sessions *s, const struct world *w,
	int64_t wall_ns)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	forget_ended(s);
	s->tick = world_ticks(w);
	s->before_ns = s->wall_ns;
	s->wall_ns = wall_ns;
	s->n_settled = 0;
	/* what ends makes room for what has the same pid */
	for (i = 0; i < n; i++) {
		struct proc *p = sessions_proc(s, touched[i]);

		if (p && touched[i]->closed)
			proc_closed(s, p);
	}
	for (i = 0; i < n; i++) {
		struct row *r = touched[i];
		struct proc *p = sessions_proc(s, r);

		if (r->entity != ENTITY_PROCESS || r->closed)
			continue;
		if (p)
			proc_changed(s, w, p);
		else
			proc_opened(s, w, r);
	}
	for (i = 0; i < s->n_settled; i++)
		settle(s, w, s->settled[i]);
}

void sessions_begin(struct sessions *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		struct session *n = &s->all[i]->session;

		n->first_ns = n->since_ns = s->wall_ns;
		n->since_exact = false;
		n->mixed.first_ns = s->wall_ns;
		n->n_queries = n->query ? 1 : 0;
		if (n->query) {
			n->query->number = 1;
			n->query->first_ns = s->wall_ns;
		}
	}
}

struct session *const *sessions_settled(const struct sessions *s,
	size_t *ret_n)
{
	*ret_n = s->n_settled;
	return s->settled;
}

struct query *sessions_query_of(const struct sessions *s,
	const struct proc *p)
{
	struct session *n = p->session;
	struct query *a = n->query_tick == s->tick ? n->before : n->query;
	struct query *b = n->query;

	if (a == b)
		return a ? a : &n->mixed;
	if (a && b)
		return &n->mixed;
	return a ? a : b;
}

size_t sessions_count(const struct sessions *s)
{
	return s->n;
}

struct session *sessions_get(const struct sessions *s, size_t i)
{
	return &s->all[i]->session;
}
