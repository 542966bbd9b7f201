/* SPDX-License-Identifier: Apache-2.0 */
#include "sar/sar_calc.h"

#include "model/diff.h"

struct sar_calc sar_calc_of(const struct sar_data *d, enum sar_kind kind,
	const struct sar_item *item, bool average)
{
	const struct instant *from = average ? &d->first : &d->prev;
	const struct instant *to = &d->now;

	if (average && item && !d->strict) {
		from = &item->first_at;
		to = &item->last_at;
	}
	return (struct sar_calc) { .data = d, .kind = kind, .item = item,
		.average = average,
		.span_cs = instant_between_cs(from, to, d->strict) };
}

struct cells sar_before(const struct sar_item *t, bool average)
{
	return average ? t->first : t->prev;
}

bool sar_difference(const struct sar_data *d, enum entity_id e, unsigned col,
	struct cells was, struct cells now, double *ret)
{
	uint64_t grew = now.val[col] - was.val[col];

	if (d->strict) {
		bool narrow = metric_get(e, col)->bits == 32;

		*ret = (double)(narrow ? grew & UINT32_MAX : grew);
		return true;
	}
	if (!cells_has(was, col) || !cells_has(now, col) ||
	    !diff_between(e, col, was.val[col], now.val[col], &grew))
		return false;
	*ret = (double)grew;
	return true;
}

/* Counters that show, together, whether an item was replaced by another of
 * its name. */
static const struct {
	enum sar_kind kind;
	unsigned col[4];
} signs[] = {
	{ SAR_DISK, { COL(DISK, READS), COL(DISK, READ),
	    COL(DISK, WRITES), COL(DISK, WRITTEN) } },
	{ SAR_NET, { COL(NET, RX), COL(NET, RX_PACKETS), COL(NET, TX),
	    COL(NET, TX_PACKETS) } },
};

static bool all_went_back(const unsigned *col, size_t n, struct cells was,
	struct cells now)
{
	while (n > 0 && now.val[col[n - 1]] < was.val[col[n - 1]])
		n--;
	return n == 0;
}

/* For sar, which does not check it for averages of disks. */
static bool is_another(const struct sar_calc *c, struct cells was)
{
	size_t i;

	for (i = 0; i < GS_LEN(signs); i++) {
		if (signs[i].kind == c->kind)
			return !(c->average && c->kind == SAR_DISK) &&
			    all_went_back(signs[i].col,
				GS_LEN(signs[i].col), was, c->item->now);
	}
	return false;
}

bool sar_grew(const struct sar_calc *c, unsigned col, double *ret)
{
	if (c->item && c->data->strict && is_another(c,
	    sar_before(c->item, c->average))) {
		*ret = (double)c->item->now.val[col];
		return true;
	}
	return c->item && sar_difference(c->data, sar_entity(c->kind), col,
	    sar_before(c->item, c->average), c->item->now, ret);
}

bool sar_level(const struct sar_calc *c, unsigned col, double *ret)
{
	const struct sar_data *d = c->data;
	uint64_t v;

	if (!c->item)
		return false;
	if (c->average && c->kind == SAR_HOST && d->n_sum[col] > 0) {
		*ret = d->sum[col] / d->n_sum[col];
		return true;
	}
	if (!cells_get(c->item->now, col, &v)) {
		*ret = 0;
		return d->strict;
	}
	*ret = (double)v;
	return true;
}

struct value sar_percent(const struct sar_calc *c, double a, double b)
{
	if (b > 0)
		return value_real(a / b * 100);
	return c->data->strict ? value_real(0) : value_absent();
}

struct value sar_per_second(const struct sar_calc *c, double v)
{
	return c->span_cs > 0 ? value_real(v / c->span_cs * 100)
	                      : value_absent();
}

struct value sar_rate(SAR_ARGS)
{
	double d;

	return sar_grew(c, arg, &d) ? sar_per_second(c, d) : value_absent();
}

struct value sar_whole(const struct sar_calc *c, double v)
{
	return c->average ? value_real(v) : value_floor(v);
}

struct value sar_level_whole(SAR_ARGS)
{
	double v;

	return sar_level(c, arg, &v) ? sar_whole(c, v) : value_absent();
}

struct value sar_level_centi(SAR_ARGS)
{
	double v;

	return sar_level(c, arg, &v) ? value_real(v / 100) : value_absent();
}

/* The process that counted them was running. */
struct value sar_running(SAR_ARGS)
{
	double v;

	if (!sar_level(c, arg, &v))
		return value_absent();
	return sar_whole(c, v >= 1 ? v - 1 : v);
}

/* Of a counter of microseconds: the share of the time. */
struct value sar_stalled(SAR_ARGS)
{
	const double us_per_cs = 10000;
	double us;

	if (!sar_grew(c, arg, &us) || c->span_cs <= 0)
		return value_absent();
	return value_real(us / (c->span_cs * us_per_cs) * 100);
}

/* ---- pages ----------------------------------------------------------- */

/* Counters, of which the first is all that there is; sar adds every one with
 * a name that begins alike. */
static const unsigned pages[][3] = {
	[PAGES_SCANNED_DIRECT] = { COL(HOST, PGSCAN_DIRECT),
	    COL(HOST, PGSCAN_THROTTLED) },
	[PAGES_STOLEN] = { COL(HOST, PGSTEAL), COL(HOST, PGSTEAL_ANON),
	    COL(HOST, PGSTEAL_FILE) },
};

static bool pages_grew(const struct sar_calc *c, enum sar_pages which,
	double *ret)
{
	size_t i, n = c->data->strict ? GS_LEN(pages[which]) : 1;
	double grew;

	*ret = 0;
	for (i = 0; i < n && pages[which][i]; i++) {
		if (!sar_grew(c, pages[which][i], &grew))
			return false;
		*ret += grew;
	}
	return true;
}

struct value sar_pages(SAR_ARGS)
{
	double n;

	return pages_grew(c, (enum sar_pages)arg, &n) ? sar_per_second(c, n)
	                                              : value_absent();
}

/* Of the pages that were scanned. */
struct value sar_reclaimed(SAR_ARGS)
{
	double kswapd, direct, n;

	if (!sar_grew(c, COL(HOST, PGSCAN_KSWAPD), &kswapd) ||
	    !pages_grew(c, PAGES_SCANNED_DIRECT, &direct) ||
	    !pages_grew(c, PAGES_STOLEN, &n))
		return value_absent();
	return sar_percent(c, n, kswapd + direct);
}

/* ---- network interfaces ---------------------------------------------- */

/* Both directions share an interface that is not full duplex. */
struct value sar_net_used(SAR_ARGS)
{
	struct value rx = sar_rate(c, COL(NET, RX));
	struct value tx = sar_rate(c, COL(NET, TX));
	double mbit, bytes;

	if (rx.kind != VALUE_REAL || tx.kind != VALUE_REAL)
		return value_absent();
	if (!sar_level(c, COL(NET, SPEED), &mbit) || mbit <= 0 ||
	    mbit > UINT32_MAX)
		return c->data->strict ? value_real(0) : value_absent();
	bytes = rx.real + tx.real;
	if (c->item->full_duplex)
		bytes = rx.real > tx.real ? rx.real : tx.real;
	return value_real(bytes * 8 / (mbit * 1e6) * 100);
}
