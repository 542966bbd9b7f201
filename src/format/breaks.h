/* SPDX-License-Identifier: Apache-2.0 */
/*
 * breaks.h - where, in bytes that are compressed, others begin that are unlike those
 * before.  A block of zstd has one code for all its bytes: it had better end there.
 * Private to src/format.
 */
#ifndef GS_FORMAT_BREAKS_H
#define GS_FORMAT_BREAKS_H

#include <stddef.h>

/* What a block costs, some 50 bytes, is more than it saves of fewer bytes than this. */
#define BREAKS_APART 500u

struct breaks {
	size_t *at; /* ascending */
	size_t n, cap;
};

void breaks_release(struct breaks *b);

/* No break is less than BREAKS_APART after the one before, or after the beginning. */
void breaks_add(struct breaks *b, size_t at);

#endif
