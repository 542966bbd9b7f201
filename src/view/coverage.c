/* SPDX-License-Identifier: Apache-2.0 */
#include "view/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/mem.h"
#include "view/report.h"

/* Limit of earlier holes to compare with. */
#define HOLES_BACK ((size_t)4096)

/* A hole is in each table that it touches, as much of it as is known by then: it
 * counts once. */
static struct report_hole *same_hole(const struct coverage *c,
	const struct report_hole *of)
{
	size_t i, n = GS_MIN(c->all.n_hole, HOLES_BACK);

	for (i = 0; i < n; i++) {
		struct report_hole *h = &c->all.hole[c->all.n_hole - 1 - i];

		if (of->from_ns <= h->to_ns && strcmp(h->why, of->why) == 0)
			return h;
	}
	return NULL;
}

static void add_holes(struct coverage *c, const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->n_hole; i++) {
		struct report_hole h = report_hole_of(&e->hole[i],
		    c->from_ns);
		struct report_hole *was = same_hole(c, &h);

		if (was) {
			was->to_ns = GS_MAX(was->to_ns, h.to_ns);
			free((char *)(uintptr_t)h.why);
			continue;
		}
		GS_GROW(c->all.hole, &c->hole_cap, c->all.n_hole + 1);
		c->all.hole[c->all.n_hole++] = h;
	}
}

static void add_covered(struct coverage *c, const struct engine *e)
{
	size_t i;

	for (i = 0; i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);
		size_t old = c->host_cap;

		GS_GROW(c->host_ns, &c->host_cap, (size_t)h->index + 1);
		memset(c->host_ns + old, 0,
		    (c->host_cap - old) * sizeof(*c->host_ns));
		c->host_ns[h->index] = gs_sum(c->host_ns[h->index],
		    rollup_covered_ns(grouping_rollup(e->grouping[0]), h));
	}
}

static void add_marks(struct coverage *c, const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->n_event; i++) {
		if (e->event[i].kind != EVENT_MARK)
			continue;
		GS_GROW(c->all.mark, &c->mark_cap, c->all.n_mark + 1);
		c->all.mark[c->all.n_mark++] = (struct report_mark) {
			e->event[i].wall_ns, gs_strdup(e->event[i].text) };
	}
}

void coverage_add(struct coverage *c, const struct engine *e)
{
	if (c->n_tables++ == 0)
		c->from_ns = e->from_ns;
	c->to_ns = e->to_ns;
	c->n_ticks += e->n_ticks;
	c->n_skipped += e->n_skipped;
	c->blind_ns = gs_sum(c->blind_ns, engine_blind_ns(e));
	add_covered(c, e);
	add_holes(c, e);
	add_marks(c, e);
	asked_add(&c->asked, e);
}

/* By the host that covers most of all tables together: another one may cover more
 * of each, as each host's tick has a length of its own. */
static int64_t covered_ns(const struct coverage *c, const struct engine *e)
{
	bool hosts = engine_hosts(e) > 0;
	int64_t most = 0;
	size_t i;

	for (i = 0; i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);

		if (h->index < c->host_cap && !(hosts && h->catalog))
			most = GS_MAX(most, c->host_ns[h->index]);
	}
	return most;
}

/* Of all tables together. */
static void fill_covers(struct report *rep, const struct coverage *c,
	const struct engine *e)
{
	size_t i;

	report_drop_covers(rep);
	for (i = 0; c->n_ticks > 0 && i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);
		int64_t ns = h->index < c->host_cap ? c->host_ns[h->index] : 0;
		double s = (double)ns / 1e9;

		if (engine_is_less(e, h,
		    rep->covered_s - s))
			rep->cover[rep->n_cover++] = (struct report_cover) {
				gs_strdup(h->name ? h->name : "?"), s,
				presence_was_there(e->presence, h) };
	}
}

/* The head covers the whole range. */
static void fill_report(struct report *rep, struct coverage *c)
{
	struct report all = c->all;

	c->all = (struct report) { .hole = rep->hole, .n_hole = rep->n_hole,
		.mark = rep->mark, .n_mark = rep->n_mark };
	rep->hole = all.hole;
	rep->n_hole = all.n_hole;
	rep->mark = all.mark;
	rep->n_mark = all.n_mark;
	rep->from_ns = c->from_ns;
	rep->to_ns = c->to_ns;
	rep->elapsed_s = (double)(c->to_ns - c->from_ns) / 1e9;
	rep->n_ticks = c->n_ticks;
	rep->n_skipped = c->n_skipped;
	rep->blind_s = (double)c->blind_ns / 1e9;
	rep->every_ns = 0;
}

void coverage_report(struct coverage *c, const struct show_source *src,
	const struct range *r, const struct engine *e, struct report *ret)
{
	if (c->n_tables == 0) /* the range has one tick */
		coverage_add(c, e);
	src->head(src->ctx, ret);
	report_fill(ret, e, r, src->last_ns, &src->zone);
	fill_report(ret, c);
	report_end_holes(ret, GS_MAX(GS_MIN(r->to_ns, src->last_ns), c->to_ns));
	ret->covered_s = (double)covered_ns(c, e) / 1e9;
	fill_covers(ret, c, e);
}

void coverage_release(struct coverage *c)
{
	report_release(&c->all);
	free(c->host_ns);
	asked_release(&c->asked);
}
