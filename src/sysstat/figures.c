/* SPDX-License-Identifier: Apache-2.0 */
#include "sysstat/figures.h"

#include "base/compiler.h"

#define OF_PROCESS UINT16_MAX

#define BOTH(SYM) { COL(PROCESS, SYM), COL(THREAD, SYM) }
#define ONE(SYM) { COL(PROCESS, SYM), OF_PROCESS }

static const struct {
	uint16_t process, thread;
} column[FIG_COUNT] = {
	[FIG_UTIME] = BOTH(UTIME),
	[FIG_STIME] = BOTH(STIME),
	[FIG_GUEST] = BOTH(GUEST_TIME),
	[FIG_CUTIME] = ONE(CUTIME),
	[FIG_CSTIME] = ONE(CSTIME),
	[FIG_CGUEST] = ONE(CGUEST_TIME),
	[FIG_WAIT] = BOTH(RUN_DELAY),
	[FIG_MINFLT] = BOTH(MINFLT),
	[FIG_MAJFLT] = BOTH(MAJFLT),
	[FIG_CMINFLT] = ONE(CMINFLT),
	[FIG_CMAJFLT] = ONE(CMAJFLT),
	[FIG_VSIZE] = ONE(VSIZE),
	[FIG_RSS] = ONE(RSS),
	[FIG_STACK] = ONE(STACK_SIZE),
	[FIG_STACK_REF] = ONE(STACK_REF),
	[FIG_READ] = BOTH(READ_BYTES),
	[FIG_WRITE] = BOTH(WRITE_BYTES),
	[FIG_CANCELLED] = BOTH(CANCELLED_WRITE_BYTES),
	[FIG_IODELAY] = BOTH(BLKIO_DELAY),
	[FIG_CSW_VOL] = BOTH(CSW_VOL),
	[FIG_CSW_INVOL] = BOTH(CSW_INVOL),
	[FIG_THREADS] = ONE(THREADS),
	[FIG_FDS] = ONE(FDS),
	[FIG_PROCESSOR] = BOTH(PROCESSOR),
	[FIG_RT_PRIORITY] = BOTH(RT_PRIORITY),
	[FIG_POLICY] = BOTH(POLICY),
	[FIG_UID] = ONE(UID),
};

/* The column of a task's figure. */
struct source {
	const struct row *row;
	unsigned col;
};

static struct source source_of(const struct row *process,
	const struct row *thread, unsigned fig)
{
	if (thread && column[fig].thread != OF_PROCESS)
		return (struct source) { thread, column[fig].thread };
	return (struct source) { process, column[fig].process };
}

void figures_of(const struct row *process, const struct row *thread,
	struct figures *ret)
{
	unsigned i;

	*ret = (struct figures) { 0 };
	for (i = 0; i < FIG_COUNT; i++) {
		struct source s = source_of(process, thread, i);

		if (row_get(s.row, s.col, &ret->v[i]))
			ret->has |= UINT64_C(1) << i;
	}
}

bool figures_back(const struct row *process, const struct row *thread,
	const struct figures *now, struct figures *was)
{
	bool any = false;
	uint64_t grown;
	unsigned i;

	for (i = 0; i < FIG_COUNT; i++) {
		struct source s = source_of(process, thread, i);

		if (!row_sum(s.row, s.col, SUM_GROWN, &grown))
			continue;
		was->v[i] = now->v[i] - GS_MIN(grown, now->v[i]);
		any = true;
	}
	return any;
}
