/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is kept of a page: taken again as it was; nothing of it if it is of another
 * recording, or damaged.
 */
#include "base/clock.h"
#include "cases.h"
#include "report/page_kept.h"

#define S GS_NSEC_PER_SEC

static const struct page_source source = { .first_ns = 100 * S,
	.last_ns = 200 * S, .interval_ns = S, .zone = ZONE_UTC };

static void fill(struct page_data *d, const char *json)
{
	*d = (struct page_data) { .any = true, .n_holes = 3 };
	buf_add_str(&d->json[PAGE_FIRST], json);
	buf_add_str(&d->numbers[PAGE_FIRST], "abc");
	buf_add_str(&d->json[PAGE_REST], "[\"x\"]\n");
}

static void keep(const char *json, struct buf *to)
{
	struct page_data d;

	fill(&d, json);
	page_keep(&source, &d, to);
	page_data_release(&d);
}

static bool takes(const struct page_source *src, const struct buf *kept)
{
	struct page_data d;
	bool ok = page_take(src, span_of(buf_str(kept), kept->len), &d);

	if (ok)
		page_data_release(&d);
	return ok;
}

static void test_again(void **state)
{
	struct buf kept = BUF_INIT;
	struct page_data d;

	(void)state;
	keep("{\"a\":1}\n", &kept);
	assert_true(page_take(&source, span_of(kept.ptr, kept.len), &d));
	assert_true(d.any);
	assert_int_equal(d.n_holes, 3);
	assert_string_equal(buf_str(&d.json[PAGE_FIRST]), "{\"a\":1}\n");
	assert_string_equal(buf_str(&d.numbers[PAGE_FIRST]), "abc");
	assert_string_equal(buf_str(&d.json[PAGE_REST]), "[\"x\"]\n");
	assert_int_equal(d.numbers[PAGE_REST].len, 0);
	page_data_release(&d);
	buf_release(&kept);
}

struct other_case {
	const char *name;
	struct page_source src;
};

static const struct other_case others[] = {
	{ "began later", { .first_ns = 101 * S, .last_ns = 200 * S,
	    .interval_ns = S, .zone = ZONE_UTC } },
	{ "went on", { .first_ns = 100 * S, .last_ns = 201 * S,
	    .interval_ns = S, .zone = ZONE_UTC } },
	{ "another interval", { .first_ns = 100 * S, .last_ns = 200 * S,
	    .interval_ns = 2 * S, .zone = ZONE_UTC } },
	{ "another zone", { .first_ns = 100 * S, .last_ns = 200 * S,
	    .interval_ns = S, .zone = { .offset_s = 3600 } } },
};

static void test_other(void **state)
{
	const struct other_case *c = *state;
	struct buf kept = BUF_INIT;

	keep("{}", &kept);
	assert_true(takes(&source, &kept));
	assert_false(takes(&c->src, &kept));
	buf_release(&kept);
}

static void test_cut(void **state)
{
	struct buf kept = BUF_INIT;
	size_t len;

	(void)state;
	keep("{}", &kept);
	len = kept.len;
	for (kept.len = 0; kept.len < len; kept.len++)
		assert_false(takes(&source, &kept));
	buf_add_char(&kept, 'x');
	assert_false(takes(&source, &kept));
	buf_release(&kept);
}

/* A number of more than 64 bits. */
static void test_number(void **state)
{
	struct buf kept = BUF_INIT;
	size_t at;

	(void)state;
	keep("{}", &kept);
	at = kept.len;
	for (kept.len = 0; kept.len < at; kept.len++) {
		struct buf b = BUF_INIT;

		buf_add(&b, kept.ptr, kept.len);
		buf_add_str(&b, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff");
		assert_false(takes(&source, &b));
		buf_release(&b);
	}
	buf_release(&kept);
}

struct json_case {
	const char *name, *text;
};

static const struct json_case wrong[] = {
	{ "nothing", "" },
	{ "no end", "{\"a\":[1,2" },
	{ "two", "{}{}" },
	{ "script", "</script>" },
	{ "no UTF-8", "[\"\xff\"]" },
};

static void test_no_json(void **state)
{
	const struct json_case *c = *state;
	struct buf kept = BUF_INIT;

	keep(c->text, &kept);
	assert_false(takes(&source, &kept));
	buf_release(&kept);
}

static void test_layout(void **state)
{
	(void)state;
	assert_int_equal(page_layout("1.0"), page_layout("1.0"));
	assert_int_not_equal(page_layout("1.0"), page_layout("1.1"));
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "again", test_again, NULL);
	CASES_TABLE(&c, test_other, others);
	cases_add(&c, "number", test_number, NULL);
	cases_add(&c, "cut", test_cut, NULL);
	CASES_TABLE(&c, test_no_json, wrong);
	cases_add(&c, "layout", test_layout, NULL);
	return cases_run(&c, "kept");
}
