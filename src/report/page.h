/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page.h - a recording as one HTML file: its figures in steps, and the program
 * that shows them.
 */
#ifndef GS_REPORT_PAGE_H
#define GS_REPORT_PAGE_H

#include "base/zone.h"
#include "query/grid.h"
#include "query/range.h"
#include "report/page_data.h"

/* Steps of a page, at most; a few more where they are not aligned. */
#define PAGE_STEPS 720

/* The step of a page of a range of that length: a whole number of ticks, and
 * from a minute on multiples of 5 minutes; or RANGE_EACH_TICK. */
int64_t page_step_ns(int64_t length_ns, int64_t interval_ns);

struct page_span {
	int64_t from_ns, to_ns;
};

struct page_source {
	struct cursor cursor; /* can seek: a second pass may be needed */
	/* Names files and adds notes, in memory that report_release() knows. */
	void (*head)(void *ctx, struct report *rep);
	void *ctx;
	int64_t interval_ns;
	int64_t first_ns, last_ns; /* of its ticks */
	struct zone zone;
	bool findings; /* also where that takes long */
	const char *version; /* of gpsnap */
	const char *title;
	const char *path; /* of the recording, as a shell needs it */
	const char *const *host; /* it is of these alone; n_host 0: of all */
	size_t n_host;
	/* What the page shows first, and what that is compared with; both 0:
	 * all of it, with nothing. */
	struct page_span chosen, baseline;
	bool data_only; /* without the page around it */
};

/* Reads what a page of the range shows; fails with the cursor's error.  *ret is
 * to be released also then. */
int page_read(const struct page_source *src, const struct range *range,
	struct page_data *ret, struct gs_err *err);

/* Appends the page. */
int page_print(const struct page_source *src, const struct page_data *d,
	struct buf *to, struct gs_err *err);

#endif
