/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers about delays: each version of the structure, whose words hold their
 * own number here; an answer of Linux 6.18; errors; and every cut of them.
 */
#include "procfs/taskstats.h"

#include <errno.h>

#include "scancase.h"

#define WORDS_MAX 128
#define FAMILY 31

/* A structure of so many words: word i holds 1000 * i. */
static struct span stats_of(uint64_t to[WORDS_MAX], unsigned version,
	size_t words)
{
	size_t i;

	for (i = 0; i < words; i++)
		to[i] = 1000 * i;
	to[0] = version; /* the bytes after it are other fields */
	return span_of((const char *)to, words * sizeof(uint64_t));
}

static const struct {
	unsigned version;
	size_t words;
	const char *expected;
	unsigned switches; /* their word; 0: it has none */
} versions[] = {
	{ 1, 10, "cpu 2,3 blkio 4,5 swapin 6,7 ", 0 },
	{ 8, 41, "cpu 2,3 blkio 4,5 swapin 6,7 reclaim 39,40 ", 34 },
	{ 9, 43, "cpu 2,3 blkio 4,5 swapin 6,7 reclaim 39,40 "
	    "thrashing 41,42 ", 34 },
	{ 11, 46, "cpu 2,3 blkio 4,5 swapin 6,7 reclaim 39,40 "
	    "thrashing 41,42 compact 44,45 ", 34 },
	{ 13, 52, "cpu 2,3 blkio 4,5 swapin 6,7 reclaim 39,40 "
	    "thrashing 41,42 compact 44,45 wpcopy 50,51 ", 34 },
	{ 14, 54, "cpu 2,3 blkio 4,5 swapin 6,7 reclaim 39,40 "
	    "thrashing 41,42 compact 44,45 wpcopy 50,51 irq 52,53 ", 34 },
	/* max and min within, which no other version has */
	{ 14, 70, "cpu 2,3,4,5 blkio 6,7,8,9 swapin 10,11,12,13 "
	    "reclaim 45,46,47,48 thrashing 49,50,51,52 "
	    "compact 54,55,56,57 wpcopy 62,63,64,65 irq 66,67,68,69 ", 40 },
	{ 15, 70, "cpu 2,3,4,5 blkio 6,7,8,9 swapin 10,11,12,13 "
	    "reclaim 45,46,47,48 thrashing 49,50,51,52 "
	    "compact 54,55,56,57 wpcopy 62,63,64,65 irq 66,67,68,69 ", 40 },
	{ 16, 70, "cpu 2,3,54,55 blkio 4,5,56,57 swapin 6,7,58,59 "
	    "reclaim 39,40,60,61 thrashing 41,42,62,63 "
	    "compact 44,45,64,65 wpcopy 50,51,66,67 irq 52,53,68,69 ", 34 },
	{ 17, 86, "cpu 2,3,54,55 blkio 4,5,56,57 swapin 6,7,58,59 "
	    "reclaim 39,40,60,61 thrashing 41,42,62,63 "
	    "compact 44,45,64,65 wpcopy 50,51,66,67 irq 52,53,68,69 ", 34 },
};

static void add_words(struct buf *to, const struct delays *d)
{
	static const char *const names[DELAY_KINDS] = { "cpu", "blkio",
		"swapin", "reclaim", "thrashing", "compact", "wpcopy", "irq" };
	unsigned i;

	for (i = 0; i < DELAY_KINDS; i++) {
		const struct delay *o = &d->of[i];

		if (o->has)
			buf_printf(to, "%s %u,%u", names[i],
			    (unsigned)(o->count / 1000),
			    (unsigned)(o->total_ns / 1000));
		if (o->has_peaks)
			buf_printf(to, ",%u,%u", (unsigned)(o->max_ns / 1000),
			    (unsigned)(o->min_ns / 1000));
		if (o->has)
			buf_add_str(to, " ");
	}
}

