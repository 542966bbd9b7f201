/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/procs_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "agent/delays.h"
#include "agent/proc_ran.h"
#include "base/mem.h"
#include "format/wire.h"

void procs_init(struct procs *ps)
{
	*ps = (struct procs) { 0 };
	proc_read_init(&ps->full);
	ps->now = cells_new(ENTITY_PROCESS);
}

static void free_proc(struct proc *p)
{
	if (p->was.val)
		cells_free(p->was);
	free(p->account);
	free(p->heap.thread);
	free(p);
}

void procs_release(struct procs *ps)
{
	size_t i;

	for (i = 0; i < ps->n; i++) {
		proc_fds_close(&ps->full.fds, ps->proc[i]);
		free_proc(ps->proc[i]);
	}
	for (i = 0; i < ps->n_spare; i++)
		free_proc(ps->spare[i]);
	free(ps->proc);
	free(ps->next);
	free(ps->spare);
	free(ps->gone);
	proc_list_release(&ps->list);
	slots_release(&ps->slots);
	proc_read_release(&ps->full);
	proc_select_release(&ps->select);
	exits_release(&ps->exits);
	cells_free(ps->now);
}

static struct proc *new_proc(struct procs *ps, const struct scan *sc,
	uint32_t pid)
{
	struct proc *p = ps->n_spare > 0 ? ps->spare[--ps->n_spare]
	                                 : gs_calloc(1, sizeof(*p));

	proc_reset(p, pid, sc->tick);
	return p;
}

static void retire(struct procs *ps, struct proc *p)
{
	GS_GROW(ps->spare, &ps->spare_cap, ps->n_spare + 1);
	ps->spare[ps->n_spare++] = p;
}

/* Updates the known processes from the list of pids. */
static void merge(struct procs *ps, const struct scan *sc)
{
	const struct pids *l = &ps->list.pids;
	struct proc **t;
	size_t i = 0, j = 0, n = 0, cap;

	GS_GROW(ps->next, &ps->next_cap, l->n);
	while (i < ps->n || j < l->n) {
		struct proc *p = i < ps->n ? ps->proc[i] : NULL;

		if (p && (j == l->n || p->pid < l->pid[j])) {
			procs_close_row(ps, sc, p, CLOSE_EXITED);
			procs_add_gone(ps, p->pid);
			retire(ps, p);
			i++;
		} else if (p && p->pid == l->pid[j]) {
			ps->next[n++] = p;
			i++;
			j++;
		} else {
			ps->next[n++] = new_proc(ps, sc, l->pid[j++]);
		}
	}
	ps->n_listed = ps->n_gone;
	t = ps->proc;
	cap = ps->cap;
	ps->proc = ps->next;
	ps->cap = ps->next_cap;
	ps->n = n;
	ps->next = t;
	ps->next_cap = cap;
}

