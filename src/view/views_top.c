/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_top.c - the busiest processes at the end of the range: only the last
 * tick, below one line about all hosts.
 */
#include "base/compiler.h"
#include "model/diff.h"
#include "query/columns.h"
#include "query/labelcol.h"
#include "query/work_figures.h"
#include "view/label_figures.h"
#include "view/view_int.h"

static const struct figure top[] = {
	PID_FIGURE,
	HOST_FIGURE(MANY_HOSTS),
	SERVER_FIGURE,
	COLUMN("state", "STATE", Q_TEXT, 80, "as in processes", BY(labelcol_process_state), VARIES),
	SESSION_FIGURE,
	USER_FIGURE(80),
	CORE_FIGURES,
	SPILL_FIGURE(120),
	DETAIL_FIGURES,
	COMMAND_FIGURE,
	PROCESS_TITLE_FIGURE,
	TEXT_FIGURE("text of the query that its session runs or ran last"),
};

ROW_VIEW(top, PROCESS, "the busiest processes in the last tick of the range",
    "cpu_percent,memory", .last_tick = true);

/* ---- the line about all hosts ------------------------------------------ */

static double level(const struct row *r, unsigned col)
{
	struct unit_env env = diff_env(r->host);
	uint64_t v = 0;

	(void)row_get(r, col, &v); /* absent adds nothing */
	return metric_in_base(metric_get(ENTITY_HOST, col), v, &env);
}

struct load {
	double hosts, load1, running, blocked, available;
	double busy, steal, all; /* CPU time in the last tick */
};

static void add_host(struct load *l, const struct row *r, bool fresh)
{
	static const unsigned busy[] = { COL(HOST, CPU_USER),
		COL(HOST, CPU_NICE), COL(HOST, CPU_SYSTEM),
		COL(HOST, CPU_IRQ), COL(HOST, CPU_SOFTIRQ),
		COL(HOST, CPU_STEAL) };
	size_t i;

	l->hosts++;
	l->load1 += level(r, COL(HOST, LOAD1));
	l->running += level(r, COL(HOST, PROCS_RUNNING));
	l->blocked += level(r, COL(HOST, PROCS_BLOCKED));
	l->available += level(r, COL(HOST, MEM_AVAILABLE));
	for (i = 0; fresh && i < GS_LEN(busy); i++)
		l->busy += diff_or_zero(r, busy[i]);
	if (!fresh)
		return;
	l->steal += diff_or_zero(r, COL(HOST, CPU_STEAL));
	l->all += diff_or_zero(r, COL(HOST, CPU_IDLE)) +
	    diff_or_zero(r, COL(HOST, CPU_IOWAIT));
}

static struct cell share(double part, double all)
{
	return all > 0 ? cell_real(100 * part / all)
	               : (struct cell) { .kind = CELL_ABSENT };
}

struct grid *view_head(const struct view_use *u, const struct engine *e)
{
	static const struct grid_col cols[] = {
		GRID_COL("hosts", "HOSTS", Q_COUNT, 80, "hosts"),
		GRID_COL("load1", "LOAD1", Q_NUMBER, 80, "load average over 1 min, sum"),
		GRID_COL("running", "RUNNING", Q_COUNT, 80, "runnable tasks"),
		GRID_COL("blocked", "BLOCKED", Q_COUNT, 80, "tasks waiting for a disk"),
		GRID_COL("busy_percent", "BUSY%", Q_PERCENT, 80,
		    "CPU time used, of all CPUs, in the last tick"),
		GRID_COL("steal_percent", "STEAL%", Q_PERCENT, 80,
		    "CPU time given to others by hypervisors"),
		GRID_COL("memory_available", "AVAIL", Q_BYTES, 80,
		    "memory available without swapping"),
		GRID_COL("sessions_active", "ACTIVE", Q_COUNT, 80,
		    "database sessions that are active"),
		GRID_COL("sessions_waiting", "WAITING", Q_COUNT, 80, "database sessions that wait"),
	};
	struct load l = { .hosts = 0 };
	struct grid_row *row;
	struct grid *g;
	size_t i;

	if (!view_of(u)->last_tick)
		return NULL;
	for (i = 0; i < world_hosts(e->world); i++) {
		const struct host *h = world_host(e->world, i);
		const struct row *r = host_row(h);

		if (r && !h->catalog)
			add_host(&l, r, r->touched_tick ==
			    world_ticks(e->world));
	}
	g = grid_new("load", NULL);
	for (i = 0; i < GS_LEN(cols); i++)
		grid_add_col(g, &cols[i]);
	g->from_ns = e->from_ns;
	g->to_ns = e->to_ns;
	g->covered_s = engine_covered_s(e);
	row = grid_add_row(g);
	row->cell[0] = cell_int((int64_t)l.hosts);
	row->cell[1] = cell_real(l.load1);
	row->cell[2] = cell_int((int64_t)l.running);
	row->cell[3] = cell_int((int64_t)l.blocked);
	row->cell[4] = share(l.busy, l.busy + l.all);
	row->cell[5] = share(l.steal, l.busy + l.all);
	row->cell[6] = cell_real(l.available);
	row->cell[7] = cell_int((int64_t)sessions_in(e->sessions,
	    SESSION_ACTIVE));
	row->cell[8] = cell_int((int64_t)sessions_in(e->sessions,
	    SESSION_WAITING));
	return g;
}
