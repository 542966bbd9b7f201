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
#include "view/cgroup_figures.h"
#include "view/host_usage.h"
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
	COLUMN("state", "STATE", Q_TEXT, WHERE_UNEVEN,
	    "answers, silent, never answered, or not recorded any more",
	    ALONE(labelcol_host_state), VARIES, LEAST(14)),
	COLUMN("own_covered_seconds", "COVERED", Q_SECONDS, WHERE_UNEVEN,
	    "covered time of its figures", ALONE(labelcol_host_covered), .col.grows = true),
	COLUMN("busy_percent", "BUSY%", Q_PERCENT, 80, "CPUs neither idle nor waiting for a disk",
	    HOST_SHARE(PICK_BUSY)),
	COLUMN("user_percent", "USR%", Q_PERCENT, 80, "CPUs in user mode, niced included",
	    HOST_SHARE(PICK_USER | PICK_NICE)),
	COLUMN("system_percent", "SYS%", Q_PERCENT, 80, "CPUs in the kernel",
	    HOST_SHARE(PICK_SYSTEM)),
	COLUMN("iowait_percent", "IOW%", Q_PERCENT, 80,
	    "CPUs idle while a disk request was outstanding", HOST_SHARE(PICK_IOWAIT)),
	COLUMN("steal_percent", "STEAL%", Q_PERCENT, 100,
	    "CPU time that the hypervisor gave to others", HOST_SHARE(PICK_STEAL)),
	COLUMN("idle_percent", "IDLE%", Q_PERCENT, 120, "CPUs idle", HOST_SHARE(PICK_IDLE)),
	COLUMN("nice_percent", "NICE%", Q_PERCENT, GRID_ON_REQUEST, "CPUs in user mode, niced",
	    HOST_SHARE(PICK_NICE)),
	COLUMN("softirq_percent", "SOFT%", Q_PERCENT, GRID_ON_REQUEST,
	    "CPUs serving soft interrupts", HOST_SHARE(PICK_SOFTIRQ)),
	NAMED_COLUMN("run_queue", "RUNQ", 80, SUM(HOST, PROCS_RUNNING)),
	COLUMN("run_queue_peak", "RUNQPEAK", Q_COUNT, GRID_ON_REQUEST,
	    "most runnable tasks at any tick", PEAK(HOST, PROCS_RUNNING)),
	NAMED_COLUMN("blocked", "BLOCKED", 80, SUM(HOST, PROCS_BLOCKED)),
	METRIC_COLUMN(200, SUM(HOST, LOAD1)),
	NAMED_COLUMN("memory_available", "AVAIL", 80, SUM(HOST, MEM_AVAILABLE)),
	COLUMN("commit_percent", "COMMIT%", Q_PERCENT, 120, "committed memory, percent of the limit",
	    RATIO(100, HOST, COMMITTED_AS, COMMIT_LIMIT)),
	COLUMN("swap_bytes_per_second", "SWAP/s", Q_BYTES_RATE, 80, "swapped in and out",
	    RATE2(HOST, PSWPIN, PSWPOUT), ADDS),
	COLUMN("worst_disk", "DISK", Q_TEXT, 80, "the disk whose requests took longest",
	    BY(labelcol_worst_disk), VARIES),
	COLUMN("worst_disk_await_ms", "AWAIT", Q_NUMBER, 80,
	    "its ms per request, queueing included", BY(labelcol_worst_await)),
	COLUMN("worst_disk_util_percent", "UTIL%", Q_PERCENT, 80,
	    "its time with a request under way", BY(labelcol_worst_util)),
	COLUMN("unattributed_percent", "UNATTR%", Q_PERCENT, GRID_ON_REQUEST,
	    "CPU time that no recorded process used, % of one core",
	    .fn = unattributed_cpu, .dear = true, .n_from = N_HOST_CPU_COLS,
	    .from = { HOST_CPU_COLS }),
	COLUMN("unattributed_bytes_per_second", "UNATTR/s", Q_BYTES_RATE, GRID_ON_REQUEST,
	    "bytes of disks that no recorded process read or wrote",
	    .fn = unattributed_io, .dear = true, .n_from = N_HOST_CPU_COLS,
	    .from = { HOST_CPU_COLS }),
	NAMED_COLUMN("retransmits_per_second", "RETR/s", 120,
	    RATE(HOST, TCP_RETRANS_SEGS), ADDS),
	COLUMN("udp_buffer_errors_per_second", "UDPBUF/s", Q_RATE, 120,
	    "UDP datagrams dropped because buffers were full",
	    RATE2(HOST, UDP_RCVBUF_ERRORS, UDP_SNDBUF_ERRORS), ADDS),
	NAMED_COLUMN("reassembly_failures_per_second", "REASM/s", 120,
	    RATE(HOST, IP_REASM_FAILS), ADDS),
	NAMED_COLUMN("listen_drops_per_second", "LDROP/s", 120,
	    RATE(HOST, TCP_LISTEN_DROPS), ADDS),
	NAMED_COLUMN("cpu_pressure_percent", "PSICPU%", 200,
	    PERCENT(HOST, PSI_CPU_SOME)),
	NAMED_COLUMN("memory_pressure_percent", "PSIMEM%", 200,
	    PERCENT(HOST, PSI_MEMORY_SOME)),
	NAMED_COLUMN("io_pressure_percent", "PSIIO%", 200,
	    PERCENT(HOST, PSI_IO_SOME)),
	NAMED_COLUMN("context_switches_per_second", "CSW/s", 200,
	    RATE(HOST, CTXT), ADDS),
	NAMED_COLUMN("forks_per_second", "FORK/s", 200, RATE(HOST, FORKS),
	    ADDS),
	NAMED_COLUMN("oom_kills_per_second", "OOM/s", GRID_ON_REQUEST,
	    RATE(HOST, OOM_KILL), ADDS),
	NAMED_COLUMN("cpus", "CPUS", GRID_ON_REQUEST, SUM(HOST, CPUS)),
	COLUMN("memory_available_percent", "AVAIL%", Q_PERCENT, GRID_ON_REQUEST,
	    "memory available without swapping, of all",
	    RATIO(100, HOST, MEM_AVAILABLE, MEM_TOTAL)),
	COLUMN("memory_full_percent", "MEMFULL%", Q_PERCENT, GRID_ON_REQUEST,
	    "time in which all tasks waited for memory",
	    PERCENT(HOST, PSI_MEMORY_FULL)),
	NAMED_COLUMN("open_files", "FILES", GRID_ON_REQUEST, SUM(HOST, FILES)),
};

