/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary frame of a group: what was written is read, and nothing else.
 */
#include <math.h>
#include <string.h>

#include "cases.h"
#include "format/frame.h"
#include "format/pbarena.h"
#include "format/summaryframe.h"
#include "format/tickcode.h"
#include "gpsnap.pb-c.h"
#include "base/bytes.h"

#define NOW INT64_C(1767225600000000000)

static void fill(struct summary *s, uint64_t from)
{
	struct summary_row *r;

	summary_reset(s);
	s->from_seq = from;
	s->to_seq = from + 60;
	s->from_ns = NOW + (int64_t)from;
	s->to_ns = s->from_ns + 60;
	s->n_ticks = 60;
	s->n_skipped = 2;
	s->plain = summary_bit(ENTITY_HOST) | summary_bit(ENTITY_DISK);
	r = summary_add_row(s, ENTITY_HOST, 3, span_str("a"));
	r->missing[COL(HOST, CTXT) / 64] |=
	    UINT64_C(1) << (COL(HOST, CTXT) % 64);
	summary_add_peak(s, COL(HOST, PROCS_RUNNING), 17);
	summary_add_peak(s, COL(HOST, PROCS_BLOCKED), -1);
	(void)summary_add_row(s, ENTITY_DISK, 0, span_str(""));
	summary_add_mark(s, NOW + 7, span_str("a mark"));
	summary_add_figure(s, span_str("hosts.busy_percent"), 1.5, 99);
	summary_add_figure(s, span_str("hosts.steal_percent"), HUGE_VAL,
	    -HUGE_VAL);
}

static int read_frame(const struct buf *b, struct summaries *ret,
	struct gs_err *err)
{
	struct summarycode *c = summarycode_new(3);
	int r = summarycode_read(c, b->ptr, b->len, ret, err);

	summarycode_free(c);
	return r;
}

static void put_two(struct buf *to)
{
	struct summarycode *c = summarycode_new(3);
	struct summary s = { 0 };

	fill(&s, 1);
	summarycode_add(c, &s);
	fill(&s, 61);
	summarycode_add(c, &s);
	assert_true(summarycode_put(c, to));
	assert_false(summarycode_put(c, to)); /* nothing was added since */
	summary_release(&s);
	summarycode_free(c);
}

static void round_trip(void **state)
{
	struct buf b = BUF_INIT;
	struct summaries got = { 0 };
	struct summary want = { 0 };
	struct gs_err err;

	(void)state;
	put_two(&b);
	assert_int_equal(summaryframe_len(b.ptr + b.len - SUMMARYFRAME_TAIL),
	    b.len);
	assert_int_equal(read_frame(&b, &got, &err), GS_OK);
	assert_int_equal(got.n, 2);
	fill(&want, 1);
	assert_true(summary_fits(&got.item[0], &want));
	assert_true(summary_fits(&want, &got.item[0]));
	assert_false(summary_fits(&got.item[1], &want));
	fill(&want, 61);
	assert_true(summary_fits(&got.item[1], &want));
	want.peak[0].level++;
	assert_false(summary_fits(&got.item[1], &want));
	fill(&want, 61);
	want.figure[0].high++;
	assert_false(summary_fits(&got.item[1], &want));
	want.n_figure = 0; /* another version has others */
	assert_true(summary_fits(&got.item[1], &want));
	assert_ptr_equal(summary_find_figure(&got.item[1], "hosts",
	    "steal_percent"), &got.item[1].figure[1]);
	assert_null(summary_find_figure(&got.item[1], "hosts", "busy"));
	assert_null(summary_find_figure(&got.item[1], "host",
	    "s.busy_percent"));
	summary_release(&want);
	summaries_release(&got);
	buf_release(&b);
}

/* Whatever byte is wrong, there are no summaries rather than wrong ones. */
static void each_byte(void **state)
{
	struct buf b = BUF_INIT;
	struct gs_err err;
	size_t i;

	(void)state;
	put_two(&b);
	for (i = 0; i < b.len; i++) {
		struct summaries got = { 0 };

		b.ptr[i] = (char)(b.ptr[i] ^ 0x10);
		if (read_frame(&b, &got, &err) == GS_OK)
			fail_msg("byte %zu of %zu is wrong: not noticed", i,
			    b.len);
		assert_int_equal(got.n, 0);
		b.ptr[i] = (char)(b.ptr[i] ^ 0x10);
	}
	for (i = 0; i < b.len; i++) {
		struct buf part = { .ptr = b.ptr, .len = i };
		struct summaries got = { 0 };

		assert_int_not_equal(read_frame(&part, &got, &err), GS_OK);
	}
	buf_release(&b);
}

