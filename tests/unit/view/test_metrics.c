/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any metric as a column: each rule, with one row and with several; a metric
 * that no row has is absent.
 */
#include "cases.h"
#include "model/tick_encoder.h"
#include "simhost.h"
#include "view/cpulist.h"
#include "view/metric_figure.h"
#include "view/ask.h"

#define N 4

struct lab {
	struct simhost h;
	struct tick_encoder *m;
	struct engine e;
	struct ask *ask;
	struct view_use *use;
	struct grid *g;
};

static void processes(struct lab *l)
{
	static const struct {
		uint64_t pss, hwm, policy, priority;
		const char *wchan, *cpus;
	} p[N] = {
		{ 100, 7, 0, 20, "ep_poll", "0-3" },
		{ 200, 9, 0, (uint64_t)-5, "ep_poll", "8,2" },
		{ 0, 3, 2, 19, NULL, "0-3" },
		{ 50, 0, 0, 19, "do_wait", NULL },
	};
	size_t i;

	for (i = 0; i < N; i++) {
		size_t k = simhost_process(&l->h, OPEN_APPEARED, 100 + i, 1,
		    "x");

		SIM_SET(&l->h, k, MINFLT, 1000);
		SIM_SET(&l->h, k, POLICY, p[i].policy);
		SIM_SET(&l->h, k, PRIORITY, p[i].priority);
		SIM_SET(&l->h, k, RSS_LIMIT, UINT64_MAX);
		SIM_SET(&l->h, k, STATE, 'S');
		SIM_SET(&l->h, k, CMINFLT, 5);
		if (p[i].pss)
			SIM_SET(&l->h, k, PSS, p[i].pss);
		if (p[i].hwm)
			SIM_SET(&l->h, k, VM_HWM, p[i].hwm);
		if (p[i].wchan)
			simhost_set_text(&l->h, ENTITY_PROCESS, k,
			    COL(PROCESS, WCHAN), p[i].wchan);
		if (p[i].cpus)
			simhost_set_text(&l->h, ENTITY_PROCESS, k,
			    COL(PROCESS, CPUS_ALLOWED), p[i].cpus);
	}
}

/* The first process has all figures of the scheduler, the second has them, and
 * they stay 0, the third has no run time. */
static const struct {
	unsigned col;
	uint64_t grows;
} work[] = {
	{ COL(PROCESS, TIMESLICES), 10 }, { COL(PROCESS, RUN_DELAY), 10000 },
	{ COL(PROCESS, WAIT_SUM), 2000 }, { COL(PROCESS, WAIT_COUNT), 4 },
	{ COL(PROCESS, CSW_VOL), 8 }, { COL(PROCESS, CSW_INVOL), 2 },
	{ COL(PROCESS, WAKEUPS), 10 }, { COL(PROCESS, WAKEUPS_LOCAL), 6 },
	{ COL(PROCESS, WAKEUPS_AFFINE), 0 },
	{ COL(PROCESS, WAKEUPS_AFFINE_ATTEMPTS), 0 },
	{ COL(PROCESS, SLEEP_SUM), 5000 }, { COL(PROCESS, BLOCK_SUM), 3000 },
	{ COL(PROCESS, RCHAR), 800 }, { COL(PROCESS, READ_BYTES), 100 },
	{ COL(PROCESS, IOWAIT_SUM), 6000 }, { COL(PROCESS, IOWAIT_COUNT), 3 },
	{ COL(PROCESS, SCHED_RUN), 30000 },
};

static void may_work(struct lab *l)
{
	size_t i, k;

	for (i = 0; i < 3; i++) {
		for (k = 0; k < GS_LEN(work); k++) {
			if (i < 2 || work[k].col == COL(PROCESS, TIMESLICES) ||
			    work[k].col == COL(PROCESS, RUN_DELAY))
				simhost_set(&l->h, ENTITY_PROCESS, i,
				    work[k].col, 1000);
		}
	}
}

static void works(struct lab *l)
{
	size_t k;

	for (k = 0; k < GS_LEN(work); k++)
		simhost_set(&l->h, ENTITY_PROCESS, 0, work[k].col,
		    1000 + work[k].grows);
}

static void tick(struct lab *l)
{
	struct gs_err err;

	simhost_tick(&l->h, SIM_SECOND);
	encoder_begin(l->m, l->h.clock.wall_ns);
	encoder_block(l->m, 0, l->h.world);
	if (engine_tick(&l->e, encoder_end(l->m), &err) < 0)
		fail_msg("%s", err.msg);
}

/* Two ticks, in which each process had 10 faults. */
static void set_up(struct lab *l, const char *view, const char *group_by,
	const char *columns)
{
	const struct ask_words words = { .view = view, .group_by = group_by,
		.columns = columns, .limit = 2 };
	struct gs_err err;
	size_t i;

	*l = (struct lab) { .ask = NULL };
	simhost_init(&l->h, "alpha");
	processes(l);
	may_work(l);
	l->m = encoder_new(header_new());
	engine_init(&l->e, SIM_SECOND);
	if (ask_new(&words, &l->ask, &err) < 0)
		fail_msg("%s", err.msg);
	l->use = view_open(ask_view(l->ask), &l->e, ask_of_view(l->ask));
	tick(l);
	engine_begin(&l->e, true);
	engine_restart(&l->e);
	for (i = 0; i < N; i++)
		SIM_ADD(&l->h, i, MINFLT, 10);
	works(l);
	tick(l);
	l->g = view_grid(l->use, &l->e);
}

