/* SPDX-License-Identifier: Apache-2.0 */
#include "view/uncounted.h"

#include <string.h>

#include "view/view_int.h"

/* So many hosts are named. */
#define NAMES_MAX 3

static bool counts_no_delays(const struct host *h)
{
	const struct row *r = host_row(h);
	uint64_t on;

	return r && row_get(r, COL(HOST, TASK_DELAYACCT), &on) && on == 0;
}

bool uncounted_note(const struct engine *e, const struct view *v,
	struct buf *to)
{
	size_t hosts = world_hosts(e->world), n = 0, i;

	if (strcmp(v->name, "offcpu") != 0)
		return false;
	for (i = 0; i < hosts; i++) {
		const struct host *h = world_host(e->world, i);

		if (!counts_no_delays(h))
			continue;
		if (n++ == 0)
			buf_printf(to, "%s: BLKIO and delays of memory are "
			    "not counted", v->name);
		if (hosts > 1 && n <= NAMES_MAX)
			buf_printf(to, "%s%s", n == 1 ? " on " : ", ", h->name);
	}
	if (n > NAMES_MAX)
		buf_printf(to, " and %zu more", n - NAMES_MAX);
	if (n > 0)
		buf_add_str(to, ": sysctl kernel.task_delayacct=1 counts them, "
		    "for processes started afterwards");
	return n > 0;
}
