/* SPDX-License-Identifier: Apache-2.0 */
#include "query/offcpu.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "model/diff.h"
#include "model/world.h"

/* From this version on, block IO includes swap-in: Linux 5.17. */
#define SWAPIN_IS_WITHIN 11
/* Samples of the clocks are not taken at once: less is no contradiction. */
#define SKEW 0.01

static const struct cell absent = { .kind = CELL_ABSENT };

/* The time of a group, in seconds; NAN: not known. */
struct offcpu_times {
	const struct group *of; /* NULL: of none yet */
	const struct rollup *in;
	double wall, cpu, queue, io, irq, sleep;
	double span[OFFCPU_FROM]; /* by the figure's column */
	bool io_cut; /* the kernel counted more */
	bool queue_cut; /* the same of the queue */
	bool cut; /* what is not cut off is more than all of it */
	bool queue_least, io_least; /* lower bounds */
	double delays; /* all of them, before anything is cut off */
	bool delays_least;
	bool folded; /* of many groups: what each of them has may be cut off, the
	              * sum of that is only estimated */
};

void offcpu_forget(struct offcpu_times *t)
{
	if (t)
		t->of = NULL;
}

/* Adds to ret_lacks whether some rows lack it. */
static double sum_of(const struct figure_env *v, const struct figure *f,
	const struct group *g, enum offcpu_from k, bool *ret_lacks)
{
	double ret;
	bool lacks;

	if (!group_sum(v->rollup, g, f->from[k], 1, &ret, &lacks))
		return NAN;
	*ret_lacks |= lacks;
	return ret;
}

/* Of all threads, by one column or the one after it. */
static double waited(const struct figure_env *v, const struct figure *f,
	const struct group *g, enum offcpu_from whole, bool *ret_least)
{
	struct all_threads a = all_threads_find(v, g, f->from[whole],
	    f->from[whole + 1]);
	double ret;
	bool lacks;

	*ret_least = a.rollup && a.at_least;
	return a.rollup && group_sum(a.rollup, a.group, a.col, 1, &ret,
	    &lacks) ? ret : NAN;
}

/* Not known if one is not; fmin() would ignore that. */
static double least(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : fmin(a, b);
}

static double known(double v)
{
	return isnan(v) ? 0 : v;
}

static double wall_of(const struct figure_env *v, const struct group *g)
{
	double sum = 0;
	size_t i;

	if (g->residual)
		return NAN;
	for (i = 0; i < g->n_part; i++)
		sum += part_life_s(v->rollup, g->part[i]);
	return sum > 0 ? sum : NAN;
}

/* Swap-in was a part of its own, on the first of the group's hosts. */
static bool swapin_is_apart(const struct group *g)
{
	const struct row *host = g->n_part > 0 ? host_row(g->part[0]->host)
	                                       : NULL;
	uint64_t version;

	return host && row_get(host, COL(HOST, TASKSTATS_VERSION), &version) &&
	    version < SWAPIN_IS_WITHIN;
}

/* What is neither on a CPU nor runnable is IO or sleep. */
static void split_rest(struct offcpu_times *t, const struct group *g)
{
	double room = t->wall - t->cpu - known(t->irq);

	t->cut = room < -SKEW * t->wall;
	room = fmax(room, 0);
	if (isnan(t->queue))
		return;
	t->queue_cut = t->queue > room + SKEW * t->wall;
	t->queue = fmin(t->queue, room);
	room -= t->queue;
	t->io_cut = t->io > room + SKEW * t->wall;
	t->io = least(t->io, room);
	if (t->queue_least || t->io_least)
		return;
	t->sleep = room - t->io;
	if (swapin_is_apart(g))
		t->sleep = fmax(0, t->sleep - known(t->span[OFFCPU_SWAPIN]));
}

static double delays_of(const struct offcpu_times *t)
{
	return t->queue + t->io + t->span[OFFCPU_RECLAIM] +
	    fmax(t->span[OFFCPU_SWAPIN], known(t->span[OFFCPU_THRASHING])) +
	    known(t->span[OFFCPU_COMPACT]) + known(t->span[OFFCPU_WPCOPY]) +
	    known(t->irq);
}

