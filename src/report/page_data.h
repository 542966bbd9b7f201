/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_data.h - what a page shows of a recording, before there is a page: the
 * measured things, which are the same whenever and of whatever file of these
 * ticks it is made.
 */
#ifndef GS_REPORT_PAGE_DATA_H
#define GS_REPORT_PAGE_DATA_H

#include "base/buf.h"
#include "query/range.h"

/* What the first picture needs, and the rest, which follows the program in the
 * file. */
enum { PAGE_FIRST, PAGE_REST, PAGE_PARTS };

struct page_data {
	bool any; /* a tick was in the range */
	struct range_hole hole; /* in which it is, if none was */
	size_t n_holes;
	struct buf json[PAGE_PARTS], numbers[PAGE_PARTS]; /* README */
};

void page_data_release(struct page_data *d);

#endif