/* More figures than all views have columns: each would be looked for among those that
 * the ticks have. */
static void too_many_figures(void **state)
{
	struct summarycode *c = summarycode_new(3);
	struct summaries got = { 0 };
	struct summary s = { 0 };
	struct buf b = BUF_INIT;
	struct gs_err err;
	size_t i;

	(void)state;
	fill(&s, 1);
	for (i = s.n_figure; i <= SUMMARY_FIGURES_MAX; i++)
		summary_add_figure(&s, span_str("hosts.of_another_version"), 0, 1);
	summarycode_add(c, &s);
	assert_true(summarycode_put(c, &b));
	assert_int_not_equal(read_frame(&b, &got, &err), GS_OK);
	assert_non_null(strstr(err.msg, "too many figures"));
	summary_release(&s);
	summarycode_free(c);
	buf_release(&b);
}

/* ---- what no writer makes ------------------------------------------------ */

struct odd {
	const char *name;
	void (*spoil)(Gpsnap__V1__Summary *m, Gpsnap__V1__SummaryRow *r);
	const char *why; /* NULL: it is read, */
	size_t rows; /* with so many rows */
};

static void odd_none(Gpsnap__V1__Summary *m, Gpsnap__V1__SummaryRow *r)
{
	(void)m;
	(void)r;
}

static void odd_order(Gpsnap__V1__Summary *m, Gpsnap__V1__SummaryRow *r)
{
	(void)r;
	m->to_seq = m->from_seq;
}

static void odd_ticks(Gpsnap__V1__Summary *m, Gpsnap__V1__SummaryRow *r)
{
	(void)r;
	m->ticks = 61;
}

static void odd_time(Gpsnap__V1__Summary *m, Gpsnap__V1__SummaryRow *r)
{
	(void)r;
	m->to_wall_ns = INT64_MAX;
}

static void odd_back(Gpsnap__V1__Summary *m, Gpsnap__V1__SummaryRow *r)
{
	(void)r;
	m->to_wall_ns = m->from_wall_ns;
}

static void odd_host(Gpsnap__V1__Summary *m, Gpsnap__V1__SummaryRow *r)
{
	(void)m;
	r->host = 4096;
}

static void odd_peaks(Gpsnap__V1__Summary *m, Gpsnap__V1__SummaryRow *r)
{
	(void)m;
	r->n_peak = 1;
}

static void odd_twice(Gpsnap__V1__Summary *m, Gpsnap__V1__SummaryRow *r)
{
	(void)m;
	r->metric[1] = r->metric[0];
}

static void odd_entity(Gpsnap__V1__Summary *m, Gpsnap__V1__SummaryRow *r)
{
	m->entity[0] = 999;
	r->entity = 999;
}

static void odd_metric(Gpsnap__V1__Summary *m, Gpsnap__V1__SummaryRow *r)
{
	(void)m;
	r->metric[0] = 60000;
}

static void odd_bound(Gpsnap__V1__Summary *m, Gpsnap__V1__SummaryRow *r)
{
	(void)r;
	m->figure[0]->low = NAN;
}

static const struct odd odds[] = {
	{ "as it should be", odd_none, NULL, 1 },
	{ "a key before itself", odd_order, "summary: a stretch out of bounds",
	    0 },
	{ "more ticks than numbers", odd_ticks,
	    "summary: a stretch out of bounds", 0 },
	{ "no such time", odd_time, "summary: a stretch out of bounds", 0 },
	{ "no time", odd_back, "summary: a stretch out of bounds", 0 },
	{ "no such host", odd_host, "summary: a row out of bounds", 0 },
	{ "fewer levels than metrics", odd_peaks,
	    "summary: a row out of bounds", 0 },
	{ "a metric twice", odd_twice, "summary: a metric occurs twice", 0 },
	{ "a bound that is none", odd_bound, "summary: a figure out of bounds",
	    0 },
	{ "an unknown entity", odd_entity, NULL, 0 },
	{ "an unknown metric", odd_metric, NULL, 1 },
};

