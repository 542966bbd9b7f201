/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_levels.c - values that are computed of several levels: memory, swap
 * space, huge pages, tables of the kernel, file systems.
 */
#include "base/compiler.h"
#include "sar/sar_calc.h"

/* Lists of columns end with 0, which is never a level. */
_Static_assert(COL(HOST, NAME) == 0 && COL(FS, MOUNT) == 0, "texts");

#define HOST(SYM) COL(HOST, SYM)
#define FS(SYM) COL(FS, SYM)

/* (plus - minus) * times; as a share: of (of - of_minus). */
static const struct {
	unsigned plus[2], minus[5], of[3], of_minus[2];
	unsigned times; /* column; 0: 1 */
	bool kib; /* in KiB, shown in bytes */
} sums[SAR_SUMS] = {
	[SUM_MEM_USED] = { .plus = { HOST(MEM_TOTAL) },
	    .minus = { HOST(MEM_FREE), HOST(BUFFERS), HOST(CACHED),
	    HOST(SLAB) }, .of = { HOST(MEM_TOTAL) } },
	[SUM_COMMIT] = { .plus = { HOST(COMMITTED_AS) },
	    .of = { HOST(MEM_TOTAL), HOST(SWAP_TOTAL) } },
	[SUM_SWAP_USED] = { .plus = { HOST(SWAP_TOTAL) },
	    .minus = { HOST(SWAP_FREE) }, .of = { HOST(SWAP_TOTAL) } },
	[SUM_SWAP_CACHED] = { .plus = { HOST(SWAP_CACHED) },
	    .of = { HOST(SWAP_TOTAL) }, .of_minus = { HOST(SWAP_FREE) } },
	[SUM_HUGE_FREE] = { .plus = { HOST(HUGE_FREE) },
	    .times = HOST(HUGE_SIZE) },
	[SUM_HUGE_USED] = { .plus = { HOST(HUGE_TOTAL) },
	    .minus = { HOST(HUGE_FREE) }, .of = { HOST(HUGE_TOTAL) },
	    .times = HOST(HUGE_SIZE) },
	[SUM_HUGE_RSVD] = { .plus = { HOST(HUGE_RSVD) },
	    .times = HOST(HUGE_SIZE) },
	[SUM_HUGE_SURP] = { .plus = { HOST(HUGE_SURP) },
	    .times = HOST(HUGE_SIZE) },
	[SUM_INODES_USED] = { .plus = { HOST(INODES) },
	    .minus = { HOST(INODES_FREE) } },
	[SUM_FS_FREE] = { .plus = { FS(FREE) }, .kib = true },
	[SUM_FS_USED] = { .plus = { FS(SIZE) }, .minus = { FS(FREE) },
	    .of = { FS(SIZE) }, .kib = true },
	/* as users other than root see it */
	[SUM_FS_UNAVAILABLE] = { .plus = { FS(SIZE) },
	    .minus = { FS(AVAIL) }, .of = { FS(SIZE) } },
	[SUM_FS_INODES] = { .plus = { FS(INODES) },
	    .minus = { FS(INODES_FREE) }, .of = { FS(INODES) } },
};

static bool add_levels(const struct sar_calc *c, const unsigned *col,
	double *to)
{
	double v;

	for (; *col; col++) {
		if (!sar_level(c, *col, &v))
			return false;
		*to += v;
	}
	return true;
}

/* At least 0; false if a level is unknown. */
static bool difference(const struct sar_calc *c, const unsigned *plus,
	const unsigned *minus, double *ret)
{
	double less = 0;

	*ret = 0;
	if (!add_levels(c, plus, ret) || !add_levels(c, minus, &less))
		return false;
	*ret = *ret > less ? *ret - less : 0;
	return true;
}

struct value sar_sum(SAR_ARGS)
{
	double v, times = 1;

	if (!difference(c, sums[arg].plus, sums[arg].minus, &v) ||
	    (sums[arg].times && !sar_level(c, sums[arg].times, &times)))
		return value_absent();
	return sums[arg].kib ? value_real(v * 1024) : sar_whole(c, v * times);
}

struct value sar_share(SAR_ARGS)
{
	double v, of;

	if (!difference(c, sums[arg].plus, sums[arg].minus, &v) ||
	    !difference(c, sums[arg].of, sums[arg].of_minus, &of))
		return value_absent();
	return sar_percent(c, v, of);
}
