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

static enum rank rank_of(struct span id, struct span controllers,
	struct span path)
{
	if (span_eq(path, "/"))
		return RANK_ROOT;
	if (span_eq(id, "0") && span_empty(controllers))
		return RANK_UNIFIED;
	if (has_word(controllers, "memory"))
		return RANK_MEMORY;
	if (has_word(controllers, "cpu"))
		return RANK_CPU;
	return RANK_OTHER;
}

struct span pid_cgroup_scan(struct span text)
{
	struct span line, id, controllers, best = span_of("", 0);
	enum rank best_rank = RANK_ROOT;

	while (scan_line(&text, &line)) {
		enum rank r;

		if (!scan_until(&line, ':', &id) ||
		    !scan_until(&line, ':', &controllers) ||
		    span_empty(line))
			continue;
		r = rank_of(id, controllers, line);
		if (span_empty(best) || r > best_rank) {
			best = line;
			best_rank = r;
		}
	}
	return best;
}
