/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/parents.h"

#include "model/usage.h"

static bool has_pid(const struct row *r, uint64_t pid)
{
	return r->now.val[COL(PROCESS, PID)] == pid &&
	    cells_has(r->now, COL(PROCESS, PID));
}

static bool is_at(const struct table *tab, size_t slot, uint64_t pid)
{
	return slot < tab->n_slot && tab->slot[slot] &&
	    has_pid(tab->slot[slot], pid);
}

static bool is_absent(const struct parents *p, const struct host *h,
	uint64_t pid)
{
	size_t i;

	for (i = 0; i < PARENTS_ABSENT_MAX; i++) {
		if (p->absent[i].host == h && p->absent[i].pid == pid)
			return true;
	}
	return false;
}

/* A row that has changed has that pid. */
static bool came(const struct parent_absent *a, struct row *const *touched,
	size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (touched[i]->entity == ENTITY_PROCESS &&
		    touched[i]->host == a->host && has_pid(touched[i], a->pid))
			return true;
	}
	return false;
}

void parents_tick(struct parents *p, const struct world *w, bool key)
{
	size_t n, k;
	struct row *const *touched = world_touched(w, &n);

	/* in a key, any row may be another */
	for (k = 0; k < PARENTS_ABSENT_MAX; k++) {
		struct parent_absent *a = &p->absent[k];

		if (a->host && (key || came(a, touched, n)))
			a->host = NULL;
	}
}

struct row *parents_live(struct parents *p, const struct host *h,
	uint64_t pid)
{
	const struct table *tab = &h->table[ENTITY_PROCESS];
	uint32_t i;

	if (is_at(tab, p->near, pid))
		return tab->slot[p->near];
	if (is_absent(p, h, pid))
		return NULL;
	for (i = 0; i < tab->n_slot; i++) {
		if (!is_at(tab, i, pid))
			continue;
		p->near = i;
		return tab->slot[i];
	}
	p->absent[p->n_absent++ % PARENTS_ABSENT_MAX] =
	    (struct parent_absent) { h, pid };
	return NULL;
}

/* A process of that pid that ended in the last tick, too. */
static const struct row *find_ended(const struct world *w,
	const struct host *h, uint64_t pid)
{
	size_t n, i;
	struct row *const *touched = world_touched(w, &n);

	for (i = 0; i < n; i++) {
		if (touched[i]->entity == ENTITY_PROCESS &&
		    touched[i]->host == h && touched[i]->closed &&
		    has_pid(touched[i], pid))
			return touched[i];
	}
	return NULL;
}

/* A child that is missing after a hole most likely ended in it: its known
 * totals must not be counted twice. */
static bool may_be_reaped(const struct row *child)
{
	return child->closed == CLOSE_EXITED || child->closed == CLOSE_UNSEEN;
}

struct row *parents_find(struct parents *p, const struct world *w,
	const struct row *child)
{
	int i;

	for (i = 0; child && may_be_reaped(child) && i < REAP_GENERATIONS; i++) {
		struct row *parent;
		uint64_t ppid;

		if (!row_get(child, COL(PROCESS, PPID), &ppid) || ppid == 0)
			return NULL;
		parent = parents_live(p, child->host, ppid);
		if (parent)
			return parent;
		child = find_ended(w, child->host, ppid);
	}
	return NULL;
}