static void test_versions(void **state)
{
	uint64_t words[WORDS_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(versions); i++) {
		struct buf got = BUF_INIT;
		struct delays d;

		assert_true(taskstats_scan(stats_of(words,
		    versions[i].version, versions[i].words), &d));
		assert_int_equal(d.version, versions[i].version);
		add_words(&got, &d);
		assert_string_equal(buf_str(&got), versions[i].expected);
		assert_int_equal(d.has_switches, versions[i].switches > 0);
		assert_int_equal(d.csw_vol, 1000 * versions[i].switches);
		assert_int_equal(d.run_ns,
		    versions[i].switches == 40 ? 15000 : 9000);
		if (d.has_switches)
			assert_int_equal(d.csw_invol, d.csw_vol + 1000);
		buf_release(&got);
	}
}

/* ---- messages ---------------------------------------------------------- */

struct message {
	char bytes[1024];
	size_t len;
};

static void put(struct message *m, const void *p, size_t len)
{
	assert_true(m->len + len <= sizeof(m->bytes));
	memcpy(m->bytes + m->len, p, len);
	m->len += len;
}

static void put16(struct message *m, unsigned v)
{
	uint16_t n = (uint16_t)v;

	put(m, &n, sizeof(n));
}

static void put32(struct message *m, uint32_t v)
{
	put(m, &v, sizeof(v));
}

static void put_head(struct message *m, unsigned type, uint32_t seq)
{
	*m = (struct message) { .len = 0 };
	put32(m, 0);
	put16(m, type);
	put16(m, 0);
	put32(m, seq);
	put32(m, 0);
}

static struct span end(struct message *m)
{
	uint32_t len = (uint32_t)m->len;

	memcpy(m->bytes, &len, sizeof(len));
	return span_of(m->bytes, m->len);
}

/* An answer as of Linux: aggregate, id, padding, statistics. */
static struct span answer(struct message *m, struct span stats, unsigned aggr)
{
	put_head(m, FAMILY, 7);
	put32(m, 2);
	put16(m, (unsigned)(4 + 8 + 4 + 4 + span_len(stats)));
	put16(m, aggr | 0x8000);
	put16(m, 8);
	put16(m, aggr == 5 ? 2 : 1);
	put32(m, 4711);
	put16(m, 4);
	put16(m, 6); /* nothing: it aligns what follows */
	put16(m, (unsigned)(4 + span_len(stats)));
	put16(m, 3);
	put(m, stats.ptr, span_len(stats));
	return end(m);
}

static void test_reply(void **state)
{
	uint64_t words[WORDS_MAX];
	struct taskstats_reply r;
	struct message m;
	unsigned aggr;

	(void)state;
	for (aggr = 4; aggr <= 5; aggr++) {
		struct span s = stats_of(words, 16, 70);
		struct span msg = answer(&m, s, aggr);

		assert_true(taskstats_reply(msg, FAMILY, &r));
		assert_int_equal(r.seq, 7);
		assert_int_equal(r.error, 0);
		assert_int_equal(span_len(r.stats), span_len(s));
		assert_memory_equal(r.stats.ptr, s.ptr, span_len(s));
		assert_false(taskstats_reply(msg, FAMILY + 1, &r));
	}
}

static void test_errors(void **state)
{
	struct taskstats_reply r;
	struct message m;

	(void)state;
	put_head(&m, 2, 9);
	put32(&m, (uint32_t)-1);
	assert_true(taskstats_reply(end(&m), FAMILY, &r));
	assert_int_equal(r.error, 1);
	assert_int_equal(r.seq, 9);
	put_head(&m, 2, 9);
	put32(&m, 0); /* an acknowledgement says nothing */
	assert_false(taskstats_reply(end(&m), FAMILY, &r));
	put_head(&m, 2, 9);
	put32(&m, 0x80000000u);
	assert_false(taskstats_reply(end(&m), FAMILY, &r));
}

