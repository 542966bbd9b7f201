/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_memory.c - memory, swap space, huge pages, and what was reclaimed.
 */
#include "sar/sar_calc.h"

/* Levels of the host by column; false if one of them is unknown. */
static bool levels(const struct sar_calc *c, const unsigned *col, size_t n,
	double *ret)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!sar_level(c, col[i], &ret[i]))
			return false;
	}
	return true;
}

static struct value whole(const struct sar_calc *c, double v)
{
	return c->average ? value_real(v) : value_whole((uint64_t)v);
}

/* In use by processes and by the kernel, but for what it may drop. */
static bool mem_used(const struct sar_calc *c, double *ret, double *ret_all)
{
	static const unsigned col[] = { COL(HOST, MEM_TOTAL),
		COL(HOST, MEM_FREE), COL(HOST, BUFFERS), COL(HOST, CACHED),
		COL(HOST, SLAB) };
	double v[5], unused;

	if (!levels(c, col, 5, v))
		return false;
	unused = v[1] + v[2] + v[3] + v[4];
	*ret = unused < v[0] ? v[0] - unused : 0;
	*ret_all = v[0];
	return true;
}

struct value sar_mem_used(SAR_ARGS)
{
	double used, all;

	return mem_used(c, &used, &all) ? whole(c, used) : value_absent();
}

struct value sar_mem_used_percent(SAR_ARGS)
{
	double used, all;

	return mem_used(c, &used, &all) ? sar_percent(c, used, all)
	                                : value_absent();
}

struct value sar_commit_percent(SAR_ARGS)
{
	static const unsigned col[] = { COL(HOST, COMMITTED_AS),
		COL(HOST, MEM_TOTAL), COL(HOST, SWAP_TOTAL) };
	double v[3];

	return levels(c, col, 3, v) ? sar_percent(c, v[0], v[1] + v[2])
	                            : value_absent();
}

/* ---- swap space ------------------------------------------------------ */

static const unsigned swap[] = { COL(HOST, SWAP_TOTAL), COL(HOST, SWAP_FREE),
	COL(HOST, SWAP_CACHED) };

struct value sar_swap_used(SAR_ARGS)
{
	double v[2];

	return levels(c, swap, 2, v) ? whole(c, v[0] - v[1]) : value_absent();
}

struct value sar_swap_used_percent(SAR_ARGS)
{
	double v[2];

	return levels(c, swap, 2, v) ? sar_percent(c, v[0] - v[1], v[0])
	                             : value_absent();
}

struct value sar_swap_cached_percent(SAR_ARGS)
{
	double v[3];

	return levels(c, swap, 3, v) ? sar_percent(c, v[2], v[0] - v[1])
	                             : value_absent();
}

/* ---- huge pages ------------------------------------------------------ */

static const unsigned huge[] = { COL(HOST, HUGE_TOTAL), COL(HOST, HUGE_FREE),
	COL(HOST, HUGE_SIZE) };

struct value sar_hugepages(SAR_ARGS)
{
	const unsigned col[] = { arg, COL(HOST, HUGE_SIZE) };
	double v[2];

	return levels(c, col, 2, v) ? whole(c, v[0] * v[1]) : value_absent();
}

struct value sar_huge_used(SAR_ARGS)
{
	double v[3];

	return levels(c, huge, 3, v) ? whole(c, (v[0] - v[1]) * v[2])
	                             : value_absent();
}

struct value sar_huge_used_percent(SAR_ARGS)
{
	double v[3];

	return levels(c, huge, 3, v) ? sar_percent(c, v[0] - v[1], v[0])
	                             : value_absent();
}

/* ---- tables of the kernel -------------------------------------------- */

struct value sar_inodes_used(SAR_ARGS)
{
	static const unsigned col[] = { COL(HOST, INODES),
		COL(HOST, INODES_FREE) };
	double v[2];

	return levels(c, col, 2, v) ? whole(c, v[0] - v[1]) : value_absent();
}

/* ---- paging ---------------------------------------------------------- */

/* Counters, of which the first is all that there is; sar adds every one with
 * a name that begins alike. */
static bool pages(const struct sar_calc *c, const unsigned *col, size_t n,
	double *ret)
{
	size_t i;

	*ret = 0;
	for (i = 0; i < n; i++) {
		double grew;

		if (!sar_grew(c, col[i], &grew))
			return false;
		*ret += grew;
		if (!c->data->strict)
			break;
	}
	return true;
}

static bool scanned_direct(const struct sar_calc *c, double *ret)
{
	static const unsigned col[] = { COL(HOST, PGSCAN_DIRECT),
		COL(HOST, PGSCAN_THROTTLED) };

	return pages(c, col, 2, ret);
}

static bool stolen(const struct sar_calc *c, double *ret)
{
	static const unsigned col[] = { COL(HOST, PGSTEAL),
		COL(HOST, PGSTEAL_ANON), COL(HOST, PGSTEAL_FILE) };

	return pages(c, col, 3, ret);
}

static struct value per_second(const struct sar_calc *c,
	bool (*counted)(const struct sar_calc *c, double *ret))
{
	double n;

	if (!counted(c, &n) || c->span_cs <= 0)
		return value_absent();
	return value_real(n / c->span_cs * 100);
}

struct value sar_pages_scanned_direct(SAR_ARGS)
{
	return per_second(c, scanned_direct);
}

struct value sar_pages_stolen(SAR_ARGS)
{
	return per_second(c, stolen);
}

/* Of the pages that were looked at. */
struct value sar_reclaimed(SAR_ARGS)
{
	double kswapd, direct, n;

	if (!sar_grew(c, COL(HOST, PGSCAN_KSWAPD), &kswapd) ||
	    !scanned_direct(c, &direct) || !stolen(c, &n))
		return value_absent();
	return sar_percent(c, n, kswapd + direct);
}
