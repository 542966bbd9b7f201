/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notable_memory.c - processes that the OOM killer ended.
 */
#include "analysis/notable_int.h"

#include <inttypes.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "model/diff.h"

/* Likely victims that are named. */
#define GUESSES 3

static uint64_t memory_kib(const struct row *r)
{
	uint64_t kib = 0;

	if (!row_get(r, COL(PROCESS, RSS_ANON), &kib))
		(void)row_get(r, COL(PROCESS, PRIVATE), &kib);
	return kib + notable_cell(r, COL(PROCESS, VM_SWAP));
}

/* The largest processes of a host that disappeared in the tick. */
static size_t vanished(const struct notables *n, const struct host *h,
	const struct row *ret[GUESSES])
{
	size_t k, i, j, found = 0;
	struct row *const *touched = world_touched(n->w, &k);

	for (i = 0; i < k; i++) {
		const struct row *r = touched[i];

		if (r->entity != ENTITY_PROCESS || r->host != h || !notable_is_gone(r))
			continue;
		for (j = found; j > 0 && memory_kib(ret[j - 1]) <
		    memory_kib(r); j--) {
			if (j < GUESSES)
				ret[j] = ret[j - 1];
		}
		if (j < GUESSES)
			ret[j] = r;
		found = GS_MIN(found + 1, (size_t)GUESSES);
	}
	return found;
}

static void add_victim(struct notables *n, const struct row *r)
{
	const struct proc *p = sessions_proc(n->s, r);

	buf_printf(&n->texts, " %" PRIu64, notable_cell(r, COL(PROCESS, PID)));
	if (p && p->session && p->session->kind == SESSION_GREENPLUM)
		buf_printf(&n->texts, " con%s", p->session->name);
	else if (p && p->session && p->session->command[0])
		buf_printf(&n->texts, " %.60s", p->session->command);
	buf_printf(&n->texts, " %" PRIu64 " MiB", memory_kib(r) / 1024);
}

static void note_kill(struct notables *n, const struct host *h,
	uint64_t kills)
{
	const struct row *guess[GUESSES];
	size_t k = vanished(n, h, guess), i;

	notable_begin(n, EVENT_OOM, h, (int64_t)kills);
	buf_printf(&n->texts, "the kernel killed %" PRIu64 " process%s for "
	    "memory", kills, kills == 1 ? "" : "es");
	if (k > 0)
		buf_add_str(&n->texts, "; likely victims by size:");
	for (i = 0; i < k; i++) {
		if (i > 0)
			buf_add_char(&n->texts, ',');
		add_victim(n, guess[i]);
	}
	notable_end(n);
}

void notable_late_kills(struct notables *n)
{
	size_t i, n_late = n->n_late;

	n->n_late = 0;
	for (i = 0; i < n_late; i++) {
		const struct host *h = world_host_of(n->w, n->late[i].host);

		if (h)
			note_kill(n, h, n->late[i].kills);
	}
}

static uint64_t kills_in(const struct notables *n, const struct row *r,
	unsigned col)
{
	uint64_t d;

	if (!r || r->touched_tick != world_ticks(n->w) ||
	    !diff_counter(r, col, &d))
		return 0;
	return d;
}

static uint64_t kills_of(const struct notables *n, const struct host *h)
{
	const struct table *t = &h->table[ENTITY_CGROUP];
	uint64_t most = 0;
	size_t i;

	if (host_row(h) && cells_has(host_row(h)->now, COL(HOST, OOM_KILL)))
		return kills_in(n, host_row(h), COL(HOST, OOM_KILL));
	/* a group's count includes the groups below it */
	for (i = 0; i < t->n_slot; i++) {
		uint64_t d = kills_in(n, t->slot[i], COL(CGROUP, OOM_KILL));

		most = GS_MAX(most, d);
	}
	return most;
}

void notable_memory(struct notables *n, const struct host *h)
{
	const struct row *guess[GUESSES];
	uint64_t kills = kills_of(n, h);

	if (kills == 0)
		return;
	if (vanished(n, h, guess) > 0) {
		note_kill(n, h, kills);
		return;
	}
	GS_GROW(n->late, &n->late_cap, n->n_late + 1);
	n->late[n->n_late++] = (struct late_kill) { h->index, kills };
}
