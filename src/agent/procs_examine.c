/* SPDX-License-Identifier: Apache-2.0 */
/*
 * procs_examine.c - what is known of every process, recorded or not; and those
 * that end.
 */
#include "agent/procs_int.h"

#include <errno.h>
#include <stdio.h>

#include "base/mem.h"
#include "format/wire.h"

#define PF_KTHREAD 0x00200000u

void proc_reset(struct proc *p, uint32_t pid, uint64_t tick)
{
	struct account *account = p->account;
	struct cells was = p->was;
	struct heap_use heap = p->heap;
	unsigned i;

	heap_use_reset(&heap);
	if (was.val)
		cells_clear(ENTITY_PROCESS, was);
	if (account)
		*account = (struct account) { .owes = false };
	*p = (struct proc) { .pid = pid, .first_tick = tick, .was = was,
		.account = account, .heap = heap, .dir_fd = -1 };
	for (i = 0; i < PROC_FILES; i++)
		p->file_fd[i] = -1;
}

void procs_add_gone(struct procs *ps, uint32_t pid)
{
	GS_GROW(ps->gone, &ps->gone_cap, ps->n_gone + 1);
	ps->gone[ps->n_gone++] = pid;
}

void procs_close_row(struct procs *ps, const struct scan *sc, struct proc *p,
	enum row_close why)
{
	proc_fds_close(&ps->full.fds, p);
	if (why == CLOSE_EXITED)
		exits_ended(&ps->exits, sc, p);
	if (!p->open)
		return;
	if (why != CLOSE_EXITED)
		exits_left(sc, p);
	delta_close_slot(sc->delta, p->slot, why);
	slots_return(&ps->slots, p->slot);
	sent_forget(sc->sent, ENTITY_PROCESS, p->was);
	cells_clear(ENTITY_PROCESS, p->was);
	heap_use_leave(&p->heap);
	p->open = false;
}

static void set_server(struct procs *ps, struct proc *p, bool is_server)
{
	bool was_server = p->is_server;
	size_t i;

	p->is_server = is_server;
	if (!p->is_server || was_server || !p->resolved || p->db)
		return;
	/* processes seen earlier may be its descendants */
	for (i = 0; i < ps->n; i++)
		ps->proc[i]->resolved &= ps->proc[i]->db != PROC_NONE;
}

/* Determines whether the program is (or became) a database server. */
static void check_program(struct procs *ps, const struct scan *sc,
	struct proc *p, struct span comm)
{
	set_server(ps, p, !p->kthread &&
	    proc_select_is_server(sc->root, p->pid, comm));
}

/* The same of one that is read in full at this tick, since it ran: only the
 * link.  False if that may not be read. */
static bool check_executable(struct procs *ps, const struct scan *sc,
	struct proc *p)
{
	bool is_server;

	if (!p->open || p->threads > 1)
		return false;
	if (!p->kthread) {
		if (!proc_select_executable(sc->root, p->pid, &is_server))
			return false;
		set_server(ps, p, is_server);
	}
	p->known_image = p->image;
	p->brief_ns = sc->mono_ns;
	return true;
}

/* Reads the few fields known of all processes.  PROC_READ_OTHER: the pid belongs
 * to another process than before. */
static enum proc_read_result read_brief(struct procs *ps, const struct scan *sc,
	struct proc *p, bool is_new)
{
	struct pid_brief b;
	struct span text;
	uint64_t cpu_ns;
	char path[24];
	int status;

	(void)snprintf(path, sizeof(path), "%u/stat", (unsigned)p->pid);
	status = root_read_proc(sc->root, path, &text);
	if (status == -EACCES || status == -EPERM) {
		failures_note(sc->failures, FILE_STAT, status);
		return PROC_READ_DENIED;
	}
	if (status < 0 || !pid_stat_brief(text, &b))
		return PROC_READ_LOST;
	if (!is_new && b.start != p->start)
		return PROC_READ_OTHER;
	p->ppid = (uint32_t)b.ppid;
	p->start = b.start;
	p->state = b.state;
	p->kthread = b.flags & PF_KTHREAD;
	p->brief_ns = sc->mono_ns;
	p->denied = false;
	p->image = p->known_image = proc_image(b.comm, b.image);
	(void)snprintf(p->comm, sizeof(p->comm), "%.*s",
	    (int)span_len(b.comm), b.comm.ptr);
	proc_select_name(sc, p);
	if (!sc->root->own_pids) {
		cpu_ns = b.cpu * sc->tick_ns;
		p->used = cpu_ns > p->clock && !is_new ? cpu_ns - p->clock
		                                       : 0;
		p->clock = cpu_ns;
	}
	check_program(ps, sc, p, b.comm);
	return PROC_READ_OK;
}

