/* SPDX-License-Identifier: Apache-2.0 */
#include "base/compiler.h"
#include "procfs/host.h"
#include "procfs/keys.h"

/*
 * /proc/vmstat.  Reclaim was counted per zone up to 4.7 (pgsteal_kswapd_dma,
 * pgsteal_kswapd_normal, ...), allocstall since then; workingset_refault is
 * split in two since 5.9.  pgsteal_anon and pgsteal_file (5.8) are another
 * split of the same pages: they must not be added to the others.
 *
 *   pgpgin 123456
 *   pgsteal_kswapd 0
 *   allocstall_normal 0
 */
#define H(key, how, SYM) KEY_ROW(key, how, COL(HOST, SYM))

static const struct key_row keys[] = {
	H("allocstall", KEY_ADD_PREFIX, ALLOCSTALL),
	H("compact_stall", KEY_SET, COMPACT_STALL),
	H("numa_miss", KEY_SET, NUMA_MISS),
	H("oom_kill", KEY_SET, OOM_KILL),
	H("pgactivate", KEY_SET, PGACTIVATE),
	H("pgdeactivate", KEY_SET, PGDEACTIVATE),
	H("pgdemote_", KEY_ADD_PREFIX, PGDEMOTE),
	H("pgfault", KEY_SET, PGFAULT),
	H("pgfree", KEY_SET, PGFREE),
	H("pgmajfault", KEY_SET, PGMAJFAULT),
	H("pgmigrate_success", KEY_SET, PGMIGRATE),
	H("pgpgin", KEY_SET, PGPGIN),
	H("pgpgout", KEY_SET, PGPGOUT),
	H("pgpromote_success", KEY_SET, PGPROMOTE),
	H("pgscan_direct", KEY_ADD_PREFIX, PGSCAN_DIRECT),
	H("pgscan_direct_throttle", KEY_SET, PGSCAN_THROTTLED),
	H("pgscan_kswapd", KEY_ADD_PREFIX, PGSCAN_KSWAPD),
	H("pgsteal_anon", KEY_SET, PGSTEAL_ANON),
	H("pgsteal_direct", KEY_ADD_PREFIX, PGSTEAL),
	H("pgsteal_file", KEY_SET, PGSTEAL_FILE),
	H("pgsteal_khugepaged", KEY_ADD_PREFIX, PGSTEAL),
	H("pgsteal_kswapd", KEY_ADD_PREFIX, PGSTEAL),
	H("pgsteal_proactive", KEY_ADD_PREFIX, PGSTEAL),
	H("pswpin", KEY_SET, PSWPIN),
	H("pswpout", KEY_SET, PSWPOUT),
	H("thp_fault_alloc", KEY_SET, THP_FAULT_ALLOC),
	H("workingset_refault", KEY_ADD_PREFIX, REFAULT),
};

void vmstat_scan(struct span text, struct cells host)
{
	keys_scan(text, ' ', keys, GS_LEN(keys), host, NULL);
}
