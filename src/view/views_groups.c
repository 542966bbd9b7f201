/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_groups.c - the table of groups: resource groups and queues by the
 * catalog, each with its control groups on all hosts; and other control groups
 * that have a limit or hold sessions.
 *
 * A control group is known by its path: those of one path on several hosts are
 * one row, with the sum of their figures, and the highest pressure.
 */
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "query/columns.h"
#include "query/labelcol.h"
#include "query/sort.h"
#include "view/cgroup_figures.h"
#include "view/label_figures.h"
#include "view/view_int.h"

static const struct cell absent = { .kind = CELL_ABSENT };

/* One row: the subject of figures. */
struct set {
	const struct group *catalog; /* of the rows of entity group; NULL */
	const char *path; /* of its control groups; NULL: of a resource group
			   * without any */
	const struct group **member; /* its control groups, one per host */
	size_t n, cap;
	size_t sessions; /* that have a process in it, or below */
	bool holds; /* one of them has a process in the group itself */
};

struct sets {
	struct set *set;
	size_t n, cap;
};

struct state {
	struct grouping *catalog; /* owned by the engine */
};

/* ---- figures ------------------------------------------------------------ */

static void take_highest(struct cell *most, const struct cell *c)
{
	if (most->kind == CELL_ABSENT || sort_compare_cells(c, most) > 0)
		*most = *c;
}

/* The inner figure of all hosts: its sum, or if pick is set, the highest. */
static struct cell of_hosts(FIGURE_ARGS)
{
	const struct set *s = v->subject;
	struct cell all = absent;
	bool missing = false;
	size_t i;

	for (i = 0; i < s->n; i++) {
		struct cell c = f->inner(v, f, s->member[i]);

		missing |= c.kind == CELL_ABSENT || c.mark == '>';
		if (c.kind == CELL_ABSENT)
			continue;
		if (f->pick)
			take_highest(&all, &c);
		else
			grid_add_cell(&all, &c);
	}
	if (all.kind != CELL_ABSENT)
		all.mark = missing && !f->pick && all.kind != CELL_MAX ? '>' : 0;
	return all;
}

/* Version 2 has weights, version 1 shares. */
static struct cell weight(FIGURE_ARGS)
{
	uint64_t n;

	if (!g->row || (!row_peek(g->row, f->from[0], &n) &&
	    !row_peek(g->row, f->from[1], &n)))
		return absent;
	return cell_int((int64_t)n);
}

static struct cell name(FIGURE_ARGS)
{
	const struct set *s = v->subject;
	struct span text;

	if (!s->catalog)
		return figure_text(v, s->path);
	text = row_text(v->engine->world, s->catalog->row, COL(GROUP, NAME));
	return span_empty(text) ? absent
	    : cell_text(grid_text(v->grid, text.ptr, span_len(text)));
}

static struct cell path(FIGURE_ARGS)
{
	const struct set *s = v->subject;

	return figure_text(v, s->path);
}

static struct cell kind(FIGURE_ARGS)
{
	const struct set *s = v->subject;
	struct span text;

	if (!s->catalog)
		return figure_text(v, "cgroup");
	text = row_text(v->engine->world, s->catalog->row, COL(GROUP, KIND));
	return span_empty(text) ? absent
	    : cell_text(grid_text(v->grid, text.ptr, span_len(text)));
}

static struct cell sessions(FIGURE_ARGS)
{
	const struct set *s = v->subject;

	/* the catalog alone doesn't tell: a queue has no processes */
	return s->n > 0 ? cell_int((int64_t)s->sessions) : absent;
}

/* The inner figure of the catalog's row; pick is its column. */
static struct cell of_catalog(FIGURE_ARGS)
{
	const struct set *s = v->subject;
	const struct state *state = v->state;
	struct figure_env env = *v;
	struct figure own = *f;

	if (!s->catalog)
		return absent;
	env.grouping = state->catalog;
	env.rollup = grouping_rollup(state->catalog);
	env.cache = NULL;
	own.n_from = 1;
	own.from[0] = f->pick;
	return f->inner(&env, &own, s->catalog);
}