/* The frame of a message. */
static void put_message(const Gpsnap__V1__Summaries *all, struct buf *to)
{
	struct tickcode *zstd = tickcode_new(3);
	struct buf raw = BUF_INIT, comp = BUF_INIT;

	pb_add(&all->base, &raw);
	tickcode_compress(zstd, raw.ptr, raw.len, &comp);
	buf_add_le32(to, 0x184D2A5Au);
	buf_add_le32(to, (uint32_t)comp.len + 20);
	buf_add(to, "GPSS", 4);
	buf_add_le32(to, (uint32_t)raw.len);
	buf_add(to, comp.ptr, comp.len);
	buf_add_le32(to, frame_crc32c(to->ptr, to->len));
	buf_add_le32(to, (uint32_t)to->len + 8);
	buf_add(to, "GPSS", 4);
	buf_release(&raw);
	buf_release(&comp);
	tickcode_free(zstd);
}

static void check_odd(void **state)
{
	const struct odd *o = *state;
	uint32_t entity[] = { 1 }, metric[2] = {
		metric_get(ENTITY_HOST, COL(HOST, PROCS_RUNNING))->id,
		metric_get(ENTITY_HOST, COL(HOST, PROCS_BLOCKED))->id };
	int64_t peak[] = { 5, 6 };
	Gpsnap__V1__Summaries all = GPSNAP__V1__SUMMARIES__INIT;
	Gpsnap__V1__Summary m = GPSNAP__V1__SUMMARY__INIT, *sum[] = { &m };
	Gpsnap__V1__SummaryRow row = GPSNAP__V1__SUMMARY_ROW__INIT,
		*rows[] = { &row };
	Gpsnap__V1__Extremes figure = GPSNAP__V1__EXTREMES__INIT,
		*figures[] = { &figure };
	struct summaries got = { 0 };
	struct buf b = BUF_INIT;
	struct gs_err err;
	int r;

	m.figure = figures;
	m.n_figure = 1;
	all.summary = sum;
	all.n_summary = 1;
	m.from_seq = 1;
	m.to_seq = 61;
	m.ticks = 60;
	m.from_wall_ns = NOW;
	m.to_wall_ns = NOW + 1;
	m.entity = entity;
	m.row = rows;
	m.n_entity = m.n_row = 1;
	row.entity = 1;
	row.metric = metric;
	row.peak = peak;
	row.n_metric = row.n_peak = 2;
	o->spoil(&m, &row);
	put_message(&all, &b);
	r = read_frame(&b, &got, &err);
	if (o->why) {
		assert_int_equal(r, GS_E_FORMAT);
		assert_string_equal(err.msg, o->why);
	} else {
		assert_int_equal(r, GS_OK);
		assert_int_equal(got.item[0].n_row, o->rows);
	}
	summaries_release(&got);
	buf_release(&b);
}

/* What memory does not suffice for is not read. */
static void beyond_budget(void **state)
{
	struct gs_budget small = { .limit_bytes = 100 };
	struct summaries got = { .budget = &small };
	struct buf b = BUF_INIT;
	struct gs_err err;

	(void)state;
	put_two(&b);
	assert_int_equal(read_frame(&b, &got, &err), GS_E_MEMORY);
	assert_int_equal(small.used_bytes, 0);
	buf_release(&b);
}

int main(void)
{
	struct CMUnitTest tests[GS_LEN(odds) + 4] = {
		cmocka_unit_test(round_trip),
		cmocka_unit_test(each_byte),
		cmocka_unit_test(beyond_budget),
		cmocka_unit_test(too_many_figures),
	};
	size_t i;

	for (i = 0; i < GS_LEN(odds); i++)
		tests[i + 4] = (struct CMUnitTest) { odds[i].name, check_odd,
			NULL, NULL, (void *)(uintptr_t)&odds[i] };
	return cmocka_run_group_tests_name("format/summary", tests, NULL,
	    NULL);
}