ROW_VIEW(hosts, HOST, "hosts: CPU, memory, worst disk, network",
    "host", .known = KNOWN_HOSTS);

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

ROW_VIEW(cpus, CPU, "CPUs", "host,cpu");

static const struct figure disks[] = {
	HOST_FIGURE(MANY_HOSTS),
	COLUMN("disk", "DISK", Q_TEXT, 80, "device", BY(labelcol_name)),
	NAMED_COLUMN("reads_per_second", "R/s", 80, RATE(DISK, READS), ADDS),
	NAMED_COLUMN("writes_per_second", "W/s", 80, RATE(DISK, WRITES), ADDS),
	NAMED_COLUMN("read_bytes_per_second", "READ/s", 80, RATE(DISK, READ),
	    ADDS),
	NAMED_COLUMN("write_bytes_per_second", "WRITE/s", 80,
	    RATE(DISK, WRITTEN), ADDS),
	COLUMN("await_ms", "AWAIT", Q_NUMBER, 80, "ms per request, queueing included",
	    BY(labelcol_await),
	    .n_from = 4, .from = { COL(DISK, READS), COL(DISK, WRITES),
	    COL(DISK, READ_TIME), COL(DISK, WRITE_TIME) }),
	COLUMN("read_await_ms", "RAWAIT", Q_NUMBER, 120, "ms per read",
	    RATIO(1000, DISK, READ_TIME, READS)),
	COLUMN("write_await_ms", "WAWAIT", Q_NUMBER, 120, "ms per write",
	    RATIO(1000, DISK, WRITE_TIME, WRITES)),
	COLUMN("queue", "QUEUE", Q_NUMBER, 80, "requests under way, average",
	    RATE(DISK, QUEUE_TIME), ADDS),
	NAMED_COLUMN("util_percent", "UTIL%", 80, PERCENT(DISK, IO_TIME)),
	COLUMN("merged_per_second", "MERGE/s", Q_RATE, 200, "requests merged",
	    RATE2(DISK, READS_MERGED, WRITES_MERGED), ADDS),
	NAMED_COLUMN("discards_per_second", "DISC/s", 200, RATE(DISK, DISCARDS),
	    ADDS),
	NAMED_COLUMN("flushes_per_second", "FLUSH/s", 200, RATE(DISK, FLUSHES),
	    ADDS),
};

ROW_VIEW(disks, DISK, "disks", "util_percent");

static const struct figure nets[] = {
	HOST_FIGURE(MANY_HOSTS),
	COLUMN("net", "IFACE", Q_TEXT, 80, "interface", BY(labelcol_name)),
	NAMED_COLUMN("rx_bytes_per_second", "RX/s", 80, RATE(NET, RX), ADDS),
	NAMED_COLUMN("tx_bytes_per_second", "TX/s", 80, RATE(NET, TX), ADDS),
	NAMED_COLUMN("rx_packets_per_second", "RXPCK/s", 80,
	    RATE(NET, RX_PACKETS), ADDS),
	NAMED_COLUMN("tx_packets_per_second", "TXPCK/s", 80,
	    RATE(NET, TX_PACKETS), ADDS),
	NAMED_COLUMN("rx_errors_per_second", "RXERR/s", 120, RATE(NET, RX_ERRS),
	    ADDS),
	NAMED_COLUMN("tx_errors_per_second", "TXERR/s", 120, RATE(NET, TX_ERRS),
	    ADDS),
	COLUMN("rx_drops_per_second", "RXDROP/s", Q_RATE, 80, "received packets dropped",
	    RATE2(NET, RX_DROP, RX_FIFO), ADDS),
	COLUMN("tx_drops_per_second", "TXDROP/s", Q_RATE, 80, "packets to send dropped",
	    RATE2(NET, TX_DROP, TX_FIFO), ADDS),
};

