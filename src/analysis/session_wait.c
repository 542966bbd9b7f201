/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_wait.c - how long processes and backends have been seen to wait for
 * locks.  Most servers do not report the start of a wait.
 */
#include "analysis/sessions_int.h"
#include "base/arith.h"

void session_note_wait(int64_t *since_ns, int64_t now_ns,
	enum title_state state)
{
	if (state != TITLE_WAITING)
		*since_ns = 0;
	else if (!*since_ns)
		*since_ns = now_ns;
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
	*ret_ns = gs_difference(s->wall_ns, since);
	return since != 0;
}
