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

#define CPULIST_MAX 8192 /* highest number of CPUs of any kernel */

struct cpulist {
	uint64_t w[CPULIST_MAX / 64];
};

/* Adds the CPUs in a text to l, which is initially zeroed.  False: not a list
 * of CPUs; l is unchanged. */
bool cpulist_add(struct cpulist *l, struct span text);

size_t cpulist_count(const struct cpulist *l);
void cpulist_write(const struct cpulist *l, struct buf *to);

#endif
