/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/proc_select.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "format/wire.h"

#define LEAVE_TICKS 10 /* dropped after so many ticks outside twice the number
		        * of the busiest */
#define BUSIEST_MAX 100000u
#define NO_SERVER_NS (60 * GS_NSEC_PER_SEC) /* longer than a restart takes */
#define DEPTH_MAX 4096 /* of ancestors; more is a loop of reused pids */

void proc_select_release(struct proc_select *ps)
{
	free(ps->busy);
	*ps = (struct proc_select) { 0 };
}

static struct span base_name(struct span path)
{
	static const char deleted[] = " (deleted)";
	const size_t n = sizeof(deleted) - 1;
	const char *slash;

	if (span_len(path) > n && memcmp(path.end - n, deleted, n) == 0)
		path.end -= n;
	slash = memrchr(path.ptr, '/', span_len(path));
	if (slash)
		path.ptr = slash + 1;
	return path;
}

static bool is_server_name(struct span name)
{
	return span_eq(name, "postgres") || span_eq(name, "postmaster");
}

bool proc_select_executable(struct root *r, uint32_t pid, bool *ret)
{
	struct span path;
	char link[32];

	(void)snprintf(link, sizeof(link), "%u/exe", (unsigned)pid);
	if (root_readlink(r, r->proc_fd, link, &path) < 0)
		return false;
	*ret = is_server_name(base_name(path));
	return true;
}

bool proc_select_is_server(struct root *r, uint32_t pid, struct span comm)
{
	/* reading the link overwrites comm's buffer */
	bool by_comm = is_server_name(comm), is_server;

	return proc_select_executable(r, pid, &is_server) ? is_server
	                                                  : by_comm;
}

struct proc *proc_select_find(struct proc *const *proc, size_t n, uint32_t pid)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (proc[mid]->pid < pid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && proc[lo]->pid == pid ? proc[lo] : NULL;
}

enum server {
	SERVER_POSTMASTER,
	SERVER_ORPHAN, /* a backend whose postmaster is gone */
	SERVER_NONE /* the program, doing something else */
};

/* A backend has a title instead of arguments.  The program also creates a
 * cluster (--boot), runs alone (--single) or only prints (-C, --version). */
static enum server kind_of_server(const struct scan *sc, const struct proc *p)
{
	static const char *const other[] = { "--boot", "--check", "--single",
		"--describe-config", "--version", "--help", "-C", "-V", "-?" };
	struct span text, arg;
	char path[32];
	size_t i;

	if (p->state == 'Z')
		return SERVER_NONE;
	(void)snprintf(path, sizeof(path), "%u/cmdline", (unsigned)p->pid);
	if (root_read_proc(sc->root, path, &text) < 0)
		return SERVER_POSTMASTER;
	if (span_starts(text, "postgres:"))
		return SERVER_ORPHAN;
	if (!scan_until(&text, '\0', &arg) || !scan_until(&text, '\0', &arg))
		return SERVER_POSTMASTER;
	for (i = 0; i < GS_LEN(other); i++) {
		if (span_eq(arg, other[i]))
			return SERVER_NONE;
	}
	return SERVER_POSTMASTER;
}

/* p is the top-most server q, or its descendant. */
static void resolve_server(const struct scan *sc, struct proc *p,
	const struct proc *q)
{
	enum server kind = kind_of_server(sc, q);

	if (kind == SERVER_NONE)
		return;
	p->db = q == p && kind == SERVER_POSTMASTER ? PROC_POSTMASTER
	                                            : PROC_BELOW;
	p->postmaster = kind == SERVER_POSTMASTER ? q->pid : 0;
}

void proc_select_resolve(const struct scan *sc, struct proc *const *proc,
	size_t n, struct proc *p)
{
	const struct proc *q = p;
	unsigned depth;

	p->resolved = true;
	p->db = PROC_NONE;
	p->postmaster = 0;
	for (depth = 0; depth < DEPTH_MAX; depth++) {
		const struct proc *parent = proc_select_find(proc, n, q->ppid);

		if (q->is_server && !(parent && parent->is_server)) {
			resolve_server(sc, p, q);
			return;
		}
		if (!parent || parent == q)
			return;
		if (parent->resolved) {
			p->db = parent->db ? PROC_BELOW : PROC_NONE;
			p->postmaster = parent->postmaster;
			return;
		}
		q = parent;
	}
}

