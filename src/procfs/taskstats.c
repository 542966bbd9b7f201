/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/taskstats.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>

#include "base/clock.h"
#include "base/compiler.h"

/* Sizes of the heads of messages; numbers are in the byte order of the machine. */
#define MSG_HEAD ((size_t)NLMSG_HDRLEN)
#define GENL_HEAD ((size_t)GENL_HDRLEN)
#define ATTR_HEAD sizeof(struct nlattr)

/*
 * Where delays are in struct taskstats, in words of 8 bytes: count and total;
 * max and min.  The structure only grew, with one exception: from 6.14 until it
 * was repaired (version 16), max and min stood after each total.
 */
struct place {
	uint8_t total, peaks;
};

static const struct place usual[DELAY_KINDS] = {
	[DELAY_CPU] = { 2, 54 },
	[DELAY_BLKIO] = { 4, 56 },
	[DELAY_SWAPIN] = { 6, 58 },
	[DELAY_RECLAIM] = { 39, 60 },
	[DELAY_THRASHING] = { 41, 62 },
	[DELAY_COMPACT] = { 44, 64 },
	[DELAY_WPCOPY] = { 50, 66 },
	[DELAY_IRQ] = { 52, 68 },
};

static const struct place broken[DELAY_KINDS] = {
	[DELAY_CPU] = { 2, 4 },
	[DELAY_BLKIO] = { 6, 8 },
	[DELAY_SWAPIN] = { 10, 12 },
	[DELAY_RECLAIM] = { 45, 47 },
	[DELAY_THRASHING] = { 49, 51 },
	[DELAY_COMPACT] = { 54, 56 },
	[DELAY_WPCOPY] = { 62, 64 },
	[DELAY_IRQ] = { 66, 68 },
};

/* Context switches, in the same two: voluntary and not. */
#define USUAL_SWITCHES 34
#define BROKEN_SWITCHES 40

/* CPU time, in the same two: in ticks, and as the scheduler counts it. */
#define USUAL_RUN 8
#define BROKEN_RUN 14

#define REPAIRED 16 /* version */
#define BYTES_BEFORE_PEAKS (54u * 8)

