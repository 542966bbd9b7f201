/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layout.h - where a file that contains jemalloc keeps its counters.
 *
 * They are members of a variable of each thread, tsd_tls, in the file's block of
 * thread-local storage (TLS).
 */
#ifndef GS_HEAP_LAYOUT_H
#define GS_HEAP_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

/* How a library finds its block. */
enum layout_slot {
	SLOT_NONE,
	SLOT_OFFSET, /* a word has the distance of its block to the thread
		      * pointer, plus addend */
	SLOT_MODULE /* a word has its number in the thread's vector */
};

struct layout {
	int error; /* enum heap_error; 0: all below is known */
	bool uncertain; /* HEAP_NO_SYMBOLS: but it has mallctl() */
	uint64_t allocated, deallocated; /* bytes from the block's begin */
	uint64_t tls_size, tls_align, tls_first; /* of PT_TLS: first is where
						  * it begins, modulo align */
	uint64_t first; /* the address of the file's first byte, unmoved */
	enum layout_slot slot;
	uint64_t slot_at; /* its address, unmoved */
	int64_t addend;
};

/* The distance of the block of the program itself to the thread pointer. */
int64_t layout_of_program(const struct layout *l);

#endif
