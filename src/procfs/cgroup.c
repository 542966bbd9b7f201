/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cgroup.c - files of control groups, of both versions, and which columns
 * each gives.
 *
 * What one file holds and how it is parsed is a row of cgroup_files[].  It
 * knows neither paths nor mounts, nor when a file is read.  Columns that a
 * kernel has no file or key for stay absent; "max" is METRIC_MAX.
 */
#include <unistd.h>

#include "base/compiler.h"
#include "procfs/host.h"
#include "procfs/keys.h"
#include "procfs/sysfs.h"

/*
 * Version 2:
 *
 *   cpu.stat         usage_usec 8412, user_usec 1, system_usec 2,
 *                    nr_periods 0, nr_throttled 0, throttled_usec 0,
 *                    nr_bursts 0, burst_usec 0 (5.16)
 *   cpu.max          max 100000: quota and period, us
 *   cpu.weight       100; cpu.weight.nice 0
 *   memory.max       max, or bytes; so are high, low, min, swap.max
 *   memory.events    low 0, high 0, max 0, oom 0, oom_kill 0,
 *                    oom_group_kill 0 (5.17)
 *   memory.stat      anon 4096, file 0, ..., pgfault 12: bytes and counts
 *
 * Version 1:
 *
 *   cpuacct.usage    8412345 (ns)
 *   cpuacct.stat     user 12, system 3 (clock ticks)
 *   cpu.stat         nr_periods 0, nr_throttled 0, throttled_time 0 (ns),
 *                    nr_bursts 0, burst_time 0 (ns)
 *   cpu.cfs_quota_us -1: no limit
 *   memory.stat      cache 0, ..., total_cache 0: of the group alone, and
 *                    with those below it, as in version 2
 *   memory.oom_control  oom_kill_disable 0, under_oom 0, oom_kill 0 (4.13)
 */
#define C(key, SYM) KEY_ROW(key, KEY_SET, COL(CGROUP, SYM))

static const struct key_row cpu_stat[] = {
	C("burst_usec", BURST_TIME),
	C("nr_bursts", BURSTS),
	C("nr_periods", PERIODS),
	C("nr_throttled", THROTTLED),
	C("system_usec", CPU_SYSTEM),
	C("throttled_usec", THROTTLED_TIME),
	C("usage_usec", CPU),
	C("user_usec", CPU_USER),
};

static const struct key_row cpu_stat_v1[] = {
	C("burst_time", BURST_TIME),
	C("nr_bursts", BURSTS),
	C("nr_periods", PERIODS),
	C("nr_throttled", THROTTLED),
	C("throttled_time", THROTTLED_TIME),
};

static const struct key_row cpuacct_stat[] = {
	C("system", CPU_SYSTEM),
	C("user", CPU_USER),
};

static const struct key_row events[] = {
	C("high", EVENT_HIGH),
	C("low", EVENT_LOW),
	C("max", EVENT_MAX),
	C("oom", EVENT_OOM),
	C("oom_group_kill", EVENT_OOM_GROUP),
	C("oom_kill", OOM_KILL),
};

static const struct key_row oom_control[] = {
	C("oom_kill", OOM_KILL),
};

static const struct key_row swap_events[] = {
	C("fail", SWAP_EVENT_FAIL),
	C("max", SWAP_EVENT_MAX),
};

static const struct key_row pids_events[] = {
	C("max", PIDS_FAIL),
};

/* Before 5.9 refaults were those of files, and had no suffix. */
static const struct key_row memory_stat[] = {
	C("active_anon", ACTIVE_ANON),
	C("active_file", ACTIVE_FILE),
	C("anon", ANON),
	C("anon_thp", ANON_HUGE),
	C("file", FILE),
	C("file_dirty", FILE_DIRTY),
	C("file_mapped", FILE_MAPPED),
	C("file_writeback", FILE_WRITEBACK),
	C("inactive_anon", INACTIVE_ANON),
	C("inactive_file", INACTIVE_FILE),
	C("kernel", KERNEL),
	C("kernel_stack", KERNEL_STACK),
	C("pagetables", PAGE_TABLES),
	C("pgfault", PGFAULT),
	C("pgmajfault", PGMAJFAULT),
	C("pgscan", PGSCAN),
	C("pgscan_direct", PGSCAN_DIRECT),
	C("pgsteal", PGSTEAL),
	C("pgsteal_direct", PGSTEAL_DIRECT),
	C("shmem", SHMEM),
	C("slab_reclaimable", SLAB_RECLAIMABLE),
	C("slab_unreclaimable", SLAB_UNRECLAIMABLE),
	C("sock", SOCK),
	C("swapcached", SWAP_CACHED),
	C("unevictable", UNEVICTABLE),
	C("workingset_refault", REFAULT_FILE),
	C("workingset_refault_anon", REFAULT_ANON),
	C("workingset_refault_file", REFAULT_FILE),
};