ROW_VIEW(nets, NET, "network interfaces", "rx_bytes_per_second");

static const struct figure filesystems[] = {
	HOST_FIGURE(MANY_HOSTS),
	COLUMN("mount", "MOUNT", Q_TEXT, 80, "where it is mounted", BY(labelcol_name)),
	METRIC_COLUMN(120, CELL(FS, DEVICE)),
	METRIC_COLUMN(120, CELL(FS, TYPE)),
	METRIC_COLUMN(80, CELL(FS, DISK)),
	METRIC_COLUMN(80, SUM(FS, SIZE), ADDS),
	METRIC_COLUMN(120, SUM(FS, FREE), ADDS),
	NAMED_COLUMN("available", "AVAIL", 80, SUM(FS, AVAIL), ADDS),
	COLUMN("available_percent", "AVAIL%", Q_PERCENT, 80,
	    "free for ordinary users, of the size", RATIO(100, FS, AVAIL, SIZE)),
	NAMED_COLUMN("inodes_free", "IFREE", 120, SUM(FS, INODES_FREE), ADDS),
};

ROW_VIEW(filesystems, FS, "file systems of data directories",
    "+available_percent");

static const struct figure cgroups[] = {
	HOST_FIGURE(MANY_HOSTS),
	COLUMN("cpu_percent", "CPU%", Q_PERCENT, 80, "CPU time, % of one core",
	    PERCENT(CGROUP, CPU), ADDS),
	NAMED_COLUMN("cpu_seconds", "CPU", 80, SUM(CGROUP, CPU), ADDS),
	COLUMN("quota_percent", "QUOTA%", Q_PERCENT, 120,
	    "CPU time that its quota allows, % of one core; max: no limit",
	    BY(cgroup_quota), FROM2(CGROUP, CPU_QUOTA, CPU_PERIOD)),
	NAMED_COLUMN("throttled_percent", "THROT%", 80,
	    PERCENT(CGROUP, THROTTLED_TIME)),
	NAMED_COLUMN("memory", "MEM", 80, SUM(CGROUP, MEMORY), ADDS),
	NAMED_COLUMN("memory_limit", "LIMIT", 80, CELL(CGROUP, MEMORY_MAX)),
	METRIC_COLUMN(120, SUM(CGROUP, SWAP), ADDS),
	NAMED_COLUMN("tasks", "TASKS", 80, SUM(CGROUP, PIDS), ADDS),
	NAMED_COLUMN("read_bytes_per_second", "READ/s", 120,
	    RATE(CGROUP, READ), ADDS),
	NAMED_COLUMN("write_bytes_per_second", "WRITE/s", 120,
	    RATE(CGROUP, WRITTEN), ADDS),
	NAMED_COLUMN("cpu_pressure_percent", "PSICPU%", 120,
	    PERCENT(CGROUP, PSI_CPU_SOME)),
	NAMED_COLUMN("memory_pressure_percent", "PSIMEM%", 120,
	    PERCENT(CGROUP, PSI_MEMORY_SOME)),
	NAMED_COLUMN("io_pressure_percent", "PSIIO%", 120,
	    PERCENT(CGROUP, PSI_IO_SOME)),
	NAMED_COLUMN("oom_kills", "OOM", 200, SUM(CGROUP, OOM_KILL), ADDS),
	COLUMN("group", "GROUP", Q_TEXT, 200, "its resource group",
	    BY(cgroup_resource_group)),
	STAY_FIGURE("it was seen"),
	COLUMN("cgroup", "CGROUP", Q_TEXT, 80, "path", BY(labelcol_name), FLEXES),
};

ROW_VIEW(cgroups, CGROUP, "control groups of recorded processes",
    "cpu_seconds");

static const struct figure agents[] = {
	HOST_FIGURE(80),
	COLUMN("version", "VERSION", Q_TEXT, 80, "version of the agent", BY(labelcol_name)),
	COLUMN("clock_offset_ms", "CLOCK", Q_NUMBER, 80,
	    "ms that the host's clock is ahead of the recorder's", BY(labelcol_clock_offset)),
	COLUMN("round_trip_ms", "RTT", Q_NUMBER, 80,
	    "ms from the last request to its answer; of 64 hosts and more up to 20 more",
	    BY(labelcol_round_trip)),
	NAMED_COLUMN("cpu_percent", "CPU%", 80, PERCENT(AGENT, CPU), ADDS),
	NAMED_COLUMN("memory", "RSS", 80, SUM(AGENT, RSS), ADDS),
	METRIC_COLUMN(80, SUM(AGENT, SEEN), ADDS),
	METRIC_COLUMN(80, SUM(AGENT, READ), ADDS),
	METRIC_COLUMN(80, SUM(AGENT, QUIET), ADDS),
	METRIC_COLUMN(80, SUM(AGENT, LOST), ADDS),
	METRIC_COLUMN(80, SUM(AGENT, REFUSED), ADDS),
};

ROW_VIEW(agents, AGENT, "agents: processes that they read, and their own cost",
    "host");
