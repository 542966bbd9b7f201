/* SPDX-License-Identifier: Apache-2.0 */
/*
 * delays.h - asks the kernel for the delays of processes and threads.
 *
 * Over generic netlink, family TASKSTATS; the kernel answers only with
 * CAP_NET_ADMIN.  Whether it does is asked once: if it refuses, nothing is
 * asked again.  Processes are asked for several at a time, in one message, just
 * before they are read.
 */
#ifndef GS_AGENT_DELAYS_H
#define GS_AGENT_DELAYS_H

#include "agent/proc.h"
#include "procfs/taskstats.h"

/* Requests in one message; their answers must fit into the socket. */
#define DELAYS_AHEAD 16
#define DELAYS_ANSWER 2048 /* bytes */

/* Whether the kernel answers: values of host.taskstats. */
enum delays_state {
	DELAYS_UNTRIED = -2,
	DELAYS_NONE = -1, /* no such family, no such socket */
	DELAYS_REFUSED = 0,
	DELAYS_WORK = 1
};

struct delays_answer {
	uint32_t pid;
	bool of_main; /* of its main thread only */
	bool good;
	struct delays delays;
};

struct delays_link {
	int fd; /* -1: closed */
	enum delays_state state;
	uint16_t family;
	uint32_t self; /* the agent's pid */
	unsigned version; /* of the answers; 0: none yet */
	bool cpu, irq; /* some process waited for a CPU, was interrupted: it is
	                * measured */
	int64_t on_ns; /* boot clock when delays were measured first; 0: they
			* are not */
	uint32_t seq;
	struct delays_answer ahead[DELAYS_AHEAD];
	size_t n_ahead;
	char *buf; /* DELAYS_AHEAD answers; owned */
	/* of this tick */
	uint64_t ok, eperm, esrch, other;
	int no_socket, no_family; /* errno if it was found out in vain; 0 */
};

void delays_init(struct delays_link *l);
void delays_release(struct delays_link *l);

/* Begins a tick, at boot_ns.  At the first one it finds out whether the kernel
 * answers, unless the processes are not those of its own namespace: it would
 * answer for others. */
void delays_begin(struct delays_link *l, const struct scan *sc,
	int64_t boot_ns);

/* Asks for n processes, DELAYS_AHEAD at most, that will be read next; only in
 * the state DELAYS_WORK.  Of one that has a single thread, and never had more as
 * far as is known, its main thread is asked for: that answer has what schedstat
 * has, too. */
void delays_ask_ahead(struct delays_link *l, struct proc *const *p, size_t n);

/* The answer about the main thread, if it was asked for ahead and has the
 * scheduler's figures; valid until the next are asked for.  Else NULL. */
const struct delays *delays_of_main(const struct delays_link *l,
	const struct proc *p);

/* Delays of a process, all its threads together, ended ones too: asked ahead or
 * now.  Sets cells of a process row.  clock: its CPU clock before it was asked
 * for.  one_thread: it has no other threads.  False: they are not known. */
bool delays_of_process(struct delays_link *l, const struct scan *sc,
	struct proc *p, uint64_t clock, bool one_thread, struct cells c,
	struct delays *ret);

/* Sets the delays of one thread of p, in cells of a process row, too: those of a
 * thread have the same names. */
void delays_of_thread(struct delays_link *l, const struct scan *sc,
	const struct proc *p, uint32_t tid, struct cells c);

/* What was asked ahead may be of another process that had this pid. */
void delays_forget(struct delays_link *l, uint32_t pid);

/* Of a process that was started before the kernel measured block IO, stat has
 * 0, too: that is absent. */
void delays_fix_blkio(struct cells c);

#endif
