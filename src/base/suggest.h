/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suggest.h - "did you mean": the name that is closest to a misspelt one.
 */
#ifndef GS_BASE_SUGGEST_H
#define GS_BASE_SUGGEST_H

#include <stddef.h>

/* Edits (insert, delete, replace, swap of neighbours, case ignored) that turn
 * a into b; only the first 63 bytes of a name are compared. */
size_t suggest_distance(const char *a, const char *b);

/* True if b is close enough to a to be suggested for it. */
int suggest_is_close(const char *a, const char *b);

#endif
