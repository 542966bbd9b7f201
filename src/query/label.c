/* SPDX-License-Identifier: Apache-2.0 */
#include "query/label.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/instances.h"
#include "base/buf.h"
#include "base/decimal.h"
#include "base/mem.h"
#include "base/scan.h"
#include "query/grid.h"

/* ---- names ------------------------------------------------------------- */

/* Of a first process with a name. */
#define USER_RANK_MAX 4u

static const char *const label_names[LABEL_COUNT] = {
	[LABEL_SESSION] = "session",
	[LABEL_QUERY] = "query",
	[LABEL_STATEMENT] = "statement",
	[LABEL_PROCESS] = "process",
	[LABEL_USER] = "user",
	[LABEL_DATABASE] = "database",
	[LABEL_CLIENT] = "client",
	[LABEL_STATE] = "state",
	[LABEL_HOST] = "host",
	[LABEL_SERVER] = "server",
	[LABEL_SEGMENT] = "segment",
	[LABEL_SLICE] = "slice",
	[LABEL_COMMAND] = "command",
	[LABEL_CGROUP] = "cgroup",
	[LABEL_CGROUP_CPU] = "cgroup_cpu",
	[LABEL_CGROUP_MEMORY] = "cgroup_memory",
	[LABEL_THREAD] = "thread",
	[LABEL_DEVICE] = "device",
};

const char *label_name(enum label_kind k)
{
	return label_names[k];
}

static int label_find(struct span s)
{
	int k;

	for (k = 0; k < LABEL_COUNT; k++) {
		if (span_eq(s, label_names[k]))
			return k;
	}
	return -1;
}

static bool is_name(struct span name)
{
	return label_find(name) >= 0;
}

/* To a list of names. */
static void add_name(enum label_kind k, struct buf *to)
{
	buf_printf(to, "%s%s", to->len > 0 ? ", " : "", label_name(k));
}

void label_name_keys(const enum label_kind *key, size_t n, struct grid *g)
{
	struct buf by = BUF_INIT;
	size_t i;

	for (i = 0; i < n; i++)
		add_name(key[i], &by);
	if (n > 0)
		g->by = grid_text(g, buf_str(&by), by.len + 1).ptr;
	g->is_key = n > 0 ? is_name : NULL;
	buf_release(&by);
}

bool label_is_of(enum label_kind k, enum entity_id e)
{
	if (e == ENTITY_CGROUP_IO)
		return k == LABEL_HOST || k == LABEL_CGROUP ||
		    k == LABEL_DEVICE;
	return k != LABEL_DEVICE &&
	    (k != LABEL_THREAD || e == ENTITY_THREAD);
}

static int unknown_key(struct span key, struct gs_err *err)
{
	struct buf b = BUF_INIT;
	int k, r;

	if (!err)
		return GS_E_USAGE;
	for (k = 0; k < LABEL_COUNT; k++)
		add_name((enum label_kind)k, &b);
	r = gs_fail(err, GS_E_USAGE, "group by \"%.*s\": expected a list of %s",
	    (int)span_len(key), key.ptr, buf_str(&b));
	buf_release(&b);
	return r;
}

int label_parse(const char *list, enum label_kind ret[LABEL_COUNT],
	size_t *ret_n, struct gs_err *err)
{
	struct span s = span_str(list), w;
	size_t n = 0;

	do {
		int k;

		if (!scan_until(&s, ',', &w)) {
			w = s;
			s.ptr = s.end;
		}
		k = label_find(w);
		if (k < 0)
			return unknown_key(w, err);
		if (n == LABEL_COUNT)
			return gs_fail(err, GS_E_USAGE, "group by \"%s\": a key "
			    "is there twice", list);
		ret[n++] = (enum label_kind)k;
	} while (!span_empty(s));
	*ret_n = n;
	return GS_OK;
}

const char *state_text(enum title_state s)
{
	switch (s) {
	case TITLE_STATE_NONE:
		return "";
	case TITLE_IDLE:
		return "idle";
	case TITLE_IDLE_TX:
		return "idle-tx";
	case TITLE_IDLE_ABORTED:
		return "aborted";
	case TITLE_ACTIVE:
		return "active";
	case TITLE_WAITING:
		return "lock";
	case TITLE_QUEUED:
		return "queue";
	case TITLE_REPLICATION:
		return "repl";
	case TITLE_STARTUP:
		return "startup";
	case TITLE_AUTHENTICATION:
		return "auth";
	}
	return "";
}

/* Names are made for each row: faster than a format. */
static void join(const char *a, const char *b, char to[SESSION_NAME_MAX])
{
	size_t n = strnlen(a, SESSION_NAME_MAX - 1);
	size_t m = strnlen(b, SESSION_NAME_MAX - 1 - n);

	memcpy(to, a, n);
	memcpy(to + n, b, m);
	to[n + m] = '\0';
}

