/* SPDX-License-Identifier: Apache-2.0 */
#include "sysstat/resample.h"

#include <string.h>

#include "base/arith.h"
#include "base/buf.h"
#include "base/clock.h"
#include "model/walk.h"

/* Where the last sample is looked for: this long before the end, then so many
 * times as long, up to half a day. */
#define LAST_BACK_NS GS_NSEC_PER_SEC
#define LAST_BACK_STEP 8
#define LAST_BACK_MAX_NS (12 * 3600 * GS_NSEC_PER_SEC)

void resample_init(struct resample *f, const struct resample_opt *opt,
	int64_t interval_ns, const struct resample_ops *ops, void *self)
{
	*f = (struct resample) { .opt = *opt, .ops = ops, .self = self,
		.pace = { .interval_ns = interval_ns },
		.world = world_new() };
}

void resample_release(struct resample *f)
{
	world_free(f->world);
	f->world = NULL;
}

static int no_host(const struct resample *f, struct gs_err *err)
{
	struct buf names = BUF_INIT;
	size_t i;
	int r;

	for (i = 0; i < world_hosts(f->world); i++) {
		const struct host *h = world_host(f->world, i);

		if (!world_is_host(h))
			continue;
		buf_printf(&names, "%s%s", names.len ? ", " : "", h->name);
	}
	r = f->opt.host
		? gs_fail(err, GS_E_USAGE, "--host %s: no such host among "
		    "%s", f->opt.host, buf_str(&names))
		: gs_fail(err, GS_E_USAGE, "there are several hosts: name "
		    "one with --host: %s", buf_str(&names));
	buf_release(&names);
	return r;
}

/* A block without rows means that the host was lost: it is not a sample. */
static bool has_rows(const struct host *h)
{
	int e;

	for (e = 0; e < ENTITY_COUNT; e++) {
		if (h->table[e].n_live > 0)
			return true;
	}
	return false;
}

static bool answered(const struct host *h)
{
	return h->sampled && h->blocks > 0 && has_rows(h);
}

/* *ret is NULL while the host did not answer. */
static int find_host(struct resample *f, const struct host **ret,
	struct gs_err *err)
{
	const struct host *found = NULL;
	size_t i, n = 0;

	*ret = NULL;
	for (i = 0; i < world_hosts(f->world); i++) {
		const struct host *h = world_host(f->world, i);

		if (!world_is_host(h) || (f->opt.host &&
		    strcmp(h->name, f->opt.host) != 0))
			continue;
		found = h;
		n++;
	}
	if (n > 1 || (n == 0 && f->opt.host))
		return no_host(f, err);
	if (!found || !found->sampled || found->blocks == 0)
		return GS_OK;
	if (has_rows(found))
		*ret = found;
	else
		f->host_lost = true;
	return GS_OK;
}

/* A tick that came a little early is the one that was meant. */
static bool is_due(const struct resample *f, int64_t wall_ns)
{
	if (!f->begun || f->after_hole || f->opt.every_ns <= f->pace.interval_ns)
		return true;
	return wall_ns >= f->due_ns - f->pace.interval_ns / 2;
}

static void set_due(struct resample *f, int64_t wall_ns)
{
	int64_t every = f->opt.every_ns;

	/* from its due time, so that delays do not add up; restarts after a
	 * hole */
	if (f->begun && !f->after_hole && wall_ns - f->due_ns < every)
		f->due_ns += every;
	else
		f->due_ns = wall_ns + every;
}

static void advance(struct resample *f, int64_t wall_ns, bool due)
{
	if (!due)
		return;
	set_due(f, wall_ns);
	f->begun = true;
	f->after_hole = false;
}

static bool was_away(const struct resample *f, int64_t now_ns)
{
	return f->begun && !walk_is_near(f->seen_ns, now_ns, f->pace.interval_ns);
}

static void report_away(struct resample *f, int64_t to_ns)
{
	const struct resample_hole hole = { f->host_ns, to_ns,
		"the host did not answer" };

	f->ops->hole(f->self, &hole);
}

