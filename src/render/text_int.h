/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_int.h - shared by text*.c.
 */
#ifndef GS_RENDER_TEXT_INT_H
#define GS_RENDER_TEXT_INT_H

#include "render/cell.h"
#include "render/layout.h"
#include "render/render_int.h"

#define TEXT_BOLD "\033[1m"
#define TEXT_PLAIN "\033[0m"

/* Form of the report's instants. */
struct cell_style text_style(const struct render *r);

/* Appends a text from column at, on as many lines as the width needs, and a
 * newline; the text is made safe. */
void text_add_wrapped(struct render *r, const char *text, size_t at);

/* A row, or the titles, on as many lines as needed; rest has room for it. */
void text_add_row(const struct render *r, const struct layout *l,
	const struct piece *p, struct piece *rest, bool bold);

/* A line that names chosen columns for which there is no room, if any. */
void text_add_missed(struct render *r, const struct layout *l);

/* The texts that have lines of their own below a row, indented. */
void text_add_below(struct render *r, const struct layout *l, size_t row);

/* Input, range, and missing data. */
void text_head(struct render *r);

/* "14:05:00 to 14:10:00", with dates where they differ. */
void text_add_range(struct render *r, struct buf *to, int64_t from_ns,
	int64_t to_ns);

/* Adds the hosts that cover less than the whole range, if any. */
void text_add_uneven(const struct report *rep, struct buf *to);

/* ", 3 ticks skipped" */
void text_add_skipped(const struct report *rep, struct buf *to);

/* The report's lines about holes. */
void text_add_holes(struct render *r);

/* The report's lines about marks. */
void text_add_marks(struct render *r);

#endif