static bool parent_is_gone(const struct procs *ps, const struct proc *p)
{
	size_t lo = 0, hi = ps->n_listed;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (ps->gone[mid] < p->ppid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < ps->n_listed && ps->gone[lo] == p->ppid;
}

/* A sleeper's turn.  It comes sooner where the process itself may have changed
 * something since: its status was left when it ran, or it has threads, each of
 * which used less than what counts as having run. */
static bool turn_has_come(const struct scan *sc, const struct proc *p)
{
	enum turn turn = p->threads > 1 ? TURN_SOON
	    : p->status_late ? TURN_LATE : TURN_SELDOM;

	return scan_due(sc, turn, p->pid, p->full_ns);
}

static bool must_read(struct procs *ps, const struct scan *sc, struct proc *p)
{
	p->orphaned |= parent_is_gone(ps, p);
	if (!p->open || (sc->with & WITH_NO_QUIET) || !sc->root->procfs ||
	    sc->request_changed || p->orphaned)
		return true;
	return sc->memory_reclaimed ||
	    p->was.val[COL(PROCESS, ROLE)] != p->role ||
	    (p->account && p->account->grew) || p->heap.tick == sc->tick ||
	    turn_has_come(sc, p) || proc_ran(&ps->full, sc, p);
}

static void commit(struct procs *ps, const struct scan *sc, struct proc *p)
{
	bool was_zombie = p->open &&
	    p->was.val[COL(PROCESS, STATE)] == 'Z';

	if (!p->open) {
		if (!p->was.val)
			p->was = cells_new(ENTITY_PROCESS);
		exits_opens(p);
		p->slot = slots_alloc(&ps->slots);
		p->open = true;
		delta_open_slot(sc->delta, p->slot,
		    proc_born(sc, p) ? OPEN_BORN : OPEN_APPEARED);
	}
	(void)delta_row(sc->delta, p->slot, p->was, ps->now);
	sent_replace(sc->sent, ENTITY_PROCESS, p->was, ps->now);
	cells_copy(ENTITY_PROCESS, p->was, ps->now);
	if (p->account)
		p->account->grew = false;
	p->full_ns = sc->mono_ns;
	p->read_tick = sc->tick;
	/* a zombie's children already have another parent */
	if (p->state == 'Z' && !was_zombie)
		procs_add_gone(ps, p->pid);
}

static enum proc_read_result read_once(struct procs *ps, struct scan *sc,
	struct proc *p)
{
	enum proc_read_result result;

	cells_clear(ENTITY_PROCESS, ps->now);
	result = proc_read(&ps->full, sc, p, ps->now, &p->unread);
	if (result == PROC_READ_OK) {
		commit(ps, sc, p);
		sc->read++;
	} else {
		sent_forget(sc->sent, ENTITY_PROCESS, ps->now);
	}
	if (result == PROC_READ_DENIED) {
		procs_close_row(ps, sc, p, CLOSE_UNREADABLE);
		p->denied = true;
	}
	return result;
}

static void read_row(struct procs *ps, struct scan *sc, struct proc *p)
{
	enum proc_read_result result = read_once(ps, sc, p);

	if (result != PROC_READ_LOST && result != PROC_READ_OTHER)
		return;
	sc->lost++;
	/* its pid may have been reused already */
	delays_forget(sc->delays, p->pid);
	procs_see_other(ps, sc, p);
	if (p->dead || p->denied)
		return;
	proc_select_resolve(sc, ps->proc, ps->n, p);
	p->role = (uint8_t)proc_select_role(&ps->select, p);
	if (p->role == PROC_NONE)
		return;
	result = read_once(ps, sc, p);
	if (result == PROC_READ_LOST || result == PROC_READ_OTHER)
		p->dead = true;
}

/* Asks for the delays of the next processes, from the i-th on, that will be read
 * because they ran.  Returns the end of those considered. */
static size_t ask_ahead(struct procs *ps, const struct scan *sc, size_t i)
{
	struct proc *asked[DELAYS_AHEAD];
	size_t n = 0;

	if (sc->delays->state != DELAYS_WORK)
		return ps->n;
	for (; i < ps->n && n < DELAYS_AHEAD; i++) {
		struct proc *p = ps->proc[i];

		if (p->role != PROC_NONE && !p->dead && !p->denied &&
		    (!p->open || proc_ran(&ps->full, sc, p)))
			asked[n++] = p;
	}
	delays_ask_ahead(sc->delays, asked, n);
	return i;
}

/* If it has not run since status was read, that is how it left it. */
static void pass_over(struct scan *sc, struct proc *p)
{
	if (p->threads == 1 && !p->status_late)
		p->status_ns = sc->mono_ns;
	sc->quiet++;
}

static void record(struct procs *ps, struct scan *sc)
{
	size_t i, asked = 0;

	for (i = 0; i < ps->n; i++) {
		struct proc *p = ps->proc[i];

		if (i == asked)
			asked = ask_ahead(ps, sc, i);
		if (p->dead || p->denied)
			continue;
		proc_fds_note_run(&ps->full.fds, p, p->used >=
		    (p->threads > 1 ? (uint64_t)PROC_QUIET_NS : 1));
		if (p->role == PROC_NONE)
			procs_close_row(ps, sc, p, CLOSE_LEFT);
		else if (must_read(ps, sc, p))
			read_row(ps, sc, p);
		else
			pass_over(sc, p);
	}
}

/* Reads children of processes that ended while others were being read. */
static void read_orphans(struct procs *ps, struct scan *sc)
{
	size_t g, i;

	for (g = ps->n_listed; g < ps->n_gone; g++) {
		for (i = 0; i < ps->n; i++) {
			struct proc *p = ps->proc[i];

			if (p->open && p->ppid == ps->gone[g] &&
			    p->read_tick != sc->tick) {
				sc->quiet--;
				p->orphaned = true;
				read_row(ps, sc, p);
			}
		}
	}
}

/* Only that: its other fields are as old as its CPU clock. */
static void read_parent(const struct scan *sc, struct proc *p)
{
	struct pid_brief b;
	struct span text;
	char path[24];

	(void)snprintf(path, sizeof(path), "%u/stat", (unsigned)p->pid);
	if (root_read_proc(sc->root, path, &text) == 0 &&
	    pid_stat_brief(text, &b) && b.start == p->start)
		p->ppid = (uint32_t)b.ppid;
}

/* The parent of a process that is not recorded, and what it owes to that. */
static void settle_exits(struct procs *ps, struct scan *sc)
{
	size_t i;

	exits_settle(&ps->exits, ps->proc, ps->n);
	for (i = 0; i < ps->n; i++) {
		struct proc *p = ps->proc[i];

		if (!exits_must_place(p, ps->proc, ps->n))
			continue;
		p->account->placed = true;
		read_parent(sc, p);
	}
}

static void count_unread(struct scan *sc, const struct proc *p)
{
	uint32_t files = p->denied ? 1u << FILE_STAT : p->open ? p->unread : 0;

	if (p->open && p->heap.denied)
		files |= 1u << FAILURES_HEAP;
	sc->refused += files != 0;
	failures_count(sc->failures, files);
}

static void sweep(struct procs *ps, struct scan *sc)
{
	size_t i, kept = 0;

	for (i = 0; i < ps->n; i++) {
		struct proc *p = ps->proc[i];

		if (p->dead) {
			procs_close_row(ps, sc, p, CLOSE_EXITED);
			retire(ps, p);
			continue;
		}
		count_unread(sc, p);
		ps->proc[kept++] = p;
	}
	ps->n = kept;
}

static void close_all(struct procs *ps, const struct scan *sc)
{
	size_t i;

	for (i = 0; i < ps->n; i++) {
		procs_close_row(ps, sc, ps->proc[i], CLOSE_EXITED);
		retire(ps, ps->proc[i]);
	}
	ps->n = 0;
	exits_forget(&ps->exits);
}

/* The first process always exists: if it is not listed, /proc hides others'
 * processes (hidepid). */
static void check_list(const struct procs *ps, const struct scan *sc)
{
	if (sc->root->own_pids && scan_refreshes(sc))
		failures_note(sc->failures, FAILURES_PIDS,
		    ps->list.pids.n > 0 && ps->list.pids.pid[0] == 1 ? 0 : -EPERM);
}

int procs_tick(struct procs *ps, struct scan *sc, struct gs_err *err)
{
	int status = proc_list_read(&ps->list, sc, ps->proc, ps->n, err);

	if (status < 0)
		return status;
	check_list(ps, sc);
	failures_begin(sc->failures);
	sc->seen = ps->list.pids.n;
	ps->n_gone = 0;
	slots_begin(&ps->slots);
	if (sc->rebooted)
		close_all(ps, sc);
	merge(ps, sc);
	procs_examine(ps, sc);
	proc_select_roles(&ps->select, sc, ps->proc, ps->n);
	settle_exits(ps, sc);
	record(ps, sc);
	read_orphans(ps, sc);
	sweep(ps, sc);
	return 0;
}
