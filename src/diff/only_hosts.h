/* SPDX-License-Identifier: Apache-2.0 */
/*
 * only_hosts.h - a cursor over the ticks of some hosts of a recording.
 *
 * The blocks and events of other hosts are left out, and headers name these
 * hosts only; catalogs stay.  A recording of one host stays as it is, whatever
 * the names.
 */
#ifndef GS_DIFF_ONLY_HOSTS_H
#define GS_DIFF_ONLY_HOSTS_H

#include "model/cursor.h"
#include "model/header.h"

struct only_hosts;

/* name: as the recorder calls the hosts; they must outlive the cursor. */
struct only_hosts *only_hosts_new(struct cursor from, const char *const *name,
	size_t n);
void only_hosts_free(struct only_hosts *o);
struct cursor only_hosts_cursor(struct only_hosts *o);

/* A name that no header of what was read has; NULL: all were there. */
const char *only_hosts_unseen(const struct only_hosts *o);

#endif
