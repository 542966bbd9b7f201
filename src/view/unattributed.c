/* SPDX-License-Identifier: Apache-2.0 */
#include "view/unattributed.h"

#include <string.h>

#include "base/compiler.h"
#include "query/grouping.h"
#include "view/view_int.h"
#include "view/view_use.h"

/* Less is noise: of ticks of the clock, and of what is written later. */
#define CPU_LEAST 0.01 /* of a core */
#define CPU_SHARE_LEAST 0.01 /* of what was used */
#define IO_LEAST 4096.0 /* bytes per second */

static const unsigned cpu_cols[] = { COL(HOST, CPU_USER), COL(HOST, CPU_NICE),
	COL(HOST, CPU_SYSTEM), COL(HOST, CPU_IRQ), COL(HOST, CPU_SOFTIRQ) };
static const unsigned disk_cols[] = { COL(DISK, READ), COL(DISK, WRITTEN) };
static const unsigned io_cols[] = { COL(PROCESS, READ_BYTES),
	COL(PROCESS, WRITE_BYTES) };

static struct grouping *open_rows(struct engine *e, enum entity_id entity,
	const unsigned *col, size_t n)
{
	uint64_t want[COL_WORDS_MAX] = { 0 };
	struct grouping *l;
	size_t i;

	for (i = 0; i < n; i++)
		want[col[i] / 64] |= UINT64_C(1) << (col[i] % 64);
	l = grouping_new(GROUPING_ROW, entity, want, NULL, 0);
	engine_add_grouping(e, l);
	return l;
}

void unattributed_open(struct unattributed *u, struct engine *e)
{
	u->hosts = open_rows(e, ENTITY_HOST, cpu_cols, GS_LEN(cpu_cols));
	u->disks = open_rows(e, ENTITY_DISK, disk_cols, GS_LEN(disk_cols));
}

/* Adds a group's amounts; false: none is known. */
static bool add_amounts(const struct rollup *r, const struct group *g,
	const unsigned *col, size_t n, double *sum)
{
	bool any = false, partial;
	double one;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!group_sum(r, g, col[i], 1, &one, &partial))
			continue;
		*sum += one;
		any = true;
	}
	return any;
}

/* CPU time of all hosts; false: not of each that was recorded. */
static bool cpu_of_hosts(const struct unattributed *u, const struct engine *e,
	double *sum)
{
	const struct rollup *r = grouping_rollup(u->hosts);
	size_t i, n = 0;

	for (i = 0; i < rollup_count(r); i++)
		n += add_amounts(r, rollup_get(r, i), cpu_cols,
		    GS_LEN(cpu_cols), sum);
	return n > 0 && n == engine_hosts(e) && !engine_is_uneven(e);
}

/* Partitions, and disks that are made of others, count the same bytes again. */
static bool is_physical(const struct group *g)
{
	static const char *const made[] = { "dm-", "md", "loop", "ram", "zram",
		"bcache", "drbd", "nbd" };
	const char *name = grouping_label(g)->name;
	uint64_t v;
	size_t i;

	if (g->row && row_get(g->row, COL(DISK, PARTITION), &v) && v != 0)
		return false;
	if (g->row && row_get(g->row, COL(DISK, VIRTUAL), &v))
		return v == 0;
	for (i = 0; i < GS_LEN(made); i++) {
		if (name && strncmp(name, made[i], strlen(made[i])) == 0)
			return false;
	}
	return true;
}

static bool bytes_of_disks(const struct unattributed *u, double *sum)
{
	const struct rollup *r = grouping_rollup(u->disks);
	bool any = false;
	size_t i;

	for (i = 0; i < rollup_count(r); i++) {
		if (is_physical(rollup_get(r, i)))
			any |= add_amounts(r, rollup_get(r, i), disk_cols,
			    GS_LEN(disk_cols), sum);
	}
	return any;
}

static double bytes_of_processes(const struct view_use *use)
{
	const struct rollup *r = grouping_rollup(use->grouping);
	const struct group *folded;
	double sum = 0;
	size_t i, n;

	for (i = 0; i < rollup_count(r); i++)
		(void)add_amounts(r, rollup_get(r, i), io_cols,
		    GS_LEN(io_cols), &sum);
	folded = rollup_folded(r, &n);
	if (folded)
		(void)add_amounts(r, folded, io_cols, GS_LEN(io_cols), &sum);
	return sum;
}

/* The sum of the column in all rows, those that were not kept included. */
static double cpu_of_processes(const struct grid *g)
{
	int col = grid_find_col(g, "cpu_seconds", strlen("cpu_seconds"));
	double sum = 0;
	size_t i;

	for (i = 0; col >= 0 && i <= g->n_row; i++) {
		const struct cell *c = i < g->n_row ? &g->row[i].cell[col]
		    : g->folded.n_others > 0 ? &g->folded.cell[col] : NULL;

		if (c && (c->kind == CELL_REAL || c->kind == CELL_INT))
			sum += c->kind == CELL_REAL ? c->r : (double)c->i;
	}
	return sum;
}

void unattributed_take(struct unattributed *u, const struct view_use *use,
	const struct engine *e, const struct grid *g)
{
	double over_s = engine_covered_s(e), cpu = 0, bytes = 0, left;

	u->cpu_s = u->cpu_percent = u->io_rate =
	    (struct cell) { .kind = CELL_ABSENT };
	if (over_s <= 0 || !cpu_of_hosts(u, e, &cpu))
		return;
	left = cpu - cpu_of_processes(g);
	if (left / over_s >= CPU_LEAST && left >= CPU_SHARE_LEAST * cpu) {
		u->cpu_s = cell_real(left);
		u->cpu_percent = cell_real(100 * left / over_s);
	}
	if (!bytes_of_disks(u, &bytes))
		return;
	left = (bytes - bytes_of_processes(use)) / over_s;
	if (left >= IO_LEAST)
		u->io_rate = cell_real(left);
}

static void put(struct grid *g, struct grid_row *row, const char *name,
	const struct cell *c)
{
	int col = grid_find_col(g, name, strlen(name));

	if (col >= 0)
		row->cell[col] = *c;
}

void unattributed_put(const struct unattributed *u, struct grid *g)
{
	const struct cell name = cell_text(span_str("not attributed"));
	struct grid_row *row;
	size_t total = g->n_total;

	if (u->cpu_s.kind == CELL_ABSENT && u->io_rate.kind == CELL_ABSENT)
		return;
	row = grid_add_row(g);
	g->n_total = total;
	row->residual = row->rest = true;
	put(g, row, "command", &name);
	put(g, row, "cpu_percent", &u->cpu_percent);
	put(g, row, "cpu_seconds", &u->cpu_s);
	put(g, row, "io_bytes_per_second", &u->io_rate);
}
