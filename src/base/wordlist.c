/* SPDX-License-Identifier: Apache-2.0 */
#include "base/wordlist.h"

#include <stdlib.h>

static int compare(const void *key, const void *entry)
{
	return strcmp(key, *(const char *const *)entry);
}

bool wordlist_has(const struct wordlist *l, struct span w)
{
	char lower[WORDLIST_WORD_MAX + 1];
	size_t i, n = span_len(w);

	if (n == 0 || n > WORDLIST_WORD_MAX)
		return false;
	for (i = 0; i < n; i++)
		lower[i] = wordlist_fold(w.ptr[i]);
	lower[n] = '\0';
	return strlen(lower) == n &&
	    bsearch(lower, l->word, l->n, sizeof(*l->word), compare) != NULL;
}
