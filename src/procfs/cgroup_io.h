/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cgroup_io.h - the block devices in files of control groups.
 *
 * An iterator takes counters of one device off the front of the text; several
 * turns can be about one device.  What a group's sums are made of and what its
 * rows by device are made of are the same turns.
 */
#ifndef GS_PROCFS_CGROUP_IO_H
#define GS_PROCFS_CGROUP_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/scan.h"
#include "metric/metric.h"

/* The counters, in the order of the columns of entity cgroup_io, and of those
 * of entity cgroup that are their sums. */
#define CGROUP_IO_COUNTERS 6
#define CGROUP_IO_COL(i) (COL(CGROUP_IO, READ) + (i))
#define CGROUP_IO_SUM_COL(i) (COL(CGROUP, READ) + (i))

/* Numbers of devices as the kernel has them: 12 and 20 bits. */
#define CGROUP_IO_MAJOR_MAX 0xfffu
#define CGROUP_IO_MINOR_MAX 0xfffffu

/* Counters of a device. */
struct cgroup_io {
	uint32_t major, minor;
	uint64_t val[CGROUP_IO_COUNTERS];
	uint8_t present; /* a bit for each counter */
};

/* Which files there are. */
enum cgroup_io_file {
	CGROUP_IO_NONE, /* not about devices */
	CGROUP_IO_STAT, /* io.stat */
	CGROUP_IO_BYTES, /* blkio.throttle.io_service_bytes */
	CGROUP_IO_REQUESTS /* blkio.throttle.io_serviced */
};

/* Takes the next counters of a device; false at the end.  What is no device and
 * no counter is skipped. */
bool cgroup_io_next(enum cgroup_io_file file, struct span *text,
	struct cgroup_io *ret);

/* The devices of one group. */
#define CGROUP_IO_DEVICES_MAX 256
struct cgroup_devices {
	struct cgroup_io device[CGROUP_IO_DEVICES_MAX];
	size_t n;
	bool more; /* others are left out */
};

/* Adds the counters of a file. */
void cgroup_devices_add(struct cgroup_devices *d, enum cgroup_io_file file,
	struct span text);

#endif
