/* SPDX-License-Identifier: Apache-2.0 */
#include "base/budget.h"

#include <inttypes.h>
#include <stdint.h>

#include "base/units.h"

static struct gs_budget *own; /* set once, by a main */

/* What the thread reads. */
static _Thread_local struct place {
	const struct gs_budget *of; /* NULL: nothing */
	const char *file;
	uint64_t offset, tick;
} place;

void budget_set_own(struct gs_budget *b)
{
	own = b;
}

struct gs_budget *budget_own(void)
{
	return own;
}

static bool fits(const struct gs_budget *b, size_t used, size_t bytes)
{
	return used <= b->limit_bytes && bytes <= b->limit_bytes - used;
}

size_t budget_heap_left(const struct gs_budget *b)
{
	return b && b->heap_left ? b->heap_left() : SIZE_MAX;
}

bool budget_fits(const struct gs_budget *b, size_t bytes)
{
	return !b || fits(b, b->used_bytes, bytes);
}

bool budget_take(struct gs_budget *b, size_t bytes)
{
	size_t used;

	if (!b)
		return true;
	used = b->used_bytes;
	do {
		if (!fits(b, used, bytes))
			return false;
	} while (!atomic_compare_exchange_weak(&b->used_bytes, &used,
	    used + bytes));
	return true;
}

void budget_give(struct gs_budget *b, size_t bytes)
{
	size_t used, left;

	if (!b)
		return;
	used = b->used_bytes;
	do {
		left = bytes < used ? used - bytes : 0;
	} while (!atomic_compare_exchange_weak(&b->used_bytes, &used, left));
}

void budget_charge(struct gs_budget *b, size_t bytes)
{
	if (b)
		b->used_bytes += bytes;
}

void budget_place(struct gs_budget *b, const char *file, uint64_t offset,
	uint64_t tick)
{
	if (b)
		place = (struct place) { b, file, offset, tick };
}

void budget_leave(struct gs_budget *b, const char *file)
{
	if (b && place.of == b && place.file == file)
		place = (struct place) { .of = NULL };
}

int budget_fail(const struct gs_budget *b, struct gs_err *err,
	const char *what)
{
	bool is_placed = place.of == b && place.file;
	struct buf size = BUF_INIT;
	int r;

	if (!b)
		return gs_fail(err, GS_E_MEMORY, "%s: too large", what);
	units_add_bytes(&size, b->limit_bytes);
	r = gs_fail(err, GS_E_MEMORY, "%s: more than fits into %s of memory",
	    what, buf_str(&size));
	buf_release(&size);
	if (is_placed && place.tick)
		gs_err_prefix(err, "%s: tick %" PRIu64 " at offset %" PRIu64,
		    place.file, place.tick, place.offset);
	else if (is_placed)
		gs_err_prefix(err, "%s: offset %" PRIu64, place.file,
		    place.offset);
	return r;
}
