/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keep.h - answers that are sent again while the recording is the same: all of a
 * day takes seconds to read, and a page that goes out of a zoom asks for it again.
 *
 * There are so many of so many bytes; the one that was not asked for longest goes.
 */
#ifndef GS_WEB_KEEP_H
#define GS_WEB_KEEP_H

#include <stdint.h>

#include "base/buf.h"
#include "web/growth.h"

#define KEEP_MAX 8
#define KEEP_BYTES_MAX (UINT64_C(8) << 20) /* of one */

struct keep {
	struct kept {
		struct buf key; /* empty: free */
		struct growth of;
		int fd;
		uint64_t len, used; /* used: the higher the later */
	} kept[KEEP_MAX];
	uint64_t uses;
};

/* An open file that is the caller's, with *ret_len bytes; -1: there is none. */
int keep_get(struct keep *k, const struct buf *key, const struct growth *now,
	uint64_t *ret_len);

/* fd stays the caller's; of: what the recording was before it was read. */
void keep_put(struct keep *k, const struct buf *key, const struct growth *of,
	int fd, uint64_t len);

void keep_release(struct keep *k);

#endif
