/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/kept_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/start.h"
#include "format/reader.h"
#include "report/page_kept.h"

static void set_source(struct page_source *src, struct archive *a,
	struct meter *m)
{
	(void)archive_bounds(a, &src->first_ns, &src->last_ns);
	src->zone = zone_fixed(archive_utc_offset(a));
	src->interval_ns = archive_header(a)->interval_ns;
	src->version = cli_version();
	src->findings = true; /* it is made at night */
	src->cursor = archive_cursor(a);
	if (!m)
		return;
	src->cursor = meter_cursor(m, src->cursor);
	meter_range(m, &src->zone, src->first_ns, src->last_ns, src->first_ns,
	    src->last_ns);
}

static int read_page(struct archive *a, struct meter *m, struct page_kept *ret,
	struct gs_err *err)
{
	const struct range all = { INT64_MIN, INT64_MAX, 0 };
	struct page_source src = { 0 };
	struct page_data data;
	int r;

	set_source(&src, a, m);
	r = page_read(&src, &all, &data, err);
	if (r == GS_OK) {
		ret->layout = page_layout(src.version);
		page_keep(&src, &data, &ret->raw);
	}
	page_data_release(&data);
	return r;
}

int kept_page_make(char *const *path, size_t n, struct meter *m,
	struct page_kept *ret, struct gs_err *err)
{
	struct archive *a = NULL;
	int r = archive_open(path, n, &a, err);

	if (r < 0)
		return r;
	r = read_page(a, m, ret, err);
	archive_free(a);
	return r;
}

bool kept_page_take(struct archive *a, const struct page_source *src,
	struct page_data *ret)
{
	struct page_kept k = { .raw = BUF_INIT };
	bool ok = archive_page(a, &k) &&
	    k.layout == page_layout(src->version) &&
	    page_take(src, span_of(buf_str(&k.raw), k.raw.len), ret);

	buf_release(&k.raw);
	return ok;
}

static bool is_right(char *path, const struct page_kept *k)
{
	struct page_kept again = { .raw = BUF_INIT };
	bool ok = kept_page_make(&path, 1, NULL, &again, NULL) < 0 ||
	    (k->raw.len == again.raw.len && memcmp(buf_str(&k->raw),
	    buf_str(&again.raw), k->raw.len) == 0);

	buf_release(&again.raw);
	return ok;
}

bool kept_page_is_wrong(const char *path)
{
	struct page_kept k = { .raw = BUF_INIT };
	char *own = gs_strdup(path);
	struct reader *r = NULL;
	bool ok = true;

	if (reader_open(path, &r, NULL) == 0 && reader_page_bytes(r) > 0)
		ok = reader_page(r, &k) && (k.layout != page_layout(
		    cli_version()) || is_right(own, &k));
	reader_free(r);
	buf_release(&k.raw);
	free(own);
	return !ok;
}
