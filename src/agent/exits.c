/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/exits.h"

#include <stdlib.h>
#include <string.h>

#include "agent/proc_select.h"
#include "base/mem.h"

void exits_release(struct exits *x)
{
	free(x->list);
	*x = (struct exits) { 0 };
}

void exits_forget(struct exits *x)
{
	x->n = 0;
}

static void add_totals(uint64_t to[REAP_COUNT], const struct scan *sc,
	const struct proc *p)
{
	int c;

	for (c = 0; c < REAP_COUNT; c++)
		to[c] += usage_total(p->was, (enum reap_col)c,
		    sc->tick_ns / 1000);
}

static void add_usage(uint64_t to[REAP_COUNT], const uint64_t from[REAP_COUNT])
{
	int c;

	for (c = 0; c < REAP_COUNT; c++)
		to[c] += from[c];
}

static struct account *account_of(struct proc *p)
{
	if (!p->account)
		p->account = gs_calloc(1, sizeof(*p->account));
	return p->account;
}

/* Index of the first entry whose pid is not below this one. */
static size_t find(const struct exits *x, uint32_t pid)
{
	size_t lo = 0, hi = x->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (x->list[mid].pid < pid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void exits_ended(struct exits *x, const struct scan *sc, const struct proc *p)
{
	struct exited *e;
	size_t at;

	if (p->ppid == 0) /* init, or nothing was ever read of it */
		return;
	at = find(x, p->pid);
	GS_GROW(x->list, &x->cap, x->n + 1);
	e = &x->list[at];
	memmove(e + 1, e, (x->n++ - at) * sizeof(*e));
	*e = (struct exited) { .pid = p->pid, .ppid = p->ppid,
		.start = p->start, .recorded = p->open };
	e->counts = p->open || (p->account && p->account->owes);
	if (p->open)
		add_totals(e->usage, sc, p);
	else if (e->counts)
		add_usage(e->usage, p->account->owed);
}

void exits_left(const struct scan *sc, struct proc *p)
{
	struct account *a = account_of(p);

	add_totals(a->owed, sc, p);
	a->owes = a->placed = true;
}

void exits_opens(struct proc *p)
{
	struct account *a = p->account;

	if (!a || !a->owes)
		return;
	memset(a->owed, 0, sizeof(a->owed));
	a->owes = a->placed = false;
}

static const struct exited *find_exited(const struct exits *x, uint32_t pid,
	uint64_t child_start)
{
	size_t i;

	for (i = find(x, pid); i < x->n && x->list[i].pid == pid; i++) {
		if (x->list[i].start <= child_start)
			return &x->list[i];
	}
	return NULL;
}

static bool is_recorded(const struct proc *p)
{
	return p->role != PROC_NONE && !p->dead && !p->denied;
}

/* The process has usage in its counters now that rows counted; known: a reader
 * knows, too, since it saw all those end who passed it on. */
static void add_to_account(struct proc *p, const struct exited *e, bool known)
{
	struct account *a;

	if (is_recorded(p) && known)
		return;
	a = account_of(p);
	if (is_recorded(p)) {
		add_usage(a->counted, e->usage);
		a->has_counted = a->grew = true;
	} else {
		add_usage(a->owed, e->usage);
		a->owes = true;
	}
}

/* To the parent, or, if that ended too, to the parent's parent. */
static void pass_on(const struct exits *x, const struct exited *e,
	struct proc *const *proc, size_t n)
{
	const struct exited *child = e, *parent = e;
	bool known = true;
	struct proc *p;
	int i;

	for (i = 0; parent && i < REAP_GENERATIONS; i++) {
		child = parent;
		known &= child->recorded;
		parent = find_exited(x, child->ppid, child->start);
	}
	p = proc_select_find(proc, n, child->ppid);
	/* another process may have its pid */
	if (!parent && p && p->start <= child->start)
		add_to_account(p, e, known);
}

void exits_settle(struct exits *x, struct proc *const *proc, size_t n)
{
	size_t i;

	for (i = 0; i < x->n; i++) {
		if (x->list[i].counts)
			pass_on(x, &x->list[i], proc, n);
	}
	x->n = 0;
}

bool exits_must_place(const struct proc *p, struct proc *const *proc,
	size_t n)
{
	if (!p->account || !p->account->owes || p->dead || p->denied ||
	    p->ppid == 0)
		return false;
	return !p->account->placed || !proc_select_find(proc, n, p->ppid);
}

void exits_fill(const struct proc *p, struct cells now)
{
	int c;

	if (!p->account || !p->account->has_counted)
		return;
	for (c = 0; c < REAP_COUNT; c++)
		cells_set(now, usage_cols((enum reap_col)c)->counted,
		    p->account->counted[c]);
}
