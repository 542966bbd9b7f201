#include "model/slots.h"

#include <stdlib.h>

#include "base/mem.h"

void slots_release(struct slots *s)
{
	free(s->free);
	*s = (struct slots) { 0 };
}

void slots_begin(struct slots *s)
{
	s->n_usable = s->n_free;
}

uint32_t slots_take(struct slots *s)
{
	uint32_t slot;

	if (s->n_usable == 0)
		return s->next++;
	slot = s->free[--s->n_usable];
	s->free[s->n_usable] = s->free[--s->n_free];
	return slot;
}

void slots_give(struct slots *s, uint32_t slot)
{
	GS_GROW(s->free, &s->free_cap, s->n_free + 1);
	s->free[s->n_free++] = slot;
}
