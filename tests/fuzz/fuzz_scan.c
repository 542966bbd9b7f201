/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_scan.c - any bytes as a file of the kernel: the first byte says which.
 */
#include <stdlib.h>

#include "base/compiler.h"
#include "fuzz.h"
#include "procfs/host.h"
#include "procfs/pid.h"

typedef void (*scan_fn)(struct span text, struct cells c);

static const struct {
	scan_fn scan;
	enum entity_id entity;
} scanners[] = {
	{ stat_scan, ENTITY_HOST },
	{ meminfo_scan, ENTITY_HOST },
	{ vmstat_scan, ENTITY_HOST },
	{ loadavg_scan, ENTITY_HOST },
	{ uptime_scan, ENTITY_HOST },
	{ snmp_scan, ENTITY_HOST },
	{ netstat_scan, ENTITY_HOST },
	{ sockstat_scan, ENTITY_HOST },
	{ file_nr_scan, ENTITY_HOST },
	{ dentry_state_scan, ENTITY_HOST },
	{ inode_state_scan, ENTITY_HOST },
	{ pty_nr_scan, ENTITY_HOST },
	{ pid_io_scan, ENTITY_PROCESS },
	{ pid_smaps_rollup_scan, ENTITY_PROCESS },
	{ pid_smaps_stack_scan, ENTITY_PROCESS },
	{ pid_sched_scan, ENTITY_PROCESS },
};

static void check(struct span whole, struct span part)
{
	if (!span_empty(part) && (part.ptr < whole.ptr ||
	    part.end > whole.end))
		abort();
}

/* Lists: one row after the other, never without end. */
static void scan_lists(struct span text, struct cells host)
{
	struct cells disk = cells_new(ENTITY_DISK);
	struct cells net = cells_new(ENTITY_NET);
	struct cells cpu = cells_new(ENTITY_CPU);
	struct span s = text, name = { NULL, NULL };

	while (diskstats_next(&s, disk, &name))
		check(text, name);
	s = text;
	while (net_dev_next(&s, net, &name))
		check(text, name);
	s = text;
	while (stat_next_cpu(&s, cpu))
		;
	pressure_scan("io", text, host);
	cells_free(disk);
	cells_free(net);
	cells_free(cpu);
}

static void scan_process(struct span text, struct cells process)
{
	struct pid_brief brief;
	uint64_t sched[3];
	struct span cpus = { NULL, NULL };
	struct pid_cgroups in = pid_cgroup_scan(text);

	(void)pid_stat_brief(text, &brief); /* must not crash */
	(void)pid_schedstat_scan(text, sched);
	pid_statm_scan(text, 4096, process);
	pid_status_scan(text, process, &cpus);
	check(text, cpus);
	check(text, in.main);
	check(text, in.cpu);
	check(text, in.memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cells host = cells_new(ENTITY_HOST);
	struct cells process = cells_new(ENTITY_PROCESS);
	struct span text;
	size_t k;

	if (size > 0) {
		text = span_of((const char *)data + 1, size - 1);
		k = data[0] % (GS_LEN(scanners) + 2);
		if (k < GS_LEN(scanners))
			scanners[k].scan(text, scanners[k].entity ==
			    ENTITY_HOST ? host : process);
		else if (k == GS_LEN(scanners))
			scan_lists(text, host);
		else
			scan_process(text, process);
	}
	cells_free(host);
	cells_free(process);
	return 0;
}
