/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status is the most expensive of the files that are read of each process: as
 * much as all others together.  What moves in it while a process runs is known
 * from elsewhere:
 *
 *   context switches   the answer about delays, if the process has one thread
 *   memory             page faults, size and RSS in stat tell that it may have
 *                      changed; then statm has it
 *
 * So it is read by turns (F_LATE in metrics.def), or when something points at
 * it, or if one of these is not known.
 */
#include "agent/proc_status.h"

#include "agent/proc_traits.h"
#include "format/wire.h"

/* Cells of now and was. */
static bool same(const struct reading *r, unsigned col)
{
	uint64_t a, b;

	return cells_get(r->p->was, col, &a) && cells_get(r->now, col, &b) &&
	    a == b;
}

/* Shared resident memory at the last full read, KiB; false if unknown. */
static bool shared_before(const struct reading *r, uint64_t *ret)
{
	uint64_t file, shmem;

	if (!cells_get(r->p->was, COL(PROCESS, RSS_FILE), &file) ||
	    !cells_get(r->p->was, COL(PROCESS, RSS_SHMEM), &shmem))
		return false;
	*ret = file + shmem;
	return true;
}

static bool resident_before(const struct reading *r, uint64_t *ret)
{
	uint64_t anon, shared;

	if (!cells_get(r->p->was, COL(PROCESS, RSS_ANON), &anon) ||
	    !shared_before(r, &shared))
		return false;
	*ret = anon + shared;
	return true;
}

static bool get_statm(struct reading *r, struct pid_statm *ret)
{
	struct span text;

	return reading_get(r, FILE_STATM, ROOT_FILE_MAX, &text) &&
	    pid_statm_get(text, r->sc->stat_opt.page_size, ret);
}

static bool statm_is(struct reading *r, uint64_t resident)
{
	struct pid_statm m;

	return get_statm(r, &m) && m.resident == resident;
}

/* ---- it slept ---------------------------------------------------------- */

/* Others can change only the memory and the CPUs in a sleeping process's
 * status.  A reclaimed page is not resident any more.  The figure in stat is
 * used only if it is exact (not since 6.16), that is, if it equals the sum. */
static bool memory_is_same(struct reading *r)
{
	uint64_t before, old, now;

	if (r->p->kthread)
		return true;
	if (!resident_before(r, &before))
		return false;
	if (cells_get(r->p->was, COL(PROCESS, RSS), &old) && old == before)
		return cells_get(r->now, COL(PROCESS, RSS), &now) &&
		    now == old;
	return statm_is(r, before);
}

static bool is_same(struct reading *r, uint64_t affinity)
{
	return r->slept && !r->p->status_late && affinity != 0 &&
	    affinity == r->p->affinity && memory_is_same(r);
}

/* ---- it ran ------------------------------------------------------------ */

/* Where the answer is about all threads, ended ones included, it is from before
 * schedstat, which is of the main thread.  If both count as many times on a
 * CPU, no other thread has ever been on one, and the switches are its own. */
static const struct delays *switches_of(const struct reading *r)
{
	const struct delays *main = delays_of_main(r->sc->delays, r->p);
	uint64_t slices;

	if (main)
		return main->has_switches ? main : NULL;
	return r->has_delays && r->delays.has_switches &&
	    cells_get(r->now, COL(PROCESS, TIMESLICES), &slices) &&
	    slices > 0 && slices == r->delays.of[DELAY_CPU].count
		? &r->delays : NULL;
}

static bool has_one_thread(const struct reading *r)
{
	uint64_t threads;

	return r->p->threads == 1 &&
	    cells_get(r->now, COL(PROCESS, THREADS), &threads) &&
	    threads == 1;
}

/* Another program, or rights that it used for the first time. */
static bool identity_is_same(const struct reading *r)
{
	return same(r, COL(PROCESS, COMM)) && same(r, COL(PROCESS, FLAGS)) &&
	    cells_has(r->p->was, COL(PROCESS, UID));
}

/* Memory comes by page faults; it is given back with addresses or without:
 * that shows in the RSS of stat, which is not exact. */
static bool memory_stood_still(const struct reading *r)
{
	return same(r, COL(PROCESS, MINFLT)) && same(r, COL(PROCESS, MAJFLT)) &&
	    same(r, COL(PROCESS, VSIZE)) && same(r, COL(PROCESS, RSS));
}

static bool has_swapped(const struct reading *r)
{
	uint64_t swap;

	return !cells_get(r->p->was, COL(PROCESS, VM_SWAP), &swap) || swap > 0;
}

