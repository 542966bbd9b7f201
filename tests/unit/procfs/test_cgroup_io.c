/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The devices in files of control groups; a group's sums are those over its
 * devices.
 */
#include "procfs/cgroup_io.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cases.h"
#include "model/row.h"
#include "procfs/sysfs.h"

struct iocase {
	const char *name;
	enum cgroup_io_file file;
	const char *input;
	const char *expected; /* device: counters in order; - is absent */
};

#define U64_MAX "18446744073709551615"

static const struct iocase cases[] = {
	{ "v2", CGROUP_IO_STAT,
	    "8:0 rbytes=4096 wbytes=1 rios=2 wios=3 dbytes=4 dios=5\n"
	    "253:1 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=5 dios=6 "
	    "cost.vrate=100.00 cost.usage=9\n",
	    "8:0 4096 1 2 3 4 5; 253:1 1 2 3 4 5 6; " },
	{ "v2 before 4.19", CGROUP_IO_STAT,
	    "8:0 rbytes=1 wbytes=2 rios=3 wios=4\n", "8:0 1 2 3 4 - -; " },
	{ "v2 devices without requests", CGROUP_IO_STAT,
	    "7:1 \n8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0\n"
	    "7:0\n", "8:0 1 2 3 4 0 0; " },
	{ "v2 devices without an end of line", CGROUP_IO_STAT,
	    "7:7 7:6 8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0\n"
	    "7:5 7:4 ", "8:0 1 2 3 4 0 0; " },
	{ "v2 two devices in a line", CGROUP_IO_STAT,
	    "8:0 rbytes=1 8:16 wbytes=2\n",
	    "8:0 1 - - - - -; 8:16 - 2 - - - -; " },
	{ "v2 missing and unknown keys", CGROUP_IO_STAT,
	    "8:0 wbytes=7 use_delay=1 delay_nsec=2\n8:16 wbytes= rios=x\n",
	    "8:0 - 7 - - - -; " },
	{ "v2 huge", CGROUP_IO_STAT,
	    "8:0 rbytes=" U64_MAX " wbytes=18446744073709551616 rios=1\n",
	    "8:0 " U64_MAX " - 1 - - -; " },
	{ "v2 nothing", CGROUP_IO_STAT, "", "" },
	{ "v2 largest numbers", CGROUP_IO_STAT, "4095:1048575 rbytes=1\n",
	    "4095:1048575 1 - - - - -; " },
	{ "v2 garbage", CGROUP_IO_STAT,
	    "4096:0 rbytes=1\n8:1048576 rbytes=1\n8: rbytes=1\n:0 rbytes=1\n"
	    "8:0x rbytes=1\nsda rbytes=1\nrbytes=1\n\n\n8 0 rbytes=1\n"
	    "=== 8:0=1\n-8:0 rbytes=1\n9:1 rbytes=2",
	    "9:1 2 - - - - -; " },
	{ "v1 bytes", CGROUP_IO_BYTES,
	    "8:0 Read 4096\n8:0 Write 1\n8:0 Sync 4097\n8:0 Async 0\n"
	    "8:0 Discard 5\n8:0 Total 4102\n8:16 Read 1\n8:16 Write 0\n"
	    "8:16 Total 1\nTotal 4103\n",
	    "8:0 4096 1 - - 5 -; 8:16 1 0 - - - -; " },
	{ "v1 requests", CGROUP_IO_REQUESTS,
	    "8:0 Read 4\n8:0 Write 1\n8:0 Discard 2\nTotal 7\n",
	    "8:0 - - 4 1 - 2; " },
	{ "v1 of 6.9: none is counted", CGROUP_IO_BYTES, "Total 0\n", "" },
	{ "v1 garbage", CGROUP_IO_BYTES,
	    "8:0 Read\n8:0 Read x\nsda Read 1\n8:0 read 1\n8:0  Read  3\n"
	    "Read 8:0 1\n9:9 Total 4\n9:9 Read 18446744073709551616\n",
	    "8:0 3 - - - - -; " },
	{ "no file of devices", CGROUP_IO_NONE, "8:0 rbytes=1\n", "" },
};

