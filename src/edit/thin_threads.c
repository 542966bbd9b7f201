/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/thin_threads.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/life.h"
#include "base/arith.h"
#include "base/mem.h"
#include "model/diff.h"

void thin_covered_tick(struct thin_covered *c, const struct world *w)
{
	size_t i, old = c->n;

	for (i = 0; i < world_hosts(w); i++)
		c->n = GS_MAX(c->n, (size_t)world_host(w, i)->index + 1);
	GS_GROW(c->now, &c->now_cap, c->n);
	GS_GROW(c->kept, &c->kept_cap, c->n);
	memset(c->now + old, 0, (c->n - old) * sizeof(*c->now));
	memset(c->kept + old, 0, (c->n - old) * sizeof(*c->kept));
	for (i = 0; i < world_hosts(w); i++) {
		const struct host *h = world_host(w, i);

		if (h->sampled)
			c->now[h->index] = gs_sum(c->now[h->index], diff_elapsed_ns(h));
	}
}

void thin_covered_kept(struct thin_covered *c)
{
	if (c->n > 0)
		memcpy(c->kept, c->now, c->n * sizeof(*c->now));
}

void thin_covered_release(struct thin_covered *c)
{
	free(c->now);
	free(c->kept);
	*c = (struct thin_covered) { 0 };
}

static void add(struct thread_time *t, int64_t n, int64_t from_ns, int64_t to_ns)
{
	int64_t d;

	if (!__builtin_mul_overflow(n, gs_difference(to_ns, from_ns), &d))
		t->ns = gs_sum(t->ns, d);
}

void thread_time_begin(struct thread_time *t, const struct thin_covered *c,
	const struct row *r, int64_t n)
{
	*t = (struct thread_time) { .at_ns = c->kept[r->host->index], .n = n };
}

/* As a roll-up counts it: a number is that since the sample before, but of a row that
 * ends the last one. */
void thread_time_tick(struct thread_time *t, const struct thin_covered *c,
	const struct row *r)
{
	int64_t covered = c->now[r->host->index], told;
	int64_t before = life_before(r, covered), from = before;
	int64_t n = r->closed && t->n > 0 ? t->n : life_threads(r);

	if (t->n > 0)
		add(t, t->n, t->at_ns, before);
	else
		from = life_threads_begin(r, covered, false);
	if (life_told_threads(r, covered, &told)) {
		t->ns = gs_sum(t->ns, told);
		t->varies = true;
	} else {
		add(t, n, from, r->closed ? life_end(r, covered) : covered);
	}
	t->varies |= t->n > 0 && n != t->n;
	t->n = r->closed ? 0 : life_threads(r);
	t->at_ns = covered;
}

bool thread_time_get(const struct thread_time *t, const struct thin_covered *c,
	const struct row *r, int64_t *ret_ns)
{
	struct thread_time all = *t;

	if (!t->varies)
		return false;
	add(&all, t->n, t->at_ns, c->now[r->host->index]);
	*ret_ns = all.ns;
	return all.ns >= 0;
}
