/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sadf_lines.c - sadf -d: a line per row, fields between semicolons; and
 * sadf -p: a line per value, fields between tabs.
 *
 * One activity follows the other, each over the whole time between two boots.
 * What is absent is an empty field of -d, and has no line in -p, where a reader
 * would take it for 0.
 */
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "sadf/sadf_int.h"

static void add_host(struct sadf *s, char between)
{
	utf8_add_safe(&s->out, s->banner.node, strlen(s->banner.node));
	buf_add_char(&s->out, between);
}

/* The fields before those of a row. */
static void add_start(struct sadf *s, char between)
{
	add_host(s, between);
	sadf_add_interval(s);
	buf_add_char(&s->out, between);
	sadf_add_stamp(s, s->data.now.wall_ns);
}

/* The name of a row never ends its field, or its line. */
static void add_name(struct sadf *s, char between, const char *name)
{
	size_t at = s->out.len;

	utf8_add_safe(&s->out, name, strlen(name));
	for (; at < s->out.len; at++) {
		if (s->out.ptr[at] == between)
			s->out.ptr[at] = '_';
	}
}

static void to_page(struct sadf *s, struct sadf_page *page)
{
	spool_add(&page->spool, s->out.ptr, s->out.len);
	buf_reset(&s->out);
}

/* Of several pages each waits until those before it are complete. */
static void sample_done(struct sadf *s)
{
	sadf_flush_spool(s, &s->page[0].spool);
}

static void end_pages(struct sadf *s)
{
	size_t i;

	for (i = 0; i < s->n_page; i++) {
		sadf_flush_spool(s, &s->page[i].spool);
		s->page[i].headed = false;
	}
}

static void add_note(struct sadf *s, const struct sadf_note *n, char between)
{
	add_host(s, between);
	buf_printf(&s->out, "-1%c", between);
	sadf_add_stamp(s, n->from_ns);
	buf_add_char(&s->out, between);
	switch (n->kind) {
	case SADF_RESTART:
		buf_printf(&s->out, "LINUX-RESTART\t(%" PRIu64 " CPU)",
		    n->cpus);
		break;
	case SADF_COMMENT:
		buf_add_str(&s->out, "COM ");
		utf8_add_safe(&s->out, n->text, strlen(n->text));
		break;
	case SADF_HOLE:
		buf_add_str(&s->out, "HOLE until ");
		if (n->to_ns == INT64_MAX)
			buf_add_str(&s->out, "the end");
		else
			sadf_add_stamp(s, n->to_ns);
		buf_add_str(&s->out, ": ");
		utf8_add_safe(&s->out, n->text, strlen(n->text));
		break;
	}
	buf_add_char(&s->out, '\n');
}

/* ---- -p -------------------------------------------------------------- */

static void add_line_item(struct sadf *s, const struct sar_activity *a,
	const struct sar_calc *row)
{
	if (!a->item) {
		buf_add_char(&s->out, '-');
		return;
	}
	if (a->kind == SAR_CPU && row->item)
		buf_add_str(&s->out, "cpu");
	add_name(s, '\t', sar_row_name(a, row));
}

static void add_lines(struct sadf *s, const struct sar_activity *a,
	const struct sar_calc *row, const struct value *v)
{
	size_t i;

	for (i = 0; i < a->n_column; i++) {
		if (!a->column[i].name || v[i].kind == VALUE_ABSENT)
			continue;
		add_start(s, '\t');
		buf_add_char(&s->out, '\t');
		add_line_item(s, a, row);
		buf_printf(&s->out, "\t%s\t", a->column[i].name);
		sadf_add_value(s, &a->column[i], &v[i]);
		buf_add_char(&s->out, '\n');
	}
}

static void lines_sample(struct sadf *s)
{
	struct value v[SAR_COLUMNS_MAX];
	struct sar_calc row;
	size_t i;

	for (i = 0; i < s->n_page; i++) {
		const struct sar_activity *a = s->page[i].activity;
		size_t at = 0;

		while (sadf_next_row(s, &s->page[i], false, &at, &row, v))
			add_lines(s, a, &row, v);
		to_page(s, &s->page[i]);
	}
	sample_done(s);
}

