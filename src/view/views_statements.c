/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_statements.c - queries of the same shape, each shape in one row: how
 * often it was seen to run, for how long, what it used and waited for.
 *
 * Usage is that of the groups of --group-by statement, executions are those of
 * view/executions.h, DB time is by sampling.  Of short statements sampling sees
 * few: how many there were is what pg_stat_statements counted.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "query/columns.h"
#include "query/dbtime.h"
#include "query/labelcol.h"
#include "query/work_figures.h"
#include "view/executions.h"
#include "view/label_figures.h"
#include "view/view_int.h"

static const struct cell absent = { .kind = CELL_ABSENT };

struct state {
	struct engine *engine;
	struct executions *executions;
	struct dbtime *dbtime;
	struct grouping *counted; /* rows of pg_stat_statements */
};

/* ---- figures ------------------------------------------------------------ */

/* The statement of the row; NULL: the catalog told nothing of it. */
static const struct executed *of(const struct figure_env *v)
{
	return v->subject;
}

static struct cell marked(double s, char mark)
{
	struct cell c = cell_real(s);

	c.mark = mark;
	return c;
}

static struct cell statement(FIGURE_ARGS)
{
	return figure_text(v, of(v) ? of(v)->of->text
	    : grouping_key(v->grouping, g, LABEL_STATEMENT));
}

static struct cell executed(FIGURE_ARGS)
{
	return of(v) ? cell_int((int64_t)of(v)->n) : absent;
}

static struct cell total(FIGURE_ARGS)
{
	const struct executed *x = of(v);

	return x && x->n > 0 ? marked(x->total_s, x->bounds ? '>' : 0) : absent;
}

static struct cell mean(FIGURE_ARGS)
{
	const struct executed *x = of(v);

	return x && x->n > 0 ? marked(x->total_s / (double)x->n,
	    x->bounds ? '>' : 0) : absent;
}

static struct cell p95(FIGURE_ARGS)
{
	const struct executed *x = of(v);

	return x && x->n > 0 ? marked(x->p95_s, x->p95_is_rough ? '~' : 0)
	    : absent;
}

static struct cell worst(FIGURE_ARGS)
{
	const struct executed *x = of(v);

	return x && x->n > 0 ? marked(x->worst_s, x->worst_is_bound ? '>' : 0)
	    : absent;
}

static struct cell first_seen(FIGURE_ARGS)
{
	return of(v) && of(v)->n > 0 ? cell_int(of(v)->first_ns) : absent;
}

static struct cell last_seen(FIGURE_ARGS)
{
	return of(v) && of(v)->n > 0 ? cell_int(of(v)->last_ns) : absent;
}

static const struct dbtime *dbtime_of(const struct figure_env *v)
{
	return ((const struct state *)v->state)->dbtime;
}

static struct cell db_time(FIGURE_ARGS)
{
	return of(v) ? marked((double)dbtime_sum(dbtime_of(v),
	    of(v)->of->key) / (double)GS_NSEC_PER_SEC, '~') : absent;
}

static struct cell wait(FIGURE_ARGS)
{
	const struct dbtime_part *p = of(v)
	    ? dbtime_main_wait(dbtime_of(v), of(v)->of->key) : NULL;
	char name[DBTIME_NAME_MAX];

	if (!p)
		return absent;
	(void)dbtime_event_name(p->event, name);
	return figure_text(v, name);
}

static struct cell wait_seconds(FIGURE_ARGS)
{
	const struct dbtime_part *p = of(v)
	    ? dbtime_main_wait(dbtime_of(v), of(v)->of->key) : NULL;

	return p ? marked((double)p->time_ns / (double)GS_NSEC_PER_SEC, '~')
	    : absent;
}

/* What servers counted for its query id, of all users and databases; false: they
 * were not asked twice. */
static bool sum_counted(const struct figure_env *v, double *ret_calls,
	double *ret_s)
{
	const struct rollup *r = grouping_rollup(
	    ((const struct state *)v->state)->counted);
	double calls, s, clock;
	bool any = false, part;
	uint64_t id;
	size_t i;

	*ret_calls = *ret_s = 0;
	for (i = 0; of(v) && of(v)->of->has_id && i < rollup_count(r); i++) {
		const struct group *g = rollup_get(r, i);

		if (!g->row ||
		    !row_peek(g->row, COL(PGSTATEMENT, QUERY_ID), &id) ||
		    (int64_t)id != of(v)->of->id ||
		    !group_sum(r, g, COL(PGSTATEMENT, CLOCK), 1, &clock,
			&part) || clock <= 0 ||
		    !group_sum(r, g, COL(PGSTATEMENT, CALLS), 1, &calls,
			&part) ||
		    !group_sum(r, g, COL(PGSTATEMENT, TIME), 1, &s, &part))
			continue;
		*ret_calls += calls;
		*ret_s += s;
		any = true;
	}
	return any;
}

static struct cell server_calls(FIGURE_ARGS)
{
	double calls, s;

	return sum_counted(v, &calls, &s) ? cell_int((int64_t)calls) : absent;
}

static struct cell server_mean(FIGURE_ARGS)
{
	double calls, s;

	return sum_counted(v, &calls, &s) && calls > 0 ? cell_real(s / calls)
	    : absent;
}