/* The host is present. */
static void note_present(struct resample *f, const struct tick *t,
	const struct host *h)
{
	if ((h->gap || f->host_lost) && !h->rebooted && !f->hole_reported &&
	    was_away(f, t->wall_ns))
		report_away(f, h->clock.wall_ns);
	f->hole_reported = f->host_lost = false;
	f->seen_ns = t->wall_ns;
	f->host_ns = h->clock.wall_ns;
}

static int show_one(struct resample *f, const struct tick *t,
	struct gs_err *err)
{
	const struct host *h;
	int r = find_host(f, &h, err);
	bool due;

	f->last_ns = t->wall_ns;
	if (r < 0 || !h)
		return r;
	note_present(f, t, h);
	if (h->rebooted && f->begun) {
		f->ops->restart(f->self, f->world, h);
		f->begun = false;
	}
	due = is_due(f, t->wall_ns);
	advance(f, t->wall_ns, due);
	return f->ops->tick(f->self, f->world, h, due) ? 0 : 1;
}

static int show_each(struct resample *f, const struct tick *t)
{
	bool due = is_due(f, t->wall_ns), begun = f->begun, any = false;
	int r = 0;
	size_t i;

	for (i = 0; i < world_hosts(f->world); i++) {
		const struct host *h = world_host(f->world, i);

		if (!world_is_host(h) || !answered(h))
			continue;
		any = true;
		if (h->rebooted && begun)
			f->ops->restart(f->self, f->world, h);
		if (!f->ops->tick(f->self, f->world, h, due || h->rebooted))
			r = 1;
	}
	advance(f, t->wall_ns, due && any);
	if (any && f->ops->all_hosts &&
	    !f->ops->all_hosts(f->self, f->world, t->wall_ns, due))
		r = 1;
	return r;
}

static void report_marks(struct resample *f, const struct tick *t)
{
	size_t i;

	for (i = 0; f->ops->mark && i < t->n_event; i++) {
		const struct event *e = &t->event[i];

		if (e->kind == EVENT_MARK && e->wall_ns >= f->opt.from_ns &&
		    e->wall_ns <= f->opt.to_ns)
			f->ops->mark(f->self, e->wall_ns,
			    span_of(tick_text_at(t, e->off), e->len));
	}
}

static int show(struct resample *f, const struct tick *t, struct gs_err *err)
{
	report_marks(f, t);
	return f->opt.every_host ? show_each(f, t) : show_one(f, t, err);
}

/* As of replay's ranges: a tick that came a little late is of the instant at which it
 * was due. */
static bool is_after(const struct resample *f, const struct tick *t)
{
	return tick_instant(t->wall_ns, f->pace) > f->opt.to_ns;
}

/* A tick that was applied. */
static int show_in_range(struct resample *f, const struct tick *t,
	struct gs_err *err)
{
	return t->wall_ns < f->opt.from_ns ? GS_OK : show(f, t, err);
}

int resample_tick(struct resample *f, const struct tick *t, struct gs_err *err)
{
	int r;

	if (is_after(f, t))
		return 1;
	r = world_apply(f->world, t, err);
	return r < 0 ? r : show_in_range(f, t, err);
}

/* Not that nothing was recorded there yet, or that what was lost is before the
 * range: of less than an interval no sample is missing. */
static void note_head(struct resample *f, const struct cursor_gap *gap)
{
	if (gap->from_ns == INT64_MIN ? !gap->damage : !gap->why[0])
		return;
	if (gap->from_ns < f->opt.from_ns &&
	    gs_difference(gap->to_ns, f->opt.from_ns) < f->pace.interval_ns)
		return;
	if (!f->headless)
		f->head = *gap;
	f->headless = true;
	f->head.from_ns = GS_MAX(f->head.from_ns, f->opt.from_ns);
	f->head.to_ns = gap->to_ns;
}