void session_name(const struct session *s, char to[SESSION_NAME_MAX])
{
	static const char *const prefix[] = {
		[SESSION_GREENPLUM] = "con",
		[SESSION_POSTGRES] = "",
		[SESSION_OS] = "sid ",
	};

	if (s->kind == SESSION_OS && strcmp(s->name, "0") == 0)
		join("kernel", "", to);
	else
		join(prefix[s->kind], s->name, to);
}

/* ---- labels of rows ---------------------------------------------------- */

/* The first process of a session of the operating system gives its user, then one
 * whose user has a name: one in another namespace has none. */
static unsigned user_rank(const struct row *row, struct span name)
{
	uint64_t pid, sid;
	bool leads = row_get(row, COL(PROCESS, PID), &pid) &&
	    row_get(row, COL(PROCESS, OS_SESSION), &sid) && pid == sid;

	return 1u + !span_empty(name) + (leads ? 2u : 0);
}

#define UID_MAX (sizeof("uid ") + GS_DECIMAL_MAX)

/* The name, or else the number, for which there is room; empty: not known. */
static struct span os_user(const struct world *w, const struct row *row,
	char number[UID_MAX])
{
	struct span name = row_text(w, row, COL(PROCESS, OS_USER));
	uint64_t uid;

	if (!span_empty(name) || !row_get(row, COL(PROCESS, UID), &uid))
		return name;
	memcpy(number, "uid ", 4);
	return span_of(number, 4 + gs_put_decimal(number + 4, uid));
}

void label_set_uid(struct label *n, const struct world *w,
	const struct row *row)
{
	char number[UID_MAX];
	struct span name;
	unsigned rank;

	if (n->uid_rank == USER_RANK_MAX || row->entity != ENTITY_PROCESS)
		return;
	rank = user_rank(row, row_text(w, row, COL(PROCESS, OS_USER)));
	if (rank <= n->uid_rank)
		return;
	name = os_user(w, row, number);
	if (!span_empty(name)) {
		gs_set_text(&n->uid, name);
		n->uid_rank = rank;
	}
}

void label_set_session(struct label *n, struct session *s)
{
	if (n->session == s)
		return;
	if (s)
		session_hold(s);
	session_drop(n->session);
	n->session = s;
}

void label_set_query(struct label *n, struct query *q)
{
	struct query *was = n->of_query;
	struct session *of = was ? was->session : NULL;

	n->of_number = q ? q->number : 0;
	if (q == was)
		return;
	if (q) {
		session_hold(q->session);
		query_hold(q);
	}
	n->of_query = q;
	query_drop(was); /* may be a part of its session */
	session_drop(of);
}

void label_set_owner(struct label *n, const struct world *w,
	const struct row *row, struct session *s)
{
	label_set_session(n, s);
	if (s->kind == SESSION_OS)
		label_set_uid(n, w, row);
}

void label_source_release(struct label_source *l)
{
	buf_release(&l->scratch);
	thread_processes_release(&l->processes);
}

void label_free(struct label *n)
{
	int k;

	if (!n)
		return;
	query_drop(n->query);
	session_drop(n->session);
	label_set_query(n, NULL);
	session_drop(n->of);
	for (k = 0; n->key && k < LABEL_COUNT; k++)
		free(n->key[k]);
	free(n->key);
	free(n->name);
	free(n->title);
	free(n->command);
	free(n->thread);
	free(n->cgroup);
	free(n->operator);
	free(n->uid);
	free(n);
}

/* Name of a row that is not a process. */
static void add_identity(struct buf *b, const struct world *w,
	const struct row *r)
{
	const struct entity *en = entity_get(r->entity);
	size_t start = b->len;
	unsigned i;

	for (i = 0; i < en->ncols; i++) {
		const struct metric *m = &en->metrics[i];
		uint64_t v;

		if (!(m->flags & F_ID) || m->flags & F_BIRTH ||
		    !row_get(r, i, &v))
			continue;
		if (b->len > start)
			return; /* the first one names it */
		if (metric_is_text(m)) {
			struct span s = row_text(w, r, i);

			buf_add(b, s.ptr, span_len(s));
		} else {
			buf_add_uint(b, v);
		}
	}
}

/* Keeps the server for a process that has ended. */
static void describe_server(const struct label_source *l, struct label *n,
	const struct row *r)
{
	struct span s = row_text(l->w, r, COL(PROCESS, SPILL_OPERATOR));
	uint64_t pid = process_postmaster(r);

	n->host = r->host;
	if (pid)
		n->postmaster = pid;
	if (!span_empty(s))
		gs_set_text(&n->operator, s);
}

