/* SPDX-License-Identifier: Apache-2.0 */
#include "base/compiler.h"
#include "procfs/host.h"
#include "procfs/keys.h"

/*
 * /proc/stat: cpu and cpuN with 10 fields since 2.6.33, in clock ticks;
 * CPUs that are offline have no line.
 *
 *   cpu  10132153 290696 3084719 46828483 16683 0 25195 175628 0 0
 *   cpu0 1393280 32966 572056 13343292 6130 0 17875 23933 0 0
 *   intr 8885917 17 0 0 0 0 ...
 *   ctxt 1990473
 *   btime 1062191376
 *   processes 2915
 *   procs_running 1
 *   procs_blocked 0
 *   softirq 183433 0 21755 12 39 1137 231 21459 2263
 */
#define H(key, SYM) KEY_ROW(key, KEY_SET, COL(HOST, SYM))
#define FIELDS 10

static const struct key_row keys[] = {
	H("btime", BTIME),
	H("ctxt", CTXT),
	H("intr", INTR),
	H("processes", FORKS),
	H("procs_blocked", PROCS_BLOCKED),
	H("procs_running", PROCS_RUNNING),
};

_Static_assert(COL(HOST, CPU_GUEST_NICE) == COL(HOST, CPU_USER) + FIELDS - 1,
	"the fields of the cpu line are columns in its order");
_Static_assert(COL(CPU, GUEST_NICE) == COL(CPU, USER) + FIELDS - 1,
	"the fields of a cpuN line are columns in its order");

static void set_times(struct span line, struct cells c, unsigned first_col)
{
	uint64_t v;
	unsigned i;

	for (i = 0; i < FIELDS && scan_u64(&line, &v); i++)
		cells_set(c, first_col + i, v);
}

static bool is_cpu_n(struct span line)
{
	return span_starts(line, "cpu") && span_len(line) > 3 &&
	    line.ptr[3] >= '0' && line.ptr[3] <= '9';
}

void stat_scan(struct span text, struct cells host)
{
	struct span line, key;
	uint64_t cpus = 0;

	while (scan_line(&text, &line)) {
		const struct key_row *row;

		if (is_cpu_n(line)) {
			cpus++;
			continue;
		}
		if (!scan_until(&line, ' ', &key))
			continue;
		row = key_find(keys, GS_LEN(keys), key);
		if (row)
			key_store(row, line, host, NULL);
		else if (span_eq(key, "cpu"))
			set_times(line, host, COL(HOST, CPU_USER));
	}
	if (cpus > 0)
		cells_set(host, COL(HOST, CPUS), cpus);
}

bool stat_next_cpu(struct span *text, struct cells cpu)
{
	struct span line;

	while (scan_line(text, &line)) {
		uint64_t index;

		if (!is_cpu_n(line))
			continue;
		line.ptr += 3;
		if (!scan_u64(&line, &index))
			continue;
		cells_set(cpu, COL(CPU, INDEX), index);
		set_times(line, cpu, COL(CPU, USER));
		return true;
	}
	return false;
}