static const struct key_row memory_stat_v1[] = {
	C("total_active_anon", ACTIVE_ANON),
	C("total_active_file", ACTIVE_FILE),
	C("total_cache", FILE),
	C("total_dirty", FILE_DIRTY),
	C("total_inactive_anon", INACTIVE_ANON),
	C("total_inactive_file", INACTIVE_FILE),
	C("total_mapped_file", FILE_MAPPED),
	C("total_pgfault", PGFAULT),
	C("total_pgmajfault", PGMAJFAULT),
	C("total_rss", ANON),
	C("total_rss_huge", ANON_HUGE),
	C("total_shmem", SHMEM),
	C("total_swap", SWAP),
	C("total_swapcached", SWAP_CACHED),
	C("total_unevictable", UNEVICTABLE),
	C("total_workingset_refault", REFAULT_FILE),
	C("total_workingset_refault_anon", REFAULT_ANON),
	C("total_workingset_refault_file", REFAULT_FILE),
	C("total_writeback", FILE_WRITEBACK),
};

/* Version 1 has no limit as a number of this size, a multiple of the page
 * size below 2^63. */
#define NO_LIMIT (UINT64_C(1) << 62)

#define SCAN_ARGS const struct cgroup_file *f, struct span text, struct cells c

static void scan_keys(SCAN_ARGS)
{
	keys_scan(text, ' ', f->key, f->n_key, c, NULL);
}

/* The columns of the file's keys that have this unit are divided by it. */
static void divide(const struct cgroup_file *f, struct cells c,
	enum unit_id unit, uint64_t by)
{
	uint64_t done[COL_WORDS_MAX] = { 0 }, v;
	size_t i;

	for (i = 0; i < f->n_key; i++) {
		unsigned col = f->key[i].col;
		uint64_t bit = UINT64_C(1) << (col % 64);

		if (metric_get(ENTITY_CGROUP, col)->unit != unit ||
		    done[col / 64] & bit || !cells_get(c, col, &v))
			continue;
		done[col / 64] |= bit; /* two keys may give one column */
		cells_set(c, col, v / by);
	}
}

static void scan_keys_nsec(SCAN_ARGS)
{
	scan_keys(f, text, c);
	divide(f, c, UNIT_USEC, 1000);
}

static void scan_keys_bytes(SCAN_ARGS)
{
	scan_keys(f, text, c);
	divide(f, c, UNIT_KIB, 1024);
}

static void ticks_to_usec(struct cells c, unsigned col)
{
	uint64_t v;
	long hz = sysconf(_SC_CLK_TCK);

	if (hz > 0 && cells_get(c, col, &v))
		cells_set(c, col, v * (1000000u / (uint64_t)hz));
}

static void scan_cpuacct_stat(SCAN_ARGS)
{
	scan_keys(f, text, c);
	ticks_to_usec(c, COL(CGROUP, CPU_USER));
	ticks_to_usec(c, COL(CGROUP, CPU_SYSTEM));
}

static void scan_number(SCAN_ARGS)
{
	uint64_t v;

	if (scan_u64(&text, &v))
		cells_set(c, f->col, v);
}

static void scan_signed(SCAN_ARGS)
{
	uint64_t v;

	if (scan_s64(&text, &v))
		cells_set(c, f->col, v);
}

static void scan_nsec(SCAN_ARGS)
{
	uint64_t v;

	if (scan_u64(&text, &v))
		cells_set(c, f->col, v / 1000);
}

static void scan_bytes(SCAN_ARGS)
{
	uint64_t v;

	if (scan_u64(&text, &v) && v < NO_LIMIT)
		cells_set(c, f->col, v / 1024);
}

/* "max", or a number; *text is after it. */
static bool take_limit(struct span *text, uint64_t *ret)
{
	struct span rest = *text, word;

	if (scan_u64(text, ret))
		return *ret != METRIC_MAX;
	if (!scan_word(&rest, &word) || !span_eq(word, "max"))
		return false;
	*text = rest;
	*ret = METRIC_MAX;
	return true;
}

static void scan_limit(SCAN_ARGS)
{
	uint64_t v;

	if (take_limit(&text, &v))
		cells_set(c, f->col, v);
}

static void scan_limit_bytes(SCAN_ARGS)
{
	uint64_t v;

	if (take_limit(&text, &v))
		cells_set(c, f->col, v < NO_LIMIT ? v / 1024 : METRIC_MAX);
}

static void scan_cpu_max(SCAN_ARGS)
{
	uint64_t quota, period;

	if (!take_limit(&text, &quota) || !scan_u64(&text, &period))
		return;
	cells_set(c, f->col, quota);
	cells_set(c, COL(CGROUP, CPU_PERIOD), period);
}

