/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/host.h"

/*
 * /proc/sys/fs/file-nr: open files, 0, most open files.
 *
 *   1984	0	9223372036854775807
 */
void file_nr_scan(struct span text, struct cells host)
{
	uint64_t open, unused, most;

	if (!scan_u64(&text, &open))
		return;
	cells_set(host, COL(HOST, FILES), open);
	if (scan_u64(&text, &unused) && scan_u64(&text, &most))
		cells_set(host, COL(HOST, FILES_MAX), most);
}
