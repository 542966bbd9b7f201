/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/proc_list.h"

#include <sys/stat.h>

/* After fewer forks the numbers have not wrapped, unless pid_max is below this:
 * the kernel accepts 301 and more, but that few is of no use. */
#define FORKS_MAX 1000u

void proc_list_release(struct proc_list *l)
{
	pids_release(&l->pids);
}

/* How many processes there are, and a constant more: the kernel counts links of
 * /proc so, those of other pid namespaces included.  0: unknown. */
static uint64_t count_links(const struct scan *sc)
{
	struct stat st;

	return sc->root->procfs && fstat(sc->root->proc_fd, &st) == 0
		? (uint64_t)st.st_nlink : 0;
}

/* Nothing that the list lacks has begun since all were listed. */
static bool adds_up(const struct proc_list *l, const struct scan *sc)
{
	return l->others > 0 && count_links(sc) == l->pids.n + l->others;
}

static bool must_list_all(const struct proc_list *l, const struct scan *sc)
{
	return !sc->root->own_pids || sc->rebooted || sc->forks == 0 ||
	    l->forks == 0 || sc->forks - l->forks > FORKS_MAX ||
	    l->before == 0 || sc->last_pid < l->before ||
	    sc->last_pid < l->last || !pids_can_seek(&l->pids) ||
	    scan_due(sc, TURN_LATE, 0, l->full_ns);
}

static bool lives(const struct scan *sc, struct proc *p, uint32_t pid)
{
	/* one that has not run yet has a clock as well */
	return (p && proc_clock_now(p, sc->tick) != 0) || proc_has_clock(pid);
}

/* Removes those that ended. */
static void drop_dead(struct pids *l, const struct scan *sc,
	struct proc *const *proc, size_t n)
{
	size_t i, j = 0, kept = 0;

	for (i = 0; i < l->n; i++) {
		while (j < n && proc[j]->pid < l->pid[i])
			j++;
		if (lives(sc, j < n && proc[j]->pid == l->pid[i] ? proc[j]
		                                                 : NULL,
			l->pid[i]))
			l->pid[kept++] = l->pid[i];
	}
	l->n = kept;
}

/* The counters are from before the list is read: a process that is forked
 * meanwhile is seen next time. */
static void note(struct proc_list *l, const struct scan *sc)
{
	l->before = l->last;
	l->last = sc->last_pid;
	l->forks = sc->forks;
}

static int list_all(struct proc_list *l, const struct scan *sc,
	struct gs_err *err)
{
	uint64_t links = count_links(sc);
	int status;

	l->full_ns = sc->mono_ns;
	status = pids_read(&l->pids, sc->root->proc_fd, err);
	/* what began or ended while they were listed may be in or not */
	l->others = status == 0 && links > l->pids.n &&
	    links == count_links(sc) ? links - l->pids.n : 0;
	return status;
}

static int list_new(struct proc_list *l, const struct scan *sc,
	struct gs_err *err)
{
	struct pids *p = &l->pids;
	uint64_t after = l->before;

	if (sc->forks == l->forks && sc->last_pid == l->last)
		return 0;
	/* loadavg of some containers is not of their own numbers */
	if (p->n == 0 || after > p->pid[p->n - 1])
		after = p->n > 0 ? p->pid[p->n - 1] : 0;
	note(l, sc);
	return pids_read_after(p, sc->root->proc_fd, (uint32_t)after,
	    (uint32_t)sc->last_pid, err);
}

int proc_list_read(struct proc_list *l, const struct scan *sc,
	struct proc *const *proc, size_t n, struct gs_err *err)
{
	int status;

	if (must_list_all(l, sc)) {
		note(l, sc);
		return list_all(l, sc, err);
	}
	drop_dead(&l->pids, sc, proc, n);
	status = list_new(l, sc, err);
	if (status < 0 || !scan_due(sc, TURN_SOON, 0, l->full_ns) ||
	    adds_up(l, sc))
		return status;
	return list_all(l, sc, err);
}
