/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_kept.h - the data of a page as bytes, to be kept beside the ticks of which
 * they were made, and taken again instead of reading these.
 *
 * They are of a whole recording, in one time zone, and for the version of gpsnap
 * that made them: another one may see more in the same ticks.
 */
#ifndef GS_REPORT_PAGE_KEPT_H
#define GS_REPORT_PAGE_KEPT_H

#include "base/scan.h"
#include "report/page.h"

/* A number that differs where data of another layout, of another version, or with other
 * rules of findings would be made. */
uint32_t page_layout(const char *version);

/* Replaces *to. */
void page_keep(const struct page_source *src, const struct page_data *d,
	struct buf *to);

/*
 * False: they are not of this recording and zone, or damaged.  What they say
 * is checked as far as the page itself does not: that JSON is JSON.
 */
bool page_take(const struct page_source *src, struct span kept,
	struct page_data *ret);

#endif
