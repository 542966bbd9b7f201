/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sar's formulas by table: what two samples, a second apart, make of a column,
 * and what sar makes of it.
 */
#include <stdio.h>

#include "base/compiler.h"
#include "cases.h"
#include "sar/sar_table.h"
#include "simhost.h"

#define ABSENT (-1)

struct cell {
	enum entity_id entity; /* 0: no more */
	unsigned col;
	int64_t was, now; /* ABSENT */
};

#define C(E, SYM, was, now) { ENTITY_##E, COL(E, SYM), was, now }

static const struct formula {
	const char *name;
	enum sar_activity_id activity;
	const char *column;
	const char *exact, *strict; /* "": no such row */
	struct cell cell[8]; /* ended by an absent one */
} formulas[] = {
	{ "counter", SAR_A_PCSW, "cswch/s", "250.00", "250.00",
	    { C(HOST, CTXT, 1000, 1250) } },
	{ "counter that went back", SAR_A_PCSW, "proc/s", "-",
	    "18446744073709551616.00", { C(HOST, FORKS, 50, 20) } },
	{ "counter that was not recorded", SAR_A_PCSW, "proc/s", "-", "0.00",
	    { C(HOST, CTXT, 1, 2) } },
	{ "counter of 32 bits wraps", SAR_A_DISK, "%util", "60.00", "60.00",
	    { C(DISK, READS, 1, 1), C(DISK, READ, 1, 1),
	    C(DISK, IO_TIME, 4294967196, 500) } },

	{ "user time has guests", SAR_A_CPU, "%user", "50.00", "50.00",
	    { C(CPU, USER, 100, 150), C(CPU, GUEST, 100, 120),
	    C(CPU, IDLE, 0, 50) } },
	{ "usr has none", SAR_A_CPU_ALL, "%usr", "30.00", "30.00",
	    { C(CPU, USER, 100, 150), C(CPU, GUEST, 100, 120),
	    C(CPU, IDLE, 0, 50) } },
	{ "guests before users", SAR_A_CPU_ALL, "%usr", "0.00", "0.00",
	    { C(CPU, USER, 100, 110), C(CPU, GUEST, 100, 130),
	    C(CPU, IDLE, 0, 90) } },
	{ "system has interrupts", SAR_A_CPU, "%system", "35.00", "35.00",
	    { C(CPU, SYSTEM, 0, 20), C(CPU, IRQ, 0, 5),
	    C(CPU, SOFTIRQ, 0, 10), C(CPU, IDLE, 0, 65) } },
	{ "sys has none", SAR_A_CPU_ALL, "%sys", "20.00", "20.00",
	    { C(CPU, SYSTEM, 0, 20), C(CPU, IRQ, 0, 5),
	    C(CPU, SOFTIRQ, 0, 10), C(CPU, IDLE, 0, 65) } },
	{ "iowait went back", SAR_A_CPU, "%idle", "100.00", "100.00",
	    { C(CPU, IOWAIT, 80, 60), C(CPU, IDLE, 0, 100) } },
	{ "iowait went back: none", SAR_A_CPU, "%iowait", "0.00", "0.00",
	    { C(CPU, IOWAIT, 80, 60), C(CPU, IDLE, 0, 100) } },
	{ "no time at all is idle for sar", SAR_A_CPU, "%idle", "-", "0.00",
	    { C(CPU, USER, 5, 5), C(CPU, IDLE, 7, 7) } },

	{ "pages reclaimed", SAR_A_PAGE, "%vmeff", "75.00", "75.00",
	    { C(HOST, PGSCAN_KSWAPD, 0, 30), C(HOST, PGSCAN_DIRECT, 0, 10),
	    C(HOST, PGSTEAL, 0, 30) } },
	{ "no page looked at", SAR_A_PAGE, "%vmeff", "-", "0.00",
	    { C(HOST, PGSCAN_KSWAPD, 1, 1), C(HOST, PGSCAN_DIRECT, 2, 2),
	    C(HOST, PGSTEAL, 3, 3) } },

	{ "transfers of all disks", SAR_A_IO, "tps", "16.00", "16.00",
	    { C(DISK, READS, 0, 10), C(DISK, READ, 0, 80),
	    C(DISK, WRITES, 5, 10), C(DISK, WRITTEN, 0, 8),
	    C(DISK, DISCARDS, 0, 1), C(DISK, DISCARDED, 0, 0),
	    C(DISK, DISCARD_TIME, 0, 0) } },
	{ "a kernel without discards", SAR_A_IO, "tps", "15.00", "15.00",
	    { C(DISK, READS, 0, 10), C(DISK, READ, 0, 80),
	    C(DISK, WRITES, 5, 10), C(DISK, WRITTEN, 0, 8) } },
	{ "sectors are kB", SAR_A_DISK, "rkB/s", "40.00", "40.00",
	    { C(DISK, READS, 0, 10), C(DISK, READ, 0, 80) } },
	{ "request size", SAR_A_DISK, "areq-sz", "4.00", "4.00",
	    { C(DISK, READS, 0, 10), C(DISK, READ, 0, 80) } },
	{ "request size of none", SAR_A_DISK, "areq-sz", "-", "0.00",
	    { C(DISK, READS, 9, 9), C(DISK, READ, 80, 80) } },
	{ "await", SAR_A_DISK, "await", "2.50", "2.50",
	    { C(DISK, READS, 0, 10), C(DISK, READ_TIME, 0, 20),
	    C(DISK, WRITES, 0, 10), C(DISK, WRITE_TIME, 0, 30) } },
	{ "queue", SAR_A_DISK, "aqu-sz", "1.50", "1.50",
	    { C(DISK, READS, 1, 1), C(DISK, QUEUE_TIME, 0, 1500) } },
	{ "a disk that was never used", SAR_A_DISK, "tps", "", "",
	    { C(DISK, READS, 0, 0), C(DISK, WRITES, 0, 0) } },
	{ "a part of a disk", SAR_A_DISK, "tps", "", "",
	    { C(DISK, READS, 1, 2), C(DISK, PARTITION, 1, 1) } },

	{ "memory used", SAR_A_MEMORY, "kbmemused", "100", "100",
	    { C(HOST, MEM_TOTAL, 1000, 1000), C(HOST, MEM_FREE, 0, 500),
	    C(HOST, BUFFERS, 0, 100), C(HOST, CACHED, 0, 200),
	    C(HOST, SLAB, 0, 100) } },
	{ "more unused than there is", SAR_A_MEMORY, "%memused", "0.00",
	    "0.00", { C(HOST, MEM_TOTAL, 1000, 1000),
	    C(HOST, MEM_FREE, 0, 900), C(HOST, BUFFERS, 0, 100),
	    C(HOST, CACHED, 0, 200), C(HOST, SLAB, 0, 100) } },
	{ "memory of an old kernel", SAR_A_MEMORY, "kbavail", "-", "0",
	    { C(HOST, MEM_TOTAL, 1000, 1000) } },
	{ "commit", SAR_A_MEMORY, "%commit", "50.00", "50.00",
	    { C(HOST, MEM_TOTAL, 600, 600), C(HOST, SWAP_TOTAL, 400, 400),
	    C(HOST, COMMITTED_AS, 500, 500) } },
	{ "swap used", SAR_A_SWAP_SPACE, "%swpused", "25.00", "25.00",
	    { C(HOST, SWAP_TOTAL, 400, 400), C(HOST, SWAP_FREE, 0, 300),
	    C(HOST, SWAP_CACHED, 0, 10) } },
	{ "swap cached", SAR_A_SWAP_SPACE, "%swpcad", "10.00", "10.00",
	    { C(HOST, SWAP_TOTAL, 400, 400), C(HOST, SWAP_FREE, 0, 300),
	    C(HOST, SWAP_CACHED, 0, 10) } },
	{ "no swap", SAR_A_SWAP_SPACE, "%swpused", "-", "0.00",
	    { C(HOST, SWAP_TOTAL, 0, 0), C(HOST, SWAP_FREE, 0, 0) } },
	{ "huge pages", SAR_A_HUGE, "kbhugused", "6144", "6144",
	    { C(HOST, HUGE_TOTAL, 5, 5), C(HOST, HUGE_FREE, 2, 2),
	    C(HOST, HUGE_SIZE, 2048, 2048) } },

	{ "more huge pages than a number has room for", SAR_A_HUGE,
	    "kbhugused", "18446744073709551615", "18446744073709551615",
	    { C(HOST, HUGE_TOTAL, INT64_MAX, INT64_MAX),
	    C(HOST, HUGE_FREE, 0, 0), C(HOST, HUGE_SIZE, 2048, 2048) } },

	{ "who counts runs", SAR_A_QUEUE, "runq-sz", "2", "2",
	    { C(HOST, PROCS_RUNNING, 9, 3) } },
	{ "load", SAR_A_QUEUE, "ldavg-1", "1.25", "1.25",
	    { C(HOST, LOAD1, 0, 125) } },
	{ "pressure", SAR_A_PSI_IO, "%fio", "12.50", "12.50",
	    { C(HOST, PSI_IO_FULL, 1000, 126000) } },
	{ "pressure of the kernel's", SAR_A_PSI_CPU, "%scpu-10", "3.25",
	    "3.25", { C(HOST, PSI_CPU_SOME_AVG10, 0, 325) } },

	{ "an interface of unknown speed", SAR_A_NET_DEV, "%ifutil", "-",
	    "0.00", { C(NET, RX, 0, 1000), C(NET, TX, 0, 1000) } },
	{ "both directions at once", SAR_A_NET_DEV, "%ifutil", "24.00",
	    "24.00", { C(NET, RX, 0, 10000000), C(NET, TX, 0, 20000000),
	    C(NET, SPEED, 1000, 1000) } },
	{ "bytes", SAR_A_NET_DEV, "rxkB/s", "2048.00", "2048.00",
	    { C(NET, RX, 0, 2048), C(NET, TX, 0, 1000) } },

	{ "file system", SAR_A_FS, "%fsused", "75.00", "75.00",
	    { C(FS, SIZE, 400, 400), C(FS, FREE, 0, 100),
	    C(FS, AVAIL, 0, 60) } },
	{ "for those who are not root", SAR_A_FS, "%ufsused", "85.00",
	    "85.00", { C(FS, SIZE, 400, 400), C(FS, FREE, 0, 100),
	    C(FS, AVAIL, 0, 60) } },
	{ "inodes", SAR_A_FS, "Iused", "30", "30",
	    { C(FS, INODES, 100, 100), C(FS, INODES_FREE, 0, 70) } },
};

