/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_hosts.c - tables about hosts and their parts.
 *
 * One row per column: heading, unit and width from which text shows it, the
 * function that fills it, and the columns of the entity that it needs.  To add
 * a column: add a row.
 */
#include "base/compiler.h"
#include "query/columns.h"
#include "query/labelcol.h"
#include "view/label_figures.h"
#include "view/view_int.h"

/* Where the time of CPUs goes, and bits for figure_share() in that order. */
#define TIMES(E, P) .n_from = 8, .from = { COL(E, P##USER), COL(E, P##NICE), \
	COL(E, P##SYSTEM), COL(E, P##IDLE), COL(E, P##IOWAIT), \
	COL(E, P##IRQ), COL(E, P##SOFTIRQ), COL(E, P##STEAL) }
#define SHARE(BITS) .fn = figure_share, .scale = 100, .pick = BITS
#define HOST_SHARE(BITS) SHARE(BITS), TIMES(HOST, CPU_)
#define CPU_SHARE(BITS) SHARE(BITS), TIMES(CPU, )
enum {
	PICK_USER = 1 << 0, PICK_NICE = 1 << 1, PICK_SYSTEM = 1 << 2,
	PICK_IDLE = 1 << 3, PICK_IOWAIT = 1 << 4, PICK_IRQ = 1 << 5,
	PICK_SOFTIRQ = 1 << 6, PICK_STEAL = 1 << 7,
	/* neither idle nor waiting for a disk, as in the overview */
	PICK_BUSY = 0xff & ~(PICK_IDLE | PICK_IOWAIT)
};

static const struct figure hosts[] = {
	COLUMN("host", "HOST", Q_TEXT, 80, "host", ALONE(labelcol_host_name)),
	COLUMN("state", "STATE", Q_TEXT, WHERE_UNEVEN, "answers, silent, or never answered",
	    ALONE(labelcol_host_state)),
	COLUMN("own_covered_seconds", "COVERED", Q_SECONDS, WHERE_UNEVEN,
	    "covered time of its figures", ALONE(labelcol_host_covered)),
	COLUMN("busy_percent", "BUSY%", Q_PERCENT, 120, "CPUs neither idle nor waiting for a disk",
	    HOST_SHARE(PICK_BUSY)),
	COLUMN("user_percent", "USR%", Q_PERCENT, 80, "CPUs in user mode, niced included",
	    HOST_SHARE(PICK_USER | PICK_NICE)),
	COLUMN("system_percent", "SYS%", Q_PERCENT, 80, "CPUs in the kernel",
	    HOST_SHARE(PICK_SYSTEM)),
	COLUMN("iowait_percent", "IOW%", Q_PERCENT, 80,
	    "CPUs idle while a disk request was outstanding", HOST_SHARE(PICK_IOWAIT)),
	COLUMN("steal_percent", "STEAL%", Q_PERCENT, 80,
	    "CPU time that the hypervisor gave to others", HOST_SHARE(PICK_STEAL)),
	COLUMN("idle_percent", "IDLE%", Q_PERCENT, 120, "CPUs idle", HOST_SHARE(PICK_IDLE)),
	COLUMN("nice_percent", "NICE%", Q_PERCENT, GRID_ON_REQUEST, "CPUs in user mode, niced",
	    HOST_SHARE(PICK_NICE)),
	COLUMN("softirq_percent", "SOFT%", Q_PERCENT, GRID_ON_REQUEST,
	    "CPUs serving soft interrupts", HOST_SHARE(PICK_SOFTIRQ)),
	COLUMN("run_queue", "RUNQ", Q_COUNT, 80, "runnable tasks at the end",
	    SUM(HOST, PROCS_RUNNING)),
	COLUMN("run_queue_peak", "RUNQPEAK", Q_COUNT, GRID_ON_REQUEST,
	    "most runnable tasks at any tick", PEAK(HOST, PROCS_RUNNING)),
	COLUMN("blocked", "BLOCKED", Q_COUNT, 80, "tasks waiting for a disk (state D) at the end",
	    SUM(HOST, PROCS_BLOCKED)),
	COLUMN("load1", "LOAD1", Q_NUMBER, 200, "load average over 1 min", SUM(HOST, LOAD1)),
	COLUMN("memory_available", "AVAIL", Q_BYTES, 80,
	    "memory that programs can get without swapping, at the end", SUM(HOST, MEM_AVAILABLE)),
	COLUMN("commit_percent", "COMMIT%", Q_PERCENT, 120, "committed memory, percent of the limit",
	    RATIO(100, HOST, COMMITTED_AS, COMMIT_LIMIT)),
	COLUMN("swap_bytes_per_second", "SWAP/s", Q_BYTES_RATE, 80, "swapped in and out",
	    RATE2(HOST, PSWPIN, PSWPOUT), ADDS),
	COLUMN("worst_disk", "DISK", Q_TEXT, 80, "the disk whose requests took longest",
	    BY(labelcol_worst_disk)),
	COLUMN("worst_disk_await_ms", "AWAIT", Q_NUMBER, 80,
	    "its ms per request, queueing included", BY(labelcol_worst_await)),
	COLUMN("worst_disk_util_percent", "UTIL%", Q_PERCENT, 80,
	    "its time with a request under way", BY(labelcol_worst_util)),
	COLUMN("retransmits_per_second", "RETR/s", Q_RATE, 120, "TCP segments sent again",
	    RATE(HOST, TCP_RETRANS_SEGS), ADDS),
	COLUMN("udp_buffer_errors_per_second", "UDPBUF/s", Q_RATE, 120,
	    "UDP datagrams dropped because buffers were full",
	    RATE2(HOST, UDP_RCVBUF_ERRORS, UDP_SNDBUF_ERRORS), ADDS),
	COLUMN("reassembly_failures_per_second", "REASM/s", Q_RATE, 120, "failed IP reassemblies",
	    RATE(HOST, IP_REASM_FAILS), ADDS),
	COLUMN("listen_drops_per_second", "LDROP/s", Q_RATE, 120, "connection attempts dropped",
	    RATE(HOST, TCP_LISTEN_DROPS), ADDS),
	COLUMN("cpu_pressure_percent", "PSICPU%", Q_PERCENT, 200,
	    "time in which some task waited for a CPU", PERCENT(HOST, PSI_CPU_SOME)),
	COLUMN("memory_pressure_percent", "PSIMEM%", Q_PERCENT, 200,
	    "time in which some task waited for memory", PERCENT(HOST, PSI_MEMORY_SOME)),
	COLUMN("io_pressure_percent", "PSIIO%", Q_PERCENT, 200,
	    "time in which some task waited for IO", PERCENT(HOST, PSI_IO_SOME)),
	COLUMN("context_switches_per_second", "CSW/s", Q_RATE, 200, "context switches",
	    RATE(HOST, CTXT), ADDS),
	COLUMN("forks_per_second", "FORK/s", Q_RATE, 200, "processes and threads created",
	    RATE(HOST, FORKS), ADDS),
	COLUMN("oom_kills_per_second", "OOM/s", Q_RATE, GRID_ON_REQUEST,
	    "processes killed because memory ran out", RATE(HOST, OOM_KILL), ADDS),
	COLUMN("open_files", "FILES", Q_COUNT, GRID_ON_REQUEST, "open files", SUM(HOST, FILES)),
};

const struct view view_hosts = {
	.name = "hosts",
	.help = "hosts: CPU, memory, worst disk, network",
	.grouping = GROUPING_ROW,
	.entity = ENTITY_HOST,
	FIGURES(hosts),
	.sort = "host",
	.known = KNOWN_HOSTS,
};

static const struct figure cpus[] = {
	HOST_FIGURE(MANY_HOSTS),
	COLUMN("cpu", "CPU", Q_TEXT, 80, "number of the CPU", BY(labelcol_name)),
	COLUMN("busy_percent", "BUSY%", Q_PERCENT, 120, "neither idle nor waiting for a disk",
	    CPU_SHARE(PICK_BUSY)),
	COLUMN("user_percent", "USR%", Q_PERCENT, 80, "in user mode", CPU_SHARE(PICK_USER)),
	COLUMN("nice_percent", "NICE%", Q_PERCENT, 80, "in user mode, niced", CPU_SHARE(PICK_NICE)),
	COLUMN("system_percent", "SYS%", Q_PERCENT, 80, "in the kernel", CPU_SHARE(PICK_SYSTEM)),
	COLUMN("iowait_percent", "IOW%", Q_PERCENT, 80,
	    "idle while a disk request was outstanding", CPU_SHARE(PICK_IOWAIT)),
	COLUMN("irq_percent", "IRQ%", Q_PERCENT, 80, "serving interrupts", CPU_SHARE(PICK_IRQ)),
	COLUMN("softirq_percent", "SOFT%", Q_PERCENT, 80, "serving soft interrupts",
	    CPU_SHARE(PICK_SOFTIRQ)),
	COLUMN("steal_percent", "STEAL%", Q_PERCENT, 80, "given to others by the hypervisor",
	    CPU_SHARE(PICK_STEAL)),
	COLUMN("idle_percent", "IDLE%", Q_PERCENT, 80, "idle", CPU_SHARE(PICK_IDLE)),
};

const struct view view_cpus = {
	.name = "cpus",
	.help = "CPUs",
	.grouping = GROUPING_ROW,
	.entity = ENTITY_CPU,
	FIGURES(cpus),
	.sort = "host,cpu",
};

static const struct figure disks[] = {
	HOST_FIGURE(MANY_HOSTS),
	COLUMN("disk", "DISK", Q_TEXT, 80, "device", BY(labelcol_name)),
	COLUMN("reads_per_second", "R/s", Q_RATE, 80, "read requests", RATE(DISK, READS), ADDS),
	COLUMN("writes_per_second", "W/s", Q_RATE, 80, "write requests", RATE(DISK, WRITES), ADDS),
	COLUMN("read_bytes_per_second", "READ/s", Q_BYTES_RATE, 80, "read", RATE(DISK, READ), ADDS),
	COLUMN("write_bytes_per_second", "WRITE/s", Q_BYTES_RATE, 80, "written",
	    RATE(DISK, WRITTEN), ADDS),
	COLUMN("await_ms", "AWAIT", Q_NUMBER, 80, "ms per request, queueing included",
	    BY(labelcol_await),
	    .n_from = 4, .from = { COL(DISK, READS), COL(DISK, WRITES), COL(DISK, READ_TIME), COL(DISK, WRITE_TIME) }),
	COLUMN("read_await_ms", "RAWAIT", Q_NUMBER, 120, "ms per read",
	    RATIO(1000, DISK, READ_TIME, READS)),
	COLUMN("write_await_ms", "WAWAIT", Q_NUMBER, 120, "ms per write",
	    RATIO(1000, DISK, WRITE_TIME, WRITES)),
	COLUMN("queue", "QUEUE", Q_NUMBER, 80, "requests under way, average",
	    RATE(DISK, QUEUE_TIME), ADDS),
	COLUMN("util_percent", "UTIL%", Q_PERCENT, 80, "time with a request under way",
	    PERCENT(DISK, IO_TIME)),
	COLUMN("merged_per_second", "MERGE/s", Q_RATE, 200, "requests merged",
	    RATE2(DISK, READS_MERGED, WRITES_MERGED), ADDS),
	COLUMN("discards_per_second", "DISC/s", Q_RATE, 200, "discard requests",
	    RATE(DISK, DISCARDS), ADDS),
	COLUMN("flushes_per_second", "FLUSH/s", Q_RATE, 200, "flush requests",
	    RATE(DISK, FLUSHES), ADDS),
};

const struct view view_disks = {
	.name = "disks",
	.help = "disks",
	.grouping = GROUPING_ROW,
	.entity = ENTITY_DISK,
	FIGURES(disks),
	.sort = "util_percent",
};

static const struct figure nets[] = {
	HOST_FIGURE(MANY_HOSTS),
	COLUMN("net", "IFACE", Q_TEXT, 80, "interface", BY(labelcol_name)),
	COLUMN("rx_bytes_per_second", "RX/s", Q_BYTES_RATE, 80, "received", RATE(NET, RX), ADDS),
	COLUMN("tx_bytes_per_second", "TX/s", Q_BYTES_RATE, 80, "sent", RATE(NET, TX), ADDS),
	COLUMN("rx_packets_per_second", "RXPCK/s", Q_RATE, 80, "packets received",
	    RATE(NET, RX_PACKETS), ADDS),
	COLUMN("tx_packets_per_second", "TXPCK/s", Q_RATE, 80, "packets sent",
	    RATE(NET, TX_PACKETS), ADDS),
	COLUMN("rx_errors_per_second", "RXERR/s", Q_RATE, 120, "receive errors",
	    RATE(NET, RX_ERRS), ADDS),
	COLUMN("tx_errors_per_second", "TXERR/s", Q_RATE, 120, "send errors",
	    RATE(NET, TX_ERRS), ADDS),
	COLUMN("rx_drops_per_second", "RXDROP/s", Q_RATE, 80, "received packets dropped",
	    RATE2(NET, RX_DROP, RX_FIFO), ADDS),
	COLUMN("tx_drops_per_second", "TXDROP/s", Q_RATE, 80, "packets to send dropped",
	    RATE2(NET, TX_DROP, TX_FIFO), ADDS),
};

const struct view view_nets = {
	.name = "nets",
	.help = "network interfaces",
	.grouping = GROUPING_ROW,
	.entity = ENTITY_NET,
	FIGURES(nets),
	.sort = "rx_bytes_per_second",
};

static const struct figure filesystems[] = {
	HOST_FIGURE(MANY_HOSTS),
	COLUMN("mount", "MOUNT", Q_TEXT, 80, "where it is mounted", BY(labelcol_name)),
	COLUMN("device", "DEVICE", Q_TEXT, 120, "what is mounted", CELL(FS, DEVICE)),
	COLUMN("type", "TYPE", Q_TEXT, 120, "file system type", CELL(FS, TYPE)),
	COLUMN("disk", "DISK", Q_TEXT, 80, "its underlying disks", CELL(FS, DISK)),
	COLUMN("size", "SIZE", Q_BYTES, 80, "size", SUM(FS, SIZE), ADDS),
	COLUMN("free", "FREE", Q_BYTES, 120, "free", SUM(FS, FREE), ADDS),
	COLUMN("available", "AVAIL", Q_BYTES, 80, "free for ordinary users", SUM(FS, AVAIL), ADDS),
	COLUMN("available_percent", "AVAIL%", Q_PERCENT, 80,
	    "free for ordinary users, of the size", RATIO(100, FS, AVAIL, SIZE)),
	COLUMN("inodes_free", "IFREE", Q_COUNT, 120, "free inodes", SUM(FS, INODES_FREE), ADDS),
};

const struct view view_filesystems = {
	.name = "filesystems",
	.help = "file systems of data directories",
	.grouping = GROUPING_ROW,
	.entity = ENTITY_FS,
	FIGURES(filesystems),
	.sort = "+available_percent",
};

static const struct figure cgroups[] = {
	HOST_FIGURE(MANY_HOSTS),
	COLUMN("cpu_percent", "CPU%", Q_PERCENT, 80, "CPU time, % of one core",
	    PERCENT(CGROUP, CPU), ADDS),
	COLUMN("cpu_seconds", "CPU", Q_SECONDS, 80, "CPU time", SUM(CGROUP, CPU), ADDS),
	COLUMN("throttled_percent", "THROT%", Q_PERCENT, 80, "time in which it was throttled",
	    PERCENT(CGROUP, THROTTLED_TIME), ADDS),
	COLUMN("memory", "MEM", Q_BYTES, 80, "memory charged, at the end",
	    SUM(CGROUP, MEMORY), ADDS),
	COLUMN("memory_limit", "LIMIT", Q_BYTES, 80, "memory limit; absent: no limit",
	    CELL(CGROUP, MEMORY_MAX)),
	COLUMN("swap", "SWAP", Q_BYTES, 120, "swap used", SUM(CGROUP, SWAP), ADDS),
	COLUMN("tasks", "TASKS", Q_COUNT, 80, "tasks", SUM(CGROUP, PIDS), ADDS),
	COLUMN("cgroup", "CGROUP", Q_TEXT, 80, "path", BY(labelcol_name), FLEXES),
};

const struct view view_cgroups = {
	.name = "cgroups",
	.help = "control groups of recorded processes",
	.grouping = GROUPING_ROW,
	.entity = ENTITY_CGROUP,
	FIGURES(cgroups),
	.sort = "cpu_seconds",
};

static const struct figure agents[] = {
	HOST_FIGURE(80),
	COLUMN("version", "VERSION", Q_TEXT, 80, "version of the agent", BY(labelcol_name)),
	COLUMN("clock_offset_ms", "CLOCK", Q_NUMBER, 80,
	    "ms that the host's clock is ahead of the recorder's", BY(labelcol_clock_offset)),
	COLUMN("round_trip_ms", "RTT", Q_NUMBER, 80, "ms from the last request to its answer",
	    BY(labelcol_round_trip)),
	COLUMN("cpu_percent", "CPU%", Q_PERCENT, 80, "CPU time of the agent",
	    PERCENT(AGENT, CPU), ADDS),
	COLUMN("memory", "RSS", Q_BYTES, 80, "memory of the agent", SUM(AGENT, RSS), ADDS),
	COLUMN("seen", "SEEN", Q_COUNT, 80, "processes that existed at the last tick",
	    SUM(AGENT, SEEN), ADDS),
	COLUMN("read", "READ", Q_COUNT, 80, "seen processes that were read in full", SUM(AGENT, READ), ADDS),
	COLUMN("quiet", "QUIET", Q_COUNT, 80, "seen processes that had not run", SUM(AGENT, QUIET), ADDS),
	COLUMN("lost", "LOST", Q_COUNT, 80, "vanished while being read", SUM(AGENT, LOST), ADDS),
	COLUMN("refused", "REFUSED", Q_COUNT, 80, "with a file that may not be read",
	    SUM(AGENT, REFUSED), ADDS),
};

const struct view view_agents = {
	.name = "agents",
	.help = "agents: processes that they read, and their own cost",
	.grouping = GROUPING_ROW,
	.entity = ENTITY_AGENT,
	FIGURES(agents),
	.sort = "host",
};
