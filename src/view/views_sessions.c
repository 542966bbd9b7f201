/*
 * views_sessions.c - tables about what processes did: sessions, queries,
 * processes, and what --group-by makes of them.
 *
 * One row per column: heading, unit and width from which text shows it, the
 * figure that fills it, and the columns of the entity that this needs.  To
 * add a column: add a row.
 */
#include "base/compiler.h"
#include "view/label_figures.h"
#include "view/labelcol.h"
#include "view/view_int.h"
#include "view/work_figures.h"

static const struct figure sessions[] = {
	{ .col = { .name = "session", .title = "SESSION", .quantity = Q_TEXT,
	    .min_width = 80, .help = "con: Greenplum session; a number: pid of a PostgreSQL backend; sid: session of the operating system" },
	  .fn = labelcol_session, .scale = 1 },
	SERVER_FIGURE,
	{ .col = { .name = "command", .title = "CMD", .quantity = Q_TEXT,
	    .min_width = 80, .help = "command counter, lowest to highest of its processes, and activity; else the program" },
	  .fn = labelcol_cmd, .scale = 1 },
	USER_FIGURE(80),
	DATABASE_FIGURE,
	{ .col = { .name = "client", .title = "CLIENT", .quantity = Q_TEXT,
	    .min_width = 200, .help = "where the client is" },
	  .fn = labelcol_client, .scale = 1 },
	{ .col = { .name = "state", .title = "STATE", .quantity = Q_TEXT,
	    .min_width = 80, .help = "active, lock, queue, repl, idle-tx, aborted, idle, ended; else the state of the process" },
	  .fn = labelcol_state, .scale = 1 },
	{ .col = { .name = "age_seconds", .title = "AGE", .quantity = Q_AGE,
	    .min_width = 80, .help = "how long it is in this state and command; of a process: since its start" },
	  .fn = labelcol_age, .scale = 1 },
	CORE_FIGURES,
	SPILL_FIGURE(120),
	STATEMENT_FIGURES,
	DETAIL_FIGURES,
	{ .col = { .name = "processes", .title = "PROCS", .quantity = Q_COUNT,
	    .min_width = 200, .help = "living processes", .additive = true },
	  .fn = labelcol_procs, .scale = 1 },
	{ .col = { .name = "hosts", .title = "HOSTS", .quantity = Q_COUNT,
	    .min_width = 200, .help = "hosts on which it has processes" },
	  .fn = labelcol_hosts, .scale = 1 },
	MORE_WORK_FIGURES,
	LEADER_TITLE_FIGURE,
	{ .col = { .name = "text", .title = "TEXT", .quantity = Q_TEXT,
	    .min_width = 160, .help = "text of the query that it runs or ran last", .flexible = true },
	  .fn = labelcol_text, .scale = 1 },
};

const struct view view_sessions = {
	.name = "sessions",
	.help = "sessions of databases, and of the operating system",
	.lens = LENS_SESSION,
	.segment_lens = LENS_SESSION_SEGMENT,
	.known = KNOWN_SESSIONS,
	.entity = ENTITY_PROCESS,
	.figure = sessions,
	.n_figure = GS_LEN(sessions),
	.sort = "cpu_seconds,cpu_percent",
};