/* What the kernel counted.  Some rows lack a part of it, or threads do: the sum
 * of all delays is a lower bound. */
static void fill_waits(const struct figure_env *v, const struct figure *f,
	const struct group *g, struct offcpu_times *t)
{
	bool lacks = false;
	unsigned k;

	t->queue = waited(v, f, g, OFFCPU_WAIT, &t->queue_least);
	t->io = waited(v, f, g, OFFCPU_BLKIO, &t->io_least);
	for (k = OFFCPU_WAIT; k < OFFCPU_FROM; k++)
		t->span[k] = sum_of(v, f, g, (enum offcpu_from)k, &lacks);
	t->irq = t->span[OFFCPU_IRQ];
	t->delays = delays_of(t);
	t->delays_least = lacks || t->queue_least || t->io_least;
}

static void fill(const struct figure_env *v, const struct figure *f,
	const struct group *g, struct offcpu_times *t)
{
	struct figure of_cpu = { .scale = 1, .n_from = 3 };
	struct cell cpu;

	*t = (struct offcpu_times) { .of = g, .in = v->rollup,
		.wall = wall_of(v, g), .sleep = NAN,
		.folded = g->key_len == 0 };
	memcpy(of_cpu.from, f->from, 3 * sizeof(f->from[0]));
	cpu = figure_cpu_sum(v, &of_cpu, g);
	t->cpu = cpu.kind == CELL_ABSENT ? NAN : cpu.r;
	fill_waits(v, f, g, t);
	if (!isnan(t->wall) && !isnan(t->cpu))
		split_rest(t, g);
}

/* Computed once for all figures of a row; own: memory where nothing is kept. */
static const struct offcpu_times *times_of(const struct figure_env *v,
	const struct figure *f, const struct group *g, struct offcpu_times *own)
{
	struct figure_cache *c = v->cache;
	struct offcpu_times *t = own;

	if (c && !c->offcpu)
		c->offcpu = gs_calloc(1, sizeof(*c->offcpu));
	if (c)
		t = c->offcpu;
	if (!c || t->of != g || t->in != v->rollup)
		fill(v, f, g, t);
	return t;
}

static struct cell seconds(const struct figure *f, double v, bool estimate)
{
	struct cell c = cell_real(f->scale * v);

	if (isnan(v))
		return absent;
	if (estimate)
		c.mark = '~';
	return c;
}

/* What was cut fills the time: it is no lower bound any more. */
static struct cell bounded(const struct figure *f, double v, bool cut,
	bool at_least)
{
	struct cell c = seconds(f, v, cut);

	if (at_least && !cut && c.kind != CELL_ABSENT)
		c.mark = '>';
	return c;
}

/* An estimate for that reason alone; a lower bound stays one. */
static bool is_rough(const struct offcpu_times *t, bool least)
{
	return t->folded && !least;
}

struct cell offcpu_wall(FIGURE_ARGS)
{
	return figure_amount(v, g, seconds(f, wall_of(v, g), g->estimated));
}

/* fmax() would make 0 of what is not known. */
static double off_of(const struct offcpu_times *t)
{
	double off = t->wall - t->cpu;

	return isnan(off) ? NAN : fmax(0, off);
}

struct cell offcpu_off(FIGURE_ARGS)
{
	struct offcpu_times own;
	const struct offcpu_times *t = times_of(v, f, g, &own);

	return figure_amount(v, g, bounded(f, off_of(t), t->folded ||
	    t->wall - t->cpu < -SKEW * t->wall, g->reaped));
}

struct cell offcpu_off_share(FIGURE_ARGS)
{
	struct offcpu_times own;
	const struct offcpu_times *t = times_of(v, f, g, &own);

	return bounded(f, off_of(t) / t->wall,
	    t->wall - t->cpu < -SKEW * t->wall, g->reaped);
}

