/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layout.c - the two variants of the ELF TLS specification.
 *
 * In variant II (x86-64) the program's block ends at the thread pointer; in
 * variant I (arm64) it follows two words there.
 */
#include "heap/layout.h"

#if !defined(__x86_64__)
#define TCB_BYTES 16u /* before the blocks of variant I */
#endif

static uint64_t round_up(uint64_t v, uint64_t align)
{
	return (v + align - 1) / align * align;
}

int64_t layout_of_program(const struct layout *l)
{
	uint64_t align = l->tls_align ? l->tls_align : 1;
	uint64_t before = (align - l->tls_first % align) % align;
#if defined(__x86_64__)
	uint64_t at = round_up(l->tls_size + align - before, align) - align +
	    before;

	return -(int64_t)at;
#else
	uint64_t at = round_up(TCB_BYTES, align);

	if (at - TCB_BYTES < before)
		at += align;
	return (int64_t)(at - before);
#endif
}