static const struct figure queries[] = {
	{ .col = { .name = "query", .title = "QUERY", .quantity = Q_TEXT,
	    .min_width = 80, .help = "session and number of the query within the recording" },
	  .fn = labelcol_query, .scale = 1 },
	SERVER_FIGURE,
	{ .col = { .name = "session", .title = "SESSION", .quantity = Q_TEXT,
	    .min_width = GRID_ON_REQUEST, .help = "session that it is of" },
	  .fn = labelcol_session, .scale = 1 },
	{ .col = { .name = "command", .title = "CMD", .quantity = Q_TEXT,
	    .min_width = 80, .help = "command counter and activity; (mixed): ticks in which the command changed" },
	  .fn = labelcol_cmd, .scale = 1 },
	{ .col = { .name = "user", .title = "USER", .quantity = Q_TEXT,
	    .min_width = 80, .help = "database user" },
	  .fn = labelcol_user, .scale = 1 },
	DATABASE_FIGURE,
	{ .col = { .name = "state", .title = "STATE", .quantity = Q_TEXT,
	    .min_width = 80, .help = "of its session; ended" },
	  .fn = labelcol_state, .scale = 1 },
	{ .col = { .name = "began", .title = "BEGAN", .quantity = Q_TIME,
	    .min_width = 120, .help = "tick that saw it first" },
	  .fn = labelcol_began, .scale = 1 },
	{ .col = { .name = "age_seconds", .title = "AGE", .quantity = Q_AGE,
	    .min_width = 80, .help = "how long it was seen" },
	  .fn = labelcol_age, .scale = 1 },
	CORE_FIGURES,
	SPILL_FIGURE(120),
	STATEMENT_FIGURES,
	DETAIL_FIGURES,
	{ .col = { .name = "hosts", .title = "HOSTS", .quantity = Q_COUNT,
	    .min_width = 200, .help = "hosts on which it worked" },
	  .fn = labelcol_hosts, .scale = 1 },
	MORE_WORK_FIGURES,
	LEADER_TITLE_FIGURE,
	{ .col = { .name = "text", .title = "TEXT", .quantity = Q_TEXT,
	    .min_width = 160, .help = "text of the query", .flexible = true },
	  .fn = labelcol_text, .scale = 1 },
};

const struct view view_queries = {
	.name = "queries",
	.help = "queries of sessions",
	.lens = LENS_QUERY,
	.segment_lens = LENS_QUERY_SEGMENT,
	.known = KNOWN_QUERIES,
	.entity = ENTITY_PROCESS,
	.figure = queries,
	.n_figure = GS_LEN(queries),
	.sort = "cpu_seconds",
};

static const struct figure processes[] = {
	PID_FIGURE,
	HOST_FIGURE(MANY_HOSTS),
	SERVER_FIGURE,
	{ .col = { .name = "state", .title = "STATE", .quantity = Q_TEXT,
	    .min_width = 80, .help = "R runs, S sleeps, D waits for a disk, Z not reaped, T stopped; ended, left" },
	  .fn = labelcol_process_state, .scale = 1 },
	SESSION_FIGURE,
	USER_FIGURE(120),
	{ .col = { .name = "started", .title = "STARTED", .quantity = Q_TIME,
	    .min_width = 200, .help = "start of the process" },
	  .fn = labelcol_started, .scale = 1 },
	{ .col = { .name = "ended", .title = "ENDED", .quantity = Q_TIME,
	    .min_width = 120, .help = "last sample of a process that is gone" },
	  .fn = labelcol_ended, .scale = 1 },
	CORE_FIGURES,
	SPILL_FIGURE(120),
	DETAIL_FIGURES,
	{ .col = { .name = "rss", .title = "RSS", .quantity = Q_BYTES,
	    .min_width = 120, .help = "resident memory, shared pages included" },
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
	COMMAND_FIGURE,
	PROCESS_TITLE_FIGURE,
};

const struct view view_processes = {
	.name = "processes",
	.help = "processes; ended ones stay",
	.lens = LENS_ROW,
	.entity = ENTITY_PROCESS,
	.figure = processes,
	.n_figure = GS_LEN(processes),
	.sort = "cpu_seconds,cpu_percent",
};

/* What stands behind the keys of --group-by. */
static const struct figure groups[] = {
	PROCESSES_FIGURE,
	CORE_FIGURES,
	SPILL_FIGURE(120),
	DETAIL_FIGURES,
	{ .col = { .name = "hosts", .title = "HOSTS", .quantity = Q_COUNT,
	    .min_width = 200, .help = "hosts on which it has processes" },
	  .fn = labelcol_hosts, .scale = 1 },
	MORE_WORK_FIGURES,
};

const struct figure *view_group_figures(size_t *ret_n)
{
	*ret_n = GS_LEN(groups);
	return groups;
}
