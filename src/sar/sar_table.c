/* SPDX-License-Identifier: Apache-2.0 */
#include "sar/sar_table.h"

#include "base/compiler.h"

#define PERCENT { STYLE_PERCENT, 9 }
#define SHARE { STYLE_SHARE, 9 }
#define RATE { STYLE_RATE, 9 }
#define KIB { STYLE_KIB, 9 }
#define WHOLE { STYLE_WHOLE, 9 }
#define KIB_RATE { STYLE_KIB_RATE, 9 }
#define BYTES_RATE { STYLE_BYTES_RATE, 9 }
#define MIB { STYLE_MIB, 9 }

/* Columns whose name in JSON is the heading, cut. */
#define FN(name, key, ...) { name, key, NULL, NULL, __VA_ARGS__ }
#define COUNTER(name, key, E, SYM) \
	FN(name, key, RATE, sar_rate, COL(E, SYM), CHART_RATE)
#define LEVEL(name, key, SYM) \
	FN(name, key, WHOLE, sar_level_whole, COL(HOST, SYM), CHART_COUNT)
#define MEMORY(name, key, SYM) \
	FN(name, key, KIB, sar_level_whole, COL(HOST, SYM), CHART_KIB)
#define TIME(name, key, ARG) \
	FN(name, key, PERCENT, sar_cpu, CPU_TIME_##ARG, CHART_PERCENT)
#define CENTI(name, key, format, SYM, chart) \
	FN(name, key, format, sar_level_centi, COL(HOST, SYM), chart)
#define IO(name, key, group, format, what, chart) \
	{ name, key, NULL, group, format, sar_transfers, TRANSFER_##what, \
	    chart }

static const struct sar_column cpu[] = {
	TIME("%user", "user", USER),
	TIME("%nice", "nice", NICE),
	TIME("%system", "system", SYSTEM | CPU_TIME_IRQ | CPU_TIME_SOFT),
	TIME("%iowait", "iowait", IOWAIT),
	TIME("%steal", "steal", STEAL),
	TIME("%idle", "idle", IDLE),
};

static const struct sar_column cpu_all[] = {
	TIME("%usr", "usr", USER | CPU_TIME_LESS(CPU_TIME_GUEST)),
	TIME("%nice", "nice", NICE | CPU_TIME_LESS(CPU_TIME_GNICE)),
	TIME("%sys", "sys", SYSTEM),
	TIME("%iowait", "iowait", IOWAIT),
	TIME("%steal", "steal", STEAL),
	TIME("%irq", "irq", IRQ),
	TIME("%soft", "soft", SOFT),
	TIME("%guest", "guest", GUEST),
	TIME("%gnice", "gnice", GNICE),
	TIME("%idle", "idle", IDLE),
};

static const struct sar_column pcsw[] = {
	COUNTER("proc/s", "proc", HOST, FORKS),
	FN("cswch/s", "cswch", RATE, sar_rate, COL(HOST, CTXT),
	    CHART_SWITCHES),
};

static const struct sar_column swap[] = {
	COUNTER("pswpin/s", "pswpin", HOST, PSWPIN),
	COUNTER("pswpout/s", "pswpout", HOST, PSWPOUT),
};

static const struct sar_column page[] = {
	FN("pgpgin/s", "pgpgin", RATE, sar_rate, COL(HOST, PGPGIN),
	    CHART_KIB_RATE),
	FN("pgpgout/s", "pgpgout", RATE, sar_rate, COL(HOST, PGPGOUT),
	    CHART_KIB_RATE),
	COUNTER("fault/s", "fault", HOST, PGFAULT),
	COUNTER("majflt/s", "majflt", HOST, PGMAJFAULT),
	COUNTER("pgfree/s", "pgfree", HOST, PGFREE),
	COUNTER("pgscank/s", "pgscank", HOST, PGSCAN_KSWAPD),
	FN("pgscand/s", "pgscand", RATE, sar_pages, PAGES_SCANNED_DIRECT,
	    CHART_RATE),
	FN("pgsteal/s", "pgsteal", RATE, sar_pages, PAGES_STOLEN, CHART_RATE),
	FN("%vmeff", "vmeff-percent", PERCENT, sar_reclaimed, 0,
	    CHART_PERCENT),
};

static const struct sar_column io[] = {
	IO("tps", "tps", NULL, RATE, ALL, CHART_RATE),
	IO("rtps", "rtps", "io-reads", RATE, READ, CHART_RATE),
	IO("wtps", "wtps", "io-writes", RATE, WRITE, CHART_RATE),
	IO("dtps", "dtps", "io-discard", RATE, DISCARD, CHART_RATE),
	IO("bread/s", "bread", "io-reads", RATE, READ | TRANSFER_SECTORS,
	    CHART_SECTORS),
	IO("bwrtn/s", "bwrtn", "io-writes", RATE, WRITE | TRANSFER_SECTORS,
	    CHART_SECTORS),
	IO("bdscd/s", "bdscd", "io-discard", RATE, DISCARD | TRANSFER_SECTORS,
	    CHART_SECTORS),
};

/* Levels that are computed, and shares of them. */
#define SUM(name, key, format, sum, chart) \
	FN(name, key, format, sar_sum, SUM_##sum, chart)
#define PART(name, key, format, sum) \
	FN(name, key, format, sar_share, SUM_##sum, CHART_PERCENT)

static const struct sar_column memory[] = {
	MEMORY("kbmemfree", "memfree", MEM_FREE),
	MEMORY("kbavail", "avail", MEM_AVAILABLE),
	SUM("kbmemused", "memused", KIB, MEM_USED, CHART_KIB),
	PART("%memused", "memused-percent", PERCENT, MEM_USED),
	MEMORY("kbbuffers", "buffers", BUFFERS),
	MEMORY("kbcached", "cached", CACHED),
	MEMORY("kbcommit", "commit", COMMITTED_AS),
	PART("%commit", "commit-percent", PERCENT, COMMIT),
	MEMORY("kbactive", "active", ACTIVE),
	MEMORY("kbinact", "inactive", INACTIVE),
	MEMORY("kbdirty", "dirty", DIRTY),
	/* with ALL */
	MEMORY("kbanonpg", "anonpg", ANON_PAGES),
	MEMORY("kbslab", "slab", SLAB),
	MEMORY("kbkstack", "kstack", KERNEL_STACK),
	MEMORY("kbpgtbl", "pgtbl", PAGE_TABLES),
	MEMORY("kbvmused", "vmused", VMALLOC_USED),
};

#define MEMORY_BASIC 11

static const struct sar_column swap_space[] = {
	MEMORY("kbswpfree", "swpfree", SWAP_FREE),
	SUM("kbswpused", "swpused", KIB, SWAP_USED, CHART_KIB),
	PART("%swpused", "swpused-percent", PERCENT, SWAP_USED),
	MEMORY("kbswpcad", "swpcad", SWAP_CACHED),
	PART("%swpcad", "swpcad-percent", SHARE, SWAP_CACHED),
};

static const struct sar_column huge[] = {
	SUM("kbhugfree", "hugfree", KIB, HUGE_FREE, CHART_KIB),
	SUM("kbhugused", "hugused", KIB, HUGE_USED, CHART_KIB),
	PART("%hugused", "hugused-percent", PERCENT, HUGE_USED),
	SUM("kbhugrsvd", "hugrsvd", KIB, HUGE_RSVD, CHART_KIB),
	SUM("kbhugsurp", "hugsurp", KIB, HUGE_SURP, CHART_KIB),
};

static const struct sar_column ktables[] = {
	LEVEL("dentunusd", "dentunusd", DENTRIES_UNUSED),
	LEVEL("file-nr", "file-nr", FILES),
	SUM("inode-nr", "inode-nr", WHOLE, INODES_USED, CHART_COUNT),
	LEVEL("pty-nr", "pty-nr", PTYS),
};

static const struct sar_column queue[] = {
	FN("runq-sz", "runq-sz", WHOLE, sar_running, COL(HOST, PROCS_RUNNING),
	    CHART_COUNT),
	FN("plist-sz", "plist-sz", WHOLE, sar_level_whole, COL(HOST, TASKS),
	    CHART_TASKS),
	CENTI("ldavg-1", "ldavg-1", RATE, LOAD1, CHART_COUNT),
	CENTI("ldavg-5", "ldavg-5", RATE, LOAD5, CHART_COUNT),
	CENTI("ldavg-15", "ldavg-15", RATE, LOAD15, CHART_COUNT),
	LEVEL("blocked", "blocked", PROCS_BLOCKED),
};

static const struct sar_column disk[] = {
	IO("tps", "tps", NULL, RATE, ALL, CHART_RATE),
	IO(NULL, "rd_sec", NULL, RATE, READ | TRANSFER_SECTORS, CHART_NONE),
	IO(NULL, "wr_sec", NULL, RATE, WRITE | TRANSFER_SECTORS, CHART_NONE),
	IO(NULL, "dc_sec", NULL, RATE, DISCARD | TRANSFER_SECTORS, CHART_NONE),
	IO("rkB/s", "rkB", NULL, KIB_RATE, READ | TRANSFER_KIB,
	    CHART_KIB_RATE),
	IO("wkB/s", "wkB", NULL, KIB_RATE, WRITE | TRANSFER_KIB,
	    CHART_KIB_RATE),
	IO("dkB/s", "dkB", NULL, KIB_RATE, DISCARD | TRANSFER_KIB,
	    CHART_KIB_RATE),
	IO(NULL, "avgrq-sz", NULL, RATE, ALL | TRANSFER_SECTORS |
	    TRANSFER_MEAN, CHART_NONE),
	IO("areq-sz", "areq-sz", NULL, KIB_RATE, ALL | TRANSFER_KIB |
	    TRANSFER_MEAN, CHART_KIB),
	FN(NULL, "avgqu-sz", RATE, sar_queue, 0, CHART_NONE),
	FN("aqu-sz", "aqu-sz", RATE, sar_queue, 0, CHART_COUNT),
	IO("await", "await", NULL, RATE, ALL | TRANSFER_MSEC | TRANSFER_MEAN,
	    CHART_MILLISECONDS),
	FN("%util", "util-percent", PERCENT, sar_busy, 0, CHART_PERCENT),
};

static const struct sar_column net_dev[] = {
	COUNTER("rxpck/s", "rxpck", NET, RX_PACKETS),
	COUNTER("txpck/s", "txpck", NET, TX_PACKETS),
	FN("rxkB/s", "rxkB", BYTES_RATE, sar_rate, COL(NET, RX),
	    CHART_BYTES_RATE),
	FN("txkB/s", "txkB", BYTES_RATE, sar_rate, COL(NET, TX),
	    CHART_BYTES_RATE),
	COUNTER("rxcmp/s", "rxcmp", NET, RX_COMPRESSED),
	COUNTER("txcmp/s", "txcmp", NET, TX_COMPRESSED),
	COUNTER("rxmcst/s", "rxmcst", NET, RX_MULTICAST),
	FN("%ifutil", "ifutil-percent", PERCENT, sar_net_used, 0,
	    CHART_PERCENT),
};

static const struct sar_column net_edev[] = {
	COUNTER("rxerr/s", "rxerr", NET, RX_ERRS),
	COUNTER("txerr/s", "txerr", NET, TX_ERRS),
	COUNTER("coll/s", "coll", NET, TX_COLLS),
	COUNTER("rxdrop/s", "rxdrop", NET, RX_DROP),
	COUNTER("txdrop/s", "txdrop", NET, TX_DROP),
	COUNTER("txcarr/s", "txcarr", NET, TX_CARRIER),
	COUNTER("rxfram/s", "rxfram", NET, RX_FRAME),
	COUNTER("rxfifo/s", "rxfifo", NET, RX_FIFO),
	COUNTER("txfifo/s", "txfifo", NET, TX_FIFO),
};

static const struct sar_column net_sock[] = {
	LEVEL("totsck", "totsck", SOCKETS),
	LEVEL("tcpsck", "tcpsck", TCP_INUSE),
	LEVEL("udpsck", "udpsck", UDP_INUSE),
	LEVEL("rawsck", "rawsck", RAW_INUSE),
	LEVEL("ip-frag", "ip-frag", FRAG_INUSE),
	LEVEL("tcp-tw", "tcp-tw", TCP_TW),
};

static const struct sar_column net_ip[] = {
	COUNTER("irec/s", "irec", HOST, IP_IN),
	COUNTER("fwddgm/s", "fwddgm", HOST, IP_FORWARDED),
	COUNTER("idel/s", "idel", HOST, IP_IN_DELIVERS),
	COUNTER("orq/s", "orq", HOST, IP_OUT),
	COUNTER("asmrq/s", "asmrq", HOST, IP_REASM_REQDS),
	COUNTER("asmok/s", "asmok", HOST, IP_REASM_OKS),
	COUNTER("fragok/s", "fragok", HOST, IP_FRAG_OKS),
	COUNTER("fragcrt/s", "fragcrt", HOST, IP_FRAG_CREATES),
};

static const struct sar_column net_eip[] = {
	COUNTER("ihdrerr/s", "ihdrerr", HOST, IP_IN_HDR_ERRORS),
	COUNTER("iadrerr/s", "iadrerr", HOST, IP_IN_ADDR_ERRORS),
	COUNTER("iukwnpr/s", "iukwnpr", HOST, IP_IN_UNKNOWN),
	COUNTER("idisc/s", "idisc", HOST, IP_IN_DISCARDS),
	COUNTER("odisc/s", "odisc", HOST, IP_OUT_DISCARDS),
	COUNTER("onort/s", "onort", HOST, IP_OUT_NO_ROUTES),
	COUNTER("asmf/s", "asmf", HOST, IP_REASM_FAILS),
	COUNTER("fragf/s", "fragf", HOST, IP_FRAG_FAILS),
};

static const struct sar_column net_tcp[] = {
	COUNTER("active/s", "active", HOST, TCP_ACTIVE_OPENS),
	COUNTER("passive/s", "passive", HOST, TCP_PASSIVE_OPENS),
	COUNTER("iseg/s", "iseg", HOST, TCP_IN_SEGS),
	COUNTER("oseg/s", "oseg", HOST, TCP_OUT_SEGS),
};

static const struct sar_column net_etcp[] = {
	COUNTER("atmptf/s", "atmptf", HOST, TCP_ATTEMPT_FAILS),
	COUNTER("estres/s", "estres", HOST, TCP_ESTAB_RESETS),
	COUNTER("retrans/s", "retrans", HOST, TCP_RETRANS_SEGS),
	COUNTER("isegerr/s", "isegerr", HOST, TCP_IN_ERRS),
	COUNTER("orsts/s", "orsts", HOST, TCP_OUT_RSTS),
};

static const struct sar_column net_udp[] = {
	COUNTER("idgm/s", "idgm", HOST, UDP_IN),
	COUNTER("odgm/s", "odgm", HOST, UDP_OUT),
	COUNTER("noport/s", "noport", HOST, UDP_NO_PORTS),
	COUNTER("idgmerr/s", "idgmerr", HOST, UDP_IN_ERRORS),
};

#define FS_PART(name, xml, sum) \
	{ name, name, xml, NULL, PERCENT, sar_share, SUM_##sum, CHART_PERCENT }

static const struct sar_column fs[] = {
	SUM("MBfsfree", "MBfsfree", MIB, FS_FREE, CHART_BYTES),
	SUM("MBfsused", "MBfsused", MIB, FS_USED, CHART_BYTES),
	FS_PART("%fsused", "fsused-percent", FS_USED),
	FS_PART("%ufsused", "ufsused-percent", FS_UNAVAILABLE),
	FN("Ifree", "Ifree", WHOLE, sar_level_whole, COL(FS, INODES_FREE),
	    CHART_INODES),
	SUM("Iused", "Iused", WHOLE, FS_INODES, CHART_INODES),
	FS_PART("%Iused", "Iused-percent", FS_INODES),
};

/* Of one resource, some tasks or all of them stalled. */
#define PRESSURE(letters, word, SYM) \
	CENTI("%" letters "-10", word "_avg10", PERCENT, SYM##_AVG10, \
	    CHART_PERCENT), \
	CENTI("%" letters "-60", word "_avg60", PERCENT, SYM##_AVG60, \
	    CHART_PERCENT), \
	CENTI("%" letters "-300", word "_avg300", PERCENT, SYM##_AVG300, \
	    CHART_PERCENT), \
	FN("%" letters, word "_avg", PERCENT, sar_stalled, COL(HOST, SYM), \
	    CHART_PERCENT)

static const struct sar_column psi_cpu[] = {
	PRESSURE("scpu", "some", PSI_CPU_SOME),
};

static const struct sar_column psi_io[] = {
	PRESSURE("sio", "some", PSI_IO_SOME),
	PRESSURE("fio", "full", PSI_IO_FULL),
};

static const struct sar_column psi_mem[] = {
	PRESSURE("smem", "some", PSI_MEMORY_SOME),
	PRESSURE("fmem", "full", PSI_MEMORY_FULL),
};

#define SECOND "per=\"second\""
#define COLUMNS(c) .column = (c), .n_column = GS_LEN(c)
#define KB "unit=\"kB\""
#define ONE SAR_HOST, false, NULL, 0

/* An activity of one row: its object, its group, the attribute of that. */
#define HOST(what, option, name, of, attr, ...) \
	{ what, option, ONE, .json = name, .xml = name, .group = of, \
	    .xml_attr = attr, __VA_ARGS__ }

const struct sar_activity sar_activities[SAR_ACTIVITIES] = {
	[SAR_A_CPU] = { "CPU time", "-u", SAR_CPU, true, "CPU", 7,
	    "cpu-load", "cpu", NULL, "cpu", "number", NULL, COLUMNS(cpu) },
	[SAR_A_CPU_ALL] = { "CPU time", "-u ALL", SAR_CPU, true, "CPU", 7,
	    "cpu-load", "cpu", NULL, "cpu", "number", NULL,
	    COLUMNS(cpu_all) },
	[SAR_A_PCSW] = HOST("tasks and switches", "-w",
	    "process-and-context-switch", NULL, SECOND, COLUMNS(pcsw)),
	[SAR_A_SWAP] = HOST("swapping", "-W", "swap-pages", NULL, SECOND,
	    COLUMNS(swap)),
	[SAR_A_PAGE] = HOST("paging", "-B", "paging", NULL, SECOND,
	    COLUMNS(page)),
	[SAR_A_IO] = HOST("transfers", "-b", "io", NULL, SECOND,
	    .xml_elements = true, COLUMNS(io)),
	[SAR_A_MEMORY] = HOST("memory", "-r", "memory", NULL, KB,
	    .xml_elements = true, .column = memory, .n_column = MEMORY_BASIC),
	[SAR_A_MEMORY_ALL] = HOST("memory", "-r ALL", "memory", NULL, KB,
	    .xml_elements = true, COLUMNS(memory)),
	[SAR_A_SWAP_SPACE] = HOST("swap space", "-S", "memory", NULL, KB,
	    .xml_elements = true, COLUMNS(swap_space)),
	[SAR_A_HUGE] = HOST("huge pages", "-H", "hugepages", NULL, KB,
	    .xml_elements = true, COLUMNS(huge)),
	[SAR_A_KTABLES] = HOST("kernel tables", "-v", "kernel", NULL, NULL,
	    COLUMNS(ktables)),
	[SAR_A_QUEUE] = HOST("load", "-q LOAD", "queue", NULL, NULL,
	    COLUMNS(queue)),
	[SAR_A_DISK] = { "disks", "-d", SAR_DISK, false, "DEV", 9, "disk",
	    "disk-device", NULL, "disk-device", "dev", SECOND,
	    COLUMNS(disk) },
	[SAR_A_NET_DEV] = { "network interfaces", "-n DEV", SAR_NET, false,
	    "IFACE", 9, "net-dev", "iface", "network", "net-dev", "iface",
	    SECOND, COLUMNS(net_dev) },
	[SAR_A_NET_EDEV] = { "errors of network interfaces", "-n EDEV",
	    SAR_NET, false, "IFACE", 9, "net-edev", "iface", "network",
	    "net-edev", "iface", SECOND, COLUMNS(net_edev) },
	[SAR_A_NET_SOCK] = HOST("sockets", "-n SOCK", "net-sock", "network",
	    SECOND, COLUMNS(net_sock)),
	[SAR_A_NET_IP] = HOST("IP", "-n IP", "net-ip", "network", SECOND,
	    COLUMNS(net_ip)),
	[SAR_A_NET_EIP] = HOST("errors of IP", "-n EIP", "net-eip", "network",
	    SECOND, COLUMNS(net_eip)),
	[SAR_A_NET_TCP] = HOST("TCP", "-n TCP", "net-tcp", "network", SECOND,
	    COLUMNS(net_tcp)),
	[SAR_A_NET_ETCP] = HOST("errors of TCP", "-n ETCP", "net-etcp",
	    "network", SECOND, COLUMNS(net_etcp)),
	[SAR_A_NET_UDP] = HOST("UDP", "-n UDP", "net-udp", "network", SECOND,
	    COLUMNS(net_udp)),
	[SAR_A_FS] = { "file systems", "-F", SAR_FS, false, "FILESYSTEM",
	    SAR_ITEM_LAST, "filesystems", "filesystem", NULL, "filesystem",
	    "fsname", NULL, COLUMNS(fs) },
	[SAR_A_FS_MOUNT] = { "file systems", "-F MOUNT", SAR_FS, false,
	    "MOUNTPOINT", SAR_ITEM_LAST, "filesystems", "mountpoint", NULL,
	    "filesystem", "mountp", NULL, COLUMNS(fs) },
	[SAR_A_PSI_CPU] = HOST("CPU pressure", "-q CPU", "psi-cpu", "psi",
	    SECOND, .only_with = COL(HOST, PSI_CPU_SOME), COLUMNS(psi_cpu)),
	[SAR_A_PSI_IO] = HOST("I/O pressure", "-q IO", "psi-io", "psi", SECOND,
	    .only_with = COL(HOST, PSI_IO_SOME), COLUMNS(psi_io)),
	[SAR_A_PSI_MEM] = HOST("memory pressure", "-q MEM", "psi-mem", "psi",
	    SECOND, .only_with = COL(HOST, PSI_MEMORY_SOME), COLUMNS(psi_mem)),
};
