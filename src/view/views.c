/*
 * views.c - the tables of views: which columns, from which figures.
 *
 * One row per column: heading, unit and width from which text shows it, the
 * figure that fills it, and the columns of the entity that this needs.  To
 * add a column: add a row.  To add a view: add a table and a row in views[].
 */
#include <string.h>

#include "base/compiler.h"
#include "view/labelcol.h"
#include "view/view_int.h"

/* What processes did, in every view that is about them. */
#define WORK_FIGURES \
	{ .col = { .name = "cpu_percent", .title = "CPU%", .quantity = Q_PERCENT, \
	    .min_width = 80, .help = "CPU time per covered time, % of one core", .additive = true }, \
	  .fn = figure_cpu_rate, .scale = 100, .n_from = 3, \
	  .from = { COL(PROCESS, CPU), COL(PROCESS, UTIME), COL(PROCESS, STIME) } }, \
	{ .col = { .name = "cpu_seconds", .title = "CPU", .quantity = Q_SECONDS, \
	    .min_width = 80, .help = "CPU time", .additive = true }, \
	  .fn = figure_cpu_sum, .scale = 1, .n_from = 3, \
	  .from = { COL(PROCESS, CPU), COL(PROCESS, UTIME), COL(PROCESS, STIME) } }, \
	{ .col = { .name = "memory", .title = "MEM", .quantity = Q_BYTES, \
	    .min_width = 80, .help = "its own memory, resident and swapped, at the end", .additive = true }, \
	  .fn = figure_memory, .scale = 1, .n_from = 3, \
	  .from = { COL(PROCESS, RSS_ANON), COL(PROCESS, VM_SWAP), COL(PROCESS, PRIVATE) } }, \
	{ .col = { .name = "memory_peak", .title = "MEMPEAK", .quantity = Q_BYTES, \
	    .min_width = GRID_ON_REQUEST, .help = "most resident memory of its own at any tick" }, \
	  .fn = figure_memory_peak, .scale = 1, .n_from = 3, \
	  .from = { COL(PROCESS, RSS_ANON), COL(PROCESS, VM_SWAP), COL(PROCESS, PRIVATE) } }, \
	{ .col = { .name = "io_bytes_per_second", .title = "IO/s", .quantity = Q_BYTES_RATE, \
	    .min_width = 80, .help = "bytes read from and written to storage", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 2, \
	  .from = { COL(PROCESS, READ_BYTES), COL(PROCESS, WRITE_BYTES) } }, \
	{ .col = { .name = "read_bytes_per_second", .title = "READ/s", .quantity = Q_BYTES_RATE, \
	    .min_width = 120, .help = "bytes read from storage", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, READ_BYTES) } }, \
	{ .col = { .name = "write_bytes_per_second", .title = "WRITE/s", .quantity = Q_BYTES_RATE, \
	    .min_width = 120, .help = "bytes written to storage", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, WRITE_BYTES) } }, \
	{ .col = { .name = "run_queue_percent", .title = "RUNQ%", .quantity = Q_PERCENT, \
	    .min_width = 120, .help = "time runnable but not running, main threads", .additive = true }, \
	  .fn = figure_rate, .scale = 100, .n_from = 1, \
	  .from = { COL(PROCESS, RUN_DELAY) } }, \
	{ .col = { .name = "faults_per_second", .title = "FAULTS/s", .quantity = Q_RATE, \
	    .min_width = 120, .help = "page faults, minor and major", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 2, \
	  .from = { COL(PROCESS, MINFLT), COL(PROCESS, MAJFLT) } }, \
	{ .col = { .name = "context_switches_per_second", .title = "CSW/s", .quantity = Q_RATE, \
	    .min_width = 120, .help = "context switches of main threads", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 2, \
	  .from = { COL(PROCESS, CSW_VOL), COL(PROCESS, CSW_INVOL) } }, \
	{ .col = { .name = "user_percent", .title = "USR%", .quantity = Q_PERCENT, \
	    .min_width = GRID_ON_REQUEST, .help = "CPU time in user mode", .additive = true }, \
	  .fn = figure_rate, .scale = 100, .n_from = 1, \
	  .from = { COL(PROCESS, UTIME) } }, \
	{ .col = { .name = "system_percent", .title = "SYS%", .quantity = Q_PERCENT, \
	    .min_width = GRID_ON_REQUEST, .help = "CPU time in the kernel", .additive = true }, \
	  .fn = figure_rate, .scale = 100, .n_from = 1, \
	  .from = { COL(PROCESS, STIME) } }, \
	{ .col = { .name = "major_faults_per_second", .title = "MAJFLT/s", .quantity = Q_RATE, \
	    .min_width = GRID_ON_REQUEST, .help = "page faults that read a disk", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, MAJFLT) } }, \
	{ .col = { .name = "io_delay_percent", .title = "IODELAY%", .quantity = Q_PERCENT, \
	    .min_width = GRID_ON_REQUEST, .help = "time waited for block IO", .additive = true }, \
	  .fn = figure_rate, .scale = 100, .n_from = 1, \
	  .from = { COL(PROCESS, BLKIO_DELAY) } }, \
	{ .col = { .name = "threads", .title = "THREADS", .quantity = Q_COUNT, \
	    .min_width = GRID_ON_REQUEST, .help = "threads at the end", .additive = true }, \
	  .fn = figure_sum, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, THREADS) } }