static void tear_down(struct lab *l)
{
	grid_free(l->g);
	view_close(l->use);
	ask_free(l->ask);
	engine_release(&l->e);
	encoder_free(l->m);
	simhost_release(&l->h);
}

static const struct cell *cell(const struct lab *l, size_t row,
	const char *name)
{
	int col = grid_find_col(l->g, name, strlen(name));

	if (col < 0)
		fail_msg("no column %s", name);
	return &l->g->row[row].cell[col];
}

static void is_number(const struct lab *l, size_t row, const char *name,
	double want)
{
	const struct cell *c = cell(l, row, name);
	double is = c->kind == CELL_INT ? (double)c->i : c->r;

	if ((c->kind != CELL_INT && c->kind != CELL_REAL) ||
	    is < want - 1e-6 || is > want + 1e-6)
		fail_msg("%s: kind %d, %g, not %g", name, c->kind, is, want);
}

static void is_text(const struct lab *l, size_t row, const char *name,
	const char *want)
{
	const struct cell *c = cell(l, row, name);

	if (c->kind != CELL_TEXT || !span_eq(cell_span(c), want))
		fail_msg("%s: kind %d, %.*s, not %s", name, c->kind,
		    c->kind == CELL_TEXT ? (int)c->len : 0,
		    c->text, want);
}

static void is_absent(const struct lab *l, size_t row, const char *name)
{
	assert_int_equal(cell(l, row, name)->kind, CELL_ABSENT);
}

static void several_rows(void **state)
{
	struct lab l;

	(void)state;
	set_up(&l, "sessions", "host", "+pss,+vm_hwm,+policy,+priority,"
	    "+wchan,+cpus_allowed,+minflt,+cminflt,+fds,+process.state,"
	    "+private_dirty");
	assert_int_equal(l.g->n_row, 1);
	is_number(&l, 0, "pss", 350 * 1024);
	assert_int_equal(cell(&l, 0, "pss")->mark, '>');
	is_number(&l, 0, "vm_hwm", 9 * 1024);
	is_text(&l, 0, "policy", "normal (3 of 4)");
	is_text(&l, 0, "priority", "-5..20");
	is_text(&l, 0, "wchan", "ep_poll (2 of 4)");
	is_text(&l, 0, "cpus_allowed", "0-3,8 (mixed: 2..4 each)");
	is_number(&l, 0, "minflt", 4 * 10);
	is_absent(&l, 0, "cminflt");
	is_absent(&l, 0, "fds");
	is_absent(&l, 0, "private_dirty");
	is_text(&l, 0, "process.state", "S");
	tear_down(&l);
}

static size_t row_of(const struct lab *l, int64_t pid)
{
	size_t i;

	for (i = 0; i < l->g->n_row; i++) {
		if (cell(l, i, "pid")->i == pid)
			return i;
	}
	fail_msg("no process");
	return 0;
}

static void one_row(void **state)
{
	struct lab l;
	size_t i;

	(void)state;
	set_up(&l, "processes", NULL, "+pss,+vm_hwm,+policy,+priority,+wchan,"
	    "+cpus_allowed,+minflt,+cminflt,+fds,+rss_limit,+uid");
	i = row_of(&l, 101);
	is_number(&l, i, "pss", 200 * 1024);
	assert_int_equal(cell(&l, i, "pss")->mark, 0);
	is_text(&l, i, "policy", "normal");
	is_number(&l, i, "priority", -5);
	is_text(&l, i, "wchan", "ep_poll");
	is_text(&l, i, "cpus_allowed", "8,2");
	is_number(&l, i, "minflt", 10);
	is_number(&l, i, "cminflt", 0);
	assert_int_equal(cell(&l, i, "rss_limit")->kind, CELL_MAX); /* it is unlimited */
	is_absent(&l, i, "uid");
	i = row_of(&l, 102);
	is_absent(&l, i, "pss");
	is_absent(&l, i, "wchan");
	tear_down(&l);
}

/* What follows from the scheduler's figures: of one process, of several, of
 * which some have no figures, and where there is nothing to divide by. */
