/* SPDX-License-Identifier: Apache-2.0 */
#include "metric/section.h"

#include <fnmatch.h>

#include "base/compiler.h"

static const struct {
	const char *name, *help;
} sections[] = {
	[SECTION_OTHER] = { "other", "identity, state, counts" },
	[SECTION_SCHEDULING] = { "scheduling", "CPU time, run queue, context "
	    "switches, wakeups, migrations" },
	[SECTION_MEMORY] = { "memory", "memory, swap, page faults" },
	[SECTION_IO] = { "io", "disks, file systems, reads and writes, "
	    "temporary files" },
	[SECTION_NETWORK] = { "network", "interfaces, protocols, sockets" },
	[SECTION_DELAYS] = { "delays", "delays by cause, as taskstats counts, "
	    "and time off the CPU" },
	[SECTION_PRESSURE] = { "pressure", "pressure stall information" },
	[SECTION_LIMITS] = { "limits", "limits, weights and guarantees" },
	[SECTION_CGROUP] = { "cgroup", "control groups: names, events" },
};

_Static_assert(GS_LEN(sections) == SECTION_COUNT, "a section lacks its name");

/* The first that fits.  NULL fits all. */
static const struct {
	const char *source, *name; /* globs, of the path and the full name */
	enum metric_section section;
} rules[] = {
	{ "pressure/*", NULL, SECTION_PRESSURE },
	{ NULL, "*.psi_*", SECTION_PRESSURE },
	{ NULL, "*.delay_*", SECTION_DELAYS },
	{ NULL, "*.blkio_delay", SECTION_DELAYS },
	{ NULL, "*.taskstats*", SECTION_DELAYS },
	{ NULL, "cgroup.*event_*", SECTION_CGROUP },
	{ NULL, "cgroup.*_max", SECTION_LIMITS },
	{ NULL, "cgroup.*_high", SECTION_LIMITS },
	{ NULL, "cgroup.*_low", SECTION_LIMITS },
	{ NULL, "cgroup.*_min", SECTION_LIMITS },
	{ NULL, "cgroup.memory_soft", SECTION_LIMITS },
	{ NULL, "cgroup.cpu_quota", SECTION_LIMITS },
	{ NULL, "cgroup.cpu_period", SECTION_LIMITS },
	{ NULL, "cgroup.cpu_weight*", SECTION_LIMITS },
	{ NULL, "cgroup.cpu_shares", SECTION_LIMITS },
	{ NULL, "*.rss_limit", SECTION_LIMITS },
	{ "cgroup", NULL, SECTION_CGROUP },
	{ "net/*", NULL, SECTION_NETWORK },
	{ NULL, "net.*", SECTION_NETWORK },
	{ "io", NULL, SECTION_IO },
	{ "fd", NULL, SECTION_IO },
	{ "diskstats", NULL, SECTION_IO },
	{ NULL, "disk.*", SECTION_IO },
	{ NULL, "filesystem.*", SECTION_IO },
	{ NULL, "*.io_*", SECTION_IO },
	{ NULL, "*.spill*", SECTION_IO },
	{ "sys/fs/*", NULL, SECTION_IO },
	{ NULL, "cgroup_io.*", SECTION_IO },
	{ NULL, "cgroup.read*", SECTION_IO },
	{ NULL, "cgroup.writ*", SECTION_IO },
	{ NULL, "cgroup.discard*", SECTION_IO },
	{ NULL, "*.counted_*char", SECTION_IO },
	{ NULL, "*.counted_*bytes", SECTION_IO },
	{ NULL, "*.counted_sysc*", SECTION_IO },
	{ NULL, "cgroup.pg*", SECTION_MEMORY },
	{ NULL, "cgroup.refault_*", SECTION_MEMORY },
	{ NULL, "*.*flt", SECTION_MEMORY },
	{ "vmstat", NULL, SECTION_MEMORY },
	{ "meminfo", NULL, SECTION_MEMORY },
	{ "sched*", NULL, SECTION_SCHEDULING },
	{ "loadavg", NULL, SECTION_SCHEDULING },
	{ NULL, "*.csw_*", SECTION_SCHEDULING },
	{ NULL, "*.threads", SECTION_SCHEDULING },
	{ NULL, "*.cpus_allowed", SECTION_SCHEDULING },
	{ NULL, "*.processor", SECTION_SCHEDULING },
	{ NULL, "*.policy", SECTION_SCHEDULING },
	{ NULL, "*.nice", SECTION_SCHEDULING },
	{ NULL, "*.*priority", SECTION_SCHEDULING },
	{ NULL, "cgroup.throttled", SECTION_SCHEDULING },
	{ NULL, "host.ctxt", SECTION_SCHEDULING },
	{ NULL, "host.intr", SECTION_SCHEDULING },
	{ NULL, "host.forks", SECTION_SCHEDULING },
	{ NULL, "host.procs_*", SECTION_SCHEDULING },
};

/* Where no rule says otherwise, bytes are memory and time is CPU time. */
static enum metric_section by_unit(const struct metric *m)
{
	switch ((enum unit_id)m->unit) {
	case UNIT_BYTES:
	case UNIT_KIB:
	case UNIT_PAGES:
		return SECTION_MEMORY;
	case UNIT_NSEC:
	case UNIT_USEC:
	case UNIT_MSEC:
	case UNIT_TICKS:
		return metric_is_counter(m) ? SECTION_SCHEDULING
		                            : SECTION_OTHER;
	case UNIT_NONE:
	case UNIT_COUNT:
	case UNIT_CHAR:
	case UNIT_SECTORS:
	case UNIT_CENTISEC:
	case UNIT_SECONDS:
	case UNIT_CENTI:
	case UNIT_CENTIPCT:
	case UNIT_MBIT:
	case UNIT_COUNT_:
		break;
	}
	return m->entity == ENTITY_CGROUP ? SECTION_CGROUP : SECTION_OTHER;
}

static bool fits(const char *glob, const char *text)
{
	return !glob || fnmatch(glob, text, 0) == 0;
}

enum metric_section metric_section_of(const struct metric *m)
{
	const char *source = metric_source_path((enum metric_source)m->source);
	size_t i;

	for (i = 0; i < GS_LEN(rules); i++) {
		if (fits(rules[i].source, source) &&
		    fits(rules[i].name, m->full_name))
			return rules[i].section;
	}
	return by_unit(m);
}

const char *metric_section_name(enum metric_section s)
{
	return sections[s].name;
}

const char *metric_section_help(enum metric_section s)
{
	return sections[s].help;
}
