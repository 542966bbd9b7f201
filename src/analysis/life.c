/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/life.h"

#include "base/arith.h"
#include "base/compiler.h"
#include "model/diff.h"

#define THREADS_MAX (UINT64_C(1) << 22)

int64_t life_before(const struct row *row, int64_t covered_ns)
{
	return gs_difference(covered_ns, row->host->sampled
	    ? diff_elapsed_ns(row->host) : 0);
}

/* So long before the host's sample, and not before the one before that. */
static int64_t told_at(const struct row *row, int64_t covered_ns, int64_t before_ns)
{
	return GS_MAX(life_before(row, covered_ns),
	    gs_difference(covered_ns, before_ns));
}

int64_t life_begin(const struct row *row, int64_t covered_ns)
{
	int64_t before;

	if (row_told_begin(row, &before))
		return told_at(row, covered_ns, before);
	return life_in_tick(row) ? life_before(row, covered_ns) : covered_ns;
}

int64_t life_end(const struct row *row, int64_t covered_ns)
{
	int64_t before;

	if (row_told_end(row, &before))
		return told_at(row, covered_ns, before);
	return life_in_tick(row) ? covered_ns : life_before(row, covered_ns);
}

int64_t life_age_ns(const struct row *row)
{
	unsigned col = row->entity == ENTITY_THREAD ? COL(THREAD, START)
	                                            : COL(PROCESS, START);
	int64_t elapsed = diff_elapsed_ns(row->host), age;
	uint64_t start;

	if ((row->entity != ENTITY_THREAD && row->entity != ENTITY_PROCESS) ||
	    !row_get(row, col, &start) || start > INT64_MAX / 1000000000)
		return elapsed;
	age = gs_difference(row->host->clock.boot_ns,
	    (int64_t)(start * diff_tick_ns(row->host)));
	return GS_MAX(0, GS_MIN(age, elapsed));
}

int64_t life_threads_begin(const struct row *row, int64_t covered_ns, bool was_there)
{
	if (was_there && !life_in_tick(row))
		return life_before(row, covered_ns);
	return life_is_born(row) ? gs_difference(covered_ns, life_age_ns(row))
	    : life_begin(row, covered_ns);
}

int64_t life_threads(const struct row *row)
{
	uint64_t n;

	if (row->entity != ENTITY_PROCESS ||
	    !row_get(row, COL(PROCESS, THREADS), &n))
		return 1;
	return (int64_t)GS_MIN(n, THREADS_MAX);
}

int64_t life_threads_in(struct cells c)
{
	uint64_t n;

	return cells_get(c, COL(PROCESS, THREADS), &n)
	    ? (int64_t)GS_MIN(n, THREADS_MAX) : 1;
}

bool life_told_threads(const struct row *row, int64_t covered_ns, int64_t *ret_ns)
{
	int64_t most;

	if (row->entity != ENTITY_PROCESS || !row_told_threads(row, ret_ns))
		return false;
	if (!__builtin_mul_overflow(gs_difference(covered_ns, life_before(row, covered_ns)),
	    (int64_t)THREADS_MAX, &most))
		*ret_ns = GS_MIN(*ret_ns, most);
	return true;
}
