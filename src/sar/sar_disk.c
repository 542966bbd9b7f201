/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_disk.c - transfers of one disk, or of all that are devices.
 */
#include "sar/sar_calc.h"

#include <string.h>

#include "base/compiler.h"

static const struct {
	enum sar_transfer what;
	unsigned count, sectors, msec;
} transfers[] = {
	{ TRANSFER_READ, COL(DISK, READS), COL(DISK, READ),
	    COL(DISK, READ_TIME) },
	{ TRANSFER_WRITE, COL(DISK, WRITES), COL(DISK, WRITTEN),
	    COL(DISK, WRITE_TIME) },
	{ TRANSFER_DISCARD, COL(DISK, DISCARDS), COL(DISK, DISCARDED),
	    COL(DISK, DISCARD_TIME) },
};

/* What was done, of kinds that are wanted. */
struct done {
	double count, sectors, msec;
};

/* sar adds first and subtracts then, in 64 bits. */
static void add_whole(const struct sar_calc *c, unsigned what,
	struct done *ret)
{
	struct cells was = sar_before(c->item, c->average);
	struct cells now = c->item->now;
	uint64_t count = 0, sectors = 0;
	size_t i;

	for (i = 0; i < GS_LEN(transfers); i++) {
		unsigned n = transfers[i].count, of = transfers[i].sectors;

		if (!(what & transfers[i].what))
			continue;
		count += now.val[n] - was.val[n];
		sectors += now.val[of] - was.val[of];
	}
	ret->count = (double)count;
	ret->sectors = (double)sectors;
}

/* Kernels before 4.18 know no discards: there are none then. */
static bool add_done(const struct sar_calc *c, unsigned what,
	struct done *ret)
{
	size_t i;

	for (i = 0; i < GS_LEN(transfers); i++) {
		double count, sectors, msec;

		if (!(what & transfers[i].what))
			continue;
		if (sar_grew(c, transfers[i].count, &count) &&
		    sar_grew(c, transfers[i].sectors, &sectors) &&
		    sar_grew(c, transfers[i].msec, &msec)) {
			ret->count += count;
			ret->sectors += sectors;
			ret->msec += msec;
		} else if (transfers[i].what != TRANSFER_DISCARD) {
			return false;
		}
	}
	if (c->data->strict && c->average)
		add_whole(c, what, ret);
	return true;
}

static bool was_used(struct cells c)
{
	size_t i;

	for (i = 0; i < GS_LEN(transfers); i++) {
		if (c.val[transfers[i].count] > 0)
			return true;
	}
	return false;
}

bool sar_disk_was_used(const struct sar_item *t)
{
	return was_used(t->now);
}

bool sar_disk_was_stored(const struct sar_item *t)
{
	return sar_disk_is_whole(t) && was_used(t->prev);
}

bool sar_disk_is_whole(const struct sar_item *t)
{
	return t->now.val[COL(DISK, PARTITION)] == 0;
}

/* Made of other disks, which count its transfers.  Recordings that do not say
 * so are judged by its name. */
static bool is_virtual(const struct sar_item *t)
{
	static const char *const names[] = { "dm-", "md", "loop", "ram",
		"zram", "bcache", "drbd", "nbd" };
	uint64_t known;
	size_t i;

	if (cells_get(t->now, COL(DISK, VIRTUAL), &known))
		return known != 0;
	for (i = 0; i < GS_LEN(names); i++) {
		if (strncmp(t->name, names[i], strlen(names[i])) == 0)
			return true;
	}
	return false;
}

static void add_counted(struct cells c, unsigned what, struct done *ret)
{
	size_t i;

	for (i = 0; i < GS_LEN(transfers); i++) {
		if (!(what & transfers[i].what))
			continue;
		ret->count += (double)c.val[transfers[i].count];
		ret->sectors += (double)c.val[transfers[i].sectors];
	}
}

/* sar compares the sums of the disks that exist; if one was removed they may be
 * less, which it takes for 0. */
static void sums_of_all(const struct sar_calc *c, unsigned what,
	struct done *ret)
{
	const struct sar_items *of = &c->data->of[SAR_DISK];
	struct done was = { 0 }, now = { 0 };
	size_t i;

	for (i = 0; i < of->n; i++) {
		const struct sar_item *t = &of->item[i];

		if (!sar_disk_is_whole(t) || is_virtual(t))
			continue;
		add_counted(sar_before(t, c->average), what, &was);
		if (t->here)
			add_counted(t->now, what, &now);
	}
	if (now.count > was.count)
		ret->count = now.count - was.count;
	if (now.sectors > was.sectors)
		ret->sectors = now.sectors - was.sectors;
}

static bool done_of_all(const struct sar_calc *c, unsigned what,
	struct done *ret)
{
	const struct sar_items *of = &c->data->of[SAR_DISK];
	bool any = false;
	size_t i;

	for (i = 0; i < of->n; i++) {
		const struct sar_item *t = &of->item[i];
		struct sar_calc one = *c;

		if (!sar_disk_is_whole(t) || is_virtual(t) ||
		    !sar_item_spans(c->data, t, c->average))
			continue;
		one.kind = SAR_DISK;
		one.item = t;
		any |= add_done(&one, what, ret);
	}
	return any;
}

static bool done_of(const struct sar_calc *c, unsigned what, struct done *ret)
{
	*ret = (struct done) { 0 };
	if (c->kind != SAR_DISK && c->data->strict) {
		sums_of_all(c, what, ret);
		return true;
	}
	return c->kind == SAR_DISK ? add_done(c, what, ret)
	                           : done_of_all(c, what, ret);
}

struct value sar_transfers(SAR_ARGS)
{
	struct done d;
	double v;

	if (!done_of(c, arg, &d))
		return value_absent();
	v = arg & TRANSFER_SECTORS ? d.sectors
	    : arg & TRANSFER_KIB ? d.sectors / 2
	    : arg & TRANSFER_MSEC ? d.msec : d.count;
	if (!(arg & TRANSFER_MEAN))
		return sar_per_second(c, v);
	if (d.count > 0)
		return value_real(v / d.count);
	return c->data->strict ? value_real(0) : value_absent();
}

/* Milliseconds in a second; rounded as sar rounds. */
static struct value msec_share(const struct sar_calc *c, unsigned col,
	double one)
{
	double msec;

	if (!sar_grew(c, col, &msec) || c->span_cs <= 0)
		return value_absent();
	return value_real(msec / c->span_cs * 100 / one);
}

struct value sar_queue(SAR_ARGS)
{
	return msec_share(c, COL(DISK, QUEUE_TIME), 1000);
}

struct value sar_busy(SAR_ARGS)
{
	return msec_share(c, COL(DISK, IO_TIME), 10);
}
