/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tsd.h - a variable of each thread that looks like jemalloc's.
 *
 * Its counters are neither the first members nor next to each other.
 */
#ifndef TESTS_HEAP_TSD_H
#define TESTS_HEAP_TSD_H

#include <stdint.h>

#ifndef EATER_ALIGN
#define EATER_ALIGN 8
#endif

#define LONG_NAME \
	cant_access_tsd_items_directly_use_a_getter_or_setter_thread_allocated

struct tsd_s {
	char before[100] __attribute__((aligned(EATER_ALIGN)));
	uint64_t LONG_NAME;
	uint64_t thread_allocated_last_event;
	uint64_t thread_deallocated;
};

struct tsd_s *tsd_mine(void);

#endif
