/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/proc_ran.h"

#include <string.h>

static bool sched_moved(struct proc_read *f, const struct scan *sc,
	struct proc *p)
{
	uint64_t sched[3];

	return !p->has_sched || !proc_read_sched(f, sc, p, sched) ||
	    memcmp(sched, p->proc_read_sched, sizeof(sched)) != 0;
}

static bool find_ran(struct proc_read *f, const struct scan *sc, struct proc *p)
{
	if (!sc->root->own_pids)
		return p->threads > 1 || sched_moved(f, sc, p);
	if (p->clock == p->proc_read_clock)
		return false;
	return p->threads < 2 || p->clock < p->proc_read_clock ||
	    p->clock - p->proc_read_clock >= (uint64_t)PROC_QUIET_NS ||
	    sched_moved(f, sc, p);
}

bool proc_ran(struct proc_read *f, const struct scan *sc, struct proc *p)
{
	if (p->ran_tick != sc->tick) {
		p->ran = find_ran(f, sc, p);
		p->ran_tick = sc->tick;
	}
	return p->ran;
}
