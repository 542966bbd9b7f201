/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_split.c - the time of a coordinator process that waits for its
 * executors.
 *
 * A session that is active for a second has one second of time.  If its
 * coordinator process works or has a wait of its own, the second counts for
 * that.  If it waits for its executors, the second is split in equal shares
 * among executors that work or wait for something outside of the session.  An
 * executor that waits for others of its session (a motion) has no share; only
 * if all wait for each other, the second counts for Motion: rows are being sent
 * between them.
 */
#include "analysis/waits_int.h"
#include "base/compiler.h"

bool waits_for_others(const struct wait_what *what)
{
	return span_eq(what->class, "Motion");
}

/* An unknown activity takes no time from known ones. */
static bool is_known(const struct wait_what *what)
{
	return !span_eq(what->class, "Unknown");
}

static bool is_asleep(const struct row *process)
{
	uint64_t state;

	return process && row_get(process, COL(PROCESS, STATE), &state) &&
	    state == 'S';
}

/* Whether the coordinator process may be waiting for its executors: its sleep
 * has an unknown reason, the server shows a message between processes, or the
 * server shows no wait though the process sleeps. */
static bool may_wait_for_executors(const struct wait_sample *l)
{
	if (l->what.kind == WAIT_CPU)
		return is_asleep(l->process);
	return l->what.kind == WAIT_EVENT &&
	    (span_eq(l->what.class, "Unknown") ||
	    span_eq(l->what.class, "Client") ||
	    span_eq(l->what.class, "IPC"));
}

static bool same_what(const struct wait_what *a, const struct wait_what *b)
{
	return a->kind == b->kind && span_same(a->class, b->class) &&
	    span_same(a->event, b->event);
}

static void add_used(const struct world *w, struct wait_share *to,
	const struct row *process)
{
	struct wait_used used;

	if (!waits_used(w, process, &used))
		return;
	to->used.with_io = used.with_io && (to->n_used == 0 ||
	    to->used.with_io);
	to->n_used++;
	to->used.cpu_us += used.cpu_us;
	to->used.queue_us += used.queue_us;
	to->used.io_us += used.io_us;
}

static void add_share(const struct world *w, struct wait_sample *l,
	const struct wait_what *what, const struct proc *p)
{
	struct wait_share *to = l->share, *end = l->share + l->n_share;

	while (to < end && !same_what(&to->what, what))
		to++;
	if (to == l->share + WAIT_SHARES_MAX)
		return; /* there are fewer distinct activities */
	if (to == end) {
		*to = (struct wait_share) { .what = *what,
			.content = p->title.seg };
		l->n_share++;
	}
	to->n++;
	l->n_executors++;
	if (wait_is_split(what))
		add_used(w, to, p->row);
}

/* Order for display: waits of the session before work. */
static int rank(const struct wait_what *what)
{
	static const char *const waits[] = { "Lock", "Replication", "Queue" };
	size_t i;

	for (i = 0; i < GS_LEN(waits); i++) {
		if (span_eq(what->class, waits[i]))
			return 2;
	}
	return what->kind == WAIT_CPU;
}

static void choose_principal(struct wait_sample *l)
{
	const struct wait_share *best = &l->share[0];
	size_t i;

	for (i = 1; i < l->n_share; i++) {
		const struct wait_share *x = &l->share[i];
		int a = rank(&x->what), b = rank(&best->what);

		if (a == 2 || b == 2 ? a > b : x->n > best->n ||
		    (x->n == best->n && a > b))
			best = x;
	}
	l->what = best->what;
	l->has_at = true;
	l->at = best->content;
}

bool waits_may_split(const struct wait_sample *l)
{
	return l->content < 0 && l->part == WAIT_FOREGROUND &&
	    may_wait_for_executors(l);
}

void waits_split(const struct world *w, const struct session *n,
	const struct proc *leader, struct wait_sample *l)
{
	struct wait_what what, motion;
	bool any = false;
	const struct proc *p;

	if (!n || n->kind != SESSION_GREENPLUM || !waits_may_split(l))
		return;
	for (p = n->procs; p; p = p->next) {
		if (p == leader || p->title.kind != TITLE_QE ||
		    !p->row->host->sampled || !waits_by_title(w, p, &what) ||
		    what.kind < WAIT_CPU || !is_known(&what))
			continue;
		if (!waits_for_others(&what)) {
			add_share(w, l, &what, p);
		} else if (!any) {
			motion = what;
			any = true;
		}
	}
	if (l->n_share > 0)
		choose_principal(l);
	else if (any && !span_eq(l->what.class, "IPC"))
		l->what = (struct wait_what) { motion.kind, motion.class,
			span_str("") };
}
