/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quote.h - words quoted for a shell.
 */
#ifndef GS_BASE_QUOTE_H
#define GS_BASE_QUOTE_H

#include "base/buf.h"

/* Appends the word in single quotes; it may hold any character. */
void quote_add(struct buf *to, const char *word);

/* Appends the word, quoted only where it needs to be. */
void quote_add_word(struct buf *to, const char *word);

#endif