static uint16_t get16(const char *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint32_t get32(const char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* The next attribute; false at the end, or if it is cut. */
static bool next_attr(struct span *rest, unsigned *ret_type, struct span *ret)
{
	size_t len, step;

	if (span_len(*rest) < ATTR_HEAD)
		return false;
	len = get16(rest->ptr);
	if (len < ATTR_HEAD || len > span_len(*rest))
		return false;
	*ret_type = get16(rest->ptr + 2) & (unsigned)NLA_TYPE_MASK;
	*ret = span_of(rest->ptr + ATTR_HEAD, len - ATTR_HEAD);
	step = (len + 3) & ~(size_t)3; /* the last one may be unpadded */
	rest->ptr += GS_MIN(step, span_len(*rest));
	return true;
}

static bool find_attr(struct span attrs, unsigned type, struct span *ret)
{
	unsigned t;

	while (next_attr(&attrs, &t, ret)) {
		if (t == type)
			return true;
	}
	return false;
}

/* The attributes of a whole message of that type. */
static bool open_message(struct span msg, uint16_t type, struct span *ret)
{
	if (span_len(msg) < MSG_HEAD + GENL_HEAD ||
	    get32(msg.ptr) < MSG_HEAD + GENL_HEAD ||
	    get32(msg.ptr) > span_len(msg) || get16(msg.ptr + 4) != type)
		return false;
	*ret = span_of(msg.ptr + MSG_HEAD + GENL_HEAD,
	    get32(msg.ptr) - MSG_HEAD - GENL_HEAD);
	return true;
}

/* An errno is small; -INT32_MIN would overflow. */
static bool get_error(struct span msg, int *ret)
{
	int32_t e = (int32_t)get32(msg.ptr + MSG_HEAD);

	if (e >= 0 || e < -4095)
		return false;
	*ret = -e;
	return true;
}

int taskstats_family(struct span msg, uint16_t *ret)
{
	struct span attrs, id;
	int error;

	if (span_len(msg) >= MSG_HEAD + 4 &&
	    get16(msg.ptr + 4) == NLMSG_ERROR && get_error(msg, &error))
		return error;
	if (!open_message(msg, GENL_ID_CTRL, &attrs) ||
	    !find_attr(attrs, CTRL_ATTR_FAMILY_ID, &id) || span_len(id) < 2)
		return EPROTO;
	*ret = get16(id.ptr);
	return 0;
}

bool taskstats_reply(struct span msg, uint16_t family,
	struct taskstats_reply *ret)
{
	struct span attrs, aggr;

	*ret = (struct taskstats_reply) { .error = 0 };
	if (span_len(msg) < MSG_HEAD + 4)
		return false;
	ret->seq = get32(msg.ptr + 8);
	if (get16(msg.ptr + 4) == NLMSG_ERROR)
		return get_error(msg, &ret->error);
	return open_message(msg, family, &attrs) &&
	    (find_attr(attrs, TASKSTATS_TYPE_AGGR_TGID, &aggr) ||
	    find_attr(attrs, TASKSTATS_TYPE_AGGR_PID, &aggr)) &&
	    find_attr(aggr, TASKSTATS_TYPE_STATS, &ret->stats);
}

/* Two words; false if they lie beyond the end. */
static bool get_pair(struct span stats, unsigned at, uint64_t *a, uint64_t *b)
{
	if (span_len(stats) < (at + 2) * sizeof(uint64_t))
		return false;
	memcpy(a, stats.ptr + at * sizeof(uint64_t), sizeof(*a));
	memcpy(b, stats.ptr + (at + 1) * sizeof(uint64_t), sizeof(*b));
	return true;
}

bool taskstats_scan(struct span stats, struct delays *ret)
{
	const struct place *places;
	uint64_t in_ticks;
	bool is_broken;
	unsigned i;

	*ret = (struct delays) { .version = 0 };
	if (span_len(stats) < sizeof(uint16_t))
		return false;
	ret->version = get16(stats.ptr);
	is_broken = ret->version < REPAIRED &&
	    span_len(stats) > BYTES_BEFORE_PEAKS;
	places = is_broken ? broken : usual;
	ret->has_switches = get_pair(stats, is_broken ? BROKEN_SWITCHES
		: USUAL_SWITCHES, &ret->csw_vol, &ret->csw_invol);
	(void)get_pair(stats, is_broken ? BROKEN_RUN : USUAL_RUN, &in_ticks,
	    &ret->run_ns); /* else it stays 0 */
	for (i = 0; i < DELAY_KINDS; i++) {
		struct delay *d = &ret->of[i];

		d->has = get_pair(stats, places[i].total, &d->count,
		    &d->total_ns);
		d->has_peaks = get_pair(stats, places[i].peaks, &d->max_ns,
		    &d->min_ns);
	}
	return true;
}

/* ---- cells ------------------------------------------------------------- */

static const struct {
	unsigned total, count, max, min;
} cols[DELAY_KINDS] = {
#define KIND(K) [DELAY_##K] = { COL(PROCESS, DELAY_##K), \
	COL(PROCESS, DELAY_##K##_COUNT), COL(PROCESS, DELAY_##K##_MAX), \
	COL(PROCESS, DELAY_##K##_MIN) }
	KIND(CPU),
	KIND(BLKIO),
	KIND(SWAPIN),
	KIND(RECLAIM),
	KIND(THRASHING),
	KIND(COMPACT),
	KIND(WPCOPY),
	KIND(IRQ),
#undef KIND
};

/* A process that was started before kernel.task_delayacct was set is never
 * measured: all its figures but that of the CPU are 0. */
static bool is_measured(const struct delays *d)
{
	unsigned i;

	for (i = DELAY_CPU + 1; i < DELAY_KINDS; i++) {
		if (d->of[i].has && d->of[i].count > 0)
			return true;
	}
	return false;
}

static bool is_true(const struct delays *d, enum delay_kind kind,
	const struct taskstats_opt *opt, bool measured)
{
	if (!d->of[kind].has)
		return false;
	if (kind == DELAY_CPU) /* it is counted without the sysctl */
		return opt->cpu || d->of[kind].count > 0;
	return opt->delayacct != 0 && measured &&
	    (kind != DELAY_IRQ || opt->irq || d->of[kind].count > 0);
}

void taskstats_set(const struct delays *d, const struct taskstats_opt *opt,
	struct cells c)
{
	bool measured = opt->young || is_measured(d);
	unsigned i;

	for (i = 0; i < DELAY_KINDS; i++) {
		const struct delay *one = &d->of[i];

		if (!is_true(d, (enum delay_kind)i, opt, measured))
			continue;
		/* in us, as all times of processes: see proc_read.c */
		cells_set(c, cols[i].total, one->total_ns /
		    (uint64_t)GS_NSEC_PER_USEC);
		cells_set(c, cols[i].count, one->count);
		if (!opt->peaks || !one->has_peaks || one->count == 0)
			continue;
		if (one->max_ns > 0)
			cells_set(c, cols[i].max, one->max_ns);
		if (one->min_ns > 0)
			cells_set(c, cols[i].min, one->min_ns);
	}
}
