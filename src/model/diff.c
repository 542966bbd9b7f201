/* SPDX-License-Identifier: Apache-2.0 */
#include "model/diff.h"

/* A 32-bit counter wraps if it was in the upper half and is in the lower. */
static bool wraps(const struct metric *m, uint64_t was, uint64_t now)
{
	return m->bits == 32 && was <= UINT32_MAX && now <= UINT32_MAX &&
	    was > UINT32_MAX / 2 && now <= UINT32_MAX / 2;
}

bool diff_between(enum entity_id e, unsigned col, uint64_t was, uint64_t now,
	uint64_t *ret)
{
	if (now >= was)
		*ret = now - was;
	else if (wraps(metric_get(e, col), was, now))
		*ret = now + (UINT64_C(1) << 32) - was;
	else
		return false;
	return true;
}

bool diff_was_reset(const struct row *r, unsigned col)
{
	uint64_t sum;

	return r->now.val[col] < r->was.val[col] &&
	    !row_sum(r, col, SUM_GROWN, &sum) &&
	    cells_has(r->was, col) && cells_has(r->now, col) &&
	    !wraps(metric_get(r->entity, col), r->was.val[col],
	    r->now.val[col]);
}

bool diff_counter(const struct row *r, unsigned col, uint64_t *ret)
{
	uint64_t now;

	if (row_sum(r, col, SUM_GROWN, ret))
		return true;
	if (!row_get(r, col, &now))
		return false;
	*ret = 0;
	if (!cells_has(r->was, col)) {
		/* first sample of the row: counts only if it was born */
		if (r->first_tick == r->touched_tick &&
		    r->opened == OPEN_BORN)
			*ret = now;
		return true;
	}
	if (now != r->was.val[col])
		(void)diff_between(r->entity, col, r->was.val[col], now, ret);
	return true;
}

double diff_or_zero(const struct row *r, unsigned col)
{
	uint64_t d;

	return diff_counter(r, col, &d) ? (double)d : 0;
}

struct unit_env diff_env(const struct host *h)
{
	struct unit_env env = UNIT_ENV_INIT;
	const struct row *r = host_row(h);
	uint64_t v;

	if (!r)
		return env;
	if (row_peek(r, COL(HOST, CLOCK_TICKS), &v) && v > 0 && v <= 1000000)
		env.clock_ticks = v;
	if (row_peek(r, COL(HOST, PAGE_SIZE), &v) && v > 0)
		env.page_size = v;
	return env;
}

uint64_t diff_tick_ns(const struct host *h)
{
	return UINT64_C(1000000000) / diff_env(h).clock_ticks;
}

int64_t diff_elapsed_ns(const struct host *h)
{
	int64_t d;

	if (h->blocks < 2 || h->rebooted || h->begins ||
	    h->prev.mono_ns == 0)
		return 0;
	if (__builtin_sub_overflow(h->clock.mono_ns, h->prev.mono_ns, &d))
		return 0;
	return d > 0 ? d : 0;
}
