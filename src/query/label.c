/* SPDX-License-Identifier: Apache-2.0 */
#include "query/label.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/instances.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/scan.h"
#include "query/grid.h"

/* The process of a number, at one tick. */
struct thread_process {
	uint64_t host, pid;
	const struct row *row;
};

/* ---- names ------------------------------------------------------------- */

static const char *const label_names[LABEL_COUNT] = {
	[LABEL_SESSION] = "session",
	[LABEL_QUERY] = "query",
	[LABEL_PROCESS] = "process",
	[LABEL_USER] = "user",
	[LABEL_DATABASE] = "database",
	[LABEL_CLIENT] = "client",
	[LABEL_STATE] = "state",
	[LABEL_HOST] = "host",
	[LABEL_SERVER] = "server",
	[LABEL_SEGMENT] = "segment",
	[LABEL_COMMAND] = "command",
	[LABEL_CGROUP] = "cgroup",
};

const char *label_name(enum label_kind k)
{
	return label_names[k];
}

void label_name_keys(const enum label_kind *key, size_t n, struct grid *g)
{
	struct buf by = BUF_INIT;
	size_t i;

	for (i = 0; i < n; i++)
		buf_printf(&by, "%s%s", i ? ", " : "", label_name(key[i]));
	if (n > 0)
		g->by = grid_text(g, buf_str(&by), by.len + 1).ptr;
	buf_release(&by);
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
		if (k < 0 || n == LABEL_COUNT)
			return gs_fail(err, GS_E_USAGE,
			    "group by \"%.*s\": expected a list of session, "
			    "query, process, user, database, client, state, "
			    "host, server, segment, command, cgroup",
			    (int)span_len(w), w.ptr);
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

void session_name(const struct session *s, char to[SESSION_NAME_MAX])
{
	static const char *const prefix[] = {
		[SESSION_GREENPLUM] = "con",
		[SESSION_POSTGRES] = "",
		[SESSION_OS] = "sid ",
	};

	if (s->kind == SESSION_OS && strcmp(s->name, "0") == 0)
		(void)snprintf(to, SESSION_NAME_MAX, "kernel");
	else
		(void)snprintf(to, SESSION_NAME_MAX, "%s%s", prefix[s->kind],
		    s->name);
}

/* ---- labels of rows ---------------------------------------------------- */

void label_set_uid(struct label *n, const struct world *w,
	const struct row *row)
{
	char text[32];
	struct span name;
	uint64_t uid;

	if (n->uid || row->entity != ENTITY_PROCESS ||
	    !row_get(row, COL(PROCESS, UID), &uid))
		return;
	name = row_text(w, row, COL(PROCESS, OS_USER));
	(void)snprintf(text, sizeof(text), "uid %" PRIu64, uid);
	n->uid = span_empty(name) ? gs_strdup(text)
	                          : gs_strndup(name.ptr, span_len(name));
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

void label_source_release(struct label_source *l)
{
	buf_release(&l->scratch);
	free(l->process);
}

void label_free(struct label *n)
{
	int k;

	if (!n)
		return;
	query_drop(n->query);
	session_drop(n->session);
	session_drop(n->of);
	for (k = 0; k < LABEL_COUNT; k++)
		free(n->key[k]);
	free(n->name);
	free(n->title);
	free(n->command);
	free(n->thread);
	free(n->cgroup);
	free(n->operator);
	free(n->uid);
	free(n);
}

static int by_pid(const void *a, const void *b)
{
	const struct thread_process *x = a, *y = b;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

static void add_processes(struct label_source *l, const struct host *h)
{
	const struct table *t = &h->table[ENTITY_PROCESS];
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		const struct row *r = t->slot[i];
		uint64_t pid;

		if (!r || !row_get(r, COL(PROCESS, PID), &pid))
			continue;
		GS_GROW(l->process, &l->process_cap, l->n_process + 1);
		l->process[l->n_process++] = (struct thread_process) {
			h->index, pid, r };
	}
}

static void find_processes(struct label_source *l)
{
	size_t i;

	l->n_process = 0;
	l->process_tick = world_ticks(l->w);
	for (i = 0; i < world_hosts(l->w); i++)
		add_processes(l, world_host(l->w, i));
	if (l->n_process > 1)
		qsort(l->process, l->n_process, sizeof(*l->process), by_pid);
}

/* The newest process of that number on the thread's host; NULL: not recorded,
 * or gone. */
static const struct row *process_of_thread(struct label_source *l,
	const struct row *thread)
{
	struct thread_process key = { .host = thread->host->index }, *p;

	if (l->process_tick != world_ticks(l->w))
		find_processes(l);
	if (l->n_process == 0 || !row_get(thread, COL(THREAD, PID), &key.pid))
		return NULL;
	p = bsearch(&key, l->process, l->n_process, sizeof(key), by_pid);
	return p ? p->row : NULL;
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
			buf_printf(b, "%" PRIu64, v);
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
	buf_reset(&l->scratch);
	add_identity(&l->scratch, l->w, r);
	gs_set_text(&n->name, span_of(buf_str(&l->scratch), l->scratch.len));
}

void label_describe(struct label_source *l, struct label *n, const struct row *r,
	bool keyed)
{
	const struct proc *p;

	if (!keyed || !n->name)
		set_name(l, n, r);
	if (r->entity == ENTITY_THREAD) {
		gs_set_text(&n->thread, row_text(l->w, r, COL(THREAD, COMM)));
		r = process_of_thread(l, r);
	}
	if (!r || r->entity != ENTITY_PROCESS)
		return;
	label_set_uid(n, l->w, r);
	describe_server(l, n, r);
	p = sessions_proc(l->s, r);
	label_set_session(n, p ? p->session : NULL);
	gs_set_text(&n->title, row_text(l->w, r, COL(PROCESS, TITLE)));
	gs_set_text(&n->command, row_text(l->w, r, COL(PROCESS, COMM)));
	gs_set_text(&n->cgroup, row_text(l->w, r, COL(PROCESS, CGROUP)));
}

/* ---- texts of --group-by ----------------------------------------------- */

void label_add_key(const struct label_source *l, struct buf *b, enum label_kind k,
	const struct row *row, const struct proc *p, const struct query *q)
{
	const struct session *s = p->session;
	const struct dbserver *server;
	char name[SESSION_NAME_MAX];
	struct span t;

	session_name(s, name);
	switch (k) {
	case LABEL_SESSION:
		buf_add_str(b, name);
		break;
	case LABEL_QUERY:
		if (q->number)
			buf_printf(b, "%s/%" PRIu32, name, q->number);
		else
			buf_printf(b, "%s/mixed", name);
		break;
	case LABEL_PROCESS:
		add_identity(b, l->w, row);
		break;
	case LABEL_USER:
		buf_add_str(b, s->user);
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
	case LABEL_HOST:
		buf_add_str(b, row->host->name);
		break;
	case LABEL_SERVER:
		server = s->kind == SESSION_OS ? sessions_server_of(l->s, row)
		                               : sessions_server(l->s, s);
		buf_add_str(b, server ? server->name : "");
		break;
	case LABEL_SEGMENT:
		if (p->title.has_seg)
			buf_printf(b, "%" PRId32, p->title.seg);
		break;
	case LABEL_COMMAND:
		t = row_text(l->w, row, COL(PROCESS, COMM));
		buf_add(b, t.ptr, span_len(t));
		break;
	case LABEL_CGROUP:
		t = row_text(l->w, row, COL(PROCESS, CGROUP));
		buf_add(b, t.ptr, span_len(t));
		break;
	case LABEL_COUNT:
		break;
	}
}

void label_add_identifier(struct buf *b, enum label_kind k,
	const struct row *row, const struct proc *p)
{
	if (k == LABEL_SESSION || k == LABEL_QUERY)
		buf_add_str(b, p->session->key);
	else if (k == LABEL_PROCESS)
		buf_add(b, &row->serial, sizeof(row->serial));
	buf_add_char(b, '\0');
}