#define MORE_WORK_FIGURES \
	{ .col = { .name = "syscalls_per_second", .title = "SYSC/s", .quantity = Q_RATE, \
	    .min_width = 200, .help = "read and write system calls", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 2, \
	  .from = { COL(PROCESS, SYSCR), COL(PROCESS, SYSCW) } }, \
	{ .col = { .name = "cancelled_bytes_per_second", .title = "CANCEL/s", .quantity = Q_BYTES_RATE, \
	    .min_width = 200, .help = "writes that never happened, as the file was truncated", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, CANCELLED_WRITE_BYTES) } }, \
	{ .col = { .name = "swap", .title = "SWAP", .quantity = Q_BYTES, \
	    .min_width = 200, .help = "swapped out, at the end", .additive = true }, \
	  .fn = figure_sum, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, VM_SWAP) } }, \
	{ .col = { .name = "read_chars_per_second", .title = "RCHAR/s", .quantity = Q_BYTES_RATE, \
	    .min_width = GRID_ON_REQUEST, .help = "bytes read by system calls, page cache too", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, RCHAR) } }, \
	{ .col = { .name = "write_chars_per_second", .title = "WCHAR/s", .quantity = Q_BYTES_RATE, \
	    .min_width = GRID_ON_REQUEST, .help = "bytes written by system calls", .additive = true }, \
	  .fn = figure_rate, .scale = 1, .n_from = 1, \
	  .from = { COL(PROCESS, WCHAR) } }

static const struct figure sessions[] = {
	{ .col = { .name = "session", .title = "SESSION", .quantity = Q_TEXT,
	    .min_width = 80, .help = "con: Greenplum session; a number: pid of a PostgreSQL backend; sid: session of the operating system" },
	  .fn = labelcol_session, .scale = 1 },
	{ .col = { .name = "command", .title = "CMD", .quantity = Q_TEXT,
	    .min_width = 80, .help = "command counter, lowest to highest of its processes, and activity; else the program" },
	  .fn = labelcol_cmd, .scale = 1 },
	{ .col = { .name = "user", .title = "USER", .quantity = Q_TEXT,
	    .min_width = 80, .help = "database user; else uid" },
	  .fn = labelcol_user, .scale = 1 },
	{ .col = { .name = "database", .title = "DB", .quantity = Q_TEXT,
	    .min_width = 120, .help = "database" },
	  .fn = labelcol_database, .scale = 1 },
	{ .col = { .name = "client", .title = "CLIENT", .quantity = Q_TEXT,
	    .min_width = 200, .help = "where the client is" },
	  .fn = labelcol_client, .scale = 1 },
	{ .col = { .name = "state", .title = "STATE", .quantity = Q_TEXT,
	    .min_width = 80, .help = "active, lock, queue, repl, idle-tx, aborted, idle, ended; else the state of the process" },
	  .fn = labelcol_state, .scale = 1 },
	{ .col = { .name = "age_seconds", .title = "AGE", .quantity = Q_AGE,
	    .min_width = 80, .help = "how long it is in this state and command; of a process: since its start" },
	  .fn = labelcol_age, .scale = 1 },
	WORK_FIGURES,
	{ .col = { .name = "processes", .title = "PROCS", .quantity = Q_COUNT,
	    .min_width = 200, .help = "living processes", .additive = true },
	  .fn = labelcol_procs, .scale = 1 },
	{ .col = { .name = "hosts", .title = "HOSTS", .quantity = Q_COUNT,
	    .min_width = 200, .help = "hosts on which it has processes" },
	  .fn = labelcol_hosts, .scale = 1 },
	MORE_WORK_FIGURES,
	{ .col = { .name = "title", .title = "TITLE", .quantity = Q_TEXT,
	    .min_width = 200, .help = "title of the leading process", .flexible = true },
	  .fn = labelcol_title, .scale = 1 },
};

static const struct figure queries[] = {
	{ .col = { .name = "query", .title = "QUERY", .quantity = Q_TEXT,
	    .min_width = 80, .help = "session and number of the query within the recording" },
	  .fn = labelcol_query, .scale = 1 },
	{ .col = { .name = "session", .title = "SESSION", .quantity = Q_TEXT,
	    .min_width = GRID_ON_REQUEST, .help = "session that it is of" },
	  .fn = labelcol_session, .scale = 1 },
	{ .col = { .name = "command", .title = "CMD", .quantity = Q_TEXT,
	    .min_width = 80, .help = "command counter and activity; (mixed): ticks in which the command changed" },
	  .fn = labelcol_cmd, .scale = 1 },
	{ .col = { .name = "user", .title = "USER", .quantity = Q_TEXT,
	    .min_width = 80, .help = "database user" },
	  .fn = labelcol_user, .scale = 1 },
	{ .col = { .name = "database", .title = "DB", .quantity = Q_TEXT,
	    .min_width = 120, .help = "database" },
	  .fn = labelcol_database, .scale = 1 },
	{ .col = { .name = "state", .title = "STATE", .quantity = Q_TEXT,
	    .min_width = 80, .help = "of its session; ended" },
	  .fn = labelcol_state, .scale = 1 },
	{ .col = { .name = "began", .title = "BEGAN", .quantity = Q_TIME,
	    .min_width = 120, .help = "tick that saw it first" },
	  .fn = labelcol_began, .scale = 1 },
	{ .col = { .name = "age_seconds", .title = "AGE", .quantity = Q_AGE,
	    .min_width = 80, .help = "how long it was seen" },
	  .fn = labelcol_age, .scale = 1 },
	WORK_FIGURES,
	{ .col = { .name = "hosts", .title = "HOSTS", .quantity = Q_COUNT,
	    .min_width = 200, .help = "hosts on which it worked" },
	  .fn = labelcol_hosts, .scale = 1 },
	MORE_WORK_FIGURES,
	{ .col = { .name = "title", .title = "TITLE", .quantity = Q_TEXT,
	    .min_width = 200, .help = "title of the leading process", .flexible = true },
	  .fn = labelcol_title, .scale = 1 },
};