static void describe(const struct cgroup_devices *d, struct buf *to)
{
	size_t i;
	unsigned k;

	for (i = 0; i < d->n; i++) {
		const struct cgroup_io *one = &d->device[i];

		buf_printf(to, "%" PRIu32 ":%" PRIu32, one->major, one->minor);
		for (k = 0; k < CGROUP_IO_COUNTERS; k++) {
			if (one->present >> k & 1)
				buf_printf(to, " %" PRIu64, one->val[k]);
			else
				buf_add_str(to, " -");
		}
		buf_add_str(to, "; ");
	}
}

/* The sums are what the scanner of the group's cells says. */
static void check_sums(const struct cgroup_devices *d,
	enum cgroup_io_file file, struct span text)
{
	struct cells c = cells_new(ENTITY_CGROUP);
	size_t i, k;

	for (i = 0; i < CGROUP_FILES && cgroup_files[i].io != file; i++)
		;
	assert_true(i < CGROUP_FILES);
	cgroup_files[i].scan(&cgroup_files[i], text, c);
	for (k = 0; k < CGROUP_IO_COUNTERS; k++) {
		uint64_t sum = 0, is = 0;

		for (i = 0; i < d->n; i++)
			sum += d->device[i].val[k];
		(void)cells_get(c, CGROUP_IO_SUM_COL((unsigned)k), &is);
		assert_int_equal(is, sum);
	}
	cells_free(c);
}

static void scan(const struct iocase *k, struct span text, struct buf *to)
{
	struct cgroup_devices *d = calloc(1, sizeof(*d));

	cgroup_devices_add(d, k->file, text);
	assert_false(d->more);
	if (k->file != CGROUP_IO_NONE)
		check_sums(d, k->file, text);
	describe(d, to);
	free(d);
}

/* Also each prefix, in memory of exactly that size. */
static void one(void **state)
{
	const struct iocase *k = *state;
	struct buf got = BUF_INIT;
	size_t len;

	scan(k, span_str(k->input), &got);
	assert_string_equal(buf_str(&got), k->expected);
	for (len = 0; len < strlen(k->input); len++) {
		char *p = malloc(len ? len : 1);

		memcpy(p, k->input, len);
		buf_reset(&got);
		scan(k, span_of(p, len), &got);
		free(p);
	}
	buf_release(&got);
}

/* The two files of version 1, in another order of devices each. */
static void both_files(void **state)
{
	struct cgroup_devices *d = calloc(1, sizeof(*d));
	struct buf got = BUF_INIT;

	(void)state;
	cgroup_devices_add(d, CGROUP_IO_BYTES, span_str("8:0 Read 1\n"
	    "8:0 Write 2\n8:16 Read 3\n8:32 Write 4\n"));
	cgroup_devices_add(d, CGROUP_IO_REQUESTS, span_str("8:32 Read 5\n"
	    "9:0 Read 6\n8:0 Read 7\n8:0 Write 8\n"));
	describe(d, &got);
	assert_string_equal(buf_str(&got), "8:0 1 2 7 8 - -; "
	    "8:16 3 - - - - -; 8:32 - 4 5 - - -; 9:0 - - 6 - - -; ");
	buf_release(&got);
	free(d);
}

static void too_many(void **state)
{
	struct cgroup_devices *d = calloc(1, sizeof(*d));
	struct buf text = BUF_INIT;
	unsigned i;

	(void)state;
	for (i = 0; i < CGROUP_IO_DEVICES_MAX; i++)
		buf_printf(&text, "8:%u rbytes=%u\n", i, i + 1);
	cgroup_devices_add(d, CGROUP_IO_STAT, span_str(buf_str(&text)));
	assert_int_equal(d->n, CGROUP_IO_DEVICES_MAX);
	assert_false(d->more);
	buf_add_str(&text, "9:0 rbytes=1\n");
	cgroup_devices_add(d, CGROUP_IO_STAT, span_str(buf_str(&text)));
	assert_int_equal(d->n, CGROUP_IO_DEVICES_MAX);
	assert_true(d->more);
	assert_int_equal(d->device[9].val[0], 20);
	buf_release(&text);
	free(d);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, one, cases);
	cases_add(&c, "both files", both_files, NULL);
	cases_add(&c, "too many devices", too_many, NULL);
	return cases_run(&c, "procfs cgroup_io");
}
