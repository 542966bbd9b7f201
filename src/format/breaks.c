/* SPDX-License-Identifier: Apache-2.0 */
#include "format/breaks.h"

#include <stdlib.h>

#include "base/mem.h"

void breaks_release(struct breaks *b)
{
	free(b->at);
	*b = (struct breaks) { .at = NULL };
}

void breaks_add(struct breaks *b, size_t at)
{
	if (at < (b->n > 0 ? b->at[b->n - 1] : 0) + BREAKS_APART)
		return;
	GS_GROW(b->at, &b->cap, b->n + 1);
	b->at[b->n++] = at;
}
