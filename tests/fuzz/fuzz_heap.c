/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_heap.c - any bytes as what gpsnap-heap is asked, as what it answers, and
 * as a list of mappings: what is understood is written as it was read.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "heap/modules.h"
#include "procfs/heapline.h"

static void check(bool ok)
{
	if (!ok)
		abort();
}

static void check_lines(struct span text)
{
	struct heap_request r, r2;
	struct heap_answer a, a2;
	struct buf b = BUF_INIT;

	if (heapline_request(text, &r)) {
		heapline_put_request(&r, &b);
		check(b.len <= HEAP_LINE_MAX);
		check(heapline_request(span_of(b.ptr, b.len - 1), &r2));
		check(r.pid == r2.pid && r.start == r2.start);
	}
	buf_reset(&b);
	if (heapline_answer(text, &a)) {
		heapline_put_answer(&a, &b);
		check(b.len <= HEAP_LINE_MAX);
		check(heapline_answer(span_of(b.ptr, b.len - 1), &a2));
		check(a.kind == a2.kind && a.start == a2.start);
	}
	buf_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = span_of((const char *)data, size);
	static struct modules ms;
	size_t i;

	check_lines(text);
	modules_scan(text, &ms);
	check(ms.n <= MODULES_MAX);
	for (i = 0; i < ms.n; i++)
		check(ms.m[i].path.ptr >= text.ptr &&
		    ms.m[i].path.end <= text.end && ms.m[i].inode != 0);
	return 0;
}
