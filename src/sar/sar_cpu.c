/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar_cpu.c - what a CPU, or all of them, did with its time.
 *
 * The kernel's counters are not exact: idle and iowait decrease, and restart if
 * a CPU comes online; guest time runs ahead of user time.  Strict runs handle
 * that as sar does.
 */
#include "sar/sar_calc.h"

#include "base/compiler.h"

enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, GUEST, GNICE,
	COUNTERS };

_Static_assert(COL(CPU, GUEST_NICE) == COL(CPU, USER) + GNICE,
	"the counters are columns in this order");

/* One CPU's, or sums of all; total of the first eight. */
struct times {
	double was[COUNTERS], now[COUNTERS];
	double total;
};

static double own(const double *v, int all, int guest)
{
	return v[all] - v[guest];
}

/* A counter this high is taken for one about to wrap. */
#define NEARLY_FULL 18446744073709027328.0

/* If idle or iowait decreased. */
static void set_back(struct times *t)
{
	if (t->now[IDLE] < t->was[IDLE] && t->was[IDLE] < NEARLY_FULL) {
		bool online = t->now[IOWAIT] < t->was[IOWAIT];

		t->was[IDLE] = 0;
		if (online)
			t->was[IOWAIT] = 0;
	} else if (t->now[IOWAIT] < t->was[IOWAIT]) {
		t->was[IOWAIT] = t->now[IOWAIT];
	}
}

/* Guest time that user time does not contain yet. */
static double ahead(const struct times *t, int all, int guest)
{
	double was = own(t->was, all, guest), now = own(t->now, all, guest);

	return now < was ? was - now : 0;
}

static void end_strict(struct times *t)
{
	int i;

	t->total = ahead(t, USER, GUEST) + ahead(t, NICE, GNICE);
	set_back(t);
	for (i = 0; i <= STEAL; i++)
		t->total += t->now[i] - t->was[i];
}

/* A counter that decreased did not grow. */
static void end_exact(struct times *t)
{
	int i;

	for (i = 0; i < COUNTERS; i++) {
		if (t->was[i] > t->now[i])
			t->was[i] = t->now[i];
		if (i <= STEAL)
			t->total += t->now[i] - t->was[i];
	}
}

static struct times times_of(const struct sar_data *d,
	const struct sar_item *cpu, bool average)
{
	struct cells was = sar_before(cpu, average);
	struct times t = { .total = 0 };
	int i;

	for (i = 0; i < COUNTERS; i++) {
		unsigned col = COL(CPU, USER) + (unsigned)i;

		t.was[i] = (double)was.val[col];
		t.now[i] = (double)cpu->now.val[col];
	}
	if (d->strict)
		end_strict(&t);
	else
		end_exact(&t);
	return t;
}

static struct times times_of_all(const struct sar_calc *c)
{
	const struct sar_items *of = &c->data->of[SAR_CPU];
	struct times all = { .total = 0 };
	size_t i;
	int k;

	for (i = 0; i < of->n; i++) {
		const struct sar_item *cpu = &of->item[i];
		struct times t;

		if (!sar_item_spans(c->data, cpu, c->average))
			continue;
		t = times_of(c->data, cpu, c->average);
		for (k = 0; k < COUNTERS; k++) {
			all.was[k] += t.was[k];
			all.now[k] += t.now[k];
		}
		all.total += t.total;
	}
	return all;
}

_Static_assert(CPU_TIME_GNICE == 1 << GNICE, "bits in this order");

static double part_of(const double v[COUNTERS], unsigned arg)
{
	double sum = 0;
	int i;

	for (i = 0; i < COUNTERS; i++) {
		if (arg >> i & 1)
			sum += v[i];
		if (arg & CPU_TIME_LESS(1U << i))
			sum -= v[i];
	}
	return sum;
}

struct value sar_cpu(SAR_ARGS)
{
	struct times t = c->item
		? times_of(c->data, c->item, c->average) : times_of_all(c);
	double d = part_of(t.now, arg) - part_of(t.was, arg);

	/* one whose clock has stopped is idle */
	if (t.total <= 0 && c->data->strict)
		return value_real(c->item && arg == CPU_TIME_IDLE ? 100 : 0);
	if (t.total <= 0)
		return value_absent();
	return value_real(d > 0 ? d / t.total * 100 : 0);
}
