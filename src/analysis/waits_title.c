/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_title.c - one sample of one database process, from its title and its
 * state.
 *
 * Titles show idle, active, and waits for locks, queues and standbys; the state
 * shows whether an active process runs (R), waits for a disk (D) or sleeps
 * (waits_sleep.c).  So figures are coarser than the catalog's, but need no
 * catalog.
 *
 * Background processes count if the title is PostgreSQL's; Greenplum's titles
 * do not show whether they are the coordinator's or a mirror's.
 */
#include <stddef.h>
#include <string.h>

#include "analysis/waits_int.h"
#include "base/compiler.h"

/* Names as in pg_stat_activity. */
static const char *const types[] = {
	[ROLE_CLIENT] = "client backend",
	[ROLE_CHECKPOINTER] = "checkpointer",
	[ROLE_BGWRITER] = "background writer",
	[ROLE_WALWRITER] = "walwriter",
	[ROLE_AUTOVAC_LAUNCHER] = "autovacuum launcher",
	[ROLE_AUTOVAC_WORKER] = "autovacuum worker",
	[ROLE_WALSENDER] = "walsender",
	[ROLE_WALRECEIVER] = "walreceiver",
	[ROLE_STARTUP] = "startup",
	[ROLE_LOGICAL_LAUNCHER] = "logical replication launcher",
	[ROLE_LOGICAL_WORKER] = "logical replication worker",
	[ROLE_ARCHIVER] = "archiver",
	[ROLE_LOGGER] = "logger",
	[ROLE_STATS] = "stats collector",
	[ROLE_PARALLEL_WORKER] = "parallel worker",
	[ROLE_IO_WORKER] = "io worker",
	[ROLE_SLOTSYNC] = "slotsync worker",
	[ROLE_WALSUMMARIZER] = "walsummarizer",
	[ROLE_BG_WORKER] = "background worker",
};

/* A sleeping background process is idle. */
static bool background_wait(const struct world *w, const struct proc *p,
	struct wait_what *ret)
{
	if (p->title.has_port ||
	    !waits_by_process(w, p->row, false, ret))
		return false;
	if (!span_eq(ret->class, "CPU*") && !span_eq(ret->class, "IO"))
		wait_set(ret, WAIT_IDLE, "Activity", "");
	return true;
}

int waits_content_of(const struct proc *p)
{
	if (p->title.has_seg)
		return (int)p->title.seg;
	return p->session && p->session->has_seg ? (int)p->session->seg : -1;
}

static struct span type_of(const struct proc *p)
{
	if (p->title.kind == TITLE_QE)
		return span_str("executor");
	if (p->title.role < GS_LEN(types) && types[p->title.role])
		return span_str(types[p->title.role]);
	return span_str("client backend");
}

/* The name of its query: the catalog's if it knows the session, else made from
 * titles. */
static void sample_query(const struct world *w, const struct proc *p,
	struct buf *key, struct wait_sample *ret)
{
	const struct session *n = p->session;
	uint64_t id;

	if (!n || !n->query)
		return;
	if (n->query->has_start)
		ret->start_ns = n->query->start_ns;
	if (n->backend) {
		ret->has_query_id = row_get(n->backend,
		    COL(BACKEND, QUERY_ID), &id) && id != 0;
		ret->query_id = ret->has_query_id ? (int64_t)id : 0;
		ret->query = row_text(w, n->backend, COL(BACKEND, QUERY));
	}
	if (ret->has_query_id || !span_empty(ret->query))
		return;
	buf_reset(key);
	if (n->query->has_cmd)
		buf_printf(key, "con%s cmd%u ", n->name, n->query->cmd);
	buf_add_str(key, n->query->activity);
	ret->query = span_of(buf_str(key), key->len);
}

static bool is_background(const struct proc *p)
{
	return p->title.role != ROLE_PARALLEL_WORKER &&
	    (p->title.kind == TITLE_BACKGROUND ||
	    p->title.kind == TITLE_WALSENDER);
}

bool waits_may_sample_title(const struct proc *p)
{
	return p->title.kind != TITLE_NONE &&
	    p->title.kind != TITLE_POSTMASTER &&
	    !(p->session && p->session->own);
}

/* The title of a parallel worker has no activity: only its state is used. */
static bool activity_of(const struct world *w, const struct proc *p,
	struct wait_what *ret)
{
	if (p->title.role == ROLE_PARALLEL_WORKER)
		return waits_by_process(w, p->row, false, ret);
	if (is_background(p))
		return background_wait(w, p, ret);
	return waits_by_title(w, p, ret);
}

static bool tell(const struct world *w, const struct proc *p,
	struct buf *key, struct wait_sample *ret)
{
	const struct session *n = is_background(p) ? NULL : p->session;
	uint64_t pid;

	if (!waits_may_sample_title(p) ||
	    !row_get(p->row, COL(PROCESS, PID), &pid))
		return false;
	ret->content = waits_content_of(p);
	ret->type = type_of(p);
	ret->pid = (int)pid;
	ret->part = waits_part_of(ret->type);
	ret->session = p->title.has_session ? p->title.session
	    : p->title.has_leader ? p->title.leader_pid : pid;
	ret->state = span_str(title_state_name(p->title.state));
	ret->user = span_str(n ? n->user : "");
	ret->database = span_str(n ? n->database : "");
	sample_query(w, p, key, ret);
	return true;
}

bool waits_sample_title(const struct world *w, const struct proc *p,
	const struct wait_backend *told, struct buf *key,
	struct wait_sample *ret)
{
	memset(ret, 0, offsetof(struct wait_sample, share));
	ret->row = p->row;
	ret->process = p->row;
	ret->by_state = true;
	if (told)
		wait_sample_as_told(ret, told);
	return (told || tell(w, p, key, ret)) &&
	    activity_of(w, p, &ret->what);
}
