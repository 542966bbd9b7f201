/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar.c - from samples to sar's pages.
 *
 * sar shows one activity after the other, each of the whole time between two
 * boots: a page of output waits until those before it are complete.
 */
#include "sar/sar_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

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
	add_pages(s, opt->activities);
	sar_data_init(&s->data, opt->strict);
	s->slice.every_s = opt->every_s;
	paint_init(&s->paint, &s->out, opt->is_terminal);
	s->paint.decimals = opt->decimals;
	s->paint.human = opt->human;
	return s;
}

static void release_page(struct sar_page *page)
{
	spool_release(&page->spool);
	extremes_release(&page->extremes);
}

void sar_free(struct sar *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->n_page; i++)
		release_page(&s->page[i]);
	sar_data_release(&s->data);
	banner_release(&s->banner);
	buf_release(&s->out);
	free(s);
}

/* ---- output ---------------------------------------------------------- */

/* Moves the output to the first page. */
static void keep(struct sar *s)
{
	if (s->n_page > 0)
		spool_add(&s->page[0].spool, s->out.ptr, s->out.len);
	buf_reset(&s->out);
}

void sar_flush_pages(struct sar *s, bool complete)
{
	size_t i, n = complete ? s->n_page : GS_MIN(s->n_page, 1);

	if (!complete && sar_seen(s) == 0)
		return; /* there may be nothing to show */
	for (i = 0; i < n; i++) {
		struct spool *spool = &s->page[i].spool;

		if (!s->stopped && !spool_flush(spool, s->opt.write,
		    s->opt.arg))
			s->stopped = true;
		if (spool->error)
			s->error = spool->error;
		if (!complete)
			continue;
		s->page[i].headed = false;
		s->page[i].below = 0;
		extremes_release(&s->page[i].extremes);
	}
}

/* The next samples are not compared with the earlier ones. */
void sar_end_stretch(struct sar *s)
{
	if (s->n_stretch > 0)
		sar_text_report(s, NULL, true);
	sar_flush_pages(s, true);
	s->n_stretch = 0;
	s->enough = false;
	sar_data_clear(&s->data);
}

/* ---- samples --------------------------------------------------------- */

/* sar leaves out activities that the host does not have. */
static void drop_unknown(struct sar *s)
{
	size_t i, n = 0;

	for (i = 0; i < s->n_page; i++) {
		if (!sar_is_known(&s->data, &sar_activities[s->page[i].id]))
			continue;
		s->page[n] = s->page[i];
		s->page[n++].any = true;
	}
	s->n_page = n;
}

static void begin(struct sar *s, const struct world *w, const struct host *h)
{
	s->begun = true;
	if (s->opt.strict)
		drop_unknown(s);
	s->banner = banner_of(w, h);
	banner_add(&s->banner, &s->opt.stamp, s->data.now.wall_ns, &s->out);
	keep(s);
}

/* A line of its own, between two stretches. */
static void add_break(struct sar *s, int64_t wall_ns, const char *text)
{
	char stamp[STAMP_MAX];

	stamp_time(&s->opt.stamp, wall_ns, stamp);
	buf_printf(&s->out, "\n%-11s", stamp);
	paint_begin(&s->paint, PAINT_RESTART);
	buf_printf(&s->out, "  %s\n", text);
	paint_end(&s->paint);
	keep(s);
}

static void restart(void *self, const struct world *w, const struct host *h)
{
	struct sar *s = self;
	char text[RESTART_MAX];

	sar_end_stretch(s);
	banner_restart(w, h, text);
	add_break(s, h->clock.wall_ns, text);
}

/* sar does not know holes: it divides by the whole time. */
static void hole(void *self, const struct resample_hole *hole)
{
	struct sar *s = self;
	char to[STAMP_MAX] = "the end", text[STAMP_MAX + 300];

	if (!s->begun)
		return;
	s->n_holes++;
	if (s->opt.strict)
		return;
	if (hole->to_ns != INT64_MAX)
		stamp_time(&s->opt.stamp, hole->to_ns, to);
	sar_end_stretch(s);
	(void)snprintf(text, sizeof(text), "HOLE until %s: %.250s", to,
	    hole->why);
	add_break(s, hole->from_ns, text);
}

void sar_lost(struct sar *s)
{
	const struct resample_hole away = { s->last_ns, INT64_MAX,
		"the host did not answer" };

	if (s->data.samples > 0 && !s->enough)
		hole(s, &away);
}

static bool tick(void *self, const struct world *w, const struct host *h,
	bool is_sample)
{
	struct sar *s = self;

	resample_check_gap(h, s->data.samples > 0, &s->last_ns, hole, s);
	if (!is_sample || s->enough ||
	    !slice_has(&s->slice, h, s->data.samples == 0))
		return true;
	sar_data_apply(&s->data, w, h);
	if (!s->begun)
		begin(s, w, h);
	if (s->data.samples > 1) {
		sar_text_report(s, NULL, false);
		s->n_reports++;
		s->n_stretch++;
		s->enough = s->opt.count > 0 &&
		    s->n_stretch >= s->opt.count;
		sar_flush_pages(s, false);
	}
	sar_data_step(&s->data);
	return !s->stopped && (s->opt.strict || !s->enough);
}

static void mark(void *self, int64_t wall_ns, struct span text)
{
	struct sar *s = self;
	struct buf line = BUF_INIT;

	if (!s->opt.comments || !s->begun)
		return;
	buf_add_str(&line, "COM ");
	utf8_add_safe(&line, text.ptr, span_len(text));
	sar_text_line(s, wall_ns, PAINT_COMMENT, buf_str(&line));
	buf_release(&line);
}

const struct resample_ops sar_resample = { .tick = tick, .restart = restart,
	.hole = hole, .mark = mark };

uint64_t sar_seen(const struct sar *s)
{
	uint64_t seen = 0;
	size_t i;

	for (i = 0; i < s->n_page; i++) {
		if (s->page[i].any)
			seen |= UINT64_C(1) << s->page[i].id;
	}
	return seen;
}