static void scan_quota_v1(SCAN_ARGS)
{
	uint64_t v;

	if (scan_s64(&text, &v))
		cells_set(c, f->col, (int64_t)v < 0 ? METRIC_MAX : v);
}

static void scan_pressure(SCAN_ARGS)
{
	pressure_scan_at(text, f->some, f->col, c);
}

static void add(struct cells c, unsigned col, uint64_t v)
{
	uint64_t sum = 0;

	(void)cells_get(c, col, &sum); /* stays 0 if absent */
	cells_set(c, col, sum + v);
}

/* The sums over all devices. */
static void scan_blkio(SCAN_ARGS)
{
	struct cgroup_io device;
	unsigned i;

	while (cgroup_io_next((enum cgroup_io_file)f->io, &text, &device)) {
		for (i = 0; i < CGROUP_IO_COUNTERS; i++) {
			if (device.present >> i & 1)
				add(c, CGROUP_IO_SUM_COL(i), device.val[i]);
		}
	}
}

/* A device without a request is not listed: no line means none. */
static void scan_io_stat(SCAN_ARGS)
{
	unsigned col;

	for (col = COL(CGROUP, READ); col <= COL(CGROUP, WRITES); col++)
		cells_set(c, col, 0);
	scan_blkio(f, text, c);
}

/* A file with one column, with several in a row, of devices, with keys, of
 * pressure. */
#define F(H, WHEN, NAME, SCAN, SYM) \
	{ .hierarchy = CG_##H, .when = CG_##WHEN, .name = NAME, \
	  .scan = SCAN, .col = COL(CGROUP, SYM), .last = COL(CGROUP, SYM) }
#define F_TO(H, WHEN, NAME, SCAN, SYM, LAST) \
	{ .hierarchy = CG_##H, .when = CG_##WHEN, .name = NAME, \
	  .scan = SCAN, .col = COL(CGROUP, SYM), .last = COL(CGROUP, LAST) }