static const struct figure statements[] = {
	COLUMN("count", "COUNT", Q_COUNT, 80,
	    "executions that were seen: running, or the last one of a session, at some tick",
	    ALONE(executed), AMOUNT),
	COLUMN("server_calls", "CALLS", Q_COUNT, 80,
	    "executions that ended between answers of pg_stat_statements, where it is recorded",
	    ALONE(server_calls), AMOUNT, .col.if_any = true),
	COLUMN("server_mean_seconds", "CALLMEAN", Q_LATENCY, 120,
	    "mean duration of these", ALONE(server_mean), .col.if_any = true),
	COLUMN("total_seconds", "TOTAL", Q_LATENCY, 80, "sum of their durations",
	    ALONE(total), AMOUNT),
	COLUMN("mean_seconds", "MEAN", Q_LATENCY, 80, "their mean duration", ALONE(mean), YIELDS(1)),
	COLUMN("p95_seconds", "P95", Q_LATENCY, 80, "95 % of them took no longer", ALONE(p95)),
	COLUMN("worst_seconds", "WORST", Q_LATENCY, 80, "the longest of them", ALONE(worst)),
	COLUMN("first_seen", "FIRST", Q_TIME, 120, "first tick that saw it", ALONE(first_seen)),
	COLUMN("last_seen", "LAST", Q_TIME, 120, "last tick that saw it", ALONE(last_seen)),
	COLUMN("db_time_seconds", "DBTIME", Q_SECONDS, 120,
	    "time that sessions were active with it, on a CPU or waiting, by sampling",
	    ALONE(db_time), AMOUNT),
	COLUMN("wait", "WAIT", Q_TEXT, 80,
	    "event that they waited for most with it, by sampling",
	    ALONE(wait), .col.if_any = true, VARIES),
	COLUMN("wait_seconds", "WAITED", Q_SECONDS, 120,
	    "time that they waited for that event, by sampling",
	    ALONE(wait_seconds), AMOUNT, .col.if_any = true),
	CORE_FIGURES,
	SPILL_FIGURE(GRID_ON_REQUEST),
	DETAIL_FIGURES,
	COLUMN("statement", "STATEMENT", Q_TEXT, 80,
	    "text of the queries without literals, as first seen; (mixed): of ticks whose statement is not known",
	    ALONE(statement), FLEXES, .col.statement = true),
};

/* ---- rows --------------------------------------------------------------- */

static uint64_t of_session(void *ctx, const struct session *s)
{
	const struct state *state = ctx;
	const struct statement *t = s->query
	    ? statement_of_query(state->engine->statements, s->query) : NULL;

	return t ? t->key : 0;
}

/* Executions are of the range, also where usage is of its last tick. */
static void *open_state(struct engine *e, bool last_tick)
{
	static const unsigned wanted[] = { COL(PGSTATEMENT, CALLS),
		COL(PGSTATEMENT, TIME), COL(PGSTATEMENT, CLOCK) };
	struct state *s = gs_calloc(1, sizeof(*s));
	uint64_t want[COL_WORDS_MAX] = { 0 };
	size_t i;

	(void)last_tick;
	for (i = 0; i < GS_LEN(wanted); i++)
		want[wanted[i] / 64] |= UINT64_C(1) << (wanted[i] % 64);
	s->engine = e;
	s->counted = grouping_new(GROUPING_ROW, ENTITY_PGSTATEMENT, want, NULL,
	    0);
	engine_add_grouping(e, s->counted);
	s->executions = executions_new(e);
	s->dbtime = dbtime_new(e, of_session, s, false);
	return s;
}

static void close_state(void *self)
{
	struct state *s = self;

	executions_free(s->executions);
	dbtime_free(s->dbtime);
	free(s);
}

static const struct executed *find(const struct executed *x, size_t n,
	const char *text, bool *ret_seen)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (strcmp(x[i].of->text, text) == 0) {
			ret_seen[i] = true;
			return &x[i];
		}
	}
	return NULL;
}

/* Groups of processes, then statements without recorded processes. */
static void list(struct view_sink *to)
{
	const struct figure_env *v = view_env(to);
	const struct state *state = v->state;
	size_t i, n;
	struct executed *x = executions_list(state->executions, &n);
	bool *seen = gs_calloc(n + 1, sizeof(*seen));

	for (i = 0; i < rollup_count(v->rollup); i++) {
		const struct group *g = rollup_get(v->rollup, i);
		const char *text = grouping_key(v->grouping, g,
		    LABEL_STATEMENT);
		const struct executed *one = text && *text
		    ? find(x, n, text, seen) : NULL;

		if (text && *text)
			view_put(to, one, g);
	}
	for (i = 0; i < n; i++) {
		if (!seen[i])
			view_put(to, &x[i], NULL);
	}
	free(seen);
	free(x);
}

static const struct view_rows rows = {
	.open = open_state,
	.close = close_state,
	.list = list,
};

const struct view view_statements = {
	.name = "statements",
	.help = "queries of the same shape, by sampling",
	.grouping = GROUPING_LABELS,
	.key = LABEL_STATEMENT,
	.entity = ENTITY_PROCESS,
	FIGURES(statements),
	.rows = &rows,
	.sort = "total_seconds,cpu_seconds",
};
