/* SPDX-License-Identifier: Apache-2.0 */
#include "model/presence.h"

#include <stdlib.h>
#include <string.h>

#include "base/arith.h"
#include "base/buf.h"
#include "base/mem.h"
#include "model/walk.h"

struct seen {
	bool expected; /* the newest header names it */
	bool ever; /* it answered in the range */
	int64_t last_ns; /* its newest answer, or the time from which it is
	                  * expected */
};

struct presence {
	struct seen *seen; /* by index of the host */
	size_t n, cap;
};

struct presence *presence_new(void)
{
	return gs_calloc(1, sizeof(struct presence));
}

void presence_free(struct presence *p)
{
	if (!p)
		return;
	free(p->seen);
	free(p);
}

static struct seen *seen_of(struct presence *p, const struct host *h)
{
	size_t old = p->n;

	if (h->index >= old) {
		GS_GROW(p->seen, &p->cap, (size_t)h->index + 1);
		p->n = (size_t)h->index + 1;
		memset(p->seen + old, 0, (p->n - old) * sizeof(*p->seen));
	}
	return &p->seen[h->index];
}

static const struct seen *find(const struct presence *p,
	const struct host *h)
{
	return h->index < p->n ? &p->seen[h->index] : NULL;
}

/* A block that only reports the host as lost, or repeats it in a key, has the
 * clocks of the one before. */
static bool has_answered(const struct host *h)
{
	return h->sampled && (h->blocks == 1 ||
	    h->clock.sequence != h->prev.sequence ||
	    h->clock.connection != h->prev.connection ||
	    h->clock.mono_ns != h->prev.mono_ns);
}

/* When the host was asked for its newest answer: the tick's time, or, of a tick that
 * stands for others, by the host's clock if that was so long before. */
static int64_t answered_at(const struct world *w, const struct host *h,
	int64_t wall_ns, int64_t interval_ns)
{
	int64_t at = gs_difference(h->clock.wall_ns, h->clock.offset_ns);

	return world_is_thinned(w) && interval_ns > 0 && at < wall_ns &&
	    gs_difference(wall_ns, at) >= interval_ns ? at : wall_ns;
}

void presence_begin(struct presence *p, int64_t wall_ns)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		p->seen[i].ever &= p->seen[i].last_ns == wall_ns;
		p->seen[i].last_ns = wall_ns;
	}
}

static void report_absence(const struct host *h, int64_t from_ns, int64_t to_ns,
	presence_fn fn, void *ctx)
{
	struct buf why = BUF_INIT;

	buf_printf(&why, "%s did not answer", h->name);
	fn(ctx, h, from_ns, to_ns, buf_str(&why));
	buf_release(&why);
}

void presence_tick(struct presence *p, const struct world *w,
	int64_t wall_ns, int64_t interval_ns, presence_fn fn, void *ctx)
{
	size_t i;

	for (i = 0; i < world_hosts(w); i++) {
		const struct host *h = world_host(w, i);
		struct seen *s;

		if (h->catalog)
			continue;
		s = seen_of(p, h);
		if (has_answered(h)) {
			if (s->expected && h->begins && interval_ns > 0 &&
			    !walk_is_near(s->last_ns, wall_ns, interval_ns))
				report_absence(h, s->last_ns, wall_ns, fn, ctx);
			s->ever = true;
			s->last_ns = answered_at(w, h, wall_ns, interval_ns);
		} else if (h->named && !s->expected) {
			s->last_ns = wall_ns;
		}
		s->expected = h->named;
	}
}

void presence_gap(struct presence *p, int64_t from_ns, int64_t to_ns)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		struct seen *s = &p->seen[i];

		/* hosts that were missing before still are */
		if (s->last_ns >= from_ns && s->last_ns < to_ns &&
		    to_ns != INT64_MAX)
			s->last_ns = to_ns;
	}
}

/* Whether nothing is known of the host after its newest answer.  A late host, whose
 * rows still exist, may yet say it, so it has an interval more; of one that was lost
 * nothing more will come, so the first answer that it missed is missing: it has one
 * less. */
static bool is_missing(const struct seen *s, const struct host *h,
	int64_t wall_ns, int64_t interval_ns)
{
	int64_t from_ns = host_row(h) ? gs_sum(s->last_ns, interval_ns)
	                              : gs_difference(s->last_ns, interval_ns);

	return interval_ns > 0 && !walk_is_near(from_ns, wall_ns, interval_ns);
}

void presence_open(const struct presence *p, const struct world *w,
	int64_t wall_ns, int64_t interval_ns, presence_fn fn, void *ctx)
{
	size_t i;

	for (i = 0; i < world_hosts(w); i++) {
		const struct host *h = world_host(w, i);
		const struct seen *s = find(p, h);

		if (s && s->expected && is_missing(s, h, wall_ns, interval_ns))
			report_absence(h, s->last_ns, wall_ns, fn, ctx);
	}
}

bool presence_was_there(const struct presence *p, const struct host *h)
{
	const struct seen *s = find(p, h);

	return s && s->ever;
}

bool presence_is_there(const struct presence *p, const struct host *h,
	int64_t wall_ns, int64_t interval_ns)
{
	const struct seen *s = find(p, h);

	return s && s->ever && !is_missing(s, h, wall_ns, interval_ns);
}

bool presence_is_full(const struct presence *p, const struct world *w,
	int64_t wall_ns)
{
	size_t i;

	for (i = 0; i < world_hosts(w); i++) {
		const struct seen *s = find(p, world_host(w, i));

		if (s && s->expected && s->last_ns != wall_ns)
			return false;
	}
	return true;
}

int64_t presence_last(const struct presence *p, const struct host *h)
{
	const struct seen *s = find(p, h);

	return s ? s->last_ns : INT64_MIN;
}

bool presence_equal(const struct presence *a, const struct presence *b)
{
	size_t i;

	for (i = 0; i < a->n && i < b->n; i++) {
		if (a->seen[i].expected != b->seen[i].expected ||
		    a->seen[i].ever != b->seen[i].ever ||
		    a->seen[i].last_ns != b->seen[i].last_ns)
			return false;
	}
	return a->n == b->n;
}

void presence_copy(struct presence *to, const struct presence *from)
{
	GS_GROW(to->seen, &to->cap, from->n);
	to->n = from->n;
	if (from->n > 0)
		memcpy(to->seen, from->seen, from->n * sizeof(*to->seen));
}
