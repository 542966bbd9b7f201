/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_fs.c - file systems: what is free and what is used of them.
 */
#include "sar/sar_calc.h"

#define KIB 1024

static bool two(const struct sar_calc *c, unsigned a, unsigned b,
	double *ret_a, double *ret_b)
{
	return sar_level(c, a, ret_a) && sar_level(c, b, ret_b);
}

struct value sar_fs_free(SAR_ARGS)
{
	double free_kib;

	return sar_level(c, COL(FS, FREE), &free_kib)
		? value_real(free_kib * KIB) : value_absent();
}

struct value sar_fs_used(SAR_ARGS)
{
	double size, free_kib;

	return two(c, COL(FS, SIZE), COL(FS, FREE), &size, &free_kib)
		? value_real((size - free_kib) * KIB) : value_absent();
}

struct value sar_fs_used_percent(SAR_ARGS)
{
	double size, free_kib;

	return two(c, COL(FS, SIZE), COL(FS, FREE), &size, &free_kib)
		? sar_percent(c, size - free_kib, size) : value_absent();
}

/* As users other than root see it. */
struct value sar_fs_unavailable(SAR_ARGS)
{
	double size, avail;

	return two(c, COL(FS, SIZE), COL(FS, AVAIL), &size, &avail)
		? sar_percent(c, size - avail, size) : value_absent();
}

struct value sar_fs_inodes_used(SAR_ARGS)
{
	double all, unused;

	return two(c, COL(FS, INODES), COL(FS, INODES_FREE), &all, &unused)
		? value_whole((uint64_t)(all - unused)) : value_absent();
}

struct value sar_fs_inodes_percent(SAR_ARGS)
{
	double all, unused;

	return two(c, COL(FS, INODES), COL(FS, INODES_FREE), &all, &unused)
		? sar_percent(c, all - unused, all) : value_absent();
}