static const struct figure processes[] = {
	{ .col = { .name = "pid", .title = "PID", .quantity = Q_ID,
	    .min_width = 80, .help = "process id" },
	  .fn = labelcol_pid, .scale = 1 },
	{ .col = { .name = "host", .title = "HOST", .quantity = Q_TEXT,
	    .min_width = MANY_HOSTS, .help = "host" },
	  .fn = labelcol_host, .scale = 1 },
	{ .col = { .name = "state", .title = "STATE", .quantity = Q_TEXT,
	    .min_width = 80, .help = "R runs, S sleeps, D waits for a disk, Z not reaped, T stopped; ended, left" },
	  .fn = labelcol_process_state, .scale = 1 },
	{ .col = { .name = "session", .title = "SESSION", .quantity = Q_TEXT,
	    .min_width = 120, .help = "session it works for" },
	  .fn = labelcol_session, .scale = 1 },
	{ .col = { .name = "user", .title = "USER", .quantity = Q_TEXT,
	    .min_width = 120, .help = "database user; else uid" },
	  .fn = labelcol_user, .scale = 1 },
	{ .col = { .name = "started", .title = "STARTED", .quantity = Q_TIME,
	    .min_width = 200, .help = "start of the process" },
	  .fn = labelcol_started, .scale = 1 },
	{ .col = { .name = "ended", .title = "ENDED", .quantity = Q_TIME,
	    .min_width = 120, .help = "last sample of a process that is gone" },
	  .fn = labelcol_ended, .scale = 1 },
	WORK_FIGURES,
	{ .col = { .name = "rss", .title = "RSS", .quantity = Q_BYTES,
	    .min_width = 80, .help = "resident memory, shared pages included" },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(PROCESS, RSS) } },
	MORE_WORK_FIGURES,
	{ .col = { .name = "parent", .title = "PPID", .quantity = Q_ID,
	    .min_width = GRID_ON_REQUEST, .help = "parent" },
	  .fn = figure_cell, .scale = 1, .n_from = 1,
	  .from = { COL(PROCESS, PPID) } },
	{ .col = { .name = "nice", .title = "NI", .quantity = Q_ID,
	    .min_width = GRID_ON_REQUEST, .help = "nice value" },
	  .fn = figure_cell, .scale = 1, .n_from = 1,
	  .from = { COL(PROCESS, NICE) } },
	{ .col = { .name = "processor", .title = "LASTCPU", .quantity = Q_ID,
	    .min_width = GRID_ON_REQUEST, .help = "CPU it ran on last" },
	  .fn = figure_cell, .scale = 1, .n_from = 1,
	  .from = { COL(PROCESS, PROCESSOR) } },
	{ .col = { .name = "command", .title = "COMMAND", .quantity = Q_TEXT,
	    .min_width = 80, .help = "name of the program" },
	  .fn = labelcol_command, .scale = 1 },
	{ .col = { .name = "title", .title = "TITLE", .quantity = Q_TEXT,
	    .min_width = 120, .help = "title or command line, where recorded", .flexible = true },
	  .fn = labelcol_process_title, .scale = 1 },
};

