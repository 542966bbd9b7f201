/* SPDX-License-Identifier: Apache-2.0 */
#include "web/sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "render/cell.h"
#include "view/view.h"
#include "web/tally.h"

#define LABELS_MAX 6

/* A column of a view, or a metric of processes. */
struct col {
	const char *name;
	bool adds; /* else it is a level */
};

struct sum_rule {
	const char *name; /* gpsnap_NAME_... */
	const char *view;
	enum label_kind key[LABEL_COUNT];
	size_t n_key;
	const char *label[LABELS_MAX]; /* columns; the first must be known */
	const char *as[2]; /* a column that is another label, by its text up
	                    * to a colon: "Lock:relation" is of class Lock */
	const struct col *col;
	size_t n_col;
	size_t most; /* series */
	bool current; /* only what exists */
};

#define COLS(LIST) .col = LIST, .n_col = GS_LEN(LIST)

static const struct col work[] = {
	{ "process.cpu", true }, { "process.utime", true },
	{ "process.stime", true }, { "process.read_bytes", true },
	{ "process.write_bytes", true }, { "process.run_delay", true },
	{ "process.delay_blkio", true }, { "process.majflt", true },
	{ "process.rss_anon", false }, { "process.vm_swap", false },
	{ "process.spill", false },
};

static const struct col counted[] = {
	{ "processes", false }, { "process.cpu", true },
	{ "process.utime", true }, { "process.stime", true },
	{ "process.read_bytes", true }, { "process.write_bytes", true },
	{ "process.run_delay", true }, { "process.delay_blkio", true },
	{ "process.majflt", true }, { "process.rss_anon", false },
	{ "process.vm_swap", false }, { "process.spill", false },
};

static const struct col waits[] = { { "seconds", true } };

static const struct sum_rule tables[] = {
	{ .name = "user", .view = "processes",
	    .key = { LABEL_SERVER, LABEL_USER, LABEL_DATABASE, LABEL_HOST },
	    .n_key = 4, .label = { "host", "server", "user", "database" },
	    .most = 1000, COLS(counted) },
	{ .name = "segment", .view = "processes",
	    .key = { LABEL_SERVER, LABEL_SEGMENT, LABEL_HOST }, .n_key = 3,
	    .label = { "segment", "server", "host" }, .most = 5000,
	    COLS(counted) },
	{ .name = "session", .view = "sessions",
	    .label = { "database", "server", "session", "user" },
	    .most = 200, .current = true, COLS(work) },
	{ .name = "wait", .view = "system_event",
	    .label = { "event", "server" }, .as = { "event", "class" },
	    .most = 200, COLS(waits) },
};

#define N_TABLES GS_LEN(tables)

struct sum {
	const struct sum_rule *of;
	struct view_ask ask;
	struct view_metric metric[TALLY_VALUES_MAX];
	struct view_use *use;
	struct grid *empty; /* owns the families' helps */
	struct family family[TALLY_VALUES_MAX];
	bool exists[TALLY_VALUES_MAX];
	struct tally_table *series;
};

struct sums {
	struct sum sum[N_TABLES];
};

/* ---- opening ----------------------------------------------------------- */

