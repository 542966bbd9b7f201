/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_sleep.c - activity of one process, from its title, its state and the
 * kernel function in which it sleeps (wchan, if it may be read).
 *
 * Server code sleeps in few ways.  Before 10, PostgreSQL's locks are System V
 * semaphores, later futexes; a process that waits for a heavyweight lock has
 * this in its title, so any other sleep on a semaphore is a wait for a
 * lightweight lock.  A process that polls waits for a message, and Greenplum's
 * interconnect also uses futexes to pass rows: the reason for these depends on
 * the role of the process in its session.
 */
#include "analysis/waits_int.h"
#include "base/compiler.h"

enum sleep {
	SLEEP_UNKNOWN, /* no wchan, or not a known one */
	SLEEP_MESSAGE, /* poll, epoll, futex */
	SLEEP_SOCKET, /* reads or writes a socket */
	SLEEP_SEMAPHORE,
	SLEEP_PIPE,
	SLEEP_CHILD
};

/* Beginnings of names, from kernels 3.10 to 6.12. */
static const struct {
	const char *begin;
	enum sleep sleep;
} sleeps[] = {
	{ "poll_schedule", SLEEP_MESSAGE },
	{ "do_poll", SLEEP_MESSAGE },
	{ "do_sys_poll", SLEEP_MESSAGE },
	{ "do_select", SLEEP_MESSAGE },
	{ "ep_poll", SLEEP_MESSAGE },
	{ "do_epoll", SLEEP_MESSAGE },
	{ "futex_", SLEEP_MESSAGE },
	{ "do_futex", SLEEP_MESSAGE },
	{ "wait_woken", SLEEP_SOCKET },
	{ "sk_wait", SLEEP_SOCKET },
	{ "sk_stream_wait", SLEEP_SOCKET },
	{ "unix_stream", SLEEP_SOCKET },
	{ "sock_alloc_send", SLEEP_SOCKET },
	{ "tcp_", SLEEP_SOCKET },
	{ "inet_", SLEEP_SOCKET },
	{ "__skb_wait", SLEEP_SOCKET },
	{ "skb_wait", SLEEP_SOCKET },
	{ "do_semtimedop", SLEEP_SEMAPHORE },
	{ "__do_semtimedop", SLEEP_SEMAPHORE },
	{ "SYSC_semtimedop", SLEEP_SEMAPHORE },
	{ "SyS_semtimedop", SLEEP_SEMAPHORE },
	{ "sys_semtimedop", SLEEP_SEMAPHORE },
	{ "pipe_", SLEEP_PIPE },
	{ "anon_pipe_", SLEEP_PIPE },
	{ "do_wait", SLEEP_CHILD },
};

static enum sleep sleep_of(const struct world *w, const struct row *process)
{
	struct span name = row_text(w, process, COL(PROCESS, WCHAN));
	size_t i;

	for (i = 0; i < GS_LEN(sleeps); i++) {
		if (span_starts(name, sleeps[i].begin))
			return sleeps[i].sleep;
	}
	return SLEEP_UNKNOWN;
}

/* Sleeps of executors are more specific. */
static void by_sleep(const struct world *w, const struct row *process,
	bool executor, struct wait_what *ret)
{
	switch (sleep_of(w, process)) {
	case SLEEP_MESSAGE:
		if (executor)
			wait_set(ret, WAIT_EVENT, "Motion", "");
		return;
	case SLEEP_SOCKET:
		if (executor)
			wait_set(ret, WAIT_EVENT, "Motion", "Coordinator");
		else
			wait_set(ret, WAIT_EVENT, "Client", "");
		return;
	case SLEEP_SEMAPHORE:
		wait_set(ret, WAIT_EVENT, "LWLock", "");
		return;
	case SLEEP_PIPE:
		wait_set(ret, WAIT_EVENT, "IPC", "Pipe");
		return;
	case SLEEP_CHILD:
		wait_set(ret, WAIT_EVENT, "IPC", "Child");
		return;
	case SLEEP_UNKNOWN:
		return;
	}
}

/* Its temporary files grew or shrank since the sample before. */
static bool spills(const struct row *process)
{
	uint64_t now, was;

	return cells_get(process->now, COL(PROCESS, SPILL), &now) &&
	    cells_get(process->was, COL(PROCESS, SPILL), &was) && now != was;
}

bool waits_by_process(const struct world *w, const struct row *process,
	bool executor, struct wait_what *ret)
{
	uint64_t state;

	if (!process || !row_get(process, COL(PROCESS, STATE), &state))
		return false;
	switch (state) {
	case 'R':
		wait_set(ret, WAIT_CPU, "CPU*", "");
		return true;
	case 'D':
		wait_set(ret, WAIT_EVENT, "IO", executor && spills(process)
		    ? "SpillFile" : "BlockDevice");
		return true;
	case 'S':
		wait_set(ret, WAIT_EVENT, "Unknown", "");
		by_sleep(w, process, executor, ret);
		return true;
	case 'T':
	case 't':
		wait_set(ret, WAIT_EVENT, "Unknown", "");
		return true;
	default: /* ends */
		return false;
	}
}

bool waits_by_title(const struct world *w, const struct proc *p,
	struct wait_what *ret)
{
	switch (p->title.state) {
	case TITLE_STATE_NONE:
		return false;
	case TITLE_IDLE:
		wait_set(ret, WAIT_IDLE, "Client", "ClientRead");
		return true;
	case TITLE_IDLE_TX:
	case TITLE_IDLE_ABORTED:
		wait_set(ret, WAIT_IDLE_TX, "IdleTx", "");
		return true;
	case TITLE_WAITING:
		wait_set(ret, WAIT_EVENT, "Lock", "");
		return true;
	case TITLE_QUEUED:
		wait_set(ret, WAIT_EVENT, "Queue", "");
		return true;
	case TITLE_REPLICATION:
		wait_set(ret, WAIT_EVENT, "Replication", "");
		return true;
	case TITLE_ACTIVE:
	case TITLE_STARTUP:
	case TITLE_AUTHENTICATION:
		return waits_by_process(w, p->row, p->title.kind == TITLE_QE,
		    ret);
	}
	return false;
}
