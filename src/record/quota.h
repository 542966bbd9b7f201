/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quota.h - limits how much each host may write to the files.
 *
 * Old files make room for new ones (--keep-size), so a host that writes much
 * shortens the history of all.  A host may write half of --keep-size a day, or
 * QUOTA_TIMES the median of the hosts of this recording, whichever is
 * more, with a burst of a part of it.  Beyond that it is sampled less often;
 * its next sample covers the time between.  A host far beyond, because its
 * state is so large, is disconnected.
 *
 * With 5 GiB that is 31 KB a second: 10,000 processes that all run, at 3 bytes
 * a sample.  One host alone has all the room.
 */
#ifndef GS_RECORD_QUOTA_H
#define GS_RECORD_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/tick_encoder.h"
#include "record/host_set.h"

#define QUOTA_TIMES 4.0
#define QUOTA_DAY_SHARE 0.5
#define QUOTA_BURST_SHARE (1.0 / 64)
#define QUOTA_BURST_MIN ((double)(1 << 20))
/* Used instead of --keep-size if no files are deleted. */
#define QUOTA_KEEP_BYTES ((double)((uint64_t)5 << 30))
/* The write rate of a host is averaged over so long. */
#define QUOTA_SPAN_S 600.0

struct quota {
	double per_second, burst;
	double *rate; /* of all hosts, scratch */
	size_t rate_cap;
	int64_t charged_ns; /* monotonic */
};

/* keep_bytes: 0 if nothing is deleted. */
void quota_init(struct quota *q, uint64_t keep_bytes);
void quota_release(struct quota *q);

/* Charges the hosts for a frame of so many bytes; m knows their shares. */
void quota_charge(struct quota *q, struct host_set *f,
    const struct tick_encoder *m, size_t bytes, int64_t now_ns);

enum quota_verdict {
	QUOTA_FINE,
	QUOTA_WAIT, /* not in this tick */
	QUOTA_GIVE_UP
};

enum quota_verdict quota_judge(const struct quota *q, struct host_conn *s,
	int64_t now_ns);

#endif