void resample_gap(struct resample *f, const struct cursor_gap *gap)
{
	const struct resample_hole hole = { gap->from_ns, gap->to_ns,
		walk_why(gap) };

	world_lost(f->world);
	if (gap->to_ns <= f->opt.from_ns || gap->from_ns >= f->opt.to_ns)
		return;
	if (!f->begun)
		note_head(f, gap);
	if (!f->begun || !walk_is_hole(gap, f->pace.interval_ns))
		return;
	f->hole_reported = true;
	f->ops->hole(f->self, &hole);
	f->after_hole = true;
}

/* A tick of the walk: only one that was not seen before is shown. */
static int apply(struct resample *f, struct walk *w, const struct tick *t,
	bool is_new, struct gs_err *err)
{
	int r;

	f->pace = w->pace;
	if (is_new && is_after(f, t))
		return 1;
	r = world_apply(f->world, t, err);
	if (r < 0 && r != GS_E_MEMORY) {
		walk_lose(w, err);
		return GS_OK;
	}
	return r == GS_OK && is_new ? show_in_range(f, t, err) : r;
}

static int step(struct resample *f, struct walk *w, struct gs_err *err)
{
	const struct tick *t = NULL;
	struct cursor_gap gap;
	enum cursor_step is = walk_next(w, &t, &gap, err);

	switch (is) {
	case CURSOR_TICK:
	case CURSOR_REPEAT:
		return apply(f, w, t, is == CURSOR_TICK, err);
	case CURSOR_GAP:
		resample_gap(f, &gap);
		return GS_OK;
	case CURSOR_WAIT:
	case CURSOR_END:
		if (walk_end(w, &gap))
			resample_gap(f, &gap);
		return 1;
	case CURSOR_ERROR:
		return err->status ? (int)err->status : GS_E_IO;
	}
	return 1;
}

static void report_lost(const struct resample *f)
{
	size_t i;

	for (i = 0; f->ops->lost && i < world_hosts(f->world); i++) {
		const struct host *h = world_host(f->world, i);

		if (world_is_host(h) && h->blocks > 0 && !has_rows(h))
			f->ops->lost(f->self, h);
	}
}

int resample_run(struct resample *f, struct cursor c, struct gs_err *err)
{
	struct walk w;
	int r = GS_OK;

	walk_begin(&w, c, f->pace.interval_ns);
	if (f->opt.from_ns != INT64_MIN)
		r = walk_seek(&w, f->opt.from_ns, err);
	while (r == GS_OK)
		r = step(f, &w, err);
	if (r < 0)
		return r;
	if (!f->opt.every_host && !f->hole_reported && was_away(f, f->last_ns))
		report_away(f, INT64_MAX);
	if (f->opt.every_host)
		report_lost(f);
	return GS_OK;
}

static void begin_again(struct resample *f, int64_t from_ns)
{
	struct resample again;

	resample_init(&again, &f->opt, f->pace.interval_ns, f->ops, f->self);
	again.opt.from_ns = from_ns;
	resample_release(f);
	*f = again;
}

int resample_run_last(struct resample *f, struct cursor c, int64_t last_ns,
	struct gs_err *err)
{
	/* of an open range resample_run() would not go back to the start */
	int64_t first_ns = GS_MAX(f->opt.from_ns, INT64_MIN + 1);
	int64_t back_ns = LAST_BACK_NS;
	int64_t end_ns = GS_MIN(f->opt.to_ns, last_ns);
	int r;

	for (;;) {
		bool is_all = end_ns - back_ns <= first_ns ||
		    back_ns > LAST_BACK_MAX_NS;

		begin_again(f, is_all ? first_ns : end_ns - back_ns);
		r = resample_run(f, c, err);
		if (is_all || (r == GS_OK && f->begun))
			return r;
		back_ns *= LAST_BACK_STEP;
	}
}

void resample_check_gap(const struct host *h, bool has_samples,
	int64_t *last_ns,
	void (*hole)(void *self, const struct resample_hole *hole), void *self)
{
	const struct resample_hole away = { *last_ns, h->clock.wall_ns,
		"the host did not answer" };

	*last_ns = h->clock.wall_ns;
	if (h->gap && !h->rebooted && has_samples)
		hole(self, &away);
}