#define HOSTS(INNER) .fn = of_hosts, .inner = INNER, .alone = true
#define HOSTS_CELL(SYM) HOSTS(figure_cell), .scale = 1, FROM(CGROUP, SYM)
#define HOSTS_SUM(SYM) HOSTS(figure_sum), .scale = 1, FROM(CGROUP, SYM)
#define HOSTS_PERCENT(SYM) HOSTS(figure_rate), .scale = 100, FROM(CGROUP, SYM)
#define HIGHEST .pick = 1
#define CATALOG_CELL(INNER, SYM) ALONE(of_catalog), .inner = INNER, \
	.pick = COL(GROUP, SYM)

static const struct figure groups[] = {
	COLUMN("group", "GROUP", Q_TEXT, 80,
	    "name of the resource group or queue; else the control group's path",
	    ALONE(name)),
	SERVER_FIGURE_OF(CATALOG_CELL(labelcol_server, NAME)),
	COLUMN("kind", "KIND", Q_TEXT, 120, "group, queue, or cgroup",
	    ALONE(kind)),
	COLUMN("running", "RUNNING", Q_COUNT, 80, "statements running in it",
	    CATALOG_CELL(figure_cell, RUNNING)),
	COLUMN("waiting", "WAITING", Q_COUNT, 80, "statements waiting for it",
	    CATALOG_CELL(figure_cell, WAITING)),
	COLUMN("limit", "LIMIT", Q_COUNT, 120,
	    "statements that may run at the same time",
	    CATALOG_CELL(figure_cell, CONCURRENCY)),
	COLUMN("sessions", "SESS", Q_COUNT, 80,
	    "sessions with a process in it", ALONE(sessions)),
	COLUMN("cpu_percent", "CPU%", Q_PERCENT, 80, "CPU time, % of one core",
	    HOSTS_PERCENT(CPU)),
	COLUMN("quota_percent", "QUOTA%", Q_PERCENT, 80,
	    "CPU time that its quota allows, % of one core; max: no limit",
	    HOSTS(cgroup_quota), FROM2(CGROUP, CPU_QUOTA, CPU_PERIOD)),
	COLUMN("throttled_percent", "THROT%", Q_PERCENT, 80,
	    "time in which its quota was used up, of all CPUs together", HOSTS_PERCENT(THROTTLED_TIME)),
	COLUMN("memory", "MEM", Q_BYTES, 80, "memory charged",
	    HOSTS_SUM(MEMORY)),
	COLUMN("memory_max", "MEMMAX", Q_BYTES, 80,
	    "limit of memory; max: no limit", HOSTS_CELL(MEMORY_MAX)),
	COLUMN("cpu_pressure_percent", "PSICPU%", Q_PERCENT, 120,
	    "time in which some task of it waited for a CPU, the highest of its hosts",
	    HOSTS_PERCENT(PSI_CPU_SOME), HIGHEST),
	COLUMN("memory_pressure_percent", "PSIMEM%", Q_PERCENT, 120,
	    "the same for memory", HOSTS_PERCENT(PSI_MEMORY_SOME), HIGHEST),
	COLUMN("io_pressure_percent", "PSIIO%", Q_PERCENT, 120,
	    "the same for IO", HOSTS_PERCENT(PSI_IO_SOME), HIGHEST),
	COLUMN("executed_per_second", "EXEC/s", Q_RATE, 120,
	    "statements that started to run",
	    CATALOG_CELL(figure_rate, EXECUTED)),
	COLUMN("queued_per_second", "QUEUED/s", Q_RATE, 120,
	    "statements that had to wait",
	    CATALOG_CELL(figure_rate, QUEUED)),
	COLUMN("queue_seconds", "QUEUETIME", Q_SECONDS, 120,
	    "time that statements waited",
	    .fn = of_catalog, .alone = true, .inner = figure_sum, .scale = 1,
	    .pick = COL(GROUP, QUEUE_TIME), .col.grows = true),
	COLUMN("cpu_limit", "CPULIMIT", Q_COUNT, 120,
	    "percent of CPU it may use, by the catalog",
	    CATALOG_CELL(figure_cell, CPU_LIMIT)),
	COLUMN("memory_limit", "MEMLIMIT", Q_COUNT, 120,
	    "percent of memory, or MB, it may use, by the catalog",
	    CATALOG_CELL(figure_cell, MEMORY_LIMIT)),
	COLUMN("cpu_weight", "WEIGHT", Q_COUNT, 200,
	    "weight among its siblings, or shares in version 1; the highest of its hosts",
	    HOSTS(weight), FROM2(CGROUP, CPU_WEIGHT, CPU_SHARES), HIGHEST),
	COLUMN("tasks", "TASKS", Q_COUNT, 200, "tasks in it", HOSTS_SUM(PIDS)),
	COLUMN("oom_kills", "OOM", Q_COUNT, 200,
	    "processes of it killed by the OOM killer", HOSTS_SUM(OOM_KILL)),
	COLUMN("path", "PATH", Q_TEXT, GRID_ON_REQUEST,
	    "path of its control group", ALONE(path), FLEXES),
};

