/* SPDX-License-Identifier: Apache-2.0 */
#include "view/metric_figure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "model/diff.h"
#include "view/cpulist.h"

static const struct cell absent = { .kind = CELL_ABSENT };

/* ---- what rows of a group have ----------------------------------------- */

/* A cell of one row: a number, or a text. */
struct value {
	struct span text;
	uint64_t n;
	const struct row *row;
};

static int by_text(const void *x, const void *y)
{
	struct span a = ((const struct value *)x)->text;
	struct span b = ((const struct value *)y)->text;
	size_t la = span_len(a), lb = span_len(b);
	size_t least = la < lb ? la : lb;
	int r = least ? memcmp(a.ptr, b.ptr, least) : 0;

	return r != 0 ? r : (la > lb) - (la < lb);
}

static int by_unsigned(const void *x, const void *y)
{
	uint64_t a = ((const struct value *)x)->n;
	uint64_t b = ((const struct value *)y)->n;

	return (a > b) - (a < b);
}

static int by_signed(const void *x, const void *y)
{
	int64_t a = (int64_t)((const struct value *)x)->n;
	int64_t b = (int64_t)((const struct value *)y)->n;

	return (a > b) - (a < b);
}

static const struct metric *metric_of(const struct figure_env *v,
	const struct figure *f)
{
	return metric_get(rollup_entity(v->rollup), f->from[0]);
}

/* The cells of all current rows of the group, sorted; the caller frees them.
 * *ret_rows: number of rows. */
static struct value *values_of(const struct figure_env *v,
	const struct metric *m, const struct group *g, size_t *ret_n,
	size_t *ret_rows)
{
	const struct group_rows list = figure_rows(v, g);
	struct value *to = gs_calloc(list.n + 1, sizeof(*to));
	size_t i, n = 0;

	for (i = 0; i < list.n; i++) {
		const struct row *r = list.row[i].row;
		struct value x = { .row = r };

		if (!row_get(r, m->col, &x.n))
			continue;
		if (metric_is_text(m))
			x.text = row_text(v->engine->world, r, m->col);
		to[n++] = x;
	}
	qsort(to, n, sizeof(*to), metric_is_text(m) ? by_text
	    : m->flags & F_SIGNED ? by_signed : by_unsigned);
	*ret_n = n;
	*ret_rows = list.n;
	return to;
}

static bool is_same(const struct metric *m, const struct value *a,
	const struct value *b)
{
	return metric_is_text(m) ? by_text(a, b) == 0 : a->n == b->n;
}

static double in_base_units(const struct metric *m, const struct value *x)
{
	struct unit_env env = diff_env(x->row->host);

	return metric_in_base(m, x->n, &env);
}

static void add_value(struct buf *to, const struct metric *m,
	const struct value *x)
{
	const char *word = metric_word(m, x->n);

	if (word)
		buf_add_str(to, word);
	else if (metric_is_text(m))
		buf_add(to, x->text.ptr, span_len(x->text));
	else if (m->unit == UNIT_CHAR)
		buf_add_char(to, (char)x->n);
	else if (m->unit != UNIT_NONE && m->unit != UNIT_COUNT)
		buf_printf(to, "%.15g", in_base_units(m, x));
	else if (m->flags & F_SIGNED)
		buf_printf(to, "%" PRId64, (int64_t)x->n);
	else
		buf_printf(to, "%" PRIu64, x->n);
}

/* ---- rules ------------------------------------------------------------- */

static bool has_max(const struct metric *m, struct group_rows list)
{
	uint64_t n;
	size_t i;

	for (i = 0; i < list.n && m->flags & F_MAX; i++) {
		if (row_get(list.row[i].row, m->col, &n) &&
		    metric_is_max(m, n))
			return true;
	}
	return false;
}

/* If some rows lack a level, the sum of the others is a lower bound.  Without
 * a limit somewhere, all together have none. */
static struct cell metric_sum(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	struct cell c = figure_sum(v, f, g);
	const struct group_rows list = figure_rows(v, g);
	size_t i;

	if (has_max(metric_of(v, f), list))
		return cell_max();
	for (i = 0; c.kind != CELL_ABSENT && i < list.n; i++) {
		if (!cells_has(list.row[i].row->now, f->from[0]))
			c.mark = '>';
	}
	return c;
}

static struct cell metric_max(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	const struct metric *m = metric_of(v, f);
	size_t n, rows;
	struct value *x = values_of(v, m, g, &n, &rows);
	struct cell c = absent;

	if (n > 0)
		c = cell_real(in_base_units(m, &x[n - 1]));
	free(x);
	return c;
}

