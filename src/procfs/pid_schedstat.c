/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/pid.h"

/*
 * /proc/<pid>/schedstat, since 2.6.9, of the main thread; all 0 if the kernel
 * does not measure:
 *
 *   19935232 84487 45
 */
bool pid_schedstat_scan(struct span text, uint64_t ret[3])
{
	uint64_t v[3];
	unsigned i;

	for (i = 0; i < 3; i++) {
		if (!scan_u64(&text, &v[i]))
			return false;
	}
	memcpy(ret, v, sizeof(v));
	return true;
}
