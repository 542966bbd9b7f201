/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/cgroup_io.h"

#include "base/compiler.h"

enum {
	READ,
	WRITTEN,
	READS,
	WRITES,
	DISCARDED,
	DISCARDS
};

_Static_assert(COL(CGROUP, WRITTEN) == CGROUP_IO_SUM_COL(WRITTEN) &&
    COL(CGROUP, READS) == CGROUP_IO_SUM_COL(READS) &&
    COL(CGROUP, WRITES) == CGROUP_IO_SUM_COL(WRITES) &&
    COL(CGROUP, DISCARDED) == CGROUP_IO_SUM_COL(DISCARDED) &&
    COL(CGROUP, DISCARDS) == CGROUP_IO_SUM_COL(DISCARDS), "one order");
_Static_assert(COL(CGROUP_IO, WRITTEN) == CGROUP_IO_COL(WRITTEN) &&
    COL(CGROUP_IO, READS) == CGROUP_IO_COL(READS) &&
    COL(CGROUP_IO, WRITES) == CGROUP_IO_COL(WRITES) &&
    COL(CGROUP_IO, DISCARDED) == CGROUP_IO_COL(DISCARDED) &&
    COL(CGROUP_IO, DISCARDS) == CGROUP_IO_COL(DISCARDS), "one order");

static const char *const keys[CGROUP_IO_COUNTERS] = {
	[READ] = "rbytes",
	[WRITTEN] = "wbytes",
	[READS] = "rios",
	[WRITES] = "wios",
	[DISCARDED] = "dbytes",
	[DISCARDS] = "dios",
};

static void add(struct cgroup_io *to, unsigned i, uint64_t v)
{
	to->val[i] += v;
	to->present |= (uint8_t)(1u << i);
}

/* 8:0 */
static bool take_device(struct span word, struct cgroup_io *ret)
{
	uint64_t major, minor;

	if (!scan_u64(&word, &major) || !scan_char(&word, ':') ||
	    !scan_u64(&word, &minor) || !span_empty(word) ||
	    major > CGROUP_IO_MAJOR_MAX || minor > CGROUP_IO_MINOR_MAX)
		return false;
	*ret = (struct cgroup_io) { .major = (uint32_t)major,
		.minor = (uint32_t)minor };
	return true;
}

/* rbytes=4096 */
static void take_key(struct span word, struct cgroup_io *to)
{
	struct span key;
	uint64_t v;
	unsigned i;

	if (!scan_until(&word, '=', &key) || !scan_u64(&word, &v))
		return;
	for (i = 0; i < CGROUP_IO_COUNTERS; i++) {
		if (span_eq(key, keys[i]))
			add(to, i, v);
	}
}

/*
 * 8:0 rbytes=4096 wbytes=0 rios=1 wios=0 dbytes=0 dios=0
 *
 * dbytes and dios since 4.19.  A device without a request is not listed, or
 * without keys, some kernels from 5.13 on even without the end of its line:
 *
 * 7:1 7:0 8:0 rbytes=4096 wbytes=0 rios=1 wios=0 dbytes=0 dios=0
 */
static bool next_of_line(struct span *line, struct cgroup_io *ret)
{
	struct cgroup_io device, found = { .present = 0 };
	struct span word, before = *line;
	bool any = false;

	for (; scan_word(line, &word); before = *line) {
		if (take_device(word, &device)) {
			if (found.present) {
				*line = before;
				break;
			}
			found = device;
			any = true;
		} else if (any) {
			take_key(word, &found);
		}
	}
	*ret = found;
	return found.present != 0;
}

static bool next_of_stat(struct span *text, struct cgroup_io *ret)
{
	struct span line;

	while (!span_empty(*text)) {
		if (next_of_line(text, ret))
			return true;
		(void)scan_line(text, &line); /* the rest, often empty */
	}
	return false;
}

/*
 * 8:0 Read 4096
 * 8:0 Write 0
 * ...
 * 8:0 Total 4096
 * Total 4096
 *
 * Discard since 4.20.  Without a line of a device it is not known whether there
 * was no request: since 6.9 they are counted only where a limit is set.
 */
static bool next_of_blkio(struct span *text, bool bytes,
	struct cgroup_io *ret)
{
	struct span line, device, kind;
	uint64_t v;

	while (scan_line(text, &line)) {
		if (!scan_word(&line, &device) || !scan_word(&line, &kind) ||
		    !scan_u64(&line, &v) || !take_device(device, ret))
			continue;
		if (span_eq(kind, "Read"))
			add(ret, bytes ? READ : READS, v);
		else if (span_eq(kind, "Write"))
			add(ret, bytes ? WRITTEN : WRITES, v);
		else if (span_eq(kind, "Discard"))
			add(ret, bytes ? DISCARDED : DISCARDS, v);
		if (ret->present)
			return true;
	}
	return false;
}

bool cgroup_io_next(enum cgroup_io_file file, struct span *text,
	struct cgroup_io *ret)
{
	switch (file) {
	case CGROUP_IO_NONE:
		return false;
	case CGROUP_IO_STAT:
		return next_of_stat(text, ret);
	case CGROUP_IO_BYTES:
	case CGROUP_IO_REQUESTS:
		return next_of_blkio(text, file == CGROUP_IO_BYTES, ret);
	}
	return false;
}

/* Lines of one device follow each other, and files have one order; NULL: there
 * are too many. */
static struct cgroup_io *find(struct cgroup_devices *d, size_t *at,
	const struct cgroup_io *of)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		struct cgroup_io *one = &d->device[(*at + i) % d->n];

		if (one->major != of->major || one->minor != of->minor)
			continue;
		*at = (size_t)(one - d->device);
		return one;
	}
	if (d->n == CGROUP_IO_DEVICES_MAX)
		return NULL;
	*at = d->n;
	d->device[d->n] = (struct cgroup_io) { .major = of->major,
		.minor = of->minor };
	return &d->device[d->n++];
}

void cgroup_devices_add(struct cgroup_devices *d, enum cgroup_io_file file,
	struct span text)
{
	struct cgroup_io io, *to;
	size_t at = 0;
	unsigned i;

	while (cgroup_io_next(file, &text, &io)) {
		to = find(d, &at, &io);
		d->more |= !to;
		for (i = 0; to && i < CGROUP_IO_COUNTERS; i++) {
			if (io.present >> i & 1)
				add(to, i, io.val[i]);
		}
	}
}
