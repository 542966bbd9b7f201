/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_html.h - the file around the data: head, style, program.
 *
 * Nothing of a recording is in it as HTML but the title, which is escaped: the
 * rest are blocks of base64, which can't end the element that they are in.  The
 * policy in the head permits this program and this style by their hashes, and
 * no request but, of a page that is served, those to its server.
 */
#ifndef GS_REPORT_PAGE_HTML_H
#define GS_REPORT_PAGE_HTML_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "report/page_data.h"

/* Appends the page.  Fails if memory is exhausted. */
int page_html(const char *title, const struct buf part[PAGE_PARTS],
	struct buf *to, struct gs_err *err);

/* The same without data: it asks the server that it came from. */
void page_served(const char *title, struct buf *to);

/* The data alone, as such a page asks for it: the length of the first block, 4
 * bytes, little-endian; the blocks. */
int page_deflate(const struct buf part[PAGE_PARTS], struct buf *to,
	struct gs_err *err);

/* What a page may do.  served: it may also ask its server. */
void page_add_policy(struct buf *to, bool served);

#endif
