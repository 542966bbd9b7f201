/* SPDX-License-Identifier: Apache-2.0 */
#include "base/suggest.h"

#include <ctype.h>
#include <string.h>

#include "base/compiler.h"

#define NAME_MAX_LEN 63

static int lower(char c)
{
	return tolower((unsigned char)c);
}

size_t suggest_distance(const char *a, const char *b)
{
	size_t row[3][NAME_MAX_LEN + 1];
	size_t la = strnlen(a, NAME_MAX_LEN);
	size_t lb = strnlen(b, NAME_MAX_LEN);
	size_t i, j;

	for (j = 0; j <= lb; j++)
		row[0][j] = j;
	for (i = 1; i <= la; i++) {
		size_t *now = row[i % 3];
		const size_t *up = row[(i + 2) % 3];
		const size_t *up2 = row[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= lb; j++) {
			int differ = lower(a[i - 1]) != lower(b[j - 1]);
			size_t best = up[j - 1] + (size_t)differ;

			best = GS_MIN(best, up[j] + 1);
			best = GS_MIN(best, now[j - 1] + 1);
			if (i > 1 && j > 1 &&
			    lower(a[i - 1]) == lower(b[j - 2]) &&
			    lower(a[i - 2]) == lower(b[j - 1]))
				best = GS_MIN(best, up2[j - 2] + 1);
			now[j] = best;
		}
	}
	return row[la % 3][lb];
}

int suggest_is_close(const char *a, const char *b)
{
	size_t len = GS_MAX(strlen(a), strlen(b));

	return suggest_distance(a, b) <= (len < 4 ? 1 : len < 9 ? 2 : 3);
}
