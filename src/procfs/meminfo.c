/* SPDX-License-Identifier: Apache-2.0 */
#include "base/compiler.h"
#include "procfs/host.h"
#include "procfs/keys.h"

/*
 * /proc/meminfo, in KiB but for the HugePages_ counts.  MemAvailable since
 * 3.14; Active(anon) and the like since 2.6.28.
 *
 *   MemTotal:        8046312 kB
 *   Active(anon):    1234567 kB
 *   HugePages_Total:       0
 */
#define H(key, SYM) KEY_ROW(key, KEY_SET, COL(HOST, SYM))

static const struct key_row keys[] = {
	H("Active", ACTIVE),
	H("Active(anon)", ACTIVE_ANON),
	H("Active(file)", ACTIVE_FILE),
	H("AnonHugePages", ANON_HUGE),
	H("AnonPages", ANON_PAGES),
	H("Buffers", BUFFERS),
	H("Cached", CACHED),
	H("CommitLimit", COMMIT_LIMIT),
	H("Committed_AS", COMMITTED_AS),
	H("Dirty", DIRTY),
	H("HugePages_Free", HUGE_FREE),
	H("HugePages_Rsvd", HUGE_RSVD),
	H("HugePages_Surp", HUGE_SURP),
	H("HugePages_Total", HUGE_TOTAL),
	H("Hugepagesize", HUGE_SIZE),
	H("Inactive", INACTIVE),
	H("Inactive(anon)", INACTIVE_ANON),
	H("Inactive(file)", INACTIVE_FILE),
	H("KernelStack", KERNEL_STACK),
	H("Mapped", MAPPED),
	H("MemAvailable", MEM_AVAILABLE),
	H("MemFree", MEM_FREE),
	H("MemTotal", MEM_TOTAL),
	H("Mlocked", MLOCKED),
	H("PageTables", PAGE_TABLES),
	H("SReclaimable", SRECLAIMABLE),
	H("SUnreclaim", SUNRECLAIM),
	H("Shmem", SHMEM),
	H("Slab", SLAB),
	H("SwapCached", SWAP_CACHED),
	H("SwapFree", SWAP_FREE),
	H("SwapTotal", SWAP_TOTAL),
	H("Unevictable", UNEVICTABLE),
	H("VmallocUsed", VMALLOC_USED),
	H("Writeback", WRITEBACK),
};

void meminfo_scan(struct span text, struct cells host)
{
	keys_scan(text, ':', keys, GS_LEN(keys), host, NULL);
}