static void sift(struct proc **a, size_t i, size_t n)
{
	for (;;) {
		size_t child = 2 * i + 1;
		struct proc *t = a[i];

		if (child >= n)
			return;
		if (child + 1 < n && a[child + 1]->used < a[child]->used)
			child++;
		if (t->used <= a[child]->used)
			return;
		a[i] = a[child];
		a[child] = t;
		i = child;
	}
}

/* Busiest first; in place, since qsort() may allocate. */
static void sort_by_use(struct proc **a, size_t n)
{
	size_t i;

	for (i = n / 2; i-- > 0;)
		sift(a, i, n);
	for (i = n; i-- > 1;) {
		struct proc *t = a[0];

		a[0] = a[i];
		a[i] = t;
		sift(a, 0, i);
	}
}

static void collect_busy(struct proc_select *ps, struct proc *const *proc,
	size_t n)
{
	size_t i;

	ps->n_busy = 0;
	for (i = 0; i < n; i++) {
		struct proc *p = proc[i];

		if (p->db || p->dead || p->denied)
			continue;
		if (p->idle_ticks < LEAVE_TICKS)
			p->idle_ticks++; /* reset below for the busiest */
		if (p->used == 0)
			continue;
		GS_GROW(ps->busy, &ps->busy_cap, ps->n_busy + 1);
		ps->busy[ps->n_busy++] = p;
	}
	sort_by_use(ps->busy, ps->n_busy);
}

static void choose_busy(struct proc_select *ps, const struct scan *sc,
	struct proc *const *proc, size_t n)
{
	size_t most = GS_MIN(sc->busiest, BUSIEST_MAX);
	size_t i;

	collect_busy(ps, proc, n);
	for (i = 0; i < ps->n_busy && i < 2 * most; i++) {
		ps->busy[i]->idle_ticks = 0;
		if (i < most)
			ps->busy[i]->busy = true;
	}
	for (i = 0; i < n; i++) {
		if (proc[i]->idle_ticks >= LEAVE_TICKS)
			proc[i]->busy = false;
	}
}

static void count_servers(struct proc_select *ps, const struct scan *sc,
	struct proc *const *proc, size_t n)
{
	uint64_t servers = 0;
	size_t i;

	for (i = 0; i < n; i++)
		servers += proc[i]->db == PROC_POSTMASTER &&
		    !proc[i]->dead && proc[i]->state != 'Z';
	ps->servers = servers;
	if (servers > 0) {
		ps->served = true;
		ps->served_ns = sc->mono_ns;
	}
}

void proc_select_name(const struct scan *sc, struct proc *p)
{
	size_t i;

	p->by_comm = false;
	for (i = 0; i < sc->req->n_comm && !p->by_comm; i++)
		p->by_comm = fnmatch(sc->req->comm[i], p->comm, 0) == 0;
}

/* At the first request that names processes. */
static void choose_named(const struct scan *sc, struct proc *const *proc,
	size_t n)
{
	const struct request *req = sc->req;
	size_t i;

	for (i = 0; i < n; i++) {
		proc[i]->by_pid = false;
		proc_select_name(sc, proc[i]);
	}
	for (i = 0; i < req->n_pid; i++) {
		struct proc *p = proc_select_find(proc, n, req->pid[i]);

		if (p)
			p->by_pid = true;
	}
}

enum proc_role proc_select_role(const struct proc_select *ps, const struct proc *p)
{
	if (ps->chosen && !p->by_pid && !p->by_comm)
		return PROC_NONE;
	if (p->db)
		return (enum proc_role)p->db;
	if (ps->chosen)
		return PROC_NAMED;
	if (ps->all)
		return PROC_ALL;
	return p->busy ? PROC_BUSY : PROC_NONE;
}

void proc_select_roles(struct proc_select *ps, const struct scan *sc,
	struct proc *const *proc, size_t n)
{
	size_t i;

	count_servers(ps, sc, proc, n);
	ps->chosen = sc->req->chosen;
	if (sc->choose)
		choose_named(sc, proc, n);
	ps->all = (sc->with & WITH_ALL) || !ps->served ||
	    sc->mono_ns - ps->served_ns > NO_SERVER_NS;
	if (!ps->all && !ps->chosen)
		choose_busy(ps, sc, proc, n);
	for (i = 0; i < n; i++)
		proc[i]->role = (uint8_t)proc_select_role(ps, proc[i]);
}