struct cell offcpu_run_queue(FIGURE_ARGS)
{
	struct offcpu_times own;
	const struct offcpu_times *t = times_of(v, f, g, &own);

	return figure_amount(v, g, bounded(f, t->queue,
	    t->queue_cut || t->cut || is_rough(t, t->queue_least),
	    t->queue_least));
}

struct cell offcpu_block_io(FIGURE_ARGS)
{
	struct offcpu_times own;
	const struct offcpu_times *t = times_of(v, f, g, &own);

	return figure_amount(v, g, bounded(f, t->io,
	    t->io_cut || is_rough(t, t->io_least), t->io_least));
}

struct cell offcpu_irq(FIGURE_ARGS)
{
	struct offcpu_times own;

	return figure_amount(v, g,
	    seconds(f, times_of(v, f, g, &own)->irq, false));
}

struct cell offcpu_waited(FIGURE_ARGS)
{
	struct offcpu_times own;
	const struct offcpu_times *t = times_of(v, f, g, &own);
	bool least = t->queue_least || t->io_least;

	return figure_amount(v, g, bounded(f,
	    t->queue + known(t->io) + known(t->irq), t->cut ||
	    t->queue_cut || t->io_cut || is_rough(t, least), least));
}

struct cell offcpu_sleep(FIGURE_ARGS)
{
	struct offcpu_times own;
	const struct offcpu_times *t = times_of(v, f, g, &own);

	return figure_amount(v, g, seconds(f, t->sleep,
	    t->cut || t->queue_cut || t->io_cut || t->folded));
}

/* ---- the largest one --------------------------------------------------- */

struct cause {
	const char *name;
	double s;
};

static void larger(struct cause *c, const char *name, double s)
{
	if (!isnan(s) && s > c->s)
		*c = (struct cause) { name, s };
}

/* Thrashing and swap-in are waits for IO: what is left is other IO.  What is
 * known is not the largest if what is not known may be more. */
static struct cause cause_of(const struct offcpu_times *t)
{
	double thrash = t->span[OFFCPU_THRASHING];
	double swapin = t->span[OFFCPU_SWAPIN];
	double within = fmax(known(thrash), known(swapin));
	double off = t->wall - t->cpu;
	struct cause c = { NULL, 0 };

	if (isnan(off))
		return c;
	larger(&c, "runq", least(t->queue, off));
	larger(&c, "irq", t->irq);
	larger(&c, "blkio", t->io - least(within, t->io));
	larger(&c, "thrash", least(thrash, off));
	larger(&c, "swapin", least(swapin, off));
	larger(&c, "reclaim", least(t->span[OFFCPU_RECLAIM], off));
	larger(&c, "compact", least(t->span[OFFCPU_COMPACT], off));
	larger(&c, "wpcopy", least(t->span[OFFCPU_WPCOPY], off));
	larger(&c, "sleep", t->sleep);
	if (isnan(t->sleep) && c.s < off - known(t->queue))
		c = (struct cause) { NULL, 0 };
	return c;
}

struct cell offcpu_cause(FIGURE_ARGS)
{
	struct offcpu_times own;
	const struct offcpu_times *t = times_of(v, f, g, &own);

	return figure_text(v, cause_of(t).name);
}

struct cell offcpu_cause_share(FIGURE_ARGS)
{
	struct offcpu_times own;
	const struct offcpu_times *t = times_of(v, f, g, &own);
	struct cause c = cause_of(t);

	return c.name ? cell_real(f->scale * c.s / t->wall) : absent;
}

/* ---- sums -------------------------------------------------------------- */

struct cell offcpu_delays(FIGURE_ARGS)
{
	struct offcpu_times own;
	const struct offcpu_times *t = times_of(v, f, g, &own);

	return figure_amount(v, g, bounded(f, t->delays,
	    is_rough(t, t->delays_least), t->delays_least));
}

struct cell offcpu_delay_share(FIGURE_ARGS)
{
	struct offcpu_times own;
	const struct offcpu_times *t = times_of(v, f, g, &own);

	return bounded(f, t->delays / t->wall, false, t->delays_least);
}
