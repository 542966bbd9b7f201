/* SPDX-License-Identifier: Apache-2.0 */
/*
 * growth.h - whether a recording has grown: names, sizes and times of its files.
 * Nothing of them is read.
 */
#ifndef GS_WEB_GROWTH_H
#define GS_WEB_GROWTH_H

#include <stddef.h>
#include <stdint.h>

struct growth {
	uint64_t files, bytes;
	int64_t changed_ns; /* the newest one; 0: there are none */
};

struct growth growth_of(char *const *path, size_t n);

#endif