/* ---- a host ---------------------------------------------------------- */

static void open_row(struct simhost *h, enum entity_id e)
{
	if (e == ENTITY_HOST || h->n[e] > 0)
		return;
	(void)simhost_open(h, e, OPEN_APPEARED);
	if (e == ENTITY_CPU)
		simhost_set(h, e, 0, COL(CPU, INDEX), 0);
	if (e == ENTITY_DISK)
		simhost_set_text(h, e, 0, COL(DISK, NAME), "sda");
	if (e == ENTITY_NET)
		simhost_set_text(h, e, 0, COL(NET, NAME), "eth0");
	if (e == ENTITY_FS) {
		simhost_set_text(h, e, 0, COL(FS, DEVICE), "/dev/sda");
		simhost_set_text(h, e, 0, COL(FS, MOUNT), "/");
	}
}

/* Cells that are not named are 0, of disks and CPUs as the kernel has them. */
static void set_all(struct simhost *h, const struct formula *f, bool now)
{
	const struct cell *c;

	for (c = f->cell; c->entity || c->col; c++) {
		int64_t v = now ? c->now : c->was;

		open_row(h, c->entity);
		if (v != ABSENT)
			simhost_set(h, c->entity, 0, c->col, (uint64_t)v);
	}
}

static void fill(struct simhost *h, enum entity_id e, unsigned from,
	unsigned to)
{
	for (; h->n[e] > 0 && from <= to; from++) {
		if (!cells_has(h->row[e][0].now, from))
			simhost_set(h, e, 0, from, 0);
	}
}

