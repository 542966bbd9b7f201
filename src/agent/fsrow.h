/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fsrow.h - rows of the file systems of data directories, and of the root.
 *
 * The list of file systems is read again from time to time, and when a server
 * starts or ends; their usage is read at every tick.  Network file systems are
 * not queried, since the call may never return.
 */
#ifndef GS_AGENT_FSROW_H
#define GS_AGENT_FSROW_H

#include "agent/mounts.h"
#include "agent/postmasters.h"
#include "model/rows.h"

struct fsrow_mount {
	struct buf path; /* mount point; unescaped */
	uint32_t point, device, type, disk; /* texts, one reference each */
	bool asked; /* statvfs() may be called */
};

struct fsrow {
	struct rows rows;
	struct fsrow_mount *mount;
	size_t n, made, cap;
	struct buf path; /* scratch */
};

void fsrow_init(struct fsrow *f, struct sent_texts *sent);
void fsrow_release(struct fsrow *f);
void fsrow_tick(struct fsrow *f, const struct scan *sc,
	const struct postmasters *servers, struct mounts *mounts,
	struct block *b);

#endif
