/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc.h - one process known to the agent, and the state of one tick.
 */
#ifndef GS_AGENT_PROC_H
#define GS_AGENT_PROC_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/heap_use.h"
#include "agent/turns.h"
#include "model/rows.h"
#include "agent/proc_traits.h"
#include "base/clock.h"
#include "base/fnv.h"
#include "model/row.h"
#include "model/tick.h"
#include "procfs/passwd.h"
#include "procfs/pid.h"
#include "procfs/root.h"

/* Files per process whose descriptors may be kept open. */
#define PROC_FILES 6

/* Values of the cell process.role. */
enum proc_role {
	PROC_NONE = 0, /* not recorded */
	PROC_POSTMASTER = 1,
	PROC_BELOW = 2, /* descendant of a postmaster */
	PROC_BUSY = 3,
	PROC_ALL = 4, /* recorded since all are */
	PROC_NAMED = 5 /* recorded since it was named */
};

struct account;
struct request;
struct failures;
struct delays_link;

struct proc {
	uint32_t pid, ppid;
	uint64_t start; /* ticks since boot */
	uint64_t first_tick; /* at which it was seen first */
	uint64_t read_tick; /* of the last full read */
	uint64_t ran_tick; /* at which it was found out whether it ran */
	bool ran; /* since its last full read */

	bool resolved; /* db is decided */
	bool is_server; /* its program is a database server */
	uint32_t image; /* of the program that it executes: proc_image() */
	uint32_t known_image; /* before it was found out whether it is_server */
	bool kthread;
	bool denied; /* none of its files may be read */
	bool dead; /* to be removed at the end of the tick */
	bool by_pid, by_comm; /* it was named: see request.chosen */
	char comm[16]; /* its name when stat was read last */
	uint32_t unread; /* files that may not be read: 1 << enum failures_file */
	bool busy; /* recorded as one of the busiest */
	uint8_t db; /* PROC_NONE, PROC_POSTMASTER or PROC_BELOW */
	uint8_t role; /* of this tick */
	uint8_t idle_ticks; /* number of ticks not among the busiest */
	char state;
	uint32_t postmaster; /* pid; 0: none */

	/* CPU, ns */
	uint64_t clock; /* at the last probe; 0: could not be read */
	uint64_t probed; /* at this tick, if proc.probe_tick says so */
	uint64_t probe_tick;
	uint64_t used; /* since the previous tick */
	uint64_t proc_read_clock; /* at the last full read */
	uint64_t proc_read_sched[3];
	uint64_t affinity; /* hash of its CPUs before status was read; 0: unknown */
	bool has_sched;
	bool had_threads; /* others than its main thread have run */
	uint64_t threads;
	/* monotonic time of the last reads */
	int64_t brief_ns, full_ns, stat_ns, cgroup_ns;
	int64_t status_ns; /* or when it was known to have done nothing since */
	int64_t memory_ns; /* of status, which others can change; or when it was
			    * known to be the same */
	bool status_late; /* it ran, and status was not read: proc_status.c */
	bool orphaned; /* stat has its new parent */

	/* its row */
	bool open;
	uint32_t slot;
	struct cells was; /* val is NULL until the row opens; owned */
	int dir_fd; /* -1: not kept open */
	int file_fd[PROC_FILES]; /* the same */
	uint8_t hot; /* number of ticks in which it ran, minus those in which it
		      * did not and too many files were open */
	uint32_t needed, needed_before; /* files of the last two full reads:
					 * 1 << enum proc_file */

	struct heap_use heap;
	struct account *account; /* exits.h; NULL until it is needed; owned */

	/* temporary files found at this tick */
	uint64_t spill_bytes;
	uint32_t spill_files;
	uint32_t spill_part; /* first of its operators, from 1; 0: none */
};

/* Clears p and makes it process pid, first seen at tick; the memory of its
 * cells and its account is kept, cleared. */