static void see_first(struct procs *ps, struct scan *sc, struct proc *p)
{
	switch (read_brief(ps, sc, p, true)) {
	case PROC_READ_OK:
	case PROC_READ_OTHER:
		break;
	case PROC_READ_LOST:
		p->dead = true;
		return;
	case PROC_READ_DENIED:
		p->denied = true;
		p->brief_ns = sc->mono_ns;
		return;
	}
	if (sc->root->own_pids)
		p->clock = proc_clock(p->pid);
	p->used = proc_born(sc, p) ? p->clock : 0;
}

void procs_see_other(struct procs *ps, struct scan *sc, struct proc *p)
{
	uint32_t pid = p->pid;

	procs_close_row(ps, sc, p, CLOSE_EXITED);
	procs_add_gone(ps, pid);
	proc_reset(p, pid, sc->tick);
	see_first(ps, sc, p);
}

static void read_again(struct procs *ps, struct scan *sc, struct proc *p)
{
	switch (read_brief(ps, sc, p, false)) {
	case PROC_READ_OK:
		break;
	case PROC_READ_LOST:
		/* see the list of the next tick */
		break;
	case PROC_READ_DENIED:
		procs_close_row(ps, sc, p, CLOSE_UNREADABLE);
		p->denied = true;
		break;
	case PROC_READ_OTHER:
		procs_see_other(ps, sc, p);
		break;
	}
}

/* Its program may be a database server by now.  stat tells of one that is read
 * in full whenever it ran; but it may have executed one since. */
static bool program_is_in_doubt(const struct scan *sc, const struct proc *p)
{
	bool young = sc->tick - p->first_tick <= sc->turn_ticks[TURN_SOON];

	if (p->db)
		return false;
	if (p->open && p->threads == 1 && p->image != p->known_image)
		return true;
	return p->used > 0 && (young || ((!p->open || p->threads != 1) &&
	    scan_due(sc, TURN_SOON, p->pid, p->brief_ns)));
}

/* The pid may be another process now: its clock is lower than at the last probe, or
 * could not be read then, since the process had just ended. */
static bool may_be_other(const struct proc *p, uint64_t clock)
{
	return clock != 0 && (clock < p->clock || p->clock == 0);
}

/* Reads the CPU clock of a known process. */
static void probe(struct procs *ps, struct scan *sc, struct proc *p)
{
	uint64_t clock = proc_clock_now(p, sc->tick);

	p->used = clock > p->clock ? clock - p->clock : 0;
	if (may_be_other(p, clock)) {
		read_again(ps, sc, p);
		clock = proc_clock(p->pid);
	} else if ((sc->req->n_comm > 0 && p->used > 0) ||
	    program_is_in_doubt(sc, p)) {
		if (sc->req->n_comm > 0 || !check_executable(ps, sc, p))
			read_again(ps, sc, p);
	}
	p->clock = clock;
}

void procs_examine(struct procs *ps, struct scan *sc)
{
	size_t i;

	for (i = 0; i < ps->n; i++) {
		struct proc *p = ps->proc[i];

		p->used = 0;
		if (p->first_tick == sc->tick) {
			see_first(ps, sc, p);
			sc->lost += p->dead;
		} else if (p->denied && !scan_due(sc, TURN_SOON, p->pid, p->brief_ns)) {
			continue;
		} else if (p->denied) {
			see_first(ps, sc, p);
		} else if (sc->root->own_pids) {
			probe(ps, sc, p);
		} else if ((!p->db && !ps->select.all) ||
		    sc->req->n_comm > 0) {
			read_again(ps, sc, p);
		}
	}
	for (i = 0; i < ps->n; i++) {
		struct proc *p = ps->proc[i];

		if (!p->resolved && !p->dead && !p->denied)
			proc_select_resolve(sc, ps->proc, ps->n, p);
	}
}
