/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/host.h"

/*
 * /proc/uptime: seconds since boot, and idle seconds of all CPUs.
 *
 *   350735.47 234388.90
 */
void uptime_scan(struct span text, struct cells host)
{
	uint64_t v;

	if (scan_fixed(&text, 100, &v))
		cells_set(host, COL(HOST, UPTIME), v);
}