#define F_IO(H, NAME, SCAN, SYM, LAST, IO) \
	{ .hierarchy = CG_##H, .when = CG_TICK, .name = NAME, \
	  .scan = SCAN, .col = COL(CGROUP, SYM), .last = COL(CGROUP, LAST), \
	  .io = CGROUP_IO_##IO }
#define F_KEYS(H, WHEN, NAME, SCAN, SYM, KEYS) \
	{ .hierarchy = CG_##H, .when = CG_##WHEN, .name = NAME, \
	  .scan = SCAN, .col = COL(CGROUP, SYM), .last = COL(CGROUP, SYM), \
	  .key = KEYS, .n_key = GS_LEN(KEYS) }
#define F_PRESSURE(NAME, SOME, FULL) \
	{ .hierarchy = CG_UNIFIED, .when = CG_TICK, .name = NAME, \
	  .scan = scan_pressure, .some = SOME, .col = COL(CGROUP, FULL), \
	  .last = COL(CGROUP, FULL##_AVG300) }

/* Files are read in this order.  CPU and memory come first: whether they changed
 * decides which others are read (is_idle() in agent/cgfiles.c).  Of two files
 * with the same column, the first that exists gives it. */
const struct cgroup_file cgroup_files[] = {
	F(CPUACCT, TICK, "cpuacct.usage", scan_nsec, CPU),
	F(MEMORY, TICK, "memory.usage_in_bytes", scan_bytes, MEMORY),
	F_KEYS(CPUACCT, WORK, "cpuacct.stat", scan_cpuacct_stat, CPU_USER,
	    cpuacct_stat),
	F_KEYS(CPU, WORK, "cpu.stat", scan_keys_nsec, PERIODS, cpu_stat_v1),
	F(CPU, LIMIT, "cpu.cfs_quota_us", scan_quota_v1, CPU_QUOTA),
	F(CPU, LIMIT, "cpu.cfs_period_us", scan_number, CPU_PERIOD),
	F(CPU, LIMIT, "cpu.shares", scan_number, CPU_SHARES),
	F_KEYS(MEMORY, WORK, "memory.stat", scan_keys_bytes, ANON,
	    memory_stat_v1),
	F_KEYS(MEMORY, WORK, "memory.oom_control", scan_keys, OOM_KILL,
	    oom_control),
	F(MEMORY, WORK, "memory.failcnt", scan_number, EVENT_MAX),
	F(MEMORY, WORK, "memory.max_usage_in_bytes", scan_bytes, MEMORY_PEAK),
	F(MEMORY, WORK, "memory.memsw.usage_in_bytes", scan_bytes, MEMSW),
	F(MEMORY, WORK, "memory.memsw.failcnt", scan_number, MEMSW_FAIL),
	F(MEMORY, LIMIT, "memory.limit_in_bytes", scan_limit_bytes,
	    MEMORY_MAX),
	F(MEMORY, LIMIT, "memory.soft_limit_in_bytes", scan_limit_bytes,
	    MEMORY_SOFT),
	F(MEMORY, LIMIT, "memory.memsw.limit_in_bytes", scan_limit_bytes,
	    MEMSW_MAX),
	F(PIDS, TICK, "pids.current", scan_number, PIDS),
	F_KEYS(PIDS, WORK, "pids.events", scan_keys, PIDS_FAIL, pids_events),
	F(PIDS, LIMIT, "pids.max", scan_limit, PIDS_MAX),
	F_IO(BLKIO, "blkio.throttle.io_service_bytes_recursive", scan_blkio,
	    READ, DISCARDED, BYTES),
	F_IO(BLKIO, "blkio.throttle.io_serviced_recursive", scan_blkio,
	    READS, DISCARDS, REQUESTS),
	F_IO(BLKIO, "blkio.throttle.io_service_bytes", scan_blkio, READ,
	    DISCARDED, BYTES),
	F_IO(BLKIO, "blkio.throttle.io_serviced", scan_blkio, READS,
	    DISCARDS, REQUESTS),

	F_KEYS(UNIFIED, TICK, "cpu.stat", scan_keys, CPU, cpu_stat),
	F(UNIFIED, TICK, "memory.current", scan_bytes, MEMORY),
	F_TO(UNIFIED, LIMIT, "cpu.max", scan_cpu_max, CPU_QUOTA, CPU_PERIOD),
	F(UNIFIED, LIMIT, "cpu.weight", scan_number, CPU_WEIGHT),
	F(UNIFIED, LIMIT, "cpu.weight.nice", scan_signed, CPU_WEIGHT_NICE),
	F_KEYS(UNIFIED, WORK, "memory.stat", scan_keys_bytes, ANON,
	    memory_stat),
	F_KEYS(UNIFIED, WORK, "memory.events", scan_keys, EVENT_MAX, events),
	F(UNIFIED, WORK, "memory.peak", scan_bytes, MEMORY_PEAK),
	F(UNIFIED, WORK, "memory.swap.current", scan_bytes, SWAP),
	F_KEYS(UNIFIED, WORK, "memory.swap.events", scan_keys,
	    SWAP_EVENT_MAX, swap_events),
	F(UNIFIED, LIMIT, "memory.max", scan_limit_bytes, MEMORY_MAX),
	F(UNIFIED, LIMIT, "memory.high", scan_limit_bytes, MEMORY_HIGH),
	F(UNIFIED, LIMIT, "memory.low", scan_limit_bytes, MEMORY_LOW),
	F(UNIFIED, LIMIT, "memory.min", scan_limit_bytes, MEMORY_MIN),
	F(UNIFIED, LIMIT, "memory.swap.max", scan_limit_bytes, SWAP_MAX),
	F(UNIFIED, LIMIT, "memory.swap.high", scan_limit_bytes, SWAP_HIGH),
	F(UNIFIED, TICK, "pids.current", scan_number, PIDS),
	F_KEYS(UNIFIED, WORK, "pids.events", scan_keys, PIDS_FAIL,
	    pids_events),
	F(UNIFIED, LIMIT, "pids.max", scan_limit, PIDS_MAX),
	F_IO(UNIFIED, "io.stat", scan_io_stat, READ, DISCARDS, STAT),
	F_PRESSURE("cpu.pressure", COL(CGROUP, PSI_CPU_SOME), PSI_CPU_FULL),
	F_PRESSURE("memory.pressure", COL(CGROUP, PSI_MEMORY_SOME),
	    PSI_MEMORY_FULL),
	F_PRESSURE("io.pressure", COL(CGROUP, PSI_IO_SOME), PSI_IO_FULL),
	F_PRESSURE("irq.pressure", PRESSURE_NONE, PSI_IRQ_FULL),
};

_Static_assert(GS_LEN(cgroup_files) == CGROUP_FILES, "a row for each file");

static void set_bit(uint64_t to[COL_WORDS_MAX], unsigned col)
{
	to[col / 64] |= UINT64_C(1) << (col % 64);
}

void cgroup_file_columns(const struct cgroup_file *f,
	uint64_t to[COL_WORDS_MAX])
{
	unsigned col;
	size_t i;

	for (col = f->col; col <= f->last; col++)
		set_bit(to, col);
	for (i = 0; i < f->n_key; i++)
		set_bit(to, f->key[i].col);
	if (f->scan != scan_pressure || f->some == PRESSURE_NONE)
		return;
	for (col = f->some; col < f->some + 4; col++)
		set_bit(to, col);
}