static void test_family(void **state)
{
	struct message m;
	uint16_t id = 0;

	(void)state;
	put_head(&m, 16, 0);
	put32(&m, 0x201);
	put16(&m, 14);
	put16(&m, 2);
	put(&m, "TASKSTATS\0\0", 12);
	put16(&m, 6);
	put16(&m, 1);
	put16(&m, FAMILY);
	assert_int_equal(taskstats_family(end(&m), &id), 0);
	assert_int_equal(id, FAMILY);
	put_head(&m, 2, 0);
	put32(&m, (uint32_t)-2);
	assert_int_equal(taskstats_family(end(&m), &id), ENOENT);
}

/* Every cut, in memory of exactly that size, and every length that lies. */
static void test_cuts(void **state)
{
	uint64_t words[WORDS_MAX];
	struct message m;
	struct span whole = answer(&m, stats_of(words, 16, 70), 5);
	size_t len;

	(void)state;
	for (len = 0; len < span_len(whole); len++) {
		char *p = malloc(len ? len : 1);
		struct taskstats_reply r;
		uint16_t id;

		memcpy(p, whole.ptr, len);
		assert_false(taskstats_reply(span_of(p, len), FAMILY, &r));
		assert_int_equal(taskstats_family(span_of(p, len), &id),
		    EPROTO);
		if (len >= 4) {
			uint32_t lie = (uint32_t)len;

			memcpy(p, &lie, sizeof(lie));
			assert_false(taskstats_reply(span_of(p, len), FAMILY,
			    &r));
		}
		free(p);
	}
}

/* ---- cells ------------------------------------------------------------- */

static void check_cells(const struct delays *d, struct taskstats_opt opt,
	const char *expected)
{
	struct cells c = cells_new(ENTITY_PROCESS);
	struct buf got = BUF_INIT;

	taskstats_set(d, &opt, c);
	celltext_add(&got, ENTITY_PROCESS, c, " ");
	assert_string_equal(buf_str(&got), expected);
	buf_release(&got);
	cells_free(c);
}

#define CPU_CELLS "delay_cpu=4 delay_cpu_count=3"

static void test_cells(void **state)
{
	struct delays d = { .version = 16 };

	(void)state;
	d.of[DELAY_CPU] = (struct delay) { true, true, 3, 4999, 2000, 1 };
	d.of[DELAY_BLKIO] = (struct delay) { true, true, 0, 0, 0, 0 };
	d.of[DELAY_IRQ] = d.of[DELAY_BLKIO];
	/* started before delays were measured: zeros mean nothing */
	check_cells(&d, (struct taskstats_opt) { 1, false, true, false, false },
	    CPU_CELLS);
	/* started since: true zeros, but irq is measured nowhere */
	check_cells(&d, (struct taskstats_opt) { 1, false, false, true, false },
	    CPU_CELLS " delay_blkio=0 delay_blkio_count=0");
	d.of[DELAY_WPCOPY] = (struct delay) { true, true, 1, 70000, 70000,
		70000 };
	check_cells(&d, (struct taskstats_opt) { 1, false, true, false, true },
	    CPU_CELLS " delay_cpu_max=2000 delay_cpu_min=1 delay_blkio=0 "
	    "delay_blkio_count=0 delay_wpcopy=70 delay_wpcopy_count=1 "
	    "delay_wpcopy_max=70000 delay_wpcopy_min=70000 delay_irq=0 "
	    "delay_irq_count=0");
	/* several threads: the kernel gives max and min of one of them */
	check_cells(&d, (struct taskstats_opt) { -1, false, false, false, false },
	    CPU_CELLS " delay_blkio=0 delay_blkio_count=0 delay_wpcopy=70 "
	    "delay_wpcopy_count=1");
	check_cells(&d, (struct taskstats_opt) { 0, false, true, true, false },
	    CPU_CELLS);
	d.of[DELAY_CPU].count = 0; /* the scheduler does not count */
	check_cells(&d, (struct taskstats_opt) { 0, false, true, true, true }, "");
	d.of[DELAY_CPU].total_ns = 0; /* it does; the process has not run yet */
	check_cells(&d, (struct taskstats_opt) { 0, true, true, true, true },
	    "delay_cpu=0 delay_cpu_count=0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_reply),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_family),
		cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_cells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