static int find(const struct grid *g, const char *name)
{
	size_t i;

	for (i = 0; i < g->n_col; i++) {
		if (strcmp(g->col[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

static const char *label_of(const struct sum_rule *t, const char *col)
{
	return t->as[0] && strcmp(col, t->as[0]) == 0 ? t->as[1] : col;
}

static void name_families(struct sum *s)
{
	size_t i, m = 0;

	for (i = 0; i < s->of->n_col; i++) {
		const struct col *c = &s->of->col[i];
		int at = find(s->empty, c->name);

		s->exists[i] = at >= 0;
		if (strchr(c->name, '.') != NULL)
			family_of_sum(s->metric[m++].metric, s->of->name,
			    &s->family[i]);
		else if (at >= 0)
			family_of_figure(s->of->name, c->name, quantity_unit(
			    s->empty->col[at].quantity), c->adds,
			    s->empty->col[at].help, &s->family[i]);
	}
}

static void open_sum(struct sum *s, const struct sum_rule *t, struct engine *e)
{
	const struct view *v = view_find(t->view);
	struct buf rest = BUF_INIT;
	size_t i;

	*s = (struct sum) { .of = t, .ask = VIEW_ASK_INIT };
	memcpy(s->ask.key, t->key, sizeof(s->ask.key));
	s->ask.n_key = t->n_key;
	s->ask.wait.min_percent = 0;
	s->ask.metric = s->metric;
	for (i = 0; i < t->n_col; i++) {
		const char *name = t->col[i].name;

		if (strchr(name, '.') != NULL)
			s->ask.n_metric += view_find_metric(v, name,
			    strlen(name), &s->metric[s->ask.n_metric]);
	}
	s->empty = view_columns(v, &s->ask);
	name_families(s);
	s->use = view_open(v, e, &s->ask);
	family_add_label(&rest, label_of(t, t->label[t->current ? 2 : 0]),
	    span_str("(others)"));
	s->series = tally_new(t->most, buf_str(&rest));
	buf_release(&rest);
}

struct sums *sums_new(struct engine *e)
{
	struct sums *s = gs_calloc(1, sizeof(*s));
	size_t i;

	for (i = 0; i < N_TABLES; i++)
		open_sum(&s->sum[i], &tables[i], e);
	return s;
}

void sums_free(struct sums *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < N_TABLES; i++) {
		view_close(s->sum[i].use);
		grid_free(s->sum[i].empty);
		tally_free(s->sum[i].series);
	}
	free(s);
}

/* ---- a tick ------------------------------------------------------------ */

static bool is_wanted(const struct sum *s, const struct grid *g,
	const struct grid_row *row)
{
	int first = find(g, s->of->label[0]);

	return first >= 0 && !cell_is_absent(&row->cell[first]) &&
	    !row->residual;
}

static void add_labels(const struct sum *s, const struct grid *g,
	const struct grid_row *row, struct buf *to)
{
	const struct sum_rule *t = s->of;
	struct buf text = BUF_INIT;
	size_t i;

	buf_reset(to);
	for (i = 0; i < LABELS_MAX && t->label[i]; i++) {
		int at = find(g, t->label[i]);
		const char *label = label_of(t, t->label[i]);

		buf_reset(&text);
		if (at < 0 || !cell_add_exact(&text, g->col[at].quantity,
		    &row->cell[at]))
			continue;
		family_add_label(to, label, span_of(buf_str(&text),
		    label == t->label[i] ? text.len
		    : strcspn(buf_str(&text), ":")));
	}
	buf_release(&text);
}

static void add_value(struct tally *to, size_t i, bool adds,
	const struct cell *c)
{
	double v = c->kind == CELL_INT ? (double)c->i : c->r;

	if ((c->kind != CELL_INT && c->kind != CELL_REAL) ||
	    cell_is_absent(c) || (adds && v < 0))
		return;
	to->value[i] = (to->known[i] ? to->value[i] : 0) + v;
	to->known[i] = true;
}

/* What is a level begins again in each tick; rows with the same labels are one
 * series. */
static void add_row(struct sum *s, const struct grid_row *row,
	const struct buf *labels, const int at[])
{
	uint64_t was;
	struct tally *to;
	size_t i;

	to = tally_at(s->series, buf_str(labels), labels->len, &was);
	for (i = 0; i < s->of->n_col; i++) {
		if (!s->of->col[i].adds && was < tally_now(s->series))
			to->known[i] = false;
		if (at[i] >= 0)
			add_value(to, i, s->of->col[i].adds,
			    &row->cell[at[i]]);
	}
}

static void tick(struct sum *s, const struct engine *e)
{
	struct grid *g = view_grid(s->use, e);
	struct buf labels = BUF_INIT;
	int at[TALLY_VALUES_MAX];
	size_t i;

	tally_tick(s->series, s->of->current);
	for (i = 0; i < s->of->n_col; i++)
		at[i] = find(g, s->of->col[i].name);
	for (i = 0; i < g->n_row; i++) {
		if (!is_wanted(s, g, &g->row[i]))
			continue;
		add_labels(s, g, &g->row[i], &labels);
		add_row(s, &g->row[i], &labels, at);
	}
	buf_release(&labels);
	grid_free(g);
}

void sums_tick(struct sums *s, const struct engine *e)
{
	size_t i;

	for (i = 0; i < N_TABLES; i++)
		tick(&s->sum[i], e);
}

/* ---- text -------------------------------------------------------------- */

static void put(const struct sum *s, size_t i, struct families *x)
{
	size_t k, n = tally_count(s->series);

	families_begin(x, &s->family[i]);
	for (k = 0; k < n; k++) {
		const struct tally *one = tally_get(s->series, k);

		/* a level is of now, or not known */
		if (one->known[i] && (s->of->col[i].adds ||
		    one->tick == tally_now(s->series)))
			families_add_real(x, one->labels, one->len,
			    one->value[i]);
	}
}

void sums_put(const struct sums *s, struct families *x)
{
	size_t i, k;

	for (i = 0; i < N_TABLES; i++) {
		for (k = 0; k < s->sum[i].of->n_col; k++) {
			if (s->sum[i].exists[k])
				put(&s->sum[i], k, x);
		}
	}
}
