/* SPDX-License-Identifier: Apache-2.0 */
#include "model/slots.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void slots_release(struct slots *s)
{
	free(s->free);
	*s = (struct slots) { 0 };
}

void slots_begin(struct slots *s)
{
	if (s->n_free > 0)
		memmove(s->free, s->free + s->first,
		    s->n_free * sizeof(*s->free));
	s->first = 0;
	s->n_usable = s->n_free;
}

uint32_t slots_alloc(struct slots *s)
{
	if (s->n_usable == 0)
		return s->next++;
	s->n_usable--;
	s->n_free--;
	return s->free[s->first++];
}

void slots_return(struct slots *s, uint32_t slot)
{
	GS_GROW(s->free, &s->free_cap, s->first + s->n_free + 1);
	s->free[s->first + s->n_free++] = slot;
}
