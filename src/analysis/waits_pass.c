/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_pass.c - ticks that do not show what backends do, but which samples there were:
 * somebody else has their sums.
 *
 * Sums of ticks that follow each other do not depend on who makes them, and so on where
 * a range begins, but for the weight of the first sample of a stream: it is the time
 * since the one before.
 */
#include "analysis/waits_int.h"
#include "base/compiler.h"

static void forget_seen(struct waits *s)
{
	size_t i;

	for (i = 0; i < s->n_all; i++)
		s->all[i]->backend.open = false;
	s->n_lively = 0;
	waits_forget_gone(s);
}

void waits_pass(struct waits *s, const struct world *w,
	const struct sessions *sessions)
{
	waits_wake(s, w, NULL);
	forget_seen(s);
	s->passes = true;
	waits_step(s, w, sessions);
	s->passes = false;
}

uint64_t waits_steady_after(const struct waits *s)
{
	const struct stream *t = &s->catalog[COORDINATOR], *next;
	uint64_t last = t->unsteady_tick;

	if (!t->known)
		return UINT64_MAX;
	if (!s->by_titles)
		return last;
	HASH_ITER(hh, s->hosts, t, next)
		last = GS_MAX(last, t->unsteady_tick);
	return last;
}