/* What statm tells apart is as it was, but for anonymous memory. */
static bool only_anon_moved(const struct reading *r, const struct pid_statm *m)
{
	uint64_t size, shared, data, stack;

	return same(r, COL(PROCESS, VSIZE)) && shared_before(r, &shared) &&
	    cells_get(r->now, COL(PROCESS, VSIZE), &size) &&
	    cells_get(r->p->was, COL(PROCESS, VM_DATA), &data) &&
	    cells_get(r->p->was, COL(PROCESS, VM_STK), &stack) &&
	    m->size == size && m->shared == shared && m->data == data + stack;
}

/* False: only status can tell.  *ret_moved: statm was needed. */
static bool memory_is_known(struct reading *r, struct pid_statm *ret,
	bool *ret_moved)
{
	uint64_t resident;

	*ret_moved = false;
	if (r->p->kthread)
		return true;
	if (!resident_before(r, &resident) ||
	    !cells_has(r->now, COL(PROCESS, VSIZE)))
		return false;
	if (memory_stood_still(r))
		return true;
	*ret_moved = true;
	return !has_swapped(r) && get_statm(r, ret) && only_anon_moved(r, ret);
}

static bool can_wait(const struct reading *r)
{
	const struct scan *sc = r->sc;
	const struct proc *p = r->p;

	return !r->slept && p->open && sc->root->own_pids &&
	    !(sc->with & WITH_NO_QUIET) && !sc->request_changed &&
	    !sc->memory_reclaimed && p->state != 'Z' &&
	    !scan_due(sc, TURN_LATE, p->pid, p->status_ns) &&
	    !scan_due(sc, TURN_SELDOM, p->pid, p->memory_ns) && identity_is_same(r) &&
	    has_one_thread(r);
}

static void set_anon(struct reading *r, const struct pid_statm *m)
{
	uint64_t peak;

	cells_set(r->now, COL(PROCESS, RSS_ANON), pid_statm_private(m));
	if (cells_get(r->now, COL(PROCESS, VM_HWM), &peak) &&
	    peak < m->resident)
		cells_set(r->now, COL(PROCESS, VM_HWM), m->resident);
}

/* True: its cells are set without it. */
static bool do_without(struct reading *r)
{
	const struct delays *d = can_wait(r) ? switches_of(r) : NULL;
	struct pid_statm m;
	bool moved;

	if (!d || !memory_is_known(r, &m, &moved))
		return false;
	reading_keep(r, SOURCE_STATUS);
	root_note(r->sc->root, r->p->pid, "csw_vol", d->csw_vol);
	root_note(r->sc->root, r->p->pid, "csw_invol", d->csw_invol);
	cells_set(r->now, COL(PROCESS, CSW_VOL), d->csw_vol);
	cells_set(r->now, COL(PROCESS, CSW_INVOL), d->csw_invol);
	if (moved)
		set_anon(r, &m);
	r->p->status_late = true;
	return true;
}

/* ------------------------------------------------------------------------ */

static void note_known(const struct reading *r)
{
	r->p->status_ns = r->p->memory_ns = r->sc->mono_ns;
}

static void read_status(struct reading *r)
{
	struct span text, cpus;

	note_known(r);
	r->p->status_late = false;
	if (!reading_get(r, FILE_STATUS, ROOT_FILE_MAX, &text))
		return;
	pid_status_scan(text, r->now, &cpus);
	if (!span_empty(cpus))
		sent_set(r->sc->sent, r->now, r->p->was,
		    COL(PROCESS, CPUS_ALLOWED), cpus);
}

/* For kernels without RssAnon. */
static void read_statm(struct reading *r)
{
	struct span text;

	if (cells_has(r->now, COL(PROCESS, RSS_ANON)) ||
	    !cells_has(r->now, COL(PROCESS, VSIZE)))
		return;
	if (reading_get(r, FILE_STATM, ROOT_FILE_MAX, &text))
		pid_statm_scan(text, r->sc->stat_opt.page_size, r->now);
}

static void read_or_keep_status(struct reading *r)
{
	uint64_t affinity = 0;

	/* taken before the read: a change in between is seen next time */
	if (r->sc->root->own_pids)
		affinity = proc_affinity(r->p->pid);
	if (is_same(r, affinity)) {
		note_known(r);
		reading_keep(r, SOURCE_STATUS);
	} else {
		r->p->affinity = affinity;
		read_status(r);
	}
}

void proc_status_read(struct reading *r)
{
	if (!do_without(r))
		read_or_keep_status(r);
	read_statm(r);
}
