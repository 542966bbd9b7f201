/*
 * below.h - the disks below a block device, through dm and md.
 */
#ifndef GS_AGENT_BELOW_H
#define GS_AGENT_BELOW_H

#include <stdint.h>

#include "base/buf.h"
#include "procfs/root.h"

/* Appends the names of the disks, comma separated; nothing if sysfs does not
 * know the device. */
void below_disks(struct root *r, uint64_t major, uint64_t minor,
	struct buf *to);

#endif