static const struct figure hosts[] = {
	{ .col = { .name = "host", .title = "HOST", .quantity = Q_TEXT,
	    .min_width = 80, .help = "host" },
	  .fn = labelcol_name, .scale = 1 },
	{ .col = { .name = "user_percent", .title = "USR%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "CPUs in user mode, niced included" },
	  .fn = figure_share_of_two, .scale = 100, .n_from = 8,
	  .from = { COL(HOST, CPU_USER), COL(HOST, CPU_NICE), COL(HOST, CPU_SYSTEM), COL(HOST, CPU_IDLE), COL(HOST, CPU_IOWAIT), COL(HOST, CPU_IRQ), COL(HOST, CPU_SOFTIRQ), COL(HOST, CPU_STEAL) } },
	{ .col = { .name = "system_percent", .title = "SYS%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "CPUs in the kernel" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(HOST, CPU_SYSTEM), COL(HOST, CPU_USER), COL(HOST, CPU_NICE), COL(HOST, CPU_IDLE), COL(HOST, CPU_IOWAIT), COL(HOST, CPU_IRQ), COL(HOST, CPU_SOFTIRQ), COL(HOST, CPU_STEAL) } },
	{ .col = { .name = "iowait_percent", .title = "IOW%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "CPUs idle while a disk request was outstanding" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(HOST, CPU_IOWAIT), COL(HOST, CPU_USER), COL(HOST, CPU_NICE), COL(HOST, CPU_SYSTEM), COL(HOST, CPU_IDLE), COL(HOST, CPU_IRQ), COL(HOST, CPU_SOFTIRQ), COL(HOST, CPU_STEAL) } },
	{ .col = { .name = "steal_percent", .title = "STEAL%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "CPU time that the hypervisor gave to others" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(HOST, CPU_STEAL), COL(HOST, CPU_USER), COL(HOST, CPU_NICE), COL(HOST, CPU_SYSTEM), COL(HOST, CPU_IDLE), COL(HOST, CPU_IOWAIT), COL(HOST, CPU_IRQ), COL(HOST, CPU_SOFTIRQ) } },
	{ .col = { .name = "idle_percent", .title = "IDLE%", .quantity = Q_PERCENT,
	    .min_width = 120, .help = "CPUs idle" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(HOST, CPU_IDLE), COL(HOST, CPU_USER), COL(HOST, CPU_NICE), COL(HOST, CPU_SYSTEM), COL(HOST, CPU_IOWAIT), COL(HOST, CPU_IRQ), COL(HOST, CPU_SOFTIRQ), COL(HOST, CPU_STEAL) } },
	{ .col = { .name = "nice_percent", .title = "NICE%", .quantity = Q_PERCENT,
	    .min_width = GRID_ON_REQUEST, .help = "CPUs in user mode, niced" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(HOST, CPU_NICE), COL(HOST, CPU_USER), COL(HOST, CPU_SYSTEM), COL(HOST, CPU_IDLE), COL(HOST, CPU_IOWAIT), COL(HOST, CPU_IRQ), COL(HOST, CPU_SOFTIRQ), COL(HOST, CPU_STEAL) } },
	{ .col = { .name = "softirq_percent", .title = "SOFT%", .quantity = Q_PERCENT,
	    .min_width = GRID_ON_REQUEST, .help = "CPUs serving soft interrupts" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(HOST, CPU_SOFTIRQ), COL(HOST, CPU_USER), COL(HOST, CPU_NICE), COL(HOST, CPU_SYSTEM), COL(HOST, CPU_IDLE), COL(HOST, CPU_IOWAIT), COL(HOST, CPU_IRQ), COL(HOST, CPU_STEAL) } },
	{ .col = { .name = "run_queue", .title = "RUNQ", .quantity = Q_COUNT,
	    .min_width = 80, .help = "runnable tasks at the end" },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(HOST, PROCS_RUNNING) } },
	{ .col = { .name = "run_queue_peak", .title = "RUNQPEAK", .quantity = Q_COUNT,
	    .min_width = GRID_ON_REQUEST, .help = "most runnable tasks at any tick" },
	  .fn = figure_peak, .scale = 1, .n_from = 1,
	  .from = { COL(HOST, PROCS_RUNNING) } },
	{ .col = { .name = "blocked", .title = "BLOCKED", .quantity = Q_COUNT,
	    .min_width = 80, .help = "tasks waiting for a disk (state D) at the end" },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(HOST, PROCS_BLOCKED) } },
	{ .col = { .name = "load1", .title = "LOAD1", .quantity = Q_NUMBER,
	    .min_width = 200, .help = "load average over 1 min" },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(HOST, LOAD1) } },
	{ .col = { .name = "memory_available", .title = "AVAIL", .quantity = Q_BYTES,
	    .min_width = 80, .help = "memory that programs can get without swapping, at the end" },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(HOST, MEM_AVAILABLE) } },
	{ .col = { .name = "commit_percent", .title = "COMMIT%", .quantity = Q_PERCENT,
	    .min_width = 120, .help = "memory promised, of the limit" },
	  .fn = figure_ratio, .scale = 100, .n_from = 2,
	  .from = { COL(HOST, COMMITTED_AS), COL(HOST, COMMIT_LIMIT) } },
	{ .col = { .name = "swap_bytes_per_second", .title = "SWAP/s", .quantity = Q_BYTES_RATE,
	    .min_width = 80, .help = "swapped in and out", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 2,
	  .from = { COL(HOST, PSWPIN), COL(HOST, PSWPOUT) } },
	{ .col = { .name = "worst_disk", .title = "DISK", .quantity = Q_TEXT,
	    .min_width = 80, .help = "the disk whose requests took longest" },
	  .fn = labelcol_worst_disk, .scale = 1 },
	{ .col = { .name = "worst_disk_await_ms", .title = "AWAIT", .quantity = Q_NUMBER,
	    .min_width = 80, .help = "its ms per request, queueing included" },
	  .fn = labelcol_worst_await, .scale = 1 },
	{ .col = { .name = "worst_disk_util_percent", .title = "UTIL%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "its time with a request under way" },
	  .fn = labelcol_worst_util, .scale = 1 },
	{ .col = { .name = "retransmits_per_second", .title = "RETR/s", .quantity = Q_RATE,
	    .min_width = 120, .help = "TCP segments sent again", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(HOST, TCP_RETRANS_SEGS) } },
	{ .col = { .name = "udp_buffer_errors_per_second", .title = "UDPBUF/s", .quantity = Q_RATE,
	    .min_width = 120, .help = "UDP datagrams dropped for want of buffers", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 2,
	  .from = { COL(HOST, UDP_RCVBUF_ERRORS), COL(HOST, UDP_SNDBUF_ERRORS) } },
	{ .col = { .name = "reassembly_failures_per_second", .title = "REASM/s", .quantity = Q_RATE,
	    .min_width = 120, .help = "failed IP reassemblies", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(HOST, IP_REASM_FAILS) } },
	{ .col = { .name = "listen_drops_per_second", .title = "LDROP/s", .quantity = Q_RATE,
	    .min_width = 120, .help = "connection attempts dropped", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(HOST, TCP_LISTEN_DROPS) } },
	{ .col = { .name = "cpu_pressure_percent", .title = "PSICPU%", .quantity = Q_PERCENT,
	    .min_width = 200, .help = "time in which some task waited for a CPU" },
	  .fn = figure_rate, .scale = 100, .n_from = 1,
	  .from = { COL(HOST, PSI_CPU_SOME) } },
	{ .col = { .name = "memory_pressure_percent", .title = "PSIMEM%", .quantity = Q_PERCENT,
	    .min_width = 200, .help = "time in which some task waited for memory" },
	  .fn = figure_rate, .scale = 100, .n_from = 1,
	  .from = { COL(HOST, PSI_MEMORY_SOME) } },
	{ .col = { .name = "io_pressure_percent", .title = "PSIIO%", .quantity = Q_PERCENT,
	    .min_width = 200, .help = "time in which some task waited for IO" },
	  .fn = figure_rate, .scale = 100, .n_from = 1,
	  .from = { COL(HOST, PSI_IO_SOME) } },
	{ .col = { .name = "context_switches_per_second", .title = "CSW/s", .quantity = Q_RATE,
	    .min_width = 200, .help = "context switches", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(HOST, CTXT) } },
	{ .col = { .name = "forks_per_second", .title = "FORK/s", .quantity = Q_RATE,
	    .min_width = 200, .help = "processes and threads created", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(HOST, FORKS) } },
	{ .col = { .name = "oom_kills_per_second", .title = "OOM/s", .quantity = Q_RATE,
	    .min_width = GRID_ON_REQUEST, .help = "processes killed for want of memory", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(HOST, OOM_KILL) } },
	{ .col = { .name = "open_files", .title = "FILES", .quantity = Q_COUNT,
	    .min_width = GRID_ON_REQUEST, .help = "open files" },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(HOST, FILES) } },
};

static const struct figure cpus[] = {
	{ .col = { .name = "host", .title = "HOST", .quantity = Q_TEXT,
	    .min_width = MANY_HOSTS, .help = "host" },
	  .fn = labelcol_host, .scale = 1 },
	{ .col = { .name = "cpu", .title = "CPU", .quantity = Q_TEXT,
	    .min_width = 80, .help = "number of the CPU" },
	  .fn = labelcol_name, .scale = 1 },
	{ .col = { .name = "user_percent", .title = "USR%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "in user mode" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(CPU, USER), COL(CPU, NICE), COL(CPU, SYSTEM), COL(CPU, IDLE), COL(CPU, IOWAIT), COL(CPU, IRQ), COL(CPU, SOFTIRQ), COL(CPU, STEAL) } },
	{ .col = { .name = "nice_percent", .title = "NICE%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "in user mode, niced" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(CPU, NICE), COL(CPU, USER), COL(CPU, SYSTEM), COL(CPU, IDLE), COL(CPU, IOWAIT), COL(CPU, IRQ), COL(CPU, SOFTIRQ), COL(CPU, STEAL) } },
	{ .col = { .name = "system_percent", .title = "SYS%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "in the kernel" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(CPU, SYSTEM), COL(CPU, USER), COL(CPU, NICE), COL(CPU, IDLE), COL(CPU, IOWAIT), COL(CPU, IRQ), COL(CPU, SOFTIRQ), COL(CPU, STEAL) } },
	{ .col = { .name = "iowait_percent", .title = "IOW%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "idle while a disk request was outstanding" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(CPU, IOWAIT), COL(CPU, USER), COL(CPU, NICE), COL(CPU, SYSTEM), COL(CPU, IDLE), COL(CPU, IRQ), COL(CPU, SOFTIRQ), COL(CPU, STEAL) } },
	{ .col = { .name = "irq_percent", .title = "IRQ%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "serving interrupts" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(CPU, IRQ), COL(CPU, USER), COL(CPU, NICE), COL(CPU, SYSTEM), COL(CPU, IDLE), COL(CPU, IOWAIT), COL(CPU, SOFTIRQ), COL(CPU, STEAL) } },
	{ .col = { .name = "softirq_percent", .title = "SOFT%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "serving soft interrupts" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(CPU, SOFTIRQ), COL(CPU, USER), COL(CPU, NICE), COL(CPU, SYSTEM), COL(CPU, IDLE), COL(CPU, IOWAIT), COL(CPU, IRQ), COL(CPU, STEAL) } },
	{ .col = { .name = "steal_percent", .title = "STEAL%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "given to others by the hypervisor" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(CPU, STEAL), COL(CPU, USER), COL(CPU, NICE), COL(CPU, SYSTEM), COL(CPU, IDLE), COL(CPU, IOWAIT), COL(CPU, IRQ), COL(CPU, SOFTIRQ) } },
	{ .col = { .name = "idle_percent", .title = "IDLE%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "idle" },
	  .fn = figure_share, .scale = 100, .n_from = 8,
	  .from = { COL(CPU, IDLE), COL(CPU, USER), COL(CPU, NICE), COL(CPU, SYSTEM), COL(CPU, IOWAIT), COL(CPU, IRQ), COL(CPU, SOFTIRQ), COL(CPU, STEAL) } },
};

static const struct figure disks[] = {
	{ .col = { .name = "host", .title = "HOST", .quantity = Q_TEXT,
	    .min_width = MANY_HOSTS, .help = "host" },
	  .fn = labelcol_host, .scale = 1 },
	{ .col = { .name = "disk", .title = "DISK", .quantity = Q_TEXT,
	    .min_width = 80, .help = "device" },
	  .fn = labelcol_name, .scale = 1 },
	{ .col = { .name = "reads_per_second", .title = "R/s", .quantity = Q_RATE,
	    .min_width = 80, .help = "read requests", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(DISK, READS) } },
	{ .col = { .name = "writes_per_second", .title = "W/s", .quantity = Q_RATE,
	    .min_width = 80, .help = "write requests", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(DISK, WRITES) } },
	{ .col = { .name = "read_bytes_per_second", .title = "READ/s", .quantity = Q_BYTES_RATE,
	    .min_width = 80, .help = "read", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(DISK, READ) } },
	{ .col = { .name = "write_bytes_per_second", .title = "WRITE/s", .quantity = Q_BYTES_RATE,
	    .min_width = 80, .help = "written", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(DISK, WRITTEN) } },
	{ .col = { .name = "await_ms", .title = "AWAIT", .quantity = Q_NUMBER,
	    .min_width = 80, .help = "ms per request, queueing included" },
	  .fn = labelcol_await, .scale = 1, .n_from = 4,
	  .from = { COL(DISK, READS), COL(DISK, WRITES),
	    COL(DISK, READ_TIME), COL(DISK, WRITE_TIME) } },
	{ .col = { .name = "read_await_ms", .title = "RAWAIT", .quantity = Q_NUMBER,
	    .min_width = 120, .help = "ms per read" },
	  .fn = figure_ratio, .scale = 1000, .n_from = 2,
	  .from = { COL(DISK, READ_TIME), COL(DISK, READS) } },
	{ .col = { .name = "write_await_ms", .title = "WAWAIT", .quantity = Q_NUMBER,
	    .min_width = 120, .help = "ms per write" },
	  .fn = figure_ratio, .scale = 1000, .n_from = 2,
	  .from = { COL(DISK, WRITE_TIME), COL(DISK, WRITES) } },
	{ .col = { .name = "queue", .title = "QUEUE", .quantity = Q_NUMBER,
	    .min_width = 80, .help = "requests under way, average", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(DISK, QUEUE_TIME) } },
	{ .col = { .name = "util_percent", .title = "UTIL%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "time with a request under way" },
	  .fn = figure_rate, .scale = 100, .n_from = 1,
	  .from = { COL(DISK, IO_TIME) } },
	{ .col = { .name = "merged_per_second", .title = "MERGE/s", .quantity = Q_RATE,
	    .min_width = 200, .help = "requests merged", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 2,
	  .from = { COL(DISK, READS_MERGED), COL(DISK, WRITES_MERGED) } },
	{ .col = { .name = "discards_per_second", .title = "DISC/s", .quantity = Q_RATE,
	    .min_width = 200, .help = "discard requests", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(DISK, DISCARDS) } },
	{ .col = { .name = "flushes_per_second", .title = "FLUSH/s", .quantity = Q_RATE,
	    .min_width = 200, .help = "flush requests", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(DISK, FLUSHES) } },
};

static const struct figure nets[] = {
	{ .col = { .name = "host", .title = "HOST", .quantity = Q_TEXT,
	    .min_width = MANY_HOSTS, .help = "host" },
	  .fn = labelcol_host, .scale = 1 },
	{ .col = { .name = "net", .title = "IFACE", .quantity = Q_TEXT,
	    .min_width = 80, .help = "interface" },
	  .fn = labelcol_name, .scale = 1 },
	{ .col = { .name = "rx_bytes_per_second", .title = "RX/s", .quantity = Q_BYTES_RATE,
	    .min_width = 80, .help = "received", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(NET, RX) } },
	{ .col = { .name = "tx_bytes_per_second", .title = "TX/s", .quantity = Q_BYTES_RATE,
	    .min_width = 80, .help = "sent", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(NET, TX) } },
	{ .col = { .name = "rx_packets_per_second", .title = "RXPCK/s", .quantity = Q_RATE,
	    .min_width = 80, .help = "packets received", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(NET, RX_PACKETS) } },
	{ .col = { .name = "tx_packets_per_second", .title = "TXPCK/s", .quantity = Q_RATE,
	    .min_width = 80, .help = "packets sent", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(NET, TX_PACKETS) } },
	{ .col = { .name = "rx_errors_per_second", .title = "RXERR/s", .quantity = Q_RATE,
	    .min_width = 120, .help = "receive errors", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(NET, RX_ERRS) } },
	{ .col = { .name = "tx_errors_per_second", .title = "TXERR/s", .quantity = Q_RATE,
	    .min_width = 120, .help = "send errors", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 1,
	  .from = { COL(NET, TX_ERRS) } },
	{ .col = { .name = "rx_drops_per_second", .title = "RXDROP/s", .quantity = Q_RATE,
	    .min_width = 80, .help = "received packets dropped", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 2,
	  .from = { COL(NET, RX_DROP), COL(NET, RX_FIFO) } },
	{ .col = { .name = "tx_drops_per_second", .title = "TXDROP/s", .quantity = Q_RATE,
	    .min_width = 80, .help = "packets to send dropped", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 2,
	  .from = { COL(NET, TX_DROP), COL(NET, TX_FIFO) } },
};

static const struct figure filesystems[] = {
	{ .col = { .name = "host", .title = "HOST", .quantity = Q_TEXT,
	    .min_width = MANY_HOSTS, .help = "host" },
	  .fn = labelcol_host, .scale = 1 },
	{ .col = { .name = "mount", .title = "MOUNT", .quantity = Q_TEXT,
	    .min_width = 80, .help = "where it is mounted" },
	  .fn = labelcol_name, .scale = 1 },
	{ .col = { .name = "device", .title = "DEVICE", .quantity = Q_TEXT,
	    .min_width = 120, .help = "what is mounted" },
	  .fn = figure_cell, .scale = 1, .n_from = 1,
	  .from = { COL(FS, DEVICE) } },
	{ .col = { .name = "type", .title = "TYPE", .quantity = Q_TEXT,
	    .min_width = 120, .help = "file system type" },
	  .fn = figure_cell, .scale = 1, .n_from = 1,
	  .from = { COL(FS, TYPE) } },
	{ .col = { .name = "disk", .title = "DISK", .quantity = Q_TEXT,
	    .min_width = 80, .help = "the disks below it" },
	  .fn = figure_cell, .scale = 1, .n_from = 1,
	  .from = { COL(FS, DISK) } },
	{ .col = { .name = "size", .title = "SIZE", .quantity = Q_BYTES,
	    .min_width = 80, .help = "size", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(FS, SIZE) } },
	{ .col = { .name = "free", .title = "FREE", .quantity = Q_BYTES,
	    .min_width = 120, .help = "free", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(FS, FREE) } },
	{ .col = { .name = "available", .title = "AVAIL", .quantity = Q_BYTES,
	    .min_width = 80, .help = "free for ordinary users", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(FS, AVAIL) } },
	{ .col = { .name = "available_percent", .title = "AVAIL%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "free for ordinary users, of the size" },
	  .fn = figure_ratio, .scale = 100, .n_from = 2,
	  .from = { COL(FS, AVAIL), COL(FS, SIZE) } },
	{ .col = { .name = "inodes_free", .title = "IFREE", .quantity = Q_COUNT,
	    .min_width = 120, .help = "free inodes", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(FS, INODES_FREE) } },
};

static const struct figure cgroups[] = {
	{ .col = { .name = "host", .title = "HOST", .quantity = Q_TEXT,
	    .min_width = MANY_HOSTS, .help = "host" },
	  .fn = labelcol_host, .scale = 1 },
	{ .col = { .name = "cpu_percent", .title = "CPU%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "CPU time, % of one core", .additive = true },
	  .fn = figure_rate, .scale = 100, .n_from = 1,
	  .from = { COL(CGROUP, CPU) } },
	{ .col = { .name = "cpu_seconds", .title = "CPU", .quantity = Q_SECONDS,
	    .min_width = 80, .help = "CPU time", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(CGROUP, CPU) } },
	{ .col = { .name = "throttled_percent", .title = "THROT%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "time in which it was throttled", .additive = true },
	  .fn = figure_rate, .scale = 100, .n_from = 1,
	  .from = { COL(CGROUP, THROTTLED_TIME) } },
	{ .col = { .name = "memory", .title = "MEM", .quantity = Q_BYTES,
	    .min_width = 80, .help = "memory charged, at the end", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(CGROUP, MEMORY) } },
	{ .col = { .name = "memory_limit", .title = "LIMIT", .quantity = Q_BYTES,
	    .min_width = 80, .help = "limit of that; absent: none" },
	  .fn = figure_cell, .scale = 1, .n_from = 1,
	  .from = { COL(CGROUP, MEMORY_MAX) } },
	{ .col = { .name = "swap", .title = "SWAP", .quantity = Q_BYTES,
	    .min_width = 120, .help = "swap used", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(CGROUP, SWAP) } },
	{ .col = { .name = "tasks", .title = "TASKS", .quantity = Q_COUNT,
	    .min_width = 80, .help = "tasks", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(CGROUP, PIDS) } },
	{ .col = { .name = "cgroup", .title = "CGROUP", .quantity = Q_TEXT,
	    .min_width = 80, .help = "path", .flexible = true },
	  .fn = labelcol_name, .scale = 1 },
};

static const struct figure agents[] = {
	{ .col = { .name = "host", .title = "HOST", .quantity = Q_TEXT,
	    .min_width = 80, .help = "host" },
	  .fn = labelcol_host, .scale = 1 },
	{ .col = { .name = "version", .title = "VERSION", .quantity = Q_TEXT,
	    .min_width = 80, .help = "version of the agent" },
	  .fn = labelcol_name, .scale = 1 },
	{ .col = { .name = "cpu_percent", .title = "CPU%", .quantity = Q_PERCENT,
	    .min_width = 80, .help = "CPU time of the agent", .additive = true },
	  .fn = figure_rate, .scale = 100, .n_from = 1,
	  .from = { COL(AGENT, CPU) } },
	{ .col = { .name = "memory", .title = "RSS", .quantity = Q_BYTES,
	    .min_width = 80, .help = "memory of the agent", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(AGENT, RSS) } },
	{ .col = { .name = "seen", .title = "SEEN", .quantity = Q_COUNT,
	    .min_width = 80, .help = "processes that existed at the last tick", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(AGENT, SEEN) } },
	{ .col = { .name = "read", .title = "READ", .quantity = Q_COUNT,
	    .min_width = 80, .help = "of those read in full", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(AGENT, READ) } },
	{ .col = { .name = "quiet", .title = "QUIET", .quantity = Q_COUNT,
	    .min_width = 80, .help = "of those that had not run", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(AGENT, QUIET) } },
	{ .col = { .name = "lost", .title = "LOST", .quantity = Q_COUNT,
	    .min_width = 80, .help = "vanished while being read", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(AGENT, LOST) } },
	{ .col = { .name = "refused", .title = "REFUSED", .quantity = Q_COUNT,
	    .min_width = 80, .help = "with a file that may not be read", .additive = true },
	  .fn = figure_sum, .scale = 1, .n_from = 1,
	  .from = { COL(AGENT, REFUSED) } },
};

/* What stands behind the keys of --group-by. */
static const struct figure groups[] = {
	{ .col = { .name = "processes", .title = "PROCS", .quantity = Q_COUNT,
	    .min_width = 80, .help = "living processes", .additive = true },
	  .fn = labelcol_procs, .scale = 1 },
	WORK_FIGURES,
	{ .col = { .name = "hosts", .title = "HOSTS", .quantity = Q_COUNT,
	    .min_width = 200, .help = "hosts on which it has processes" },
	  .fn = labelcol_hosts, .scale = 1 },
	MORE_WORK_FIGURES,
};

/* In the order of help. */
static const struct view views[] = {
	{ "overview", "coverage, a line of time, the top of sessions, processes "
	    "and hosts", OVERVIEW, ENTITY_HOST, NULL, 0, "" },
	{ "sessions", "sessions of databases, and of the operating system", LENS_SESSION,
	    ENTITY_PROCESS, sessions, GS_LEN(sessions), "cpu_seconds,cpu_percent" },
	{ "queries", "queries of sessions", LENS_QUERY,
	    ENTITY_PROCESS, queries, GS_LEN(queries), "cpu_seconds" },
	{ "processes", "processes; ended ones stay", LENS_ROW,
	    ENTITY_PROCESS, processes, GS_LEN(processes), "cpu_seconds,cpu_percent" },
	{ "hosts", "hosts: CPU, memory, worst disk, network", LENS_ROW,
	    ENTITY_HOST, hosts, GS_LEN(hosts), "host" },
	{ "cpus", "CPUs", LENS_ROW,
	    ENTITY_CPU, cpus, GS_LEN(cpus), "host,cpu" },
	{ "disks", "disks", LENS_ROW,
	    ENTITY_DISK, disks, GS_LEN(disks), "util_percent" },
	{ "nets", "network interfaces", LENS_ROW,
	    ENTITY_NET, nets, GS_LEN(nets), "rx_bytes_per_second" },
	{ "filesystems", "file systems of data directories", LENS_ROW,
	    ENTITY_FS, filesystems, GS_LEN(filesystems), "+available_percent" },
	{ "cgroups", "control groups of recorded processes", LENS_ROW,
	    ENTITY_CGROUP, cgroups, GS_LEN(cgroups), "cpu_seconds" },
	{ "agents", "the agents: what they saw and what they cost", LENS_ROW,
	    ENTITY_AGENT, agents, GS_LEN(agents), "host" },
};

const struct view *view_find(const char *name)
{
	int e = entity_by_name(name, strlen(name));
	size_t i;

	for (i = 0; i < GS_LEN(views); i++) {
		if (strcmp(views[i].name, name) == 0)
			return &views[i];
	}
	/* "process" for "processes", and so on */
	for (i = 0; e >= 0 && i < GS_LEN(views); i++) {
		if (views[i].lens == LENS_ROW && (int)views[i].entity == e)
			return &views[i];
	}
	return NULL;
}

const char *const *view_names(void)
{
	static const char *const names[] = {
		"overview", "sessions", "queries", "processes", "hosts", "cpus", "disks", "nets", "filesystems", "cgroups", "agents", NULL
	};

	_Static_assert(GS_LEN(names) == GS_LEN(views) + 1, "names");
	return names;
}

const struct figure *view_group_figures(size_t *ret_n)
{
	*ret_n = GS_LEN(groups);
	return groups;
}
