/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files by /proc/PID/maps: those with code, where they begin, and lines that are
 * none.
 */
#include "heap/modules.h"

#include <inttypes.h>
#include <string.h>

#include "cases.h"

static const struct row {
	const char *name;
	const char *maps;
	const char *expected; /* BASE INODE PATH; of each */
} rows[] = {
	{ "none", "", "" },
	{ "a program",
	    "55d0e000-55d10000 r--p 00000000 fe:00 77    /usr/bin/x\n"
	    "55d10000-55d15000 r-xp 00002000 fe:00 77    /usr/bin/x\n"
	    "55d15000-55d17000 rw-p 00007000 fe:00 77    /usr/bin/x\n"
	    "55f00000-55f21000 rw-p 00000000 00:00 0     [heap]\n",
	    "55d0e000 77 /usr/bin/x;" },
	{ "a library and data",
	    "1000-2000 r-xp 00000000 fe:00 7 /a b.so\n"
	    "7f00000000-7f00001000 r--p 00000000 fe:00 8 /usr/lib/locale\n"
	    "7fffffffe000-7ffffffff000 r-xp 00000000 fe:00 9 /c (deleted)\n",
	    "1000 7 /a b.so;7fffffffe000 9 /c (deleted);" },
	{ "mapped twice: where it begins first",
	    "1000-2000 r--p 00000000 fe:00 7 /a\n"
	    "2000-3000 r-xp 00001000 fe:00 7 /a\n"
	    "9000-a000 r--p 00000000 fe:00 7 /a\n", "1000 7 /a;" },
	{ "its begin is not mapped",
	    "2000-3000 r-xp 00001000 fe:00 7 /a\n", "" },
	{ "an inode, two paths",
	    "1000-2000 r-xp 00000000 fe:00 7 /a\n"
	    "3000-4000 r-xp 00000000 fe:00 7 /b\n", "1000 7 /a;3000 7 /b;" },
	{ "no files",
	    "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 "
	    "[vsyscall]\n7ffd1000-7ffd3000 r-xp 00000000 00:00 0 [vdso]\n",
	    "" },
	{ "not lines of maps",
	    "x\n1000\n1000-\n1000-2000\n1000-2000 r-xp\n"
	    "1000-2000 r-xp 0\n1000-2000 r-xp 0 fe:00\n"
	    "1000-2000 r-xp 0 fe:00 x /a\n"
	    "11112222333344445-2000 r-xp 0 fe:00 7 /a\n", "" },
	{ "cut within a line",
	    "1000-2000 r-xp 00000000 fe:00 7 /a\n3000-4000 r-", "1000 7 /a;" },
};

static void test(void **state)
{
	const struct row *r = *state;
	static struct modules ms;
	struct buf got = BUF_INIT;
	size_t i;

	modules_scan(span_str(r->maps), &ms);
	for (i = 0; i < ms.n; i++)
		buf_printf(&got, "%" PRIx64 " %" PRIu64 " %.*s;", ms.m[i].base,
		    ms.m[i].inode, (int)span_len(ms.m[i].path),
		    ms.m[i].path.ptr);
	assert_string_equal(buf_str(&got), r->expected);
	buf_release(&got);
}

/* More files than there is room for. */
static void too_many(void **state)
{
	static struct modules ms;
	struct buf maps = BUF_INIT;
	unsigned i;

	(void)state;
	for (i = 1; i <= MODULES_MAX + 10; i++)
		buf_printf(&maps, "%x000-%x800 r-xp 00000000 fe:00 %u /lib%u\n",
		    i, i, i, i);
	modules_scan(span_of(maps.ptr, maps.len), &ms);
	assert_int_equal(ms.n, MODULES_MAX);
	assert_int_equal(ms.m[MODULES_MAX - 1].inode, MODULES_MAX);
	buf_release(&maps);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test, rows);
	cases_add(&c, "too many", too_many, NULL);
	return cases_run(&c, "modules");
}
