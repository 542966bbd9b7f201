/* SPDX-License-Identifier: Apache-2.0 */
#include "view/host_usage.h"

#include <string.h>

#include "base/compiler.h"
#include "query/work_figures.h"

static const struct cell absent = { .kind = CELL_ABSENT };

const unsigned host_cpu_cols[N_HOST_CPU_COLS] = { HOST_CPU_COLS };
const unsigned disk_byte_cols[2] = { COL(DISK, READ), COL(DISK, WRITTEN) };
const unsigned process_byte_cols[2] = { COL(PROCESS, READ_BYTES),
	COL(PROCESS, WRITE_BYTES) };

static void add_wanted(uint64_t want[COL_WORDS_MAX], const unsigned *col,
	size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		want[col[i] / 64] |= UINT64_C(1) << (col[i] % 64);
}

struct grouping *usage_rows(enum entity_id entity, const unsigned *col, size_t n)
{
	uint64_t want[COL_WORDS_MAX] = { 0 };

	add_wanted(want, col, n);
	return grouping_new(GROUPING_ROW, entity, want, NULL, 0);
}

bool usage_add(const struct rollup *r, const struct group *g,
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

/* The one of a group; NULL: none, or several. */
static const struct host *host_of(const struct group *g)
{
	return g->n_part == 1 ? g->part[0]->host : NULL;
}

bool usage_of_disks(const struct rollup *disks, const struct host *h,
	double *sum)
{
	bool any = false;
	size_t i;

	for (i = 0; i < rollup_count(disks); i++) {
		const struct group *g = rollup_get(disks, i);

		if ((!h || host_of(g) == h) && is_physical(g))
			any |= usage_add(disks, g, disk_byte_cols,
			    GS_LEN(disk_byte_cols), sum);
	}
	return any;
}

/* ---- of each host ------------------------------------------------------- */

struct grouping *usage_processes(void)
{
	static const enum label_kind by_host[] = { LABEL_HOST };
	static const unsigned cols[] = { COL(PROCESS, CPU),
		COL(PROCESS, UTIME), COL(PROCESS, STIME),
		COL(PROCESS, READ_BYTES), COL(PROCESS, WRITE_BYTES) };
	uint64_t want[COL_WORDS_MAX] = { 0 };

	add_wanted(want, cols, GS_LEN(cols));
	return grouping_new(GROUPING_LABELS, ENTITY_PROCESS, want, by_host,
	    GS_LEN(by_host));
}

/* Its processes; NULL: none was recorded. */
static const struct group *processes_of(const struct figure_env *v,
	const struct host *h)
{
	const struct rollup *r = grouping_rollup(v->processes);
	size_t i;

	for (i = 0; i < rollup_count(r); i++) {
		if (host_of(rollup_get(r, i)) == h)
			return rollup_get(r, i);
	}
	return NULL;
}

/* Its covered time; 0: it is not known what its processes used. */
static double host_covered_s(const struct figure_env *v, const struct group *g,
	const struct group **ret_processes)
{
	const struct host *h = host_of(g);

	*ret_processes = h && v->processes ? processes_of(v, h) : NULL;
	return *ret_processes ? (double)rollup_covered_ns(v->rollup, h) / 1e9
	                      : 0;
}

/* Less than nothing is noise. */
static struct cell rest(double left)
{
	return cell_real(GS_MAX(left, 0));
}

struct cell unattributed_cpu(FIGURE_ARGS)
{
	static const struct figure cpu = { .scale = 1, FROM_CPU };
	struct figure_env of = { .engine = v->engine,
		.grouping = v->processes };
	const struct group *processes;
	double over_s = host_covered_s(v, g, &processes), sum = 0;
	struct cell c;

	if (over_s <= 0 || !usage_add(v->rollup, g, host_cpu_cols,
	    N_HOST_CPU_COLS, &sum))
		return absent;
	of.rollup = grouping_rollup(v->processes);
	c = figure_cpu_sum(&of, &cpu, processes);
	if (c.kind != CELL_REAL)
		return absent;
	return rest(100 * (sum - c.r) / over_s);
}

struct cell unattributed_io(FIGURE_ARGS)
{
	const struct group *processes;
	double over_s = host_covered_s(v, g, &processes), sum = 0, used = 0;

	if (over_s <= 0 || !usage_of_disks(
	    grouping_rollup(v->disks), host_of(g), &sum))
		return absent;
	(void)usage_add(grouping_rollup(v->processes), processes,
	    process_byte_cols, GS_LEN(process_byte_cols), &used);
	return rest((sum - used) / over_s);
}
