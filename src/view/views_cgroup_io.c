/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_cgroup_io.c - what control groups read and write on each device.
 */
#include "base/compiler.h"
#include "query/columns.h"
#include "view/label_figures.h"
#include "view/view_int.h"

#define IO_FIGURES \
	NAMED_COLUMN("reads_per_second", "R/s", 80, RATE(CGROUP_IO, READS), \
	    ADDS), \
	NAMED_COLUMN("writes_per_second", "W/s", 80, \
	    RATE(CGROUP_IO, WRITES), ADDS), \
	NAMED_COLUMN("read_bytes_per_second", "READ/s", 80, \
	    RATE(CGROUP_IO, READ), ADDS), \
	NAMED_COLUMN("write_bytes_per_second", "WRITE/s", 80, \
	    RATE(CGROUP_IO, WRITTEN), ADDS), \
	NAMED_COLUMN("discards_per_second", "DISC/s", 120, \
	    RATE(CGROUP_IO, DISCARDS), ADDS), \
	NAMED_COLUMN("discard_bytes_per_second", "DISCARD/s", 120, \
	    RATE(CGROUP_IO, DISCARDED), ADDS)

static const struct figure cgroup_io[] = {
	HOST_FIGURE(MANY_HOSTS),
	COLUMN("device", "DEVICE", Q_TEXT, 80, "device, named as in disks",
	    LABEL_TEXT(name)),
	IO_FIGURES,
	STAY_FIGURE("it was seen"),
	COLUMN("cgroup", "CGROUP", Q_TEXT, 80, "path", LABEL_TEXT(cgroup),
	    FLEXES),
};

ROW_VIEW(cgroup_io, CGROUP_IO, "what control groups read and write on each device",
    "write_bytes_per_second,read_bytes_per_second");

/* The columns after the keys of --group-by. */
static const struct figure groups[] = {
	IO_FIGURES,
	COLUMN("hosts", "HOSTS", Q_COUNT, 200, "hosts on which it has rows",
	    BY(labelcol_hosts)),
};

const struct figure *view_cgroup_io_group_figures(size_t *ret_n)
{
	*ret_n = GS_LEN(groups);
	return groups;
}