static void sample(struct simhost *h, struct sar_data *d, uint64_t uptime_cs)
{
	simhost_set(h, ENTITY_HOST, 0, COL(HOST, UPTIME), uptime_cs);
	simhost_tick(h, SIM_SECOND);
	sar_data_apply(d, h->world, world_host(h->world, 0));
}

static void write_value(const struct sar_data *d,
	const struct sar_activity *a, const char *column, bool average,
	char to[64])
{
	struct sar_choice choice = { .every_cpu = true };
	struct sar_calc row;
	size_t at = 0, i = 0;
	struct value v;

	to[0] = '\0';
	if (!sar_next_row(d, a, &choice, average, &at, &row))
		return;
	while (!a->column[i].name || strcmp(a->column[i].name, column) != 0)
		i++;
	v = a->column[i].fn(&row, a->column[i].arg);
	if (v.kind == VALUE_ABSENT)
		(void)snprintf(to, 64, "-");
	else if (v.kind == VALUE_WHOLE)
		(void)snprintf(to, 64, "%llu", (unsigned long long)v.whole);
	else
		(void)snprintf(to, 64, "%.2f", v.real);
}

static void check(const struct formula *f, bool strict)
{
	struct simhost h;
	struct sar_data d;
	char got[64];

	simhost_init(&h, "alpha");
	sar_data_init(&d, strict);
	set_all(&h, f, false);
	fill(&h, ENTITY_DISK, COL(DISK, READS), COL(DISK, QUEUE_TIME));
	fill(&h, ENTITY_CPU, COL(CPU, USER), COL(CPU, GUEST_NICE));
	sample(&h, &d, 5000);
	sar_data_step(&d);
	set_all(&h, f, true);
	sample(&h, &d, 5100);
	write_value(&d, &sar_activities[f->activity], f->column, false, got);
	assert_string_equal(got, strict ? f->strict : f->exact);
	sar_data_release(&d);
	simhost_release(&h);
}

