/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_class.c - one sample of one backend: idle, on a CPU, or waiting.
 *
 * The state comes first, then the wait: the server does not read them
 * atomically, and an idle backend may show the wait that it just ended.
 */
#include "analysis/waits_int.h"

#include <stddef.h>
#include <string.h>

#include "base/compiler.h"
#include "model/own.h"

/* Sleeps with which background processes pace themselves: idle. */
static const char *const pacing[] = {
	"BaseBackupThrottle", "CheckpointWriteDelay", "CheckpointerMain",
	"RecoveryApplyDelay", "RecoveryRetrieveRetryInterval", "VacuumDelay",
	"WalSummarizerError",
};

/* Greenplum 6 has reasons, not events. */
static const struct {
	const char *reason, *class, *event;
} reasons[] = {
	{ "lock", "Lock", "" },
	{ "replication", "Replication", "" },
	{ "resgroup", "Queue", "ResourceGroup" },
	{ "resqueue", "Queue", "ResourceQueue" },
};

/* Names of queue waits in Greenplum 7 and Cloudberry. */
static bool is_queue(struct span class)
{
	return span_eq(class, "ResourceQueue") ||
	    span_eq(class, "ResourceGroup");
}

static bool is_pacing(struct span class, struct span event)
{
	size_t i;

	if (!span_eq(class, "Timeout"))
		return false;
	for (i = 0; i < GS_LEN(pacing); i++) {
		if (span_eq(event, pacing[i]))
			return true;
	}
	return false;
}

static void set_spans(struct wait_what *ret, enum wait_kind kind,
	struct span class, struct span event)
{
	*ret = (struct wait_what) { kind, class, event };
}

/* Greenplum 6 also shows "lock" for a wait for a resource queue; the title
 * shows which it is. */
static bool is_queued(const struct world *w, const struct row *r,
	const struct proc *p)
{
	if (p && p->title.state == TITLE_QUEUED)
		return true;
	if (p && p->title.state == TITLE_WAITING)
		return false;
	return catalog_queues(w, r);
}

/* Older servers have a flag in place of wait events; Greenplum also has a
 * reason. */
static void classify_flag(const struct world *w, const struct row *r,
	const struct row *process, const struct proc *p, bool waits,
	struct wait_what *ret)
{
	struct span reason = row_text(w, r, COL(BACKEND, WAIT_TYPE));
	bool executor = p && p->title.kind == TITLE_QE;
	size_t i;

	if (!waits) {
		if (!waits_by_process(w, process, executor, ret))
			wait_set(ret, WAIT_CPU, "CPU*", "");
		return;
	}
	set_spans(ret, WAIT_EVENT, span_empty(reason) ? span_str("Lock") : reason,
	    span_str(""));
	for (i = 0; i < GS_LEN(reasons); i++) {
		if (!span_eq(reason, reasons[i].reason))
			continue;
		ret->class = span_str(reasons[i].class);
		ret->event = span_str(reasons[i].event);
	}
	if (span_eq(ret->class, "Lock") && is_queued(w, r, p))
		set_spans(ret, WAIT_EVENT, span_str("Queue"),
		    span_str("ResourceQueue"));
}

static void classify_active(const struct world *w, const struct row *r,
	const struct row *process, const struct proc *p,
	struct wait_what *ret)
{
	struct span class = row_text(w, r, COL(BACKEND, WAIT_TYPE));
	struct span event = row_text(w, r, COL(BACKEND, WAIT_EVENT));
	uint64_t waits;

	if (row_get(r, COL(BACKEND, WAITING), &waits))
		classify_flag(w, r, process, p, waits != 0, ret);
	else if (span_empty(class))
		wait_set(ret, WAIT_CPU, "CPU*", "");
	else if (span_eq(class, "Activity") || is_pacing(class, event))
		set_spans(ret, WAIT_IDLE, class, event);
	else if (is_queue(class))
		set_spans(ret, WAIT_EVENT, span_str("Queue"), event);
	else
		set_spans(ret, WAIT_EVENT, class, event);
}

/* False: its activity is not known. */
static bool classify(const struct world *w, const struct row *r,
	const struct row *process, const struct proc *p,
	struct wait_what *ret)
{
	struct span state = row_text(w, r, COL(BACKEND, STATE));
	struct span type = row_text(w, r, COL(BACKEND, TYPE));
	bool client = span_empty(type) || span_eq(type, "client backend") ||
	    span_eq(type, "parallel worker");

