/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the block of a program is: as the linker, which writes the distances of
 * variables into the code, and the C library decide.
 */
#include "heap/layout.h"

#include <link.h>
#include <stdlib.h>

#include "cases.h"

/* A size that is not a multiple of the alignment. */
static _Thread_local volatile char large[64] __attribute__((aligned(64))) = { 1 };
static _Thread_local volatile char last[3];

#if defined(__x86_64__)
#define ROW(size, align, first, ii, i) { #size " " #align " " #first, \
	{ .tls_size = size, .tls_align = align, .tls_first = first }, ii }
#else
#define ROW(size, align, first, ii, i) { #size " " #align " " #first, \
	{ .tls_size = size, .tls_align = align, .tls_first = first }, i }
#endif

static const struct row {
	const char *name;
	struct layout layout;
	int64_t expected;
} rows[] = {
	ROW(1, 1, 0, -1, 16),
	ROW(136, 8, 0, -136, 16),
	ROW(137, 8, 0, -144, 16),
	ROW(300, 256, 0, -512, 256),
	ROW(2632, 64, 0, -2688, 64),
	/* the segment begins at an odd place: so does the block */
	ROW(100, 16, 8, -104, 24),
	ROW(8, 64, 8, -56, 72),
	ROW(56, 64, 8, -56, 72),
	ROW(57, 64, 8, -120, 72),
	ROW(8, 0, 0, -8, 16),
};

static void test(void **state)
{
	const struct row *r = *state;

	assert_int_equal(layout_of_program(&r->layout), r->expected);
}

static int find(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct layout *l = arg;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_TLS)
			continue;
		l->tls_size = p->p_memsz;
		l->tls_align = p->p_align;
		l->tls_first = p->p_vaddr % p->p_align;
		/* where it really is, for the comparison */
		l->first = (uint64_t)(uintptr_t)info->dlpi_tls_data;
	}
	return 1; /* the program is the first one */
}

static void own(void **state)
{
	struct layout l = { 0 };

	(void)state;
	large[1] = last[0] = 1;
	(void)dl_iterate_phdr(find, &l);
	assert_true(l.tls_align >= 64);
	assert_int_equal((int64_t)l.first -
	    (int64_t)(uintptr_t)__builtin_thread_pointer(),
	    layout_of_program(&l));
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test, rows);
	cases_add(&c, "this program", own, NULL);
	return cases_run(&c, "layout");
}
