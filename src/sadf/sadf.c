/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf.c - from samples to a form of output.
 *
 * No form shows the first sample of a stretch: the second is compared with it.
 */
#include "sadf/sadf_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

static const struct sadf_writer *const writers[SADF_FORMS] = {
	[SADF_LINES] = &sadf_lines,
	[SADF_TABLE] = &sadf_table,
	[SADF_JSON] = &sadf_json,
	[SADF_XML] = &sadf_xml,
	[SADF_SVG] = &sadf_svg,
	[SADF_ABOUT] = &sadf_about,
};

static void add_pages(struct sadf *s, uint64_t activities)
{
	unsigned i;

	for (i = 0; i < SAR_ACTIVITIES; i++) {
		if (activities >> i & 1)
			s->page[s->n_page++] = (struct sadf_page) {
				.activity = &sar_activities[i],
				.spool = SPOOL_INIT };
	}
}

struct sadf *sadf_new(const struct sadf_opt *opt)
{
	struct sadf *s = gs_calloc(1, sizeof(*s));

	s->opt = *opt;
	s->writer = writers[opt->form];
	s->slice.every_s = opt->every_s;
	s->waits = opt->form != SADF_ABOUT && !opt->head_only;
	s->held = (struct spool) SPOOL_INIT;
	add_pages(s, opt->activities);
	sar_data_init(&s->data, opt->strict);
	s->paint = (struct paint) { .to = &s->out, .decimals = 2 };
	return s;
}

void sadf_free(struct sadf *s)
{
	size_t i;

	if (!s)
		return;
	if (s->writer->release)
		s->writer->release(s);
	for (i = 0; i < s->n_page; i++)
		spool_release(&s->page[i].spool);
	spool_release(&s->held);
	spool_release(&s->restarts);
	spool_release(&s->comments);
	spool_release(&s->holes);
	sar_data_release(&s->data);
	banner_release(&s->banner);
	buf_release(&s->out);
	free(s);
}

/* ---- samples --------------------------------------------------------- */

/* sadf leaves out activities that the host does not have. */
static void drop_unknown(struct sadf *s)
{
	size_t i, n = 0;

	for (i = 0; i < s->n_page; i++) {
		if (!sar_is_known(&s->data, s->page[i].activity))
			continue;
		s->page[n] = s->page[i];
		s->page[n++].any = true;
	}
	s->n_page = n;
}

static void begin(struct sadf *s, const struct world *w,
	const struct host *h)
{
	s->begun = true;
	s->banner = banner_of(w, h);
	if (s->opt.strict)
		drop_unknown(s);
	if (s->writer->begin)
		s->writer->begin(s);
	sadf_flush(s);
}

static void end_stretch(struct sadf *s)
{
	if (s->writer->stretch)
		s->writer->stretch(s);
	sadf_flush(s);
	s->n_stretch = 0;
	s->enough = false;
	sar_data_clear(&s->data);
}

static void note(struct sadf *s, const struct sadf_note *n)
{
	if (s->writer->note && !s->opt.head_only)
		s->writer->note(s, n);
	sadf_flush(s);
}

static void restart(void *self, const struct world *w, const struct host *h)
{
	struct sadf *s = self;
	struct banner b = banner_of(w, h);
	struct sadf_note n = { .kind = SADF_RESTART,
		.from_ns = h->clock.wall_ns, .cpus = b.cpus };

	end_stretch(s);
	note(s, &n);
	banner_release(&b);
}

/* sadf does not know holes: it divides by the whole time. */
static void hole(void *self, const struct resample_hole *hole)
{
	struct sadf *s = self;
	struct sadf_note n = { .kind = SADF_HOLE, .from_ns = hole->from_ns,
		.to_ns = hole->to_ns, .text = hole->why };

	if (!s->begun)
		return;
	s->n_holes++;
	if (s->opt.strict)
		return;
	end_stretch(s);
	note(s, &n);
}

static bool tick(void *self, const struct world *w, const struct host *h,
	bool is_sample)
{
	struct sadf *s = self;

	resample_check_gap(h, s->data.samples > 0, &s->last_ns, hole, s);
	if (!is_sample || s->enough ||
	    !slice_has(&s->slice, h, s->data.samples == 0))
		return true;
	sar_data_apply(&s->data, w, h);
	if (!s->begun)
		begin(s, w, h);
	if (s->opt.head_only)
		return false;
	if (s->data.samples > 1) {
		s->writer->sample(s);
		s->n_samples++;
		s->n_stretch++;
		s->enough = s->opt.count > 0 && s->n_stretch >= s->opt.count;
		sadf_flush(s);
	}
	sar_data_step(&s->data);
	return !s->stopped && (s->opt.strict || !s->enough);
}

static void mark(void *self, int64_t wall_ns, struct span text)
{
	struct sadf *s = self;
	char *copy = gs_strndup(text.ptr, span_len(text));
	struct sadf_note n = { .kind = SADF_COMMENT, .from_ns = wall_ns,
		.text = copy };

	if (s->opt.comments && s->begun)
		note(s, &n);
	free(copy);
}

const struct resample_ops sadf_resample = { .tick = tick,
	.restart = restart, .hole = hole, .mark = mark };

static bool is_empty(const struct sadf *s)
{
	return s->waits && sadf_missing(s) == s->opt.activities;
}

static void end_output(struct sadf *s)
{
	end_stretch(s);
	if (!is_empty(s)) {
		sadf_flush_held(s);
		if (s->writer->end)
			s->writer->end(s);
		sadf_flush(s);
	}
	if (s->n_samples > 0 && !s->stopped && s->opt.form != SADF_ABOUT)
		sar_report_missing(sadf_missing(s), s->opt.choice, &s->data,
		    s->opt.notice, s->opt.arg);
}

struct sadf_result sadf_end(struct sadf *s)
{
	if (s->begun)
		end_output(s);
	return (struct sadf_result) { s->n_samples, s->n_holes, s->stopped,
		is_empty(s) };
}
