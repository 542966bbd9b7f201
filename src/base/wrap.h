/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wrap.h - text in lines of a given width.
 */
#ifndef GS_BASE_WRAP_H
#define GS_BASE_WRAP_H

#include <stddef.h>

#include "base/buf.h"

/*
 * Appends text, broken at blanks so that no line is longer than width columns
 * (a word that is longer than a line is broken anywhere).  The first line
 * continues at column at; the others are indented by indent blanks.  Ends with
 * a newline.  Runs of blanks become one.
 */
void wrap_add(struct buf *to, const char *text, size_t at, size_t indent,
	size_t width);

/* A page of labels and, next to each, a text. */
struct page {
	struct buf *to;
	size_t width;
	size_t column; /* of the texts */
	struct buf line; /* the text of the next label; released by the owner */
};

/* Appends a label and the line, which becomes empty.  Control characters and
 * invalid UTF-8 bytes are made safe. */
void page_add(struct page *p, const char *label);

#endif