static void lines_note(struct sadf *s, const struct sadf_note *n)
{
	add_note(s, n, '\t');
}

const struct sadf_writer sadf_lines = {
	.sample = lines_sample, .stretch = end_pages, .note = lines_note
};

/* ---- -d -------------------------------------------------------------- */

static void add_names(struct sadf *s, const struct sar_activity *a)
{
	size_t i;

	if (a->item)
		buf_printf(&s->out, ";%s", a->item);
	for (i = 0; i < a->n_column; i++) {
		if (a->column[i].name)
			buf_printf(&s->out, ";%s", a->column[i].name);
	}
	if (a->item && s->opt.one_line)
		buf_add_str(&s->out, "[...]");
}

static void add_heading(struct sadf *s)
{
	buf_add_str(&s->out, "# hostname;interval;timestamp");
}

static void add_fields(struct sadf *s, const struct sar_activity *a,
	const struct sar_calc *row, const struct value *v)
{
	size_t i;

	if (a->item) {
		buf_add_char(&s->out, ';');
		if (a->kind == SAR_CPU && !row->item)
			buf_add_str(&s->out, "-1");
		else
			add_name(s, ';', sar_row_name(a, row));
	}
	for (i = 0; i < a->n_column; i++) {
		if (!a->column[i].name)
			continue;
		buf_add_char(&s->out, ';');
		sadf_add_value(s, &a->column[i], &v[i]);
	}
}

static void add_page_heading(struct sadf *s, struct sadf_page *page)
{
	if (page->headed)
		return;
	add_heading(s);
	add_names(s, page->activity);
	buf_add_char(&s->out, '\n');
	page->headed = true;
}

static void add_page(struct sadf *s, struct sadf_page *page)
{
	const struct sar_activity *a = page->activity;
	struct value v[SAR_COLUMNS_MAX];
	struct sar_calc row;
	size_t at = 0;

	add_page_heading(s, page);
	while (sadf_next_row(s, page, false, &at, &row, v)) {
		add_start(s, ';');
		add_fields(s, a, &row, v);
		buf_add_char(&s->out, '\n');
	}
	to_page(s, page);
}

static void add_line_heading(struct sadf *s)
{
	size_t i;

	if (s->page[0].headed)
		return;
	add_heading(s);
	for (i = 0; i < s->n_page; i++)
		add_names(s, s->page[i].activity);
	buf_add_char(&s->out, '\n');
	s->page[0].headed = true;
}

/* -h: the rows of all activities are one line. */
static void add_one_line(struct sadf *s)
{
	struct value v[SAR_COLUMNS_MAX];
	struct sar_calc row;
	size_t i;

	add_line_heading(s);
	add_start(s, ';');
	for (i = 0; i < s->n_page; i++) {
		const struct sar_activity *a = s->page[i].activity;
		size_t at = 0;

		/* without empty rows others would be in wrong columns */
		while (sadf_next_row(s, &s->page[i], true, &at, &row, v))
			add_fields(s, a, &row, v);
	}
	buf_add_char(&s->out, '\n');
}

static void table_sample(struct sadf *s)
{
	size_t i;

	if (s->opt.one_line) {
		add_one_line(s);
		return;
	}
	for (i = 0; i < s->n_page; i++)
		add_page(s, &s->page[i]);
	sample_done(s);
}

/* sadf writes a heading even if a stretch has only its first sample. */
static void table_stretch(struct sadf *s)
{
	size_t i;

	if (s->opt.strict && s->data.samples > 0) {
		if (s->opt.one_line)
			add_line_heading(s);
		for (i = 0; i < s->n_page && !s->opt.one_line; i++) {
			add_page_heading(s, &s->page[i]);
			to_page(s, &s->page[i]);
		}
	}
	sadf_flush(s);
	end_pages(s);
}

static void table_note(struct sadf *s, const struct sadf_note *n)
{
	add_note(s, n, ';');
}

const struct sadf_writer sadf_table = {
	.sample = table_sample, .stretch = table_stretch, .note = table_note
};
