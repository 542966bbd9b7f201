/* SPDX-License-Identifier: Apache-2.0 */
#include "base/budget.h"

#include <inttypes.h>

#include "base/units.h"

static struct gs_budget *own; /* set once, by a main */

void budget_set_own(struct gs_budget *b)
{
	own = b;
}

struct gs_budget *budget_own(void)
{
	return own;
}

bool budget_fits(const struct gs_budget *b, size_t bytes)
{
	return !b || (b->used_bytes <= b->limit_bytes &&
	    bytes <= b->limit_bytes - b->used_bytes);
}

bool budget_take(struct gs_budget *b, size_t bytes)
{
	if (!b)
		return true;
	if (!budget_fits(b, bytes))
		return false;
	b->used_bytes += bytes;
	return true;
}

void budget_give(struct gs_budget *b, size_t bytes)
{
	if (b)
		b->used_bytes -= bytes < b->used_bytes ? bytes
		                                       : b->used_bytes;
}

void budget_place(struct gs_budget *b, const char *file, uint64_t offset,
	uint64_t tick)
{
	if (!b)
		return;
	b->file = file;
	b->offset = offset;
	b->tick = tick;
}

void budget_leave(struct gs_budget *b, const char *file)
{
	if (b && b->file == file)
		b->file = NULL;
}

int budget_fail(const struct gs_budget *b, struct gs_err *err,
	const char *what)
{
	struct buf size = BUF_INIT;
	int r;

	if (!b)
		return gs_fail(err, GS_E_MEMORY, "%s: too large", what);
	units_add_bytes(&size, b->limit_bytes);
	r = gs_fail(err, GS_E_MEMORY, "%s: more than fits into %s of memory",
	    what, buf_str(&size));
	buf_release(&size);
	if (b->file && b->tick)
		gs_err_prefix(err, "%s: tick %" PRIu64 " at offset %" PRIu64,
		    b->file, b->tick, b->offset);
	else if (b->file)
		gs_err_prefix(err, "%s: offset %" PRIu64, b->file, b->offset);
	return r;
}
