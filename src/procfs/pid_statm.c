/* SPDX-License-Identifier: Apache-2.0 */
#include "base/compiler.h"
#include "procfs/pid.h"

/*
 * /proc/<pid>/statm, in pages: size resident shared text lib data dirty.  All
 * 0 without an address space.
 *
 *   3797 870 699 1282 0 652 0
 */
bool pid_statm_get(struct span text, uint64_t page_size,
	struct pid_statm *ret)
{
	uint64_t field[6];
	size_t i;

	for (i = 0; i < GS_LEN(field); i++) {
		if (!scan_u64(&text, &field[i]))
			return false;
		field[i] *= page_size / 1024;
	}
	*ret = (struct pid_statm) { .size = field[0], .resident = field[1],
		.shared = field[2], .data = field[5] };
	return true;
}

uint64_t pid_statm_private(const struct pid_statm *m)
{
	return m->resident < m->shared ? 0 : m->resident - m->shared;
}

void pid_statm_scan(struct span text, uint64_t page_size, struct cells c)
{
	struct pid_statm m;

	if (pid_statm_get(text, page_size, &m) && m.size > 0)
		cells_set(c, COL(PROCESS, PRIVATE), pid_statm_private(&m));
}