static void test_formula(void **state)
{
	check(*state, false);
	check(*state, true);
}

/* ---- a run ----------------------------------------------------------- */

static void test_mean(void **state)
{
	static const uint64_t tasks[] = { 999, 10, 20, 31 };
	struct simhost h;
	struct sar_data d;
	char got[64];
	size_t i;

	(void)state;
	simhost_init(&h, "alpha");
	sar_data_init(&d, false);
	for (i = 0; i < GS_LEN(tasks); i++) {
		simhost_set(&h, ENTITY_HOST, 0, COL(HOST, TASKS), tasks[i]);
		simhost_add(&h, ENTITY_HOST, 0, COL(HOST, CTXT), i * 60);
		sample(&h, &d, 100 * i);
		sar_data_step(&d);
	}
	/* of those that have an interval before them */
	write_value(&d, &sar_activities[SAR_A_QUEUE], "plist-sz", true, got);
	assert_string_equal(got, "20.33");
	write_value(&d, &sar_activities[SAR_A_PCSW], "cswch/s", true, got);
	assert_string_equal(got, "120.00");
	sar_data_clear(&d);
	assert_false(sar_next_row(&d, &sar_activities[SAR_A_PCSW],
	    &(struct sar_choice)SAR_CHOICE_INIT, true, &(size_t){ 0 },
	    &(struct sar_calc){ 0 }));
	sar_data_release(&d);
	simhost_release(&h);
}