/* ---- rows --------------------------------------------------------------- */

static struct set *add_set(struct sets *s, const struct set *set)
{
	GS_GROW(s->set, &s->cap, s->n + 1);
	s->set[s->n] = *set;
	return &s->set[s->n++];
}

static void add_member(struct set *set, const struct group *g)
{
	GS_GROW(set->member, &set->cap, set->n + 1);
	set->member[set->n++] = g;
	set->path = grouping_label(g)->name;
}

static void add_catalog(struct sets *s, const struct rollup *catalog)
{
	size_t i;

	for (i = 0; i < rollup_count(catalog); i++) {
		const struct group *g = rollup_get(catalog, i);
		const struct set set = { .catalog = g };

		if (g->n_live > 0 && g->row)
			(void)add_set(s, &set);
	}
}

static struct set *set_of_row(struct sets *s, const struct row *r)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (s->set[i].catalog && s->set[i].catalog->row == r)
			return &s->set[i];
	}
	return NULL;
}

static struct set *set_of_path(struct sets *s, const char *text)
{
	const struct set set = { .path = text };
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (!s->set[i].catalog && strcmp(s->set[i].path, text) == 0)
			return &s->set[i];
	}
	return add_set(s, &set);
}

/* Groups below that of a resource group are part of it. */
static void add_control_group(struct sets *s, const struct world *w,
	const struct group *g)
{
	const char *text = grouping_label(g)->name;
	const struct row *r = NULL;
	struct set *set = NULL;
	uint64_t number;
	bool top = false;

	if (g->n_live == 0 || !text || !*text)
		return;
	if (resgroup_number(span_str(text), &number, &top))
		r = resgroup_row(w, number);
	if (r)
		set = set_of_row(s, r);
	if (set && !top)
		return;
	add_member(set ? set : set_of_path(s, text), g);
}

/* ---- sessions ----------------------------------------------------------- */

/* A session that has a process in a set. */
struct in_set {
	size_t set;
	const struct session *session;
};

struct found {
	struct in_set *in;
	size_t n, cap;
};

/* 2: in that group; 1: in one below it. */
static int is_in(const char *group, struct span of)
{
	size_t len = strlen(group);

	if (span_len(of) < len || memcmp(of.ptr, group, len) != 0)
		return 0;
	if (span_len(of) == len)
		return 2;
	return of.ptr[len] == '/' && len > 1;
}

static int is_member(const struct world *w, const struct row *r,
	const char *group)
{
	static const unsigned cols[] = { COL(PROCESS, CGROUP),
		COL(PROCESS, CGROUP_CPU), COL(PROCESS, CGROUP_MEMORY) };
	int most = 0;
	size_t i;

	for (i = 0; i < GS_LEN(cols); i++) {
		int one = cells_has(r->now, cols[i])
		    ? is_in(group, row_text(w, r, cols[i])) : 0;

		most = GS_MAX(most, one);
	}
	return most;
}

static void find_process(struct sets *s, struct found *f,
	const struct world *w, const struct row *r, const struct session *of)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		int in = s->set[i].path ? is_member(w, r, s->set[i].path) : 0;

		if (in == 0)
			continue;
		s->set[i].holds |= in == 2;
		GS_GROW(f->in, &f->cap, f->n + 1);
		f->in[f->n++] = (struct in_set) { i, of };
	}
}

