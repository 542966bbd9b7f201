/* SPDX-License-Identifier: Apache-2.0 */
#include "sysstat/calc.h"

#include "base/clock.h"
#include "base/compiler.h"

/* The growth of a figure. pidstat's differences wrap. */
static bool grew(const struct calc *c, enum fig f, uint64_t *ret)
{
	uint64_t a = c->was->v[f], b = c->now->v[f];

	if (c->strict) {
		*ret = b - a;
		return true;
	}
	if (!figures_has(c->was, f) || !figures_has(c->now, f))
		return false;
	*ret = b > a ? b - a : 0;
	return true;
}

/* Clock ticks that one CPU had. */
static double ticks_of(const struct calc *c)
{
	if (c->strict)
		return (double)((uint64_t)c->span_cs * c->hz / 100);
	return c->span_cs * (double)c->hz / 100;
}

static struct value share(const struct calc *c, double ticks)
{
	double all = ticks_of(c);

	return all > 0 ? value_real(ticks / all * 100) : value_absent();
}

struct value calc_percent(CALC_ARGS)
{
	uint64_t d;

	return grew(c, arg, &d) ? share(c, (double)d) : value_absent();
}

/* A guest's time is in user time, too, and may run ahead of it. */
static struct value calc_usr_strict(const struct calc *c)
{
	uint64_t a = c->was->v[FIG_UTIME] - c->was->v[FIG_GUEST];
	uint64_t b = c->now->v[FIG_UTIME] - c->now->v[FIG_GUEST];

	return share(c, b < a ? 0 : (double)(b - a));
}

struct value calc_usr(CALC_ARGS)
{
	uint64_t user, guest;

	if (c->strict)
		return calc_usr_strict(c);
	if (!grew(c, FIG_UTIME, &user))
		return value_absent();
	if (!grew(c, FIG_GUEST, &guest))
		guest = 0;
	return share(c, user > guest ? (double)(user - guest) : 0);
}

struct value calc_wait(CALC_ARGS)
{
	const uint64_t second = 1000000; /* us */
	uint64_t a = c->was->v[FIG_WAIT], b = c->now->v[FIG_WAIT], d;

	if (c->strict)
		return share(c, (double)(b / (second / c->hz) -
		    a / (second / c->hz)));
	if (!grew(c, FIG_WAIT, &d))
		return value_absent();
	return share(c, (double)d * (double)c->hz / (double)second);
}

struct value calc_cpu(CALC_ARGS)
{
	uint64_t user, system;

	if (!grew(c, FIG_UTIME, &user) || !grew(c, FIG_STIME, &system))
		return value_absent();
	if (!c->per_cpu)
		return share(c, (double)(user + system));
	if (c->jiffies == 0)
		return value_absent();
	return value_real((double)(user + system) / (double)c->jiffies * 100);
}

struct value calc_rate(CALC_ARGS)
{
	uint64_t d;

	if (!grew(c, arg, &d) || c->span_cs <= 0)
		return value_absent();
	return value_real((double)d / c->span_cs * 100);
}

struct value calc_io(CALC_ARGS)
{
	if (c->strict && !figures_has(c->now, arg))
		return value_real(VALUE_REFUSED);
	return calc_rate(c, arg);
}

static bool mean(const struct calc *c, enum fig f, double *ret)
{
	uint32_t n = c->task->n_sum[f];

	if (n == 0)
		return false;
	*ret = c->task->sum[f] / n;
	return true;
}

struct value calc_level(CALC_ARGS)
{
	double v;

	if (c->average)
		return mean(c, arg, &v) ? value_floor(v) : value_absent();
	if (!c->strict && !figures_has(c->now, arg))
		return value_absent();
	return value_whole(c->now->v[arg]);
}

/* A level whose mean is rounded, not cut. */
struct value calc_mean(CALC_ARGS)
{
	double v;

	if (!c->average)
		return calc_level(c, arg);
	return mean(c, arg, &v) ? value_real(v) : value_absent();
}

struct value calc_fds(CALC_ARGS)
{
	if (c->strict && !figures_has(c->now, arg))
		return value_real(VALUE_REFUSED);
	return calc_mean(c, arg);
}

struct value calc_mem(CALC_ARGS)
{
	struct value v = calc_level(c, FIG_RSS);

