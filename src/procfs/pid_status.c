/* SPDX-License-Identifier: Apache-2.0 */
#include "base/compiler.h"
#include "procfs/keys.h"
#include "procfs/pid.h"

/*
 * /proc/<pid>/status.  VmPin since 3.2, NSpid since 4.1, RssAnon, RssFile,
 * RssShmem since 4.5, HugetlbPages since 4.4, VmPMD from 4.0 to 4.14; the Vm
 * lines are missing without an address space.  Name is escaped, so no line can
 * be forged by a process.
 *
 *   Uid:	1001	1001	1001	1001
 *   NSpid:	2387	17
 *   VmHWM:	    3480 kB
 *   Cpus_allowed_list:	0-1
 *   voluntary_ctxt_switches:	6
 */
#define P(key, how, SYM) KEY_ROW(key, how, COL(PROCESS, SYM))

static const struct key_row keys[] = {
	P("Cpus_allowed_list", KEY_TEXT, CPUS_ALLOWED),
	P("Gid", KEY_SET, GID),
	P("HugetlbPages", KEY_SET, HUGETLB),
	P("NSpid", KEY_LAST, NS_PID),
	P("RssAnon", KEY_SET, RSS_ANON),
	P("RssFile", KEY_SET, RSS_FILE),
	P("RssShmem", KEY_SET, RSS_SHMEM),
	P("Uid", KEY_TWO, UID),
	P("VmData", KEY_SET, VM_DATA),
	P("VmExe", KEY_SET, VM_EXE),
	P("VmHWM", KEY_SET, VM_HWM),
	P("VmLck", KEY_SET, VM_LCK),
	P("VmLib", KEY_SET, VM_LIB),
	P("VmPMD", KEY_SET, VM_PMD),
	P("VmPTE", KEY_SET, VM_PTE),
	P("VmPeak", KEY_SET, VM_PEAK),
	P("VmPin", KEY_SET, VM_PIN),
	P("VmStk", KEY_SET, VM_STK),
	P("VmSwap", KEY_SET, VM_SWAP),
	P("nonvoluntary_ctxt_switches", KEY_SET, CSW_INVOL),
	P("voluntary_ctxt_switches", KEY_SET, CSW_VOL),
};

_Static_assert(COL(PROCESS, EUID) == COL(PROCESS, UID) + 1,
	"the Uid line sets two columns");

void pid_status_scan(struct span text, struct cells c, struct span *ret_cpus)
{
	keys_scan(text, ':', keys, GS_LEN(keys), c, ret_cpus);
}
