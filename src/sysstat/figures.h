/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figures.h - what pidstat shows of a task at one instant: the cells of a
 * process or of a thread under one set of names.
 *
 * What belongs to the whole process (memory, descriptors, its children) is
 * the process's for each of its threads, as in the kernel's files.
 */
#ifndef GS_SYSSTAT_FIGURES_H
#define GS_SYSSTAT_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/world.h"

enum fig {
	FIG_UTIME, FIG_STIME, FIG_GUEST, /* clock ticks */
	FIG_CUTIME, FIG_CSTIME, FIG_CGUEST,
	FIG_WAIT, /* us */
	FIG_MINFLT, FIG_MAJFLT, FIG_CMINFLT, FIG_CMAJFLT,
	FIG_VSIZE, FIG_RSS, FIG_STACK, FIG_STACK_REF, /* KiB */
	FIG_READ, FIG_WRITE, FIG_CANCELLED, /* bytes */
	FIG_IODELAY, /* clock ticks */
	FIG_CSW_VOL, FIG_CSW_INVOL,
	FIG_THREADS, FIG_FDS,
	FIG_PROCESSOR, FIG_RT_PRIORITY, FIG_POLICY, FIG_UID,
	FIG_COUNT
};

_Static_assert(FIG_COUNT <= 64, "one bit for each");

/* An absent figure's value is 0. */
struct figures {
	uint64_t has; /* bit per figure */
	uint64_t v[FIG_COUNT];
};

static inline bool figures_has(const struct figures *f, enum fig fig)
{
	return f->has >> fig & 1;
}

/* thread may be NULL: of the process as a whole. */
void figures_of(const struct row *process, const struct row *thread,
	struct figures *ret);

/* For a task that a thinned recording has for the first time: if its tick has a
 * figure's growth, was becomes the earlier figure.  False if it has none. */
bool figures_back(const struct row *process, const struct row *thread,
	const struct figures *now, struct figures *was);

#endif
