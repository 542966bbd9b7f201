/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf_about.c - sadf -H: facts of a recording without its figures, and the
 * activities that it can provide, with the number of their rows.
 */
#include <inttypes.h>

#include "base/clock.h"
#include "sadf/sadf_int.h"

static void about_begin(struct sadf *s)
{
	static const struct zone utc = ZONE_UTC;
	struct stamp stamp = stamp_new(&utc, false);

	buf_printf(&s->out, "Recording: %s\n", s->opt.path);
	buf_printf(&s->out, "Shown by gpsnap %s\n", s->opt.version);
	buf_add_str(&s->out, "Host: ");
	banner_add(&s->banner, &stamp, s->opt.made_ns, &s->out);
	buf_add_str(&s->out, "File date: ");
	sadf_add_date(&s->out, &utc, s->opt.made_ns);
	buf_add_str(&s->out, "\nFile time: ");
	sadf_add_clock(&s->out, &utc, s->opt.made_ns);
	buf_printf(&s->out, " UTC (%" PRId64 ")\nTimezone: ",
	    s->opt.made_ns / GS_NSEC_PER_SEC);
	zone_add_label(&s->opt.made_zone, &s->out);
	buf_printf(&s->out, "\nHZ = %" PRIu64 "\n", s->data.now.hz);
}

static size_t rows_of(struct sadf *s, struct sadf_page *page)
{
	struct value v[SAR_COLUMNS_MAX];
	struct sar_calc row;
	size_t at = 0, n = 0;

	while (sadf_next_row(s, page, false, &at, &row, v))
		n++;
	return n;
}

/* One sample is enough. */
static void about_sample(struct sadf *s)
{
	size_t i;

	if (s->n_samples > 0)
		return;
	buf_add_str(&s->out, "List of activities:\n");
	for (i = 0; i < s->n_page; i++) {
		size_t n = rows_of(s, &s->page[i]);
		const struct sar_activity *a = s->page[i].activity;

		if (n > 0)
			buf_printf(&s->out, "%-10s %-30s %5zu\n", a->option,
			    a->what, n);
	}
}

const struct sadf_writer sadf_about = {
	.begin = about_begin, .sample = about_sample
};
