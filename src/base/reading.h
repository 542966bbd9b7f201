/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reading.h - somebody who wants to know how far a file has been read.
 */
#ifndef GS_BASE_READING_H
#define GS_BASE_READING_H

#include <stddef.h>
#include <stdint.h>

struct reading {
	/* bytes: of the file, up to here */
	void (*at)(void *ctx, uint64_t bytes);
	void *ctx;
};

/* r NULL: nobody wants to know. */
static inline void reading_at(const struct reading *r, uint64_t bytes)
{
	if (r)
		r->at(r->ctx, bytes);
}

#endif
