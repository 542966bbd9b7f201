/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wordlists.h - lists of words that wordlist_has() can search.
 */
#ifndef TESTS_LIB_WORDLISTS_H
#define TESTS_LIB_WORDLISTS_H

#include "base/wordlist.h"
#include "cases.h"

/* Fails if a word is too long, in upper case or out of order. */
static inline void wordlist_expect_sorted(const struct wordlist *l)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		if (strlen(l->word[i]) > WORDLIST_WORD_MAX ||
		    !wordlist_has(l, span_str(l->word[i])) ||
		    (i > 0 && strcmp(l->word[i - 1], l->word[i]) >= 0))
			fail_msg("%s: out of order", l->word[i]);
	}
}

#endif
