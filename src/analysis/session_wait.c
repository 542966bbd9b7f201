/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_wait.c - how long processes and backends have been seen to wait for
 * locks.  Most servers do not report the start of a wait.
 */
#include "analysis/sessions_int.h"
#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"

void session_note_wait(int64_t *since_ns, int64_t now_ns,
	enum title_state state)
{
	if (state != TITLE_WAITING)
		*since_ns = 0;
	else if (!*since_ns)
		*since_ns = now_ns;
}

void session_set_waits(struct proc *p, int64_t since_ns)
{
	if (p->waits_ns)
		p->waits_ns = since_ns;
}

static bool next_pid(struct span *s, uint64_t *ret)
{
	if (!scan_u64(s, ret))
		return false;
	if (!span_empty(*s))
		s->ptr++; /* the comma */
	return true;
}

/* Whether two lists have a pid in common. */
static bool share_pid(struct span a, struct span b)
{
	uint64_t x, y;

	while (next_pid(&a, &x)) {
		struct span rest = b;

		while (next_pid(&rest, &y)) {
			if (x == y)
				return true;
		}
	}
	return false;
}

void session_note_blockers(struct tie *t, const struct world *w,
	int64_t now_ns)
{
	struct span is = row_text(w, t->row, COL(BACKEND, BLOCKERS));

	if (span_empty(is) || (t->blockers && span_eq(is, t->blockers)))
		return;
	if (t->blockers && !share_pid(span_str(t->blockers), is))
		t->blocked_ns = now_ns;
	free(t->blockers);
	t->blockers = gs_strndup(is.ptr, span_len(is));
}

void session_begin_waits(struct sessions *s)
{
	size_t i;

	for (i = 0; i < s->n_tie; i++) {
		if (s->tie[i]->waits_ns)
			s->tie[i]->waits_ns = s->wall_ns;
	}
	for (i = 0; i < s->proc_cap; i++) {
		if (s->proc[i] && s->proc[i]->waits_ns)
			s->proc[i]->waits_ns = s->wall_ns;
	}
}

bool sessions_seen_to_wait(const struct sessions *s, const struct proc *p,
	const struct row *backend, int64_t *ret_ns)
{
	const struct tie *t = backend ? tie_of_row(s, backend) : NULL;
	int64_t since = 0;

	if (!p && t)
		p = t->proc;
	if (p && p->waits_ns)
		since = p->waits_ns;
	else if (t)
		since = t->waits_ns;
	if (since && t)
		since = GS_MAX(since, t->blocked_ns);
	*ret_ns = gs_difference(s->wall_ns, since);
	return since != 0;
}
