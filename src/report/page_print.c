/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_print.c - the page of data: what it was made of, when and by whom is added
 * here.
 */
#include "report/page.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "base/mem.h"
#include "render/jsonout.h"
#include "report/page_html.h"
#include "view/report.h"

static void put_hosts(const struct page_source *src, struct jsonout *j)
{
	size_t i;

	jsonout_open_list(jsonout_name(j, "hosts_only"));
	for (i = 0; i < src->n_host; i++)
		jsonout_str(j, src->host[i]);
	jsonout_close_list(j);
}

static void put_span(const char *name, const struct page_span *s,
	struct jsonout *j)
{
	if (s->to_ns == 0)
		return;
	jsonout_open_map(jsonout_name(j, name));
	jsonout_int(jsonout_name(j, "from"), s->from_ns / 1000000);
	jsonout_int(jsonout_name(j, "to"), s->to_ns / 1000000);
	jsonout_close_map(j);
}

static void put_source(const struct page_source *src, struct jsonout *j)
{
	struct report rep = { 0 };
	struct buf zone = BUF_INIT;

	src->head(src->ctx, &rep);
	zone_add_label(&src->zone, &zone);
	jsonout_str(jsonout_name(j, "made_by"), src->version);
	jsonout_int(jsonout_name(j, "made"), gs_clock_wall_ns() / 1000000);
	jsonout_str(jsonout_name(j, "title"), src->title);
	jsonout_str(jsonout_name(j, "path"), src->path);
	jsonout_str(jsonout_name(j, "zone"), buf_str(&zone));
	jsonout_real(jsonout_name(j, "interval_seconds"),
	    (double)src->interval_ns / 1e9);
	jsonout_strings(j, "notes", rep.note, rep.n_note);
	if (src->n_host > 0)
		put_hosts(src, j);
	put_span("chosen", &src->chosen, j);
	put_span("baseline", &src->baseline, j);
	buf_release(&zone);
	report_release(&rep);
}

static void add_source(const struct page_source *src, struct buf *to)
{
	struct jsonout j;

	if (!jsonout_begin(&j, to))
		gs_out_of_memory();
	jsonout_open_map(&j);
	put_source(src, &j);
	jsonout_close_map(&j);
	jsonout_end(&j);
}

/* The JSON of the first part is a list: the source, and what is measured. */
static void add_json(const struct page_source *src, const struct page_data *d,
	size_t part, struct buf *to)
{
	if (part == PAGE_FIRST) {
		buf_add_char(to, '[');
		add_source(src, to);
		buf_add_char(to, ',');
	}
	buf_add(to, buf_str(&d->json[part]), d->json[part].len);
	if (part == PAGE_FIRST)
		buf_add_char(to, ']');
}

/* The length of the JSON, the JSON, the numbers. */
static void put_part(const struct page_source *src, const struct page_data *d,
	size_t part, struct buf *to)
{
	buf_add_le32(to, 0);
	add_json(src, d, part, to);
	gs_put_le32(to->ptr, (uint32_t)to->len - 4);
	buf_add(to, buf_str(&d->numbers[part]), d->numbers[part].len);
}

int page_print(const struct page_source *src, const struct page_data *d,
	struct buf *to, struct gs_err *err)
{
	struct buf part[PAGE_PARTS] = { BUF_INIT, BUF_INIT };
	size_t i;
	int r;

	for (i = 0; i < PAGE_PARTS; i++)
		put_part(src, d, i, &part[i]);
	r = src->data_only ? page_deflate(part, to, err)
	    : page_html(src->title, part, to, err);
	for (i = 0; i < PAGE_PARTS; i++)
		buf_release(&part[i]);
	return r;
}

void page_data_release(struct page_data *d)
{
	size_t i;

	for (i = 0; i < PAGE_PARTS; i++) {
		buf_release(&d->json[i]);
		buf_release(&d->numbers[i]);
	}
}
