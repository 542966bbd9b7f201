/* SPDX-License-Identifier: Apache-2.0 */
#include "view/unattributed.h"

#include <string.h>

#include "base/compiler.h"
#include "query/grouping.h"
#include "view/host_usage.h"
#include "view/view_int.h"
#include "view/view_use.h"

/* Less is noise: of ticks of the clock, and of what is written later. */
#define CPU_LEAST 0.01 /* of a core */
#define CPU_SHARE_LEAST 0.01 /* of what was used */
#define IO_LEAST 4096.0 /* bytes per second */

static struct grouping *open_rows(struct engine *e, enum entity_id entity,
	const unsigned *col, size_t n)
{
	struct grouping *l = usage_rows(entity, col, n);

	engine_add_grouping(e, l);
	return l;
}

void unattributed_open(struct unattributed *u, struct engine *e)
{
	u->hosts = open_rows(e, ENTITY_HOST, host_cpu_cols, GS_LEN(host_cpu_cols));
	u->disks = open_rows(e, ENTITY_DISK, disk_byte_cols, GS_LEN(disk_byte_cols));
}

/* CPU time of all hosts; false: not of each that was recorded. */
static bool cpu_of_hosts(const struct unattributed *u, const struct engine *e,
	double *sum)
{
	const struct rollup *r = grouping_rollup(u->hosts);
	size_t i, n = 0;

	for (i = 0; i < rollup_count(r); i++)
		n += usage_add(r, rollup_get(r, i), host_cpu_cols,
		    GS_LEN(host_cpu_cols), sum);
	return n > 0 && n == engine_hosts(e) && !engine_is_uneven(e);
}

void unattributed_add_up(struct unattributed *u, const struct view_use *use)
{
	const struct rollup *r = grouping_rollup(use->grouping);
	const struct group *folded;
	size_t i, n;

	u->bytes = 0;
	for (i = 0; i < rollup_count(r); i++)
		(void)usage_add(r, rollup_get(r, i), process_byte_cols,
		    GS_LEN(process_byte_cols), &u->bytes);
	folded = rollup_folded(r, &n);
	if (folded)
		(void)usage_add(r, folded, process_byte_cols,
		    GS_LEN(process_byte_cols), &u->bytes);
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

void unattributed_take(struct unattributed *u, const struct engine *e,
	const struct grid *g)
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
	if (!usage_of_disks(grouping_rollup(u->disks), NULL, &bytes))
		return;
	left = (bytes - u->bytes) / over_s;
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
