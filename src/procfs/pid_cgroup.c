/* SPDX-License-Identifier: Apache-2.0 */
#include "procfs/pid.h"

/*
 * /proc/<pid>/cgroup, hierarchy:controllers:path per line.  Version 2 alone is
 * the line "0::path"; in mixed mode its hierarchy has no controllers, and
 * often all processes are in its root.
 *
 *   4:memory:/gpdb/16384
 *   3:cpu,cpuacct:/gpdb/16384
 *   0::/
 */
enum rank { RANK_ROOT, RANK_OTHER, RANK_CPU, RANK_MEMORY, RANK_UNIFIED };

static bool has_word(struct span list, const char *word)
{
	struct span item;

	while (scan_until(&list, ',', &item)) {
		if (span_eq(item, word))
			return true;
	}
	return span_eq(list, word);
}

static bool is_unified(struct span id, struct span controllers)
{
	return span_eq(id, "0") && span_empty(controllers);
}

static enum rank rank_of(struct span id, struct span controllers,
	struct span path)
{
	if (span_eq(path, "/"))
		return RANK_ROOT;
	if (is_unified(id, controllers))
		return RANK_UNIFIED;
	if (has_word(controllers, "memory"))
		return RANK_MEMORY;
	if (has_word(controllers, "cpu"))
		return RANK_CPU;
	return RANK_OTHER;
}

/* A controller that has no hierarchy of version 1 is in the unified one. */
static struct span or_unified(struct span path, struct span unified)
{
	return span_empty(path) ? unified : path;
}

struct pid_cgroups pid_cgroup_scan(struct span text)
{
	const struct span none = span_of("", 0);
	struct pid_cgroups to = { none, none, none };
	struct span line, id, controllers, unified = none;
	enum rank best = RANK_ROOT;

	while (scan_line(&text, &line)) {
		enum rank r;

		if (!scan_until(&line, ':', &id) ||
		    !scan_until(&line, ':', &controllers) ||
		    span_empty(line))
			continue;
		if (is_unified(id, controllers))
			unified = line;
		if (has_word(controllers, "cpu"))
			to.cpu = line;
		if (has_word(controllers, "memory"))
			to.memory = line;
		r = rank_of(id, controllers, line);
		if (span_empty(to.main) || r > best) {
			to.main = line;
			best = r;
		}
	}
	to.cpu = or_unified(to.cpu, unified);
	to.memory = or_unified(to.memory, unified);
	return to;
}