static void find_processes(struct sets *s, struct found *f,
	const struct engine *e, const struct host *h)
{
	const struct table *t = &h->table[ENTITY_PROCESS];
	size_t k;

	for (k = 0; k < t->n_slot; k++) {
		const struct proc *p = t->slot[k]
		    ? sessions_proc(e->sessions, t->slot[k]) : NULL;

		if (p && p->session && p->session->kind != SESSION_OS &&
		    !p->session->own)
			find_process(s, f, e->world, t->slot[k], p->session);
	}
}

static int by_set(const void *x, const void *y)
{
	const struct in_set *a = x, *b = y;

	if (a->set != b->set)
		return (a->set > b->set) - (a->set < b->set);
	return (a->session > b->session) - (a->session < b->session);
}

/* Executors of one session are in the groups of several hosts. */
static void count_sessions(struct sets *s, const struct engine *e)
{
	struct found f = { 0 };
	size_t i;

	for (i = 0; i < world_hosts(e->world); i++) {
		if (world_is_host(world_host(e->world, i)))
			find_processes(s, &f, e, world_host(e->world, i));
	}
	if (f.n > 0)
		qsort(f.in, f.n, sizeof(*f.in), by_set);
	for (i = 0; i < f.n; i++) {
		if (i == 0 || by_set(&f.in[i - 1], &f.in[i]) != 0)
			s->set[f.in[i].set].sessions++;
	}
	free(f.in);
}

/* ---- the view ----------------------------------------------------------- */

static bool has_limit(const struct group *g)
{
	static const unsigned limits[] = { COL(CGROUP, CPU_QUOTA),
		COL(CGROUP, MEMORY_MAX), COL(CGROUP, MEMORY_HIGH),
		COL(CGROUP, SWAP_MAX), COL(CGROUP, MEMSW_MAX) };
	uint64_t n;
	size_t i;

	for (i = 0; i < GS_LEN(limits) && g->row; i++) {
		if (row_peek(g->row, limits[i], &n) && n != METRIC_MAX)
			return true;
	}
	return false;
}

static bool is_shown(const struct set *s)
{
	size_t i;

	if (s->catalog || s->holds)
		return true;
	for (i = 0; i < s->n; i++) {
		if (has_limit(s->member[i]))
			return true;
	}
	return false;
}

static void list(struct view_sink *to)
{
	const struct figure_env *v = view_env(to);
	const struct state *state = v->state;
	struct sets s = { 0 };
	size_t i;

	add_catalog(&s, grouping_rollup(state->catalog));
	for (i = 0; i < rollup_count(v->rollup); i++)
		add_control_group(&s, v->engine->world,
		    rollup_get(v->rollup, i));
	count_sessions(&s, v->engine);
	for (i = 0; i < s.n; i++) {
		const struct set *one = &s.set[i];

		/* further metrics are those of its one control group */
		if (is_shown(one))
			view_put(to, one, one->n == 1 ? one->member[0] : NULL);
	}
	for (i = 0; i < s.n; i++)
		free(s.set[i].member);
	free(s.set);
}

static void *open_state(struct engine *e, bool last_tick)
{
	static const unsigned wanted[] = { COL(GROUP, EXECUTED),
		COL(GROUP, QUEUED), COL(GROUP, QUEUE_TIME) };
	struct state *state = gs_calloc(1, sizeof(*state));
	uint64_t want[COL_WORDS_MAX] = { 0 };
	size_t i;

	for (i = 0; i < GS_LEN(wanted); i++)
		want[wanted[i] / 64] |= UINT64_C(1) << (wanted[i] % 64);
	state->catalog = grouping_new(GROUPING_ROW, ENTITY_GROUP, want, NULL,
	    0);
	if (last_tick)
		grouping_set_last_tick(state->catalog);
	engine_add_grouping(e, state->catalog);
	return state;
}

static const struct view_rows rows = {
	.open = open_state,
	.close = free,
	.list = list,
};

ROW_VIEW(groups, CGROUP,
    "resource groups and queues, and control groups with a limit or sessions",
    "waiting,cpu_percent,group", .rows = &rows,
    .collectors = 1u << COLLECT_GROUPS);
