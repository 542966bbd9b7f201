/*
 * views_threads.c - threads, where they were recorded, with the process and
 * the session that each works for.
 *
 * What belongs to the process as a whole, such as memory, is not told again.
 */
#include "base/compiler.h"
#include "view/label_figures.h"
#include "view/labelcol.h"
#include "view/view_int.h"

#define CELL(NAME, TITLE, QUANTITY, WIDTH, HELP, SYM) \
	{ .col = { .name = (NAME), .title = (TITLE), .quantity = (QUANTITY), \
	    .min_width = (WIDTH), .help = (HELP) }, \
	  .fn = figure_cell, .scale = 1, .n_from = 1, \
	  .from = { COL(THREAD, SYM) } }

#define RATE(NAME, TITLE, QUANTITY, WIDTH, HELP, SCALE, SYM) \
	{ .col = { .name = (NAME), .title = (TITLE), .quantity = (QUANTITY), \
	    .min_width = (WIDTH), .help = (HELP), .additive = true }, \
	  .fn = figure_rate, .scale = (SCALE), .n_from = 1, \
	  .from = { COL(THREAD, SYM) } }

#define FROM_THREAD_CPU .n_from = 3, .from = { COL(THREAD, CPU), \
	COL(THREAD, UTIME), COL(THREAD, STIME) }

/* Also of one that is gone. */
static struct cell thread_name(const struct figure_env *v,
	const struct figure *f, const struct group *g)
{
	(void)f;
	return figure_text(v, lens_label(g)->thread);
}

static const struct figure threads[] = {
	CELL("tid", "TID", Q_ID, 80, "thread id; that of the process: its "
	    "main thread", TID),
	CELL("pid", "PID", Q_ID, 80, "process it is a thread of", PID),
	HOST_FIGURE(MANY_HOSTS),
	SERVER_FIGURE,
	{ .col = { .name = "state", .title = "STATE", .quantity = Q_TEXT,
	    .min_width = 80, .help = "as in processes" },
	  .fn = labelcol_process_state, .scale = 1, .n_from = 1,
	  .from = { COL(THREAD, STATE) } },
	{ .col = { .name = "session", .title = "SESSION", .quantity = Q_TEXT,
	    .min_width = 80, .help = "session its process works for" },
	  .fn = labelcol_session, .scale = 1 },
	USER_FIGURE(120),
	{ .col = { .name = "started", .title = "STARTED", .quantity = Q_TIME,
	    .min_width = 200, .help = "start of the thread" },
	  .fn = labelcol_started, .scale = 1, .n_from = 1,
	  .from = { COL(THREAD, START) } },
	{ .col = { .name = "ended", .title = "ENDED", .quantity = Q_TIME,
	    .min_width = 160, .help = "last sample of a thread that is gone" },
	  .fn = labelcol_ended, .scale = 1 },
	{ .col = { .name = "cpu_percent", .title = "CPU%",
	    .quantity = Q_PERCENT, .min_width = 80,
	    .help = "CPU time per covered time, % of one core",
	    .additive = true },
	  .fn = figure_cpu_rate, .scale = 100, FROM_THREAD_CPU },
	{ .col = { .name = "cpu_seconds", .title = "CPU",
	    .quantity = Q_SECONDS, .min_width = 80, .help = "CPU time",
	    .additive = true },
	  .fn = figure_cpu_sum, .scale = 1, FROM_THREAD_CPU },
	RATE("run_queue_percent", "RUNQ%", Q_PERCENT, 80,
	    "time runnable but not running", 100, RUN_DELAY),
	RATE("voluntary_switches_per_second", "CSW/s", Q_RATE, 80,
	    "times it gave up the CPU to wait", 1, CSW_VOL),
	RATE("involuntary_switches_per_second", "NVCSW/s", Q_RATE, 120,
	    "times it was taken off the CPU", 1, CSW_INVOL),
	RATE("read_bytes_per_second", "READ/s", Q_BYTES_RATE, 120,
	    "bytes read from storage", 1, READ_BYTES),
	RATE("write_bytes_per_second", "WRITE/s", Q_BYTES_RATE, 120,
	    "bytes written to storage", 1, WRITE_BYTES),
	{ .col = { .name = "faults_per_second", .title = "FAULTS/s",
	    .quantity = Q_RATE, .min_width = 160,
	    .help = "page faults, minor and major", .additive = true },
	  .fn = figure_rate, .scale = 1, .n_from = 2,
	  .from = { COL(THREAD, MINFLT), COL(THREAD, MAJFLT) } },
	RATE("user_percent", "USR%", Q_PERCENT, 160, "CPU time in user mode",
	    100, UTIME),
	RATE("system_percent", "SYS%", Q_PERCENT, 160,
	    "CPU time in the kernel", 100, STIME),
	RATE("io_delay_percent", "IODELAY%", Q_PERCENT, GRID_ON_REQUEST,
	    "time waited for block IO", 100, BLKIO_DELAY),
	CELL("nice", "NI", Q_ID, GRID_ON_REQUEST, "nice value", NICE),
	CELL("rt_priority", "RTPRIO", Q_ID, GRID_ON_REQUEST,
	    "real-time priority", RT_PRIORITY),
	CELL("processor", "LASTCPU", Q_ID, 160, "CPU it ran on last",
	    PROCESSOR),
	{ .col = { .name = "command", .title = "COMMAND", .quantity = Q_TEXT,
	    .min_width = 120, .help = "name of its process's program" },
	  .fn = labelcol_command, .scale = 1 },
	{ .col = { .name = "thread", .title = "THREAD", .quantity = Q_TEXT,
	    .min_width = 80, .help = "name of the thread" },
	  .fn = thread_name, .scale = 1, .n_from = 1,
	  .from = { COL(THREAD, COMM) } },
	{ .col = { .name = "title", .title = "TITLE", .quantity = Q_TEXT,
	    .min_width = 160, .help = "title or command line of its process, "
	    "where recorded", .flexible = true },
	  .fn = labelcol_process_title, .scale = 1 },
};

const struct view view_threads = {
	.name = "threads",
	.help = "threads, where they were recorded; ended ones stay",
	.lens = LENS_ROW,
	.entity = ENTITY_THREAD,
	.figure = threads,
	.n_figure = GS_LEN(threads),
	.sort = "cpu_seconds,cpu_percent",
};
