/* SPDX-License-Identifier: Apache-2.0 */
#include "view/cpulist.h"

/* "3" or "3-7" */
static bool add_range(struct cpulist *l, struct span s)
{
	uint64_t from, to;

	if (!scan_u64(&s, &from))
		return false;
	to = from;
	if (!span_empty(s) && *s.ptr == '-') {
		s.ptr++;
		if (!scan_u64(&s, &to))
			return false;
	}
	if (!span_empty(s) || from > to || to >= CPULIST_MAX)
		return false;
	for (; from <= to; from++)
		l->w[from / 64] |= UINT64_C(1) << (from % 64);
	return true;
}

bool cpulist_add(struct cpulist *l, struct span text)
{
	struct cpulist both = *l;
	struct span one;

	do {
		if (!scan_until(&text, ',', &one)) {
			one = text;
			text.ptr = text.end;
		}
		if (!add_range(&both, one))
			return false;
	} while (!span_empty(text));
	*l = both;
	return true;
}

static bool has(const struct cpulist *l, unsigned cpu)
{
	return cpu < CPULIST_MAX && l->w[cpu / 64] >> (cpu % 64) & 1;
}

size_t cpulist_count(const struct cpulist *l)
{
	size_t i, n = 0;

	for (i = 0; i < CPULIST_MAX; i++)
		n += has(l, (unsigned)i);
	return n;
}

void cpulist_write(const struct cpulist *l, struct buf *to)
{
	const char *before = "";
	unsigned i, end;

	for (i = 0; i < CPULIST_MAX; i = end + 1) {
		for (end = i; has(l, end); end++)
			;
		if (end == i)
			continue;
		buf_printf(to, "%s%u", before, i);
		if (end - 1 > i)
			buf_printf(to, "-%u", end - 1);
		before = ",";
	}
}
