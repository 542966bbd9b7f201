/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits_work.c - what the processes of backends used in the range.
 *
 * As in any view: a process that began or ended in the range used nothing before
 * and after that; of one that was not seen for a while nobody knows, and that time
 * is not covered.
 */
#include "analysis/waits_int.h"
#include "base/arith.h"
#include "model/diff.h"

/* A process at a tick. */
struct working {
	const struct row *process;
	uint64_t tick;
	bool whole; /* all that it ever used counts */
};

static void add_counter(const struct working *p, unsigned col, bool *ret_has,
	uint64_t *to)
{
	uint64_t d;

	if (!row_get(p->process, col, &d))
		return;
	*ret_has = true;
	if (p->whole || (p->process->touched_tick == p->tick &&
	    diff_counter(p->process, col, &d)))
		*to += d;
}

static void add_ticks(const struct working *p, unsigned col,
	struct wait_work *to)
{
	uint64_t ticks = 0;

	add_counter(p, col, &to->has_cpu, &ticks);
	to->cpu_us += ticks * diff_tick_ns(p->process->host) / 1000;
}

static void take_memory(const struct row *p, struct wait_work *to)
{
	uint64_t anon, swap = 0;

	to->has_memory = row_get(p, COL(PROCESS, RSS_ANON), &anon) ||
	    row_get(p, COL(PROCESS, PRIVATE), &anon);
	if (!to->has_memory)
		return;
	if (row_get(p, COL(PROCESS, RSS_ANON), &anon))
		(void)row_get(p, COL(PROCESS, VM_SWAP), &swap);
	to->memory = (anon + swap) * 1024;
}

static void add_work(const struct working *p, struct wait_work *to)
{
	uint64_t cpu_us;

	take_memory(p->process, to);
	/* untouched rows did not run */
	if (row_get(p->process, COL(PROCESS, CPU), &cpu_us)) {
		add_counter(p, COL(PROCESS, CPU), &to->has_cpu, &to->cpu_us);
	} else { /* its CPU clock can't be read */
		add_ticks(p, COL(PROCESS, UTIME), to);
		add_ticks(p, COL(PROCESS, STIME), to);
	}
	add_counter(p, COL(PROCESS, READ_BYTES), &to->has_io, &to->io_bytes);
	add_counter(p, COL(PROCESS, WRITE_BYTES), &to->has_io, &to->io_bytes);
}

/* It is at work on that host, as it was in the tick before, or unseen since then. */
static void take_time(struct seen *b, const struct stream *home, bool born)
{
	int64_t before_ns = gs_difference(home->elapsed_ns,
	    diff_elapsed_ns(home->host));

	if (b->home != home) {
		b->home = home;
		b->unseen_ns = born ? 0 : before_ns;
	} else {
		b->unseen_ns = gs_sum(b->unseen_ns, GS_MAX(gs_difference(
		    before_ns, b->work_to_ns), INT64_C(0)));
	}
	b->work_to_ns = home->elapsed_ns;
}

static void take_process(struct waits *s, const struct world *w,
	struct seen *b, const struct row *p)
{
	bool born = p->opened == OPEN_BORN && p->first_tick > s->from_tick;
	struct working at = { p, world_ticks(w), born && !b->home };

	take_time(b, waits_stream_of(s, p->host), born);
	add_work(&at, &b->backend.work);
}

void waits_add_work(struct waits *s, const struct world *w)
{
	size_t i;

	for (i = 0; i < s->n_lively; i++) {
		struct seen *b = s->lively[i];
		const struct row *p = NULL;

		if (!b->backend.open || !b->row || b->row->closed)
			continue;
		if (b->row->entity == ENTITY_PROCESS)
			p = b->row;
		else if (s->process)
			p = s->process(s->ctx, b->row);
		if (p && p->host->sampled)
			take_process(s, w, b, p);
	}
}

void waits_work_slept(struct seen *b)
{
	if (b->home)
		b->work_to_ns = b->home->elapsed_ns;
}

void waits_settle_work(struct seen *b)
{
	if (b->home)
		b->backend.work.covered_ns = gs_difference(b->ended
		    ? b->home->elapsed_ns : b->work_to_ns, b->unseen_ns);
}

void waits_forget_work(struct seen *b)
{
	b->backend.work = (struct wait_work) { .covered_ns = 0 };
	b->home = NULL;
}
