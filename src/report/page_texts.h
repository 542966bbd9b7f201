/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_texts.h - the texts of a page: each is in it once, and has a number.
 */
#ifndef GS_REPORT_PAGE_TEXTS_H
#define GS_REPORT_PAGE_TEXTS_H

#include "render/jsonout.h"

struct arena;
struct page_text;
struct page_text_slot;

/* Zeroed at first. */
struct page_texts {
	struct page_text *at; /* by number */
	size_t n, cap;
	struct page_text_slot *slot; /* hash table of their numbers */
	size_t n_slot; /* 0, or a power of two */
	struct arena *bytes;
	uint32_t *order; /* numbers of those in the page */
	size_t n_used, order_cap;
};

/* The number of a text, which is new or known. */
size_t page_text(struct page_texts *t, const char *p, size_t len);

/* True if that number is of this text: faster than page_text(). */
bool page_text_is(const struct page_texts *t, size_t number, const char *p,
	size_t len);

/* Starts to load where a text is, and then, in a second pass, itself. */
void page_text_fetch_place(const struct page_texts *t, size_t number);
void page_text_fetch(const struct page_texts *t, size_t number);

void page_texts_release(struct page_texts *t);

/* Which texts the page needs: others get no number in it.  Returns the text's
 * number in the page, from 0. */
size_t page_text_use(struct page_texts *t, size_t number);

/* How many it needs so far. */
size_t page_texts_used(const struct page_texts *t);

/* A list of those with the numbers [from, to) in the page. */
void page_texts_put(const struct page_texts *t, size_t from, size_t to,
	struct jsonout *j);

#endif