	if (!client || span_eq(state, "active") ||
	    span_eq(state, "fastpath function call")) {
		classify_active(w, r, process, p, ret);
		return true;
	}
	if (span_starts(state, "idle in transaction")) {
		set_spans(ret, WAIT_IDLE_TX, span_str("IdleTx"), span_str(""));
		return true;
	}
	if (span_eq(state, "idle")) {
		set_spans(ret, WAIT_IDLE, span_str("Client"),
		    span_str("ClientRead"));
		return true;
	}
	/* It may not be read, or track_activities is off. */
	return false;
}

enum wait_part waits_part_of(struct span type)
{
	static const struct {
		const char *type;
		enum wait_part part;
	} parts[] = {
		{ "", WAIT_FOREGROUND }, /* Greenplum 6 */
		{ "autovacuum launcher", WAIT_MAINTENANCE },
		{ "autovacuum worker", WAIT_MAINTENANCE },
		{ "client backend", WAIT_FOREGROUND },
		{ "executor", WAIT_FOREGROUND },
		{ "io worker", WAIT_IO_WORKER },
		{ "parallel worker", WAIT_FOREGROUND },
		{ "standalone backend", WAIT_FOREGROUND },
	};
	size_t i;

	for (i = 0; i < GS_LEN(parts); i++) {
		if (span_eq(type, parts[i].type))
			return parts[i].part;
	}
	return WAIT_BACKGROUND;
}

static int64_t time_cell(const struct row *r, unsigned col)
{
	uint64_t us;

	if (!row_get(r, col, &us) || (int64_t)us > INT64_MAX / 1000 ||
	    (int64_t)us < 0)
		return 0;
	return (int64_t)us * 1000;
}

/* Greenplum's session id, else the pid of the parallel leader. */
static uint64_t session_of(const struct row *r)
{
	uint64_t v = 0;

	if (!row_get(r, COL(BACKEND, SESSION), &v) &&
	    !row_get(r, COL(BACKEND, LEADER), &v))
		(void)row_get(r, COL(BACKEND, PID), &v); /* absent: 0 */
	return v;
}

int waits_content_of_row(const struct row *backend)
{
	uint64_t v;

	return row_get(backend, COL(BACKEND, CONTENT), &v) ? (int)(int64_t)v : -1;
}

/* What its row says; false: it is the recorder's. */
static bool tell(const struct world *w, struct row *r, struct wait_sample *ret)
{
	uint64_t v;

	ret->application = row_text(w, r, COL(BACKEND, APPLICATION));
	if (span_eq(ret->application, OWN_APPLICATION))
		return false;
	ret->content = waits_content_of_row(r);
	ret->pid = row_get(r, COL(BACKEND, PID), &v) ? (int)v : 0;
	ret->session = session_of(r);
	ret->type = row_text(w, r, COL(BACKEND, TYPE));
	ret->part = waits_part_of(ret->type);
	ret->user = row_text(w, r, COL(BACKEND, USER));
	ret->database = row_text(w, r, COL(BACKEND, DATABASE));
	ret->state = row_text(w, r, COL(BACKEND, STATE));
	ret->start_ns = time_cell(r, COL(BACKEND, QUERY_START));
	ret->changed_ns = GS_MAX(ret->start_ns,
	    time_cell(r, COL(BACKEND, STATE_CHANGE)));
	ret->has_query_id = row_get(r, COL(BACKEND, QUERY_ID), &v) && v != 0;
	ret->query_id = ret->has_query_id ? (int64_t)v : 0;
	ret->query = row_text(w, r, COL(BACKEND, QUERY));
	return true;
}

bool waits_sample_row(const struct world *w, struct row *r,
	const struct row *process, const struct proc *p,
	const struct wait_backend *told, struct wait_sample *ret)
{
	uint64_t v;

	memset(ret, 0, offsetof(struct wait_sample, share));
	ret->row = r;
	ret->process = process;
	/* a segment is not told by what application its executor works */
	if ((p && p->session && p->session->own) ||
	    !classify(w, r, process, p, &ret->what))
		return false;
	ret->by_state = process && row_get(r, COL(BACKEND, WAITING), &v);
	if (!told)
		return tell(w, r, ret);
	wait_sample_as_told(ret, told);
	return true;
}