static struct cell metric_range(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	const struct metric *m = metric_of(v, f);
	size_t n, rows;
	struct value *x = values_of(v, m, g, &n, &rows);
	struct buf b = BUF_INIT;
	struct cell c;

	if (n > 0)
		add_value(&b, m, &x[0]);
	if (n > 0 && !is_same(m, &x[0], &x[n - 1])) {
		buf_add_str(&b, "..");
		add_value(&b, m, &x[n - 1]);
	}
	c = figure_text(v, buf_str(&b));
	buf_release(&b);
	free(x);
	return c;
}

static struct cell metric_middle(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	const struct metric *m = metric_of(v, f);
	size_t n, rows;
	struct value *x = values_of(v, m, g, &n, &rows);
	struct cell c = absent;

	if (n > 0)
		c = cell_real((in_base_units(m, &x[0]) +
		    in_base_units(m, &x[n - 1])) / 2);
	free(x);
	return c;
}

/* Of equally frequent values, the first in order.  The number of rows follows
 * if `counted` and not all have it. */
static struct cell mode_of(const struct figure_env *v, const struct figure *f,
	const struct group *g, bool counted)
{
	const struct metric *m = metric_of(v, f);
	size_t n, rows, i, end, most = 0, at = 0;
	struct value *x = values_of(v, m, g, &n, &rows);
	struct buf b = BUF_INIT;
	struct cell c;

	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && is_same(m, &x[i], &x[end]); end++)
			;
		if (end - i > most) {
			most = end - i;
			at = i;
		}
	}
	if (most > 0)
		add_value(&b, m, &x[at]);
	if (counted && most > 0 && most < rows)
		buf_printf(&b, " (%zu of %zu)", most, rows);
	c = figure_text(v, buf_str(&b));
	buf_release(&b);
	free(x);
	return c;
}

static struct cell metric_mode(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	return mode_of(v, f, g, true);
}

static struct cell metric_mode_alone(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	return mode_of(v, f, g, false);
}

/* All CPUs of the rows; if the rows differ, also how many each has. */
static void add_cpus(struct buf *to, const struct metric *m,
	const struct value *x, size_t n)
{
	struct cpulist all = { { 0 } };
	size_t i, lists = 0, least = CPULIST_MAX, most = 0;

	for (i = 0; i < n; i++) {
		struct cpulist one = { { 0 } };

		if ((i > 0 && is_same(m, &x[i - 1], &x[i])) ||
		    !cpulist_add(&one, x[i].text))
			continue;
		(void)cpulist_add(&all, x[i].text); /* it is a list */
		least = GS_MIN(least, cpulist_count(&one));
		most = GS_MAX(most, cpulist_count(&one));
		lists++;
	}
	cpulist_write(&all, to);
	if (lists > 1 && least < most)
		buf_printf(to, " (mixed: %zu..%zu each)", least, most);
	else if (lists > 1)
		buf_printf(to, " (mixed: %zu each)", most);
}

static struct cell metric_cpus(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	const struct metric *m = metric_of(v, f);
	size_t n, rows;
	struct value *x = values_of(v, m, g, &n, &rows);
	struct buf b = BUF_INIT;
	struct cell c;

	add_cpus(&b, m, x, n);
	c = figure_text(v, buf_str(&b));
	buf_release(&b);
	free(x);
	return c;
}

/* The newest row's value, even if the row has ended. */
static struct cell metric_last(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	struct value x = { .row = g->row };

	if (!g->residual && g->row && row_peek(g->row, f->from[0], &x.n) &&
	    x.n > INT64_MAX && !(metric_of(v, f)->flags & (F_SIGNED | F_MAX)))
		return cell_real(in_base_units(metric_of(v, f), &x));
	return figure_cell(v, f, g);
}

/* Its word, or its number where that is not known. */
static struct cell metric_last_word(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	struct value x = { .row = g->row };
	struct buf b = BUF_INIT;
	struct cell c = absent;

	if (g->residual || !g->row || !row_peek(g->row, f->from[0], &x.n))
		return c;
	add_value(&b, metric_of(v, f), &x);
	c = figure_text(v, buf_str(&b));
	buf_release(&b);
	return c;
}

/* Absent for several rows. */
static struct cell metric_of_one(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	if (g->n_rows != 1)
		return absent;
	return metric_is_counter(metric_of(v, f)) ? figure_sum(v, f, g)
	    : metric_last(v, f, g);
}

/* ---- columns ----------------------------------------------------------- */

