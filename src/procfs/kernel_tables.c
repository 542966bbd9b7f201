/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/host.h"

/*
 * Sizes of the kernel's own tables: the first numbers of a line; of file-nr the
 * first (open files) and the last (the maximum).
 *
 *   /proc/sys/fs/file-nr          1984	0	9223372036854775807
 *   /proc/sys/fs/dentry-state     2095956	2093948	45	0	1882474	0
 *   /proc/sys/fs/inode-state      205130	0	0	0	0	0	0
 *   /proc/sys/kernel/pty/nr       3
 */
static void two(struct span text, struct cells host, unsigned all,
	unsigned unused)
{
	uint64_t v;

	if (!scan_u64(&text, &v))
		return;
	cells_set(host, all, v);
	if (scan_u64(&text, &v))
		cells_set(host, unused, v);
}

void dentry_state_scan(struct span text, struct cells host)
{
	two(text, host, COL(HOST, DENTRIES), COL(HOST, DENTRIES_UNUSED));
}

void inode_state_scan(struct span text, struct cells host)
{
	two(text, host, COL(HOST, INODES), COL(HOST, INODES_FREE));
}

void pty_nr_scan(struct span text, struct cells host)
{
	uint64_t v;

	if (scan_u64(&text, &v))
		cells_set(host, COL(HOST, PTYS), v);
}

void file_nr_scan(struct span text, struct cells host)
{
	uint64_t open, unused, most;

	if (!scan_u64(&text, &open))
		return;
	cells_set(host, COL(HOST, FILES), open);
	if (scan_u64(&text, &unused) && scan_u64(&text, &most))
		cells_set(host, COL(HOST, FILES_MAX), most);
}
