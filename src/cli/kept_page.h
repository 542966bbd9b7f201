/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kept_page.h - the data of a report of whole files, which archived files keep
 * (format/pageframe.h).
 */
#ifndef GS_CLI_KEPT_PAGE_H
#define GS_CLI_KEPT_PAGE_H

#include <stdbool.h>

#include "cli/meter.h"
#include "replay/archive.h"
#include "report/page.h"

/* Reads the files by the cursor of m, which is initialised; or NULL. */
int kept_page_make(char *const *path, size_t n, struct meter *m,
	struct page_kept *ret, struct gs_err *err);

/* What the only file of an archive keeps of the source, which is all of it; false:
 * nothing, or of another version of gpsnap. */
bool kept_page_take(struct archive *a, const struct page_source *src,
	struct page_data *ret);

/* True if what that file keeps is not what a report shows of it, or is damaged; not
 * where it was made by another version of gpsnap, or with other rules. */
bool kept_page_is_wrong(const char *path);

#endif
