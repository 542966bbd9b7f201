/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wordlist.h - whether a word is in a sorted list.
 */
#ifndef GS_BASE_WORDLIST_H
#define GS_BASE_WORDLIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/scan.h"

/* In lower case and in the order of bytes; no word is longer than this. */
#define WORDLIST_WORD_MAX 63

struct wordlist {
	const char *const *word;
	size_t n;
};

/* The case of ASCII letters is ignored. */
bool wordlist_has(const struct wordlist *l, struct span w);

/* An ASCII letter in lower case. */
static inline char wordlist_fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

#endif
