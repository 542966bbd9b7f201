/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quote.h - words as a shell takes them.
 */
#ifndef GS_BASE_QUOTE_H
#define GS_BASE_QUOTE_H

#include "base/buf.h"

/* Appends the word in single quotes, whatever is in it. */
void quote_add(struct buf *to, const char *word);

#endif
