/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edit.h - a line editor.
 */
#ifndef GS_TUI_EDIT_H
#define GS_TUI_EDIT_H

#include <stdbool.h>

#include "base/buf.h"

#define EDIT_BYTES_MAX 1000

struct edit {
	struct buf text;
	size_t at; /* byte under the cursor */
	bool selected; /* what is typed takes the place of all of it */
};

/* The text is selected until the first key. */
void edit_set(struct edit *e, const char *text);
void edit_release(struct edit *e);

/* Handles a key (keys.h): a byte of text, or one that moves or erases.  False
 * if the line does not use it. */
bool edit_key(struct edit *e, int key);

/* The word that ends at the cursor: letters, digits, "_" and "."; returns where
 * it begins. */
size_t edit_word(const struct edit *e);

/* Puts text in place of the bytes from start to the cursor. */
void edit_replace(struct edit *e, size_t start, const char *text);

#endif
