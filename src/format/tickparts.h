/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tickparts.h - the bytes of a record taken apart before they are unpacked:
 * its hosts, one by one, and all the rest.  Private to src/format.
 *
 * A key of a thousand hosts takes several times its bytes once it is unpacked;
 * host by host it is that of one of them.  What the fields hold is not looked
 * at: whoever unpacks them does.
 */
#ifndef GS_FORMAT_TICKPARTS_H
#define GS_FORMAT_TICKPARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/scan.h"

struct tickparts {
	struct span record; /* the whole; not owned */
	size_t n_host;
	size_t rest_len; /* bytes of the other fields */
};

/* Fills ret; false: these are not fields of exactly one record with a tick. */
bool tickparts_of(struct tickparts *ret, struct span record);

/* Copies all fields of the tick but its hosts, rest_len bytes. */
void tickparts_rest(const struct tickparts *p, void *to);

/* Calls fn with the bytes of each host's block, in order, until it returns
 * less than 0, which is returned. */
int tickparts_hosts(const struct tickparts *p,
	int (*fn)(void *ctx, struct span host), void *ctx);

#endif
