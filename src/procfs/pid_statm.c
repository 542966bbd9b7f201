/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/pid.h"

/*
 * /proc/<pid>/statm, in pages: size resident shared text lib data dirty.  All
 * 0 without an address space.
 *
 *   3797 870 699 1282 0 652 0
 */
void pid_statm_scan(struct span text, uint64_t page_size, struct cells c)
{
	uint64_t size, resident, shared;

	if (!scan_u64(&text, &size) || !scan_u64(&text, &resident) ||
	    !scan_u64(&text, &shared) || size == 0)
		return;
	/* the two are counted separately, so shared may be slightly larger */
	cells_set(c, COL(PROCESS, PRIVATE), resident < shared
		? 0 : (resident - shared) * (page_size / 1024));
}
