/* SPDX-License-Identifier: Apache-2.0 */
#include "base/compiler.h"
#include "procfs/keys.h"
#include "procfs/pid.h"

/*
 * /proc/<pid>/sched, of the main thread; it exists if the kernel has
 * CONFIG_SCHED_DEBUG.  What is measured with CONFIG_SCHEDSTATS only is called
 * se.statistics.NAME before 5.16, and NAME since; from 4.6 on it is there only
 * while kernel.sched_schedstats is 1.  Durations are milliseconds.
 *
 *   postgres (2387, #threads: 1)
 *   -------------------------------------------------------------------
 *   se.sum_exec_runtime                          :            12.502618
 *   se.nr_migrations                             :                    3
 *   wait_max                                     :             0.865157
 *   nr_wakeups                                   :                   41
 *   se.slice                                     :              2800000
 *
 * The first line holds the name as it is: a newline in it begins a line that
 * looks like another.  So the figures begin below the rule, which is longer
 * than a name can be.
 */
#define RULE_MIN 20

#define P(key, how, SYM) KEY_ROW(key, how, COL(PROCESS, SYM))

static const struct key_row keys[] = {
	P("block_max", KEY_MSEC, BLOCK_MAX),
	P("core_forceidle_sum", KEY_MSEC, FORCEIDLE_SUM),
	P("exec_max", KEY_MSEC, EXEC_MAX),
	P("ext.enabled", KEY_SET, EXT_ENABLED),
	P("iowait_count", KEY_SET, IOWAIT_COUNT),
	P("iowait_sum", KEY_MSEC, IOWAIT_SUM),
	P("nr_failed_migrations_affine", KEY_SET, MIGRATIONS_FAILED_AFFINE),
	P("nr_failed_migrations_hot", KEY_SET, MIGRATIONS_FAILED_HOT),
	P("nr_failed_migrations_running", KEY_SET, MIGRATIONS_FAILED_RUNNING),
	P("nr_forced_migrations", KEY_SET, MIGRATIONS_FORCED),
	P("nr_migrations", KEY_SET, MIGRATIONS),
	P("nr_wakeups", KEY_SET, WAKEUPS),
	P("nr_wakeups_affine", KEY_SET, WAKEUPS_AFFINE),
	P("nr_wakeups_affine_attempts", KEY_SET, WAKEUPS_AFFINE_ATTEMPTS),
	P("nr_wakeups_local", KEY_SET, WAKEUPS_LOCAL),
	P("nr_wakeups_migrate", KEY_SET, WAKEUPS_MIGRATE),
	P("nr_wakeups_remote", KEY_SET, WAKEUPS_REMOTE),
	P("nr_wakeups_sync", KEY_SET, WAKEUPS_SYNC),
	P("sleep_max", KEY_MSEC, SLEEP_MAX),
	P("slice", KEY_SET, SLICE),
	P("slice_max", KEY_MSEC, SLICE_MAX),
	P("sum_block_runtime", KEY_MSEC, BLOCK_SUM),
	P("sum_sleep_runtime", KEY_MSEC, SLEEP_SUM),
	P("wait_count", KEY_SET, WAIT_COUNT),
	P("wait_max", KEY_MSEC, WAIT_MAX),
	P("wait_sum", KEY_MSEC, WAIT_SUM),
};

static bool is_rule(struct span line)
{
	const char *p = line.ptr;

	while (p < line.end && *p == '-')
		p++;
	return p == line.end && span_len(line) >= RULE_MIN;
}

static void skip(struct span *s, const char *prefix)
{
	if (span_starts(*s, prefix))
		s->ptr += strlen(prefix);
}

/* The key of a line, without what kernels put before and after it. */
static bool take_key(struct span *line, struct span *ret)
{
	if (!scan_until(line, ':', ret))
		return false;
	while (!span_empty(*ret) && ret->end[-1] == ' ')
		ret->end--;
	skip(ret, "se.");
	skip(ret, "statistics.");
	return true;
}

void pid_sched_scan(struct span text, struct cells c)
{
	struct span line, key;

	do {
		if (!scan_line(&text, &line))
			return;
	} while (!is_rule(line));
	while (scan_line(&text, &line)) {
		const struct key_row *row;

		if (!take_key(&line, &key))
			continue;
		row = key_find(keys, GS_LEN(keys), key);
		if (row)
			key_store(row, line, c, NULL);
	}
}
