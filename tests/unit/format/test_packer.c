/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where groups end: before a key once there are enough ticks or bytes, and before
 * any tick with which there would be too many.
 */
#include "format/packer.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "cases.h"
#include "format/frame.h"
#include "format/group.h"
#include "format/io_ops.h"
#include "format/varint.h"
#include "tempdir.h"

#define MIB ((size_t)1 << 20)
#define GROUPS_MAX 16

/* Ticks of one length; a key each so many, the first one always. */
struct run {
	const char *name;
	size_t n, len, key_each;
	size_t groups[GROUPS_MAX]; /* how many ticks each has */
};

static const struct run runs[] = {
	{ "few ticks", 100, 12, 50, { 100 } },
	{ "enough ticks, then a key", 1000, 12, 60, { 480, 480, 40 } },
	{ "enough ticks, and no key", 1000, 12, 1000, { 1000 } },
	{ "enough bytes, then a key", 20, MIB, 3, { 3, 3, 3, 3, 3, 3, 2 } },
	{ "too many bytes, and no key", 20, 3 * MIB, 100, { 5, 5, 5, 5 } },
	{ "as many bytes as may be", 17, MIB, 100, { 16, 1 } },
	{ "a tick that is too large alone", 3, PACKER_RAW_MAX + 1, 100,
	    { 1, 1, 1 } },
	{ "ticks and a group's list", GROUP_TICKS_MAX + 2, 12, GROUP_TICKS_MAX * 2,
	    { GROUP_TICKS_MAX, 2 } },
};

#define FIELD_UNKNOWN 100

/* A tick of so many bytes, in a field that nobody knows. */
static void make_record(struct buf *to, size_t len)
{
	char *zeros = gs_calloc(len, 1);
	size_t n = len;

	do {
		struct buf tick = BUF_INIT;

		varint_add_field(&tick, FIELD_UNKNOWN, --n);
		buf_add(&tick, zeros, n);
		varint_begin_record(to, FIELD_RECORD_TICK, tick.len);
		buf_add(to, tick.ptr, tick.len);
		buf_release(&tick);
	} while (to->len > len);
	assert_int_equal(to->len, len);
	free(zeros);
}

static void pack(const struct run *u, const char *path)
{
	struct outfile f = OUTFILE_INIT;
	struct packer *p = packer_new(1, 1);
	struct buf record = BUF_INIT;
	size_t i;

	make_record(&record, u->len);
	assert_int_equal(outfile_create(&f, &io_posix, path, NULL), GS_OK);
	for (i = 0; i < u->n; i++) {
		const struct packer_tick t = {
			.kind = i % u->key_each == 0 ? FRAME_KEY : FRAME_DELTA,
			.first = i == 0, .seq = i + 1,
			.wall_ns = (int64_t)i + 1, .record = record.ptr,
			.len = record.len };

		assert_int_equal(packer_add(p, &t, &f, NULL), GS_OK);
	}
	assert_int_equal(packer_flush(p, &f, NULL), GS_OK);
	assert_int_equal(outfile_finish(&f, NULL), GS_OK);
	packer_free(p);
	buf_release(&record);
}

#define LIST_HEAD 16 /* of a group: magic, length, tag, number of ticks */

/* The ticks of the groups of a file, from its frames. */
static size_t read_groups(const char *path, size_t ret[GROUPS_MAX])
{
	char head[FRAME_INDEX_LEN], list[LIST_HEAD];
	struct frame_index ix;
	FILE *file = fopen(path, "rb");
	size_t n = 0;

	assert_non_null(file);
	while (fread(head, 1, sizeof(head), file) == sizeof(head) &&
	    frame_index_get(head, &ix) == GS_OK) {
		assert_true(n < GROUPS_MAX);
		assert_true(fread(list, 1, sizeof(list), file) == LIST_HEAD);
		ret[n++] = gs_get_le32(list + 12);
		assert_int_equal(fseek(file, (long)ix.comp_len - LIST_HEAD,
		    SEEK_CUR), 0);
	}
	(void)fclose(file);
	return n;
}

static void groups(void **state)
{
	const struct run *u = *state;
	struct tempdir dir;
	const char *path;
	size_t got[GROUPS_MAX] = { 0 }, n, i;

	tempdir_make(&dir);
	path = tempdir_file(&dir, "packed.gpsnap");
	pack(u, path);
	n = read_groups(path, got);
	for (i = 0; i < n || (i < GROUPS_MAX && u->groups[i] > 0); i++)
		assert_int_equal(got[i], u->groups[i]);
	tempdir_remove(&dir);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, groups, runs);
	return cases_run(&c, "packer");
}