/* Rates of a disk that comes late, or is reset. */
static void check_late(bool strict, bool reset, const char *interval,
	const char *average)
{
	struct simhost h;
	struct sar_data d;
	char got[64];
	uint64_t i;

	simhost_init(&h, "alpha");
	sar_data_init(&d, strict);
	for (i = 0; i < 5; i++) {
		if (i == (reset ? 0 : 2))
			open_row(&h, ENTITY_DISK);
		if (h.n[ENTITY_DISK] > 0)
			simhost_set(&h, ENTITY_DISK, 0, COL(DISK, READS),
			    reset && i < 3 ? 5000 + i : 100 + i * 10);
		fill(&h, ENTITY_DISK, COL(DISK, READS), COL(DISK, QUEUE_TIME));
		sample(&h, &d, 1000 + 100 * i);
		if (i < 4)
			sar_data_step(&d);
	}
	write_value(&d, &sar_activities[SAR_A_DISK], "tps", false, got);
	assert_string_equal(got, interval);
	write_value(&d, &sar_activities[SAR_A_DISK], "tps", true, got);
	assert_string_equal(got, average);
	sar_data_release(&d);
	simhost_release(&h);
}

static void test_late(void **state)
{
	(void)state;
	check_late(false, false, "10.00", "10.00");
	check_late(true, false, "10.00", "35.00");
	check_late(false, true, "10.00", "10.00");
}

/* The kernel's 32 bits of milliseconds are full twice in the run. */
static void test_wraps(void **state)
{
	static const uint64_t per_second = 1500000000;
	struct simhost h;
	struct sar_data d;
	char got[64];
	uint64_t i;

	(void)state;
	simhost_init(&h, "alpha");
	sar_data_init(&d, false);
	open_row(&h, ENTITY_DISK);
	for (i = 0; i < 6; i++) {
		simhost_set(&h, ENTITY_DISK, 0, COL(DISK, READS), 1);
		simhost_set(&h, ENTITY_DISK, 0, COL(DISK, QUEUE_TIME),
		    (2500000000 + i * per_second) & UINT32_MAX);
		fill(&h, ENTITY_DISK, COL(DISK, READS), COL(DISK, QUEUE_TIME));
		sample(&h, &d, 1000 + 100 * i);
		sar_data_step(&d);
	}
	write_value(&d, &sar_activities[SAR_A_DISK], "aqu-sz", true, got);
	assert_string_equal(got, "1500000.00");
	sar_data_release(&d);
	simhost_release(&h);
}

/* ---- which CPUs ------------------------------------------------------ */

static const struct list {
	const char *name;
	int status;
	size_t n;
	bool every, no_all;
} lists[] = {
	{ "ALL", GS_OK, 0, true, false },
	{ "all", GS_OK, 0, false, false },
	{ "0", GS_OK, 1, false, true },
	{ "3,1-2,all", GS_OK, 3, false, false },
	{ "0-65535", GS_OK, 65536, false, true },
	{ "2,1-3,2", GS_OK, 3, false, true },
	{ "1,ALL", GS_OK, 1, true, false },
	{ "", GS_E_USAGE, 0, false, true },
	{ "2-1", GS_E_USAGE, 0, false, true },
	{ "x", GS_E_USAGE, 0, false, true },
	{ "-1", GS_E_USAGE, 0, false, true },
	{ "70000", GS_E_USAGE, 0, false, true },
};

static void test_list(void **state)
{
	const struct list *l = *state;
	struct sar_choice c = SAR_CHOICE_INIT;
	struct gs_err err;
	size_t i;

	assert_int_equal(sar_choice_cpus(&c, l->name, &err), l->status);
	if (l->status == GS_OK) {
		assert_int_equal(c.n_cpu, l->n);
		assert_int_equal(c.every_cpu, l->every);
		assert_int_equal(c.no_all, l->no_all);
	}
	for (i = 1; i < c.n_cpu; i++)
		assert_true(c.cpu[i - 1] < c.cpu[i]);
	sar_choice_release(&c);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_formula, formulas);
	CASES_TABLE(&c, test_list, lists);
	cases_add(&c, "means and rates of a run", test_mean, NULL);
	cases_add(&c, "comes late, or is reset", test_late, NULL);
	cases_add(&c, "wraps more than once", test_wraps, NULL);
	return cases_run(&c, "sysstat/sar");
}
