/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpulist.h - lists of CPUs as the kernel writes them: "0-3,8".
 */
#ifndef GS_VIEW_CPULIST_H
#define GS_VIEW_CPULIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/scan.h"

#define CPULIST_MAX 8192 /* CPUs; as many as kernels can have */

struct cpulist {
	uint64_t w[CPULIST_MAX / 64];
};

/* Adds the CPUs of a text to l, which begins zeroed; false, and l is as it
 * was, if it is no such list. */
bool cpulist_add(struct cpulist *l, struct span text);

void cpulist_write(const struct cpulist *l, struct buf *to);

#endif
