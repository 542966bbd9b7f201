/* SPDX-License-Identifier: Apache-2.0 */
#include "sysstat/reports.h"

#include "base/compiler.h"

#define BIT(F) (UINT64_C(1) << FIG_##F)

static const struct column cpu[] = {
	{ "usr", { STYLE_PERCENT, 7 }, calc_usr, 0 },
	{ "system", { STYLE_PERCENT, 7 }, calc_percent, FIG_STIME },
	{ "guest", { STYLE_PERCENT, 7 }, calc_percent, FIG_GUEST },
	{ "wait", { STYLE_PERCENT, 7 }, calc_wait, 0 },
	{ "cpu", { STYLE_PERCENT, 7 }, calc_cpu, 0 },
	{ "cpu_nr", { STYLE_ITEM, 5 }, calc_processor, FIG_PROCESSOR },
};

static const struct column cpu_child[] = {
	{ "usr-ms", { STYLE_WHOLE, 9 }, calc_family_ms, FAMILY_USR },
	{ "system-ms", { STYLE_WHOLE, 9 }, calc_family_ms, FAMILY_SYSTEM },
	{ "guest-ms", { STYLE_WHOLE, 9 }, calc_family_ms, FAMILY_GUEST },
};

static const struct column memory[] = {
	{ "minflt/s", { STYLE_RATE, 9 }, calc_rate, FIG_MINFLT },
	{ "majflt/s", { STYLE_RATE, 9 }, calc_rate, FIG_MAJFLT },
	{ "VSZ", { STYLE_KIB, 7 }, calc_mean, FIG_VSIZE },
	{ "RSS", { STYLE_KIB, 7 }, calc_mean, FIG_RSS },
	{ "MEM", { STYLE_SHARE, 6 }, calc_mem, 0 },
};

static const struct column memory_child[] = {
	{ "minflt-nr", { STYLE_WHOLE, 9 }, calc_family_count, FAMILY_MINFLT },
	{ "majflt-nr", { STYLE_WHOLE, 9 }, calc_family_count, FAMILY_MAJFLT },
};

static const struct column stack[] = {
	{ "StkSize", { STYLE_KIB, 7 }, calc_mean, FIG_STACK },
	{ "StkRef", { STYLE_KIB, 7 }, calc_mean, FIG_STACK_REF },
};

static const struct column io[] = {
	{ "kB_rd/s", { STYLE_BYTES_RATE, 9 }, calc_io, FIG_READ },
	{ "kB_wr/s", { STYLE_BYTES_RATE, 9 }, calc_io, FIG_WRITE },
	{ "kB_ccwr/s", { STYLE_BYTES_RATE, 9 }, calc_io, FIG_CANCELLED },
	{ "iodelay", { STYLE_WHOLE, 7 }, calc_iodelay, FIG_IODELAY },
};

static const struct column switches[] = {
	{ "cswch/s", { STYLE_RATE, 9 }, calc_rate, FIG_CSW_VOL },
	{ "nvcswch/s", { STYLE_RATE, 9 }, calc_rate, FIG_CSW_INVOL },
};

static const struct column kernel[] = {
	{ "threads", { STYLE_WHOLE, 7 }, calc_mean, FIG_THREADS },
	{ "fd-nr", { STYLE_WHOLE, 7 }, calc_fds, FIG_FDS },
};

static const struct column realtime[] = {
	{ "prio", { STYLE_WHOLE, 4 }, calc_state, FIG_RT_PRIORITY },
	{ "policy", { STYLE_WORD, 6 }, calc_policy, FIG_POLICY },
};

#define COLUMNS(C) .column = C, .n_column = GS_LEN(C)

const struct report reports[REPORT_COUNT] = {
	[REPORT_CPU] = { "task-cpu-load",
	    "    %usr %system  %guest   %wait    %CPU   CPU", COLUMNS(cpu),
	    BIT(UTIME) | BIT(STIME) },
	[REPORT_CPU_CHILD] = { "child-cpu-load",
	    "    usr-ms system-ms  guest-ms", COLUMNS(cpu_child),
	    BIT(UTIME) | BIT(STIME) | BIT(CUTIME) | BIT(CSTIME) },
	[REPORT_MEMORY] = { "task-memory",
	    "  minflt/s  majflt/s     VSZ     RSS   %MEM", COLUMNS(memory),
	    BIT(MINFLT) | BIT(MAJFLT) | BIT(VSIZE) | BIT(RSS) },
	[REPORT_MEMORY_CHILD] = { "child-memory",
	    " minflt-nr majflt-nr", COLUMNS(memory_child),
	    BIT(MINFLT) | BIT(MAJFLT) | BIT(CMINFLT) | BIT(CMAJFLT) },
	[REPORT_STACK] = { "stack",
	    " StkSize  StkRef", COLUMNS(stack),
	    BIT(STACK) | BIT(STACK_REF) },
	[REPORT_IO] = { "io",
	    "   kB_rd/s   kB_wr/s kB_ccwr/s iodelay", COLUMNS(io),
	    BIT(IODELAY) | BIT(READ) | BIT(WRITE) | BIT(CANCELLED) },
	[REPORT_SWITCHES] = { "context-switch",
	    "   cswch/s nvcswch/s", COLUMNS(switches),
	    BIT(CSW_VOL) | BIT(CSW_INVOL) },
	[REPORT_KERNEL] = { "kernel",
	    " threads   fd-nr", COLUMNS(kernel),
	    BIT(THREADS) | BIT(FDS) },
	[REPORT_REALTIME] = { "realtime",
	    " prio policy", COLUMNS(realtime),
	    BIT(RT_PRIORITY) | BIT(POLICY) },
};
