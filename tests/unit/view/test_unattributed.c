/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the hosts count and no recorded process used.
 */
#include "cases.h"

#include <string.h>

#include "simcluster.h"
#include "view/ask.h"
#include "view/unattributed.h"

#define TICKS 100u /* of a second */
#define SECTORS 2048u /* of a MiB */
#define MIB (1024.0 * 1024)

/* In one second: CPU of the host in ticks, of a process in us; sectors of a disk,
 * and of a partition and of a disk that is made of it; bytes of the process. */
struct use {
	const char *name;
	uint64_t host, process, disk, bytes;
	double cpu_percent, io; /* left; 0: nothing is said */
};

static const struct use uses[] = {
	{ "all of it is known", 50, 500000, SECTORS, (uint64_t)MIB, 0, 0 },
	{ "more is known", 50, 700000, SECTORS, 2 * (uint64_t)MIB, 0, 0 },
	{ "CPU is left", 90, 500000, SECTORS, (uint64_t)MIB, 40, 0 },
	{ "noise is left", 50, 496000, SECTORS, (uint64_t)MIB - 4000, 0, 0 },
	{ "disk is left", 50, 500000, 10 * SECTORS, (uint64_t)MIB, 0, 9 * MIB },
	{ "both are left", 100, 0, SECTORS, 0, 100, MIB },
};

static size_t add_disk(struct simhost *h, const char *name, bool partition)
{
	size_t i = simhost_open(h, ENTITY_DISK, OPEN_APPEARED);

	SIM_TEXT(h, DISK, i, NAME, name);
	SIM_CELL(h, DISK, i, PARTITION, partition);
	SIM_CELL(h, DISK, i, READ, 0);
	SIM_CELL(h, DISK, i, WRITTEN, 0);
	return i;
}

static void work(struct simcluster *c, const struct use *u, size_t process)
{
	struct simhost *h = &c->host[0];
	size_t i;

	simhost_add(h, ENTITY_HOST, 0, COL(HOST, CPU_USER), u->host);
	simhost_add(h, ENTITY_PROCESS, process, COL(PROCESS, CPU), u->process);
	simhost_add(h, ENTITY_PROCESS, process, COL(PROCESS, WRITE_BYTES),
	    u->bytes);
	for (i = 0; i < 3; i++)
		simhost_add(h, ENTITY_DISK, i, COL(DISK, WRITTEN), u->disk);
}

static void check(const struct cell *c, double want)
{
	if (want <= 0) {
		assert_int_equal(c->kind, CELL_ABSENT);
		return;
	}
	assert_int_equal(c->kind, CELL_REAL);
	if (c->r < 0.999 * want || c->r > 1.001 * want)
		fail_msg("%g, not %g", c->r, want);
}

static void check_row(const struct unattributed *rest, struct grid *g,
	bool said)
{
	size_t n = g->n_row, total = g->n_total;
	int name = grid_find_col(g, "command", strlen("command"));

	unattributed_put(rest, g);
	assert_int_equal(g->n_row, n + said);
	assert_int_equal(g->n_total, total);
	if (said)
		assert_true(span_eq(cell_span(&g->row[n].cell[name]),
		    "not attributed"));
}

static void test_use(void **state)
{
	static const char *const hosts[] = { "alpha", NULL };
	const struct ask_words words = { .view = "processes" };
	struct unattributed rest = { .hosts = NULL };
	const struct use *u = *state;
	struct ask *ask = NULL;
	struct simcluster c;
	struct view_use *use;
	struct grid *g;
	size_t process;

	simcluster_init(&c, hosts, true);
	simhost_set(&c.host[0], ENTITY_HOST, 0, COL(HOST, CLOCK_TICKS), TICKS);
	simhost_set(&c.host[0], ENTITY_HOST, 0, COL(HOST, CPU_USER), 0);
	process = simcluster_process(&c.host[0], OPEN_APPEARED, 41, 0, "sh");
	(void)add_disk(&c.host[0], "sda", false);
	(void)add_disk(&c.host[0], "sda1", true);
	(void)add_disk(&c.host[0], "dm-0", false);
	assert_int_equal(ask_new(&words, &ask, NULL), GS_OK);
	use = view_open(ask_view(ask), &c.engine, ask_of_view(ask));
	unattributed_open(&rest, &c.engine);
	simcluster_tick(&c);
	engine_begin(&c.engine, true);
	engine_restart(&c.engine);
	work(&c, u, process);
	simcluster_tick(&c);
	unattributed_add_up(&rest, use);
	g = view_grid_last(use, &c.engine);
	unattributed_take(&rest, &c.engine, g);
	check(&rest.cpu_percent, u->cpu_percent);
	check(&rest.io_rate, u->io);
	check_row(&rest, g, u->cpu_percent > 0 || u->io > 0);
	grid_free(g);
	view_close(use);
	ask_free(ask);
	simcluster_release(&c);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_use, uses);
	return cases_run(&c, "unattributed");
}
