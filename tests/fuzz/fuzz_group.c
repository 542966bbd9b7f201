/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_group.c - any bytes as a group of ticks after its checksums: its list
 * of ticks, and the columns that stand side by side.
 *
 * {number of ticks; what of; bytes}.  What was taken apart can be put
 * together again.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "format/group.h"
#include "format/groupcode.h"
#include "format/planes.h"
#include "format/tickcode.h"
#include "fuzz.h"

static void use_list(const uint8_t *p, size_t size)
{
	struct frame_index f = { .kind = FRAME_GROUP, .seq = 1000,
		.wall_ns = INT64_C(1700000000000000000) };
	struct group g = { 0 };
	struct buf again = BUF_INIT;
	size_t len = size < GROUP_LIST_HEAD ? 0 : group_list_len(p);

	f.sparse = size % 2 == 1;
	if (len > 0 && len <= size && group_get(&g, p, len, &f)) {
		if (g.n > GROUP_TICKS_MAX || g.first_key > g.n)
			abort();
		group_put(&g, &again);
	}
	buf_release(&again);
	group_release(&g);
}

/* What is no group stays a part of one, which must not be read beyond its end.  Values
 * that were never in planes may be none. */
static void use_planes(const uint8_t *p, size_t size)
{
	char *group = gs_malloc(size), *joined = gs_malloc(size);

	memcpy(group, p, size);
	if (planes_join(group, size, PLANES_OF_GROUP)) {
		memcpy(joined, group, size);
		if (planes_split(group, size, PLANES_OF_GROUP, NULL) &&
		    (!planes_join(group, size, PLANES_OF_GROUP) ||
		    memcmp(group, joined, size) != 0))
			abort();
	}
	free(group);
	free(joined);
}

static void use_ticks(const uint8_t *p, size_t size, size_t n)
{
	static struct ungrouper *u;
	static struct grouper *g;
	static struct tickcode *code;
	struct tick t = TICK_INIT;
	struct buf record = BUF_INIT;
	struct gs_err err;
	size_t i;

	if (!u) {
		u = ungrouper_new();
		g = grouper_new();
		code = tickcode_new(TICKCODE_LEVEL);
	}
	if (ungrouper_open(u, p, size, n, &err) < 0)
		return;
	for (i = 0; i < n; i++) {
		if (tickcode_read(code, u, i, &t, &err) < 0)
			continue;
		ungrouper_record(u, i, &record);
		if (grouper_add(g, record.ptr, record.len, &err) < 0)
			break; /* it held what no writer makes */
	}
	grouper_end(g, &record);
	tick_release(&t);
	buf_release(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	use_planes(data + 2, size - 2);
	if (data[1] & 1)
		use_list(data + 2, size - 2);
	else
		use_ticks(data + 2, size - 2, data[0]);
	return 0;
}