static void set_name(struct label_source *l, struct label *n, const struct row *r)
{
	if (r->entity == ENTITY_CGROUP_IO) {
		gs_set_text(&n->name, row_text(l->w, r,
		    COL(CGROUP_IO, DEVICE)));
		return;
	}
	buf_reset(&l->scratch);
	add_identity(&l->scratch, l->w, r);
	gs_set_text(&n->name, span_of(buf_str(&l->scratch), l->scratch.len));
}

static void describe_work(struct label *n, const struct title *t)
{
	n->works_on_segment = t->has_seg;
	n->own_segment = t->seg;
	n->works_in_slice = t->has_slice;
	n->own_slice = t->slice;
	n->works_for_cmd = t->has_cmd;
	n->own_cmd = t->cmd;
}

static void set_title(const struct label_source *l, struct label *n,
	const struct row *r)
{
	gs_set_text(&n->title, row_text(l->w, r, COL(PROCESS, TITLE)));
	gs_set_text(&n->command, row_text(l->w, r, COL(PROCESS, COMM)));
}

void label_set_key(const struct label_source *l, struct label *n,
	enum label_kind kind, struct span text, const struct row *process)
{
	if (!n->key)
		n->key = gs_calloc(LABEL_COUNT, sizeof(*n->key));
	if (!n->key[kind])
		n->key[kind] = gs_strndup(text.ptr, span_len(text));
	if (kind == LABEL_PROCESS && process)
		set_title(l, n, process);
}

void label_follow(const struct label_source *l, struct label *n,
	const struct row *process)
{
	if (label_key(n, LABEL_PROCESS))
		set_title(l, n, process);
}

void label_describe(struct label_source *l, struct label *n, const struct row *r,
	bool keyed)
{
	const struct proc *p;
	struct title last;

	if (!keyed || !n->name)
		set_name(l, n, r);
	if (r->entity == ENTITY_THREAD) {
		gs_set_text(&n->thread, row_text(l->w, r, COL(THREAD, COMM)));
		r = thread_process_find(&l->processes, l->w, r);
	}
	if (r && r->entity == ENTITY_CGROUP_IO)
		gs_set_text(&n->cgroup, row_text(l->w, r,
		    COL(CGROUP_IO, CGROUP)));
	if (!r || r->entity != ENTITY_PROCESS)
		return;
	label_set_uid(n, l->w, r);
	describe_server(l, n, r);
	p = sessions_proc(l->s, r);
	label_set_session(n, p ? p->session : NULL);
	if (p && r->closed)
		sessions_read_title(l->s, l->w, p, &last);
	if (p)
		describe_work(n, r->closed ? &last : &p->title);
	set_title(l, n, r);
	gs_set_text(&n->cgroup, row_text(l->w, r, COL(PROCESS, CGROUP)));
}

/* ---- texts of --group-by ----------------------------------------------- */

struct label_row label_row_of(struct label_source *l, const struct row *row)
{
	struct label_row r = { .row = row, .process = row };

	if (row->entity == ENTITY_THREAD)
		r.process = thread_process_find(&l->processes, l->w, row);
	else if (row->entity != ENTITY_PROCESS)
		r.process = NULL;
	r.p = r.process ? sessions_proc(l->s, r.process) : NULL;
	return r;
}

static void add_text(struct buf *b, const struct label_source *l,
	const struct row *row, unsigned col)
{
	struct span t;

	if (!row)
		return;
	t = row_text(l->w, row, col);
	buf_add(b, t.ptr, span_len(t));
}

static void add_pid(struct buf *b, const struct label_row *r)
{
	uint64_t pid;

	if (row_get(r->row, r->row->entity == ENTITY_THREAD
	    ? COL(THREAD, PID) : COL(PROCESS, PID), &pid))
		buf_add_uint(b, pid);
}

/* A thread's own, where it was recorded; that of IO. */
static void add_cgroup(struct buf *b, const struct label_source *l,
	const struct label_row *r)
{
	if (r->row->entity == ENTITY_CGROUP_IO)
		add_text(b, l, r->row, COL(CGROUP_IO, CGROUP));
	else if (r->row->entity == ENTITY_THREAD &&
	    cells_has(r->row->now, COL(THREAD, CGROUP)))
		add_text(b, l, r->row, COL(THREAD, CGROUP));
	else
		add_text(b, l, r->process, COL(PROCESS, CGROUP));
}

static void add_server(struct buf *b, const struct label_source *l,
	const struct label_row *r)
{
	const struct session *s = r->p->session;
	const struct dbserver *server = s->kind == SESSION_OS
		? sessions_server_of(l->s, r->process)
		: sessions_server(l->s, s);

	buf_add_str(b, server ? server->name : "");
}

