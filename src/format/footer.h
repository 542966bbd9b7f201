/*
 * footer.h - the index at the end of closed files, also of files that were
 * put together with cat.
 */
#ifndef GS_FORMAT_FOOTER_H
#define GS_FORMAT_FOOTER_H

#include "format/frame.h"
#include "format/source.h"

/* No footer is longer: some ten million ticks. */
#define FOOTER_LEN_MAX ((uint64_t)256 << 20)

/* True if the len bytes at p are a footer with both checksums right. */
bool footer_is_whole(const void *p, size_t len);

/* True if the file ends with a whole footer. */
bool footer_ends(const struct source *s);

/* The entries of all footers of the file, offsets counted from its start.
 * Fails if the footers do not account for every byte. */
int footer_load(const struct source *s, struct frame_entry **ret,
	size_t *ret_n);

#endif