static enum quantity quantity_of(const struct metric *m)
{
	static const enum quantity of_unit[UNIT_COUNT_] = {
		[UNIT_NONE] = Q_COUNT, [UNIT_COUNT] = Q_COUNT,
		[UNIT_CHAR] = Q_TEXT, [UNIT_BYTES] = Q_BYTES,
		[UNIT_KIB] = Q_BYTES, [UNIT_SECTORS] = Q_BYTES,
		[UNIT_PAGES] = Q_BYTES, [UNIT_NSEC] = Q_SECONDS,
		[UNIT_USEC] = Q_SECONDS, [UNIT_MSEC] = Q_SECONDS,
		[UNIT_CENTISEC] = Q_SECONDS, [UNIT_SECONDS] = Q_SECONDS,
		[UNIT_TICKS] = Q_SECONDS, [UNIT_CENTI] = Q_NUMBER,
		[UNIT_CENTIPCT] = Q_PERCENT, [UNIT_MBIT] = Q_NUMBER,
	};

	if (metric_is_text(m))
		return Q_TEXT;
	/* instants, as in databases */
	if (m->cls == CLASS_STATE && m->unit == UNIT_USEC &&
	    m->agg == AGG_MODE)
		return Q_TIME;
	if (m->cls == CLASS_STATE && m->unit == UNIT_NONE)
		return Q_ID;
	return of_unit[m->unit];
}

static figure_fn rule_of(const struct metric *m)
{
	bool counter = metric_is_counter(m);

	switch ((enum metric_agg)m->agg) {
	case AGG_SUM:
		return counter ? figure_sum : metric_sum;
	case AGG_MAX:
		return counter ? metric_of_one : metric_max;
	case AGG_RANGE:
		return metric_range;
	case AGG_MODE:
		return metric_mode;
	case AGG_CPUS:
		return metric_cpus;
	case AGG_LAST:
		return metric_last;
	case AGG_NONE:
		return metric_of_one;
	}
	return metric_of_one;
}

struct figure metric_figure(const struct metric *m, const char *name,
	bool by_row)
{
	struct figure f = {
		.col = { .name = name, .title = m->title, .help = m->help,
		    .quantity = quantity_of(m),
		    .min_width = m->width ? m->width : GRID_ON_REQUEST },
		.fn = rule_of(m), .scale = 1, .n_from = 1,
		.from = { m->col } };

	if (by_row)
		f.fn = metric_is_counter(m) || (m->agg == AGG_SUM &&
		    !(m->flags & F_MAX)) ? figure_sum : metric_last;
	if (f.fn == metric_last && metric_has_words(m))
		f.fn = metric_last_word;
	f.col.additive = m->agg == AGG_SUM && f.col.quantity != Q_ID;
	f.col.grows = metric_is_counter(m);
	/* a setting, or a single event; sums are not that precise */
	f.col.fine = f.col.quantity == Q_SECONDS && !f.col.grows;
	if (f.fn == metric_mode || f.fn == metric_range ||
	    f.fn == metric_last_word)
		f.col.quantity = Q_TEXT;
	return f;
}

void metric_figure_as_rate(struct figure *f, const struct metric *m)
{
	if (f->fn != figure_sum || !metric_is_counter(m))
		return;
	f->fn = figure_rate;
	f->scale = f->col.quantity == Q_SECONDS ? 100 : 1;
	f->col.quantity = f->col.quantity == Q_SECONDS ? Q_PERCENT
	    : f->col.quantity == Q_BYTES ? Q_BYTES_RATE : Q_RATE;
	f->col.grows = false;
}

bool metric_stand_in(const struct metric *m, struct figure *ret)
{
	struct figure f = metric_figure(m, m->name, false);
	bool range = f.fn == metric_range && !metric_is_text(m);

	if (!range && f.fn != metric_mode)
		return false;
	if (range)
		f.col.quantity = quantity_of(m) == Q_ID ? Q_NUMBER
		                                        : quantity_of(m);
	f.fn = range ? metric_middle : metric_mode_alone;
	f.col.stands_in = true;
	f.col.min_width = GRID_ON_REQUEST;
	*ret = f;
	return true;
}

struct figure metric_described(const struct figure *row, enum entity_id e)
{
	struct figure f = *row;
	const struct metric *m = metric_get(e, f.from[0]);

	if (f.col.help)
		return f;
	f.col.help = m->help;
	f.col.name = f.col.name ? f.col.name : m->name;
	f.col.title = f.col.title ? f.col.title : m->title;
	f.col.quantity = quantity_of(m);
	if (f.fn == figure_rate)
		f.col.quantity = f.scale == 100 ? Q_PERCENT
		    : f.col.quantity == Q_BYTES ? Q_BYTES_RATE : Q_RATE;
	return f;
}

bool metric_figure_is_sum(const struct figure *f)
{
	return f->fn != metric_max && f->fn != metric_range &&
	    f->fn != metric_middle && f->fn != metric_mode_alone &&
	    f->fn != metric_mode && f->fn != metric_cpus &&
	    f->fn != metric_last_word &&
	    f->fn != metric_of_one;
}
