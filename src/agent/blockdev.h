/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blockdev.h - the disks below a block device, through dm and md.
 */
#ifndef GS_AGENT_BLOCKDEV_H
#define GS_AGENT_BLOCKDEV_H

#include <stdint.h>

#include "base/buf.h"
#include "procfs/root.h"

/* Appends the names of the disks, comma separated; nothing if sysfs does not
 * know the device. */
void blockdev_disks(struct root *r, uint64_t major, uint64_t minor,
	struct buf *to);

#endif