static void add_query(struct buf *b, const struct query *q)
{
	char name[SESSION_NAME_MAX];

	session_name(q->session, name);
	buf_add_str(b, name);
	buf_add_char(b, '/');
	if (q->number)
		buf_add_int(b, q->number);
	else
		buf_add_str(b, "mixed");
}

/* What a query is, or stands for a tick of several; nothing for processes that
 * work for none. */
static void add_statement(const struct label_source *l, struct buf *b,
	const struct session *s, const struct query *q)
{
	const struct statement *t;

	if (s->kind == SESSION_OS || !l->statements || !q)
		return;
	t = q->number ? statement_of_query(l->statements, q)
	    : statement_of_tick(l->statements, l->w, s);
	if (t)
		buf_add_str(b, t->text);
	else if (q->number && q->activity[0])
		buf_printf(b, "(%s)", q->activity);
	else
		buf_add_str(b, LABEL_NO_STATEMENT);
}

/* Users of the operating system may be called like those of the database. */
static void add_user(const struct label_source *l, struct buf *b,
	const struct label_row *r)
{
	char number[UID_MAX];
	struct span name;

	if (r->p->session->kind != SESSION_OS) {
		buf_add_str(b, r->p->session->user);
		return;
	}
	name = os_user(l->w, r->process, number);
	if (span_empty(name))
		return;
	buf_add_str(b, LABEL_OS_USER);
	buf_add(b, name.ptr, span_len(name));
}

/* Keys of what the process works for. */
static void add_work_key(const struct label_source *l, struct buf *b,
	enum label_kind k, const struct label_row *r, const struct query *q)
{
	const struct session *s = r->p->session;
	char name[SESSION_NAME_MAX];

	switch (k) {
	case LABEL_SESSION:
		session_name(s, name);
		buf_add_str(b, name);
		break;
	case LABEL_QUERY:
		add_query(b, q);
		break;
	case LABEL_STATEMENT:
		add_statement(l, b, s, q);
		break;
	case LABEL_USER:
		add_user(l, b, r);
		break;
	case LABEL_DATABASE:
		buf_add_str(b, s->database);
		break;
	case LABEL_CLIENT:
		buf_add_str(b, s->client);
		break;
	case LABEL_STATE:
		buf_add_str(b, state_text(s->state));
		break;
	case LABEL_SERVER:
		add_server(b, l, r);
		break;
	case LABEL_SEGMENT:
		if (r->p->title.has_seg)
			buf_add_int(b, r->p->title.seg);
		break;
	case LABEL_SLICE:
		if (r->p->title.has_slice)
			buf_add_int(b, r->p->title.slice);
		break;
	default:
		break;
	}
}

void label_add_key(const struct label_source *l, struct buf *b, enum label_kind k,
	const struct label_row *r, const struct query *q)
{
	switch (k) {
	case LABEL_PROCESS:
		add_pid(b, r);
		break;
	case LABEL_HOST:
		buf_add_str(b, r->row->host->name);
		break;
	case LABEL_COMMAND:
		add_text(b, l, r->process, COL(PROCESS, COMM));
		break;
	case LABEL_CGROUP:
		add_cgroup(b, l, r);
		break;
	case LABEL_CGROUP_CPU:
		add_text(b, l, r->process, COL(PROCESS, CGROUP_CPU));
		break;
	case LABEL_CGROUP_MEMORY:
		add_text(b, l, r->process, COL(PROCESS, CGROUP_MEMORY));
		break;
	case LABEL_THREAD:
		if (r->row->entity == ENTITY_THREAD)
			add_text(b, l, r->row, COL(THREAD, COMM));
		break;
	case LABEL_DEVICE:
		if (r->row->entity == ENTITY_CGROUP_IO)
			add_text(b, l, r->row, COL(CGROUP_IO, DEVICE));
		break;
	default:
		if (r->p)
			add_work_key(l, b, k, r, q);
		break;
	}
}

void label_add_identifier(struct buf *b, enum label_kind k,
	const struct label_row *r)
{
	if ((k == LABEL_SESSION || k == LABEL_QUERY) && r->p)
		buf_add_str(b, r->p->session->key);
	else if (k == LABEL_PROCESS && r->process)
		buf_add(b, &r->process->serial, sizeof(r->process->serial));
	buf_add_char(b, '\0');
}

const char *label_skip_identifier(enum label_kind k, const char *p)
{
	if (k == LABEL_PROCESS)
		p += sizeof(((const struct row *)NULL)->serial);
	return p + strlen(p) + 1;
}
