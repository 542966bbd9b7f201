/*
 * sar.c - from samples to sar's pages.
 *
 * sar shows one activity after the other, each of the whole time between two
 * boots: a page of output waits until those before it are complete.
 */
#include "sysstat/sar_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void add_pages(struct sar *s, uint64_t activities)
{
	unsigned i;

	for (i = 0; i < SAR_ACTIVITIES; i++) {
		if (activities >> i & 1)
			s->page[s->n_page++] = (struct sar_page) {
				.id = (enum sar_activity_id)i,
				.spool = SPOOL_INIT };
	}
}

struct sar *sar_new(const struct sar_opt *opt)
{
	struct sar *s = gs_calloc(1, sizeof(*s));

	s->opt = *opt;
	add_pages(s, opt->activities ? opt->activities
	    : UINT64_C(1) << SAR_A_CPU);
	sar_data_init(&s->data, opt->strict);
	paint_init(&s->paint, &s->out, opt->is_terminal);
	s->paint.decimals = opt->decimals;
	s->paint.human = opt->human;
	return s;
}

void sar_free(struct sar *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->n_page; i++)
		spool_release(&s->page[i].spool);
	sar_data_release(&s->data);
	banner_release(&s->banner);
	buf_release(&s->out);
	free(s);
}

size_t sar_reports(const struct sar *s)
{
	return s->n_reports;
}

size_t sar_holes(const struct sar *s)
{
	return s->n_holes;
}

/* ---- output ---------------------------------------------------------- */

static void flush(struct sar *s)
{
	if (!s->stopped && s->out.len > 0 &&
	    !s->opt.write(s->opt.arg, s->out.ptr, s->out.len))
		s->stopped = true;
	buf_reset(&s->out);
}

/* Pages that are complete; or the only one, as it grows. */
static void flush_pages(struct sar *s, bool complete)
{
	size_t i, n = complete ? s->n_page : 1;

	for (i = 0; i < n; i++) {
		if (!s->stopped && !spool_flush(&s->page[i].spool,
		    s->opt.write, s->opt.arg))
			s->stopped = true;
		if (complete)
			s->page[i].headed = false;
		if (complete)
			s->page[i].below = 0;
	}
}

/* What follows is not compared with what was. */
static void end_stretch(struct sar *s)
{
	if (s->n_stretch > 0)
		sar_text_report(s, true);
	flush_pages(s, true);
	s->n_stretch = 0;
	sar_data_clear(&s->data);
}

/* ---- samples --------------------------------------------------------- */

static void begin(struct sar *s, const struct world *w, const struct host *h)
{
	s->begun = true;
	s->banner = banner_of(w, h);
	banner_add(&s->banner, &s->opt.stamp, s->data.now.wall_ns, &s->out);
	flush(s);
}

static bool is_enough(const struct sar *s)
{
	return s->opt.count > 0 && s->n_stretch >= s->opt.count;
}

static bool tick(void *self, const struct world *w, const struct host *h,
	bool is_sample)
{
	struct sar *s = self;

	if (!is_sample || is_enough(s))
		return true;
	sar_data_take(&s->data, w, h);
	if (!s->begun)
		begin(s, w, h);
	if (s->data.samples > 1) {
		sar_text_report(s, false);
		s->n_reports++;
		s->n_stretch++;
		flush_pages(s, false);
	}
	sar_data_step(&s->data);
	return !s->stopped && (s->opt.strict || !is_enough(s));
}

static void restart(void *self, const struct world *w, const struct host *h)
{
	struct sar *s = self;
	struct banner b = banner_of(w, h);
	char now[STAMP_MAX];

	end_stretch(s);
	stamp_time(&s->opt.stamp, h->clock.wall_ns, now);
	buf_printf(&s->out, "\n%-11s", now);
	paint_begin(&s->paint, PAINT_RESTART);
	buf_printf(&s->out, "  LINUX RESTART\t(%" PRIu64 " CPU)\n", b.cpus);
	paint_end(&s->paint);
	banner_release(&b);
	flush(s);
}

/* sar has no notion of it: it divides by the whole time. */
static void hole(void *self, const struct resample_hole *hole)
{
	struct sar *s = self;
	char from[STAMP_MAX], to[STAMP_MAX] = "the end";

	s->n_holes++;
	stamp_time(&s->opt.stamp, hole->from_ns, from);
	if (hole->to_ns != INT64_MAX)
		stamp_time(&s->opt.stamp, hole->to_ns, to);
	if (s->opt.strict)
		return;
	end_stretch(s);
	buf_printf(&s->out, "\n%-11s", from);
	paint_begin(&s->paint, PAINT_RESTART);
	buf_printf(&s->out, "  HOLE until %s: %s\n", to, hole->why);
	paint_end(&s->paint);
	flush(s);
}

const struct resample_ops sar_resample = { tick, restart, hole };

void sar_end(struct sar *s)
{
	size_t i;

	end_stretch(s);
	for (i = 0; s->n_reports > 0 && !s->stopped && i < s->n_page; i++) {
		const struct sar_activity *a =
		    &sar_activities[s->page[i].id];
		char text[128];

		if (s->page[i].any)
			continue;
		(void)snprintf(text, sizeof(text), "%s (%s): nothing of it "
		    "was recorded", a->what, a->option);
		s->opt.notice(s->opt.arg, text);
	}
}
