/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cgio.h - rows of entity cgroup_io: what a control group reads and writes on
 * each device.
 *
 * A device has a row from its first request on.  If the group was read at the
 * tick before, the device had none until then, so that the row is born: the
 * rows of a group grow as its sums do.
 */
#ifndef GS_AGENT_CGIO_H
#define GS_AGENT_CGIO_H

#include "agent/hostrow.h"
#include "procfs/cgroup_io.h"

/* Rows of all groups.  Each group has at most CGROUP_IO_DEVICES_MAX. */
#define CGIO_ROWS_MAX 4096

struct cgio {
	struct rows rows;
	const struct hostrow *host; /* of this tick; not owned */
	struct cgroup_devices devices; /* of the group being read */
	bool left_out, told; /* at this tick; at the tick before */
};

/* What a group said at the tick before. */
struct cgio_before {
	uint8_t known; /* its sums: a bit for each counter */
	bool all; /* each device with a request had a row */
};

void cgio_init(struct cgio *g, struct sent_texts *sent);
void cgio_release(struct cgio *g);

/* Per tick: begin, then for each group fill g->devices and put it, then end. */
void cgio_begin(struct cgio *g, const struct scan *sc,
	const struct hostrow *host, struct delta *d);

/* The group whose path is that text.  False if some device has no row, since
 * there are too many. */
bool cgio_put(struct cgio *g, const struct scan *sc, uint32_t group,
	struct cgio_before before);

/* The group is not put at this tick, but still exists. */
void cgio_leave(struct cgio *g, uint32_t group);
void cgio_end(struct cgio *g, const struct scan *sc);

/* Which sums of devices are among the cells of a group (val may be NULL). */
uint8_t cgio_known(struct cells group);

#endif
