/* SPDX-License-Identifier: Apache-2.0 */
/*
 * footer.h - the index at the end of closed files, also of files joined with
 * cat.
 */
#ifndef GS_FORMAT_FOOTER_H
#define GS_FORMAT_FOOTER_H

#include "format/frame.h"
#include "format/source.h"

/* The longest footer: some ten million ticks. */
#define FOOTER_LEN_MAX ((uint64_t)256 << 20)

/* The part of a file that a footer covers. */
struct footer_claim {
	uint64_t bytes; /* from the first index frame to the last frame's end */
	size_t ticks;
	uint64_t last_seq;
};

/* The last bytes of a footer: its length, a checksum, a tag. */
#define FOOTER_END_LEN 12u

/* True if these can be the last bytes of a footer of len bytes. */
bool footer_ends_so(const char *end, uint64_t len);

/* True if the len bytes at p are a footer with both checksums right. */
bool footer_is_whole(const void *p, size_t len, struct footer_claim *ret);

/* True if the file ends with a whole footer. */
bool footer_ends(const struct source *s);

/* The entries of all footers of the file, offsets counted from its start.
 * Fails if the footers do not account for every byte; with GS_E_MEMORY if they
 * do not fit into the budget. */
int footer_load(const struct source *s, struct frame_entry **ret,
	size_t *ret_n);

#endif