	if (v.kind == VALUE_ABSENT || c->mem_total_kib == 0)
		return value_absent();
	return value_real((double)v.whole / (double)c->mem_total_kib * 100);
}

/* Per sample of the run, if there were any. */
static struct value per_sample(const struct calc *c, double v)
{
	uint32_t n = c->task->n_samples;

	return value_real(c->average && n > 1 ? v / n : v);
}

struct value calc_iodelay(CALC_ARGS)
{
	uint64_t d;

	if (!grew(c, arg, &d))
		return value_absent();
	return c->average ? per_sample(c, (double)d) : value_whole(d);
}

struct value calc_state(CALC_ARGS)
{
	if (!c->strict && !figures_has(c->now, arg))
		return value_absent();
	return value_whole(c->now->v[arg]);
}

struct value calc_processor(CALC_ARGS)
{
	if (c->average)
		return (struct value) { .kind = VALUE_WORD, .word = "-" };
	return calc_state(c, arg);
}

struct value calc_policy(CALC_ARGS)
{
	static const char *const names[] = { "NORMAL", "FIFO", "RR", "BATCH",
		"?", "IDLE", "DEADLN" };
	struct value v = calc_state(c, arg);

	if (v.kind == VALUE_ABSENT)
		return v;
	return (struct value) { .kind = VALUE_WORD,
		.word = v.whole < GS_LEN(names) ? names[v.whole] : "?" };
}

/* ---- with its children ----------------------------------------------- */

/* What is added, then what is taken away. */
static const struct {
	int plus[3], minus[3]; /* enum fig, ended by -1 */
} family[] = {
	[FAMILY_USR] = { { FIG_UTIME, FIG_CUTIME, -1 },
	    { FIG_GUEST, FIG_CGUEST, -1 } },
	[FAMILY_SYSTEM] = { { FIG_STIME, FIG_CSTIME, -1 }, { -1 } },
	[FAMILY_GUEST] = { { FIG_GUEST, FIG_CGUEST, -1 }, { -1 } },
	[FAMILY_MINFLT] = { { FIG_MINFLT, FIG_CMINFLT, -1 }, { -1 } },
	[FAMILY_MAJFLT] = { { FIG_MAJFLT, FIG_CMAJFLT, -1 }, { -1 } },
};

static bool add_grown(const struct calc *c, const int *figs, uint64_t *to)
{
	uint64_t d;

	for (; *figs >= 0; figs++) {
		if (!grew(c, (enum fig)*figs, &d))
			return false;
		*to += d;
	}
	return true;
}

static uint64_t sum_of(const struct figures *f, const int *figs)
{
	uint64_t sum = 0;

	for (; *figs >= 0; figs++)
		sum += f->v[*figs];
	return sum;
}

static bool family_grew(const struct calc *c, unsigned arg, uint64_t *ret)
{
	const int *plus = family[arg].plus, *minus = family[arg].minus;
	uint64_t more = 0, less = 0;

	if (c->strict) {
		uint64_t a = sum_of(c->was, plus) - sum_of(c->was, minus);
		uint64_t b = sum_of(c->now, plus) - sum_of(c->now, minus);

		*ret = *minus >= 0 && b < a ? 0 : b - a;
		return true;
	}
	if (!add_grown(c, plus, &more))
		return false;
	if (!add_grown(c, minus, &less))
		less = 0;
	*ret = more > less ? more - less : 0;
	return true;
}

struct value calc_family_ms(CALC_ARGS)
{
	uint64_t d;

	if (!family_grew(c, arg, &d))
		return value_absent();
	return per_sample(c, (double)d / (double)c->hz * 1000);
}

struct value calc_family_count(CALC_ARGS)
{
	uint64_t d;

	if (!family_grew(c, arg, &d))
		return value_absent();
	return c->average ? per_sample(c, (double)d) : value_whole(d);
}

/* ---- activity -------------------------------------------------------- */

bool calc_changed(const struct calc *c, uint64_t figs)
{
	unsigned i;

	for (i = 0; i < FIG_COUNT; i++) {
		if ((figs >> i & 1) && c->was->v[i] != c->now->v[i] &&
		    (c->strict || (figures_has(c->was, i) &&
		    figures_has(c->now, i))))
			return true;
	}
	return false;
}