void proc_reset(struct proc *p, uint32_t pid, uint64_t tick);

/* Changes when a process executes another program; stat's name for it counts
 * where the rest is not told. */
static inline uint32_t proc_image(struct span comm, struct span image)
{
	return fnv_text(comm.ptr, span_len(comm)) ^
	    fnv_text(image.ptr, span_len(image));
}

/* Data for all readers during one tick. */
struct scan {
	struct root *root;
	struct sent_texts *sent;
	const struct passwd *users;
	struct delta *delta; /* of entity process */
	struct delays_link *delays;
	struct failures *failures;
	uint64_t tick;
	int64_t mono_ns;
	int64_t prev_boot_ns; /* of the previous tick; < 0: none */
	int64_t interval_ns; /* between ticks, lately; 0: not known yet */
	uint64_t turn_ticks[TURNS]; /* after as many it is read again */
	uint32_t with; /* wire_with bits */
	uint32_t busiest;
	const struct request *req; /* not owned */
	struct pid_stat_opt stat_opt;
	uint64_t tick_ns; /* of a clock tick */
	uint64_t forks; /* since boot; 0: unknown */
	uint64_t last_pid; /* given last; 0: unknown */
	bool request_changed; /* the request differs from the previous one */
	bool choose; /* pids that were named are looked up at this tick */
	bool memory_reclaimed; /* pages of processes were reclaimed */
	bool rebooted; /* nothing of the previous tick is valid */
	/* counters of the agent's row */
	uint64_t seen, read, quiet, lost, refused;
};

/* True if data last read at last_ns is due: after the ticks of that turn, or a
 * little sooner, since what was read at the same tick, as at the first, shall not
 * be so for ever.  A process has two or three chances in that time; it takes the
 * last one. */
static inline bool scan_due(const struct scan *sc, enum turn of, uint32_t pid,
	int64_t last_ns)
{
	uint64_t ticks = sc->turn_ticks[of];
	unsigned chances = of == TURN_SOON ? 2 : 3;
	uint64_t step = ticks > chances ? ticks / chances : 1;
	int64_t age = sc->mono_ns - last_ns + sc->interval_ns / 2;

	return ticks <= 1 || age >= (int64_t)ticks * sc->interval_ns ||
	    ((sc->tick + pid) % step == 0 &&
	    age >= (int64_t)(ticks - step + 1) * sc->interval_ns);
}

/* True if facts that seldom change are read again at this tick. */
static inline bool scan_refreshes(const struct scan *sc)
{
	return !sc->root->procfs || sc->tick == 1 ||
	    sc->tick % sc->turn_ticks[TURN_SOON] == 0;
}

/* Sets a text cell, with a reference of its own; id 0: it stays absent. */
static inline void set_text_id(struct sent_texts *sent, struct cells c,
	unsigned col, uint32_t id)
{
	if (id == 0)
		return;
	texts_ref(sent->texts, id);
	cells_set(c, col, id);
}

/* Started after the previous sample: its counters start from zero.  Start
 * times are truncated to a clock tick, so a process that was not listed then
 * counts as born. */
static inline bool proc_born(const struct scan *sc, const struct proc *p)
{
	return sc->prev_boot_ns >= 0 && p->first_tick == sc->tick &&
	    p->start >= (uint64_t)sc->prev_boot_ns / sc->tick_ns;
}

/* Begins the rows of an entity other than the host: they end with a reboot. */
static inline void scan_begin_rows(const struct scan *sc, struct rows *r,
	struct delta *d)
{
	rows_begin(r, d);
	if (sc->rebooted)
		rows_close_all(r, CLOSE_EXITED);
}

/* The CPU clock of a process, asked once per tick: proc_clock(). */
static inline uint64_t proc_clock_now(struct proc *p, uint64_t tick)
{
	if (p->probe_tick != tick) {
		p->probed = proc_clock(p->pid);
		p->probe_tick = tick;
	}
	return p->probed;
}

#endif
