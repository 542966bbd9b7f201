/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash.h - uthash for tables of thousands of things that are looked up at each
 * tick or step: chains of up to ten, of which each link is memory to wait for,
 * would be most of the work.  The order of things does not depend on it.
 */
#ifndef GS_BASE_HASH_H
#define GS_BASE_HASH_H

#include "base/mem.h"

#ifndef uthash_malloc
#define uthash_malloc(n) gs_malloc(n)
#endif
#include <uthash.h>

#undef HASH_BKT_CAPACITY_THRESH
#define HASH_BKT_CAPACITY_THRESH 5U /* longer ones double the buckets */

#endif