static void scheduler(void **state)
{
	static const char columns[] = "pid,policy,average_slice_ms,"
	    "average_wait_ms,on_cpu_percent,involuntary_percent,"
	    "local_wakeups_percent,affine_wakeups_percent,"
	    "voluntary_sleep_seconds,disk_read_percent,average_iowait_ms,"
	    "off_cpu_seconds,off_cpu_percent";
	struct lab l;
	size_t i;

	(void)state;
	set_up(&l, "processes", NULL, columns);
	i = row_of(&l, 100);
	is_number(&l, i, "average_slice_ms", 3);
	is_number(&l, i, "average_wait_ms", 0.5);
	is_number(&l, i, "on_cpu_percent", 75);
	is_number(&l, i, "involuntary_percent", 20);
	is_number(&l, i, "local_wakeups_percent", 60);
	is_absent(&l, i, "affine_wakeups_percent");
	is_number(&l, i, "voluntary_sleep_seconds", 0.002);
	is_number(&l, i, "disk_read_percent", 12.5);
	is_number(&l, i, "average_iowait_ms", 2);
	is_absent(&l, i, "off_cpu_seconds"); /* its CPU time is not known */
	is_absent(&l, i, "off_cpu_percent");
	i = row_of(&l, 101); /* does not run at all */
	is_absent(&l, i, "average_slice_ms");
	is_absent(&l, i, "average_wait_ms");
	is_absent(&l, i, "on_cpu_percent");
	is_absent(&l, i, "involuntary_percent");
	is_number(&l, i, "voluntary_sleep_seconds", 0);
	is_absent(&l, i, "disk_read_percent");
	is_absent(&l, i, "average_iowait_ms");
	is_text(&l, row_of(&l, 102), "policy", "rr");
	tear_down(&l);
	/* its waits and time slices are known, its run time is not */
	set_up(&l, "processes", "host", "host,average_slice_ms,"
	    "average_wait_ms,on_cpu_percent,local_wakeups_percent");
	is_absent(&l, 0, "average_slice_ms");
	is_absent(&l, 0, "on_cpu_percent");
	is_number(&l, 0, "local_wakeups_percent", 60);
	tear_down(&l);
}

/* The sum of rows that were cut off is over additive columns. */
static void others(void **state)
{
	struct lab l;
	struct gs_err err;
	const struct when_env when = { 0 };

	(void)state;
	set_up(&l, "processes", NULL, "pid,pss,policy,minflt");
	assert_int_equal(ask_refine(l.ask, l.g, &when, &err), GS_OK);
	assert_int_equal(l.g->n_row, 3);
	assert_int_equal(l.g->n_col, 4);
	is_number(&l, 2, "minflt", 20);
	is_absent(&l, 2, "policy");
	assert_int_equal(cell(&l, 2, "pss")->kind, CELL_REAL);
	tear_down(&l);
}

static void no_metric(void **state)
{
	struct view_metric m = { 0 };

	(void)state;
	assert_true(view_find_metric(view_find("sessions"), "pss", 3, &m));
	assert_false(m.full);
	assert_true(view_find_metric(view_find("disks"), "disk.reads", 10,
	    &m));
	assert_true(m.full);
	assert_false(view_find_metric(view_find("disks"), "pss", 3, &m));
	assert_false(view_find_metric(view_find("disks"), "process.pss", 11,
	    &m));
	/* rows of these are not rows of an entity */
	assert_false(view_find_metric(view_find("locks"), "port", 4, &m));
	assert_false(view_find_metric(view_find("waits"), "pid", 3, &m));
}

static void cpus(void **state)
{
	static const struct { const char *a, *b, *want; } row[] = {
		{ "0", "0", "0" }, { "0-3", "4", "0-4" },
		{ "63-64", "0,2", "0,2,63-64" }, { "8191", "5", "5,8191" },
		{ "0-3", "8192", "0-3" }, { "0-3", "x", "0-3" },
		{ "0-3", "3-1", "0-3" }, { "0-3", "1,", "0-3" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(row); i++) {
		struct cpulist l = { { 0 } };
		struct buf b = BUF_INIT;

		(void)cpulist_add(&l, span_str(row[i].a));
		(void)cpulist_add(&l, span_str(row[i].b));
		cpulist_write(&l, &b);
		assert_string_equal(buf_str(&b), row[i].want);
		buf_release(&b);
	}
}

/* Settings and single delays are shown to the microsecond; amounts are not. */
static void fine(void **state)
{
	static const struct {
		unsigned pos;
		bool fine;
	} of[] = {
		{ POS_CGROUP_CPU_QUOTA, true },
		{ POS_PROCESS_DELAY_BLKIO_MAX, true },
		{ POS_PROCESS_DELAY_BLKIO, false },
		{ POS_CGROUP_MEMORY, false },
	};
	const struct metric *all = entity_get((enum entity_id)0)->metrics;
	size_t i;

	(void)state;
	for (i = 0; i < GS_LEN(of); i++) {
		const struct metric *m = &all[of[i].pos];

		if (metric_figure(m, m->name, false).col.fine != of[i].fine)
			fail_msg("%s", m->full_name);
	}
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "several rows", several_rows, NULL);
	cases_add(&c, "one row", one_row, NULL);
	cases_add(&c, "scheduler", scheduler, NULL);
	cases_add(&c, "others", others, NULL);
	cases_add(&c, "no metric", no_metric, NULL);
	cases_add(&c, "lists of CPUs", cpus, NULL);
	cases_add(&c, "fine durations", fine, NULL);
	return cases_run(&c, "metrics");
}
