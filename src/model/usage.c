/* SPDX-License-Identifier: Apache-2.0 */
#include "model/usage.h"

static const struct usage_cols columns[REAP_COUNT] = {
#define OWN_AND_REAPED(own, reaped) { COL(PROCESS, own), COL(PROCESS, reaped), \
	COL(PROCESS, COUNTED_##own) }
	/* of reaped children it is derived from ticks, in code */
	[REAP_CPU] = OWN_AND_REAPED(CPU, CUTIME),
	[REAP_UTIME] = OWN_AND_REAPED(UTIME, CUTIME),
	[REAP_STIME] = OWN_AND_REAPED(STIME, CSTIME),
	[REAP_GUEST_TIME] = OWN_AND_REAPED(GUEST_TIME, CGUEST_TIME),
	[REAP_MINFLT] = OWN_AND_REAPED(MINFLT, CMINFLT),
	[REAP_MAJFLT] = OWN_AND_REAPED(MAJFLT, CMAJFLT),
#undef OWN_AND_REAPED
#define SAME(c) { COL(PROCESS, c), COL(PROCESS, c), COL(PROCESS, COUNTED_##c) }
	[REAP_RCHAR] = SAME(RCHAR),
	[REAP_WCHAR] = SAME(WCHAR),
	[REAP_SYSCR] = SAME(SYSCR),
	[REAP_SYSCW] = SAME(SYSCW),
	[REAP_READ_BYTES] = SAME(READ_BYTES),
	[REAP_WRITE_BYTES] = SAME(WRITE_BYTES),
	[REAP_CANCELLED] = SAME(CANCELLED_WRITE_BYTES),
#undef SAME
};

const struct usage_cols *usage_cols(enum reap_col c)
{
	return &columns[c];
}

static uint64_t value(struct cells c, unsigned col)
{
	return c.val[col]; /* absent cells are 0 */
}

static uint64_t total_cpu(struct cells c, uint64_t tick_us)
{
	uint64_t own = value(c, COL(PROCESS, CPU));

	if (!cells_has(c, COL(PROCESS, CPU)))
		own = (value(c, COL(PROCESS, UTIME)) +
		    value(c, COL(PROCESS, STIME))) * tick_us;
	return own + (value(c, COL(PROCESS, CUTIME)) +
	    value(c, COL(PROCESS, CSTIME))) * tick_us;
}

uint64_t usage_total(struct cells c, enum reap_col col, uint64_t tick_us)
{
	const struct usage_cols *u = &columns[col];
	uint64_t own = value(c, u->own);

	if (col == REAP_CPU)
		return total_cpu(c, tick_us);
	return u->own == u->reaped ? own : own + value(c, u->reaped);
}
