/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tickparts.h - splits the bytes of a record before they are unpacked: its
 * hosts, one by one, and the rest.  Private to src/format.
 *
 * An unpacked key of a thousand hosts takes several times its bytes; host by
 * host it takes only the memory of one.  The content of the fields is not
 * checked here, but when it is unpacked.
 */
#ifndef GS_FORMAT_TICKPARTS_H
#define GS_FORMAT_TICKPARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/scan.h"

struct tickparts {
	struct span bytes; /* the whole record, or the tick; not owned */
	bool is_tick;
	bool texts; /* they are of the rest; else nowhere */
	size_t n_host, n_header;
	size_t rest_len; /* bytes of the other fields */
};

/* Fills ret; false: these are not fields of exactly one record with a tick, or it has two
 * headers, of which one would tell where the file belongs, and the other be read. */
bool tickparts_of(struct tickparts *ret, struct span record, bool texts);

/* The same of the bytes of a tick. */
bool tickparts_of_tick(struct tickparts *ret, struct span tick, bool texts);

/* Copies the rest of the fields of the tick, rest_len bytes. */
void tickparts_rest(const struct tickparts *p, void *to);

/* Calls fn with the bytes of each host's block, in order, until it returns
 * less than 0, which is returned. */
int tickparts_hosts(const struct tickparts *p,
	int (*fn)(void *ctx, struct span host), void *ctx);

#endif
