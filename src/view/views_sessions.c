/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_sessions.c - tables of process usage: sessions, queries, processes, and
 * groups of --group-by.
 *
 * One row per column: heading, unit and width from which text shows it, the
 * function that fills it, and the columns of the entity that it needs.  To add
 * a column: add a row.
 */
#include "base/compiler.h"
#include "query/columns.h"
#include "query/labelcol.h"
#include "query/offcpu.h"
#include "query/work_figures.h"
#include "view/label_figures.h"
#include "view/view_int.h"
#include "view/work_counts.h"

static const struct figure sessions[] = {
	COLUMN("session", "SESSION", Q_TEXT, 80,
	    "con: Greenplum session; a number: pid of a PostgreSQL backend; sid: session of the operating system",
	    BY(labelcol_session)),
	SERVER_FIGURE,
	SESSION_HOST_FIGURE,
	COLUMN("command", "CMD", Q_TEXT, 80,
	    "command counter, lowest to highest of its processes, and activity; else the program of its leading process",
	    BY(labelcol_cmd), STANDS_FOR_IT, VARIES),
	USER_FIGURE(80),
	DATABASE_FIGURE,
	COLUMN("client", "CLIENT", Q_TEXT, 200, "address of the client", SESSION_TEXT(client)),
	COLUMN("state", "STATE", Q_TEXT, 80,
	    "at the end of the range: active, lock, queue, repl, idle-tx, aborted, idle, ended; else the state of the process",
	    BY(labelcol_state), VARIES),
	COLUMN("age_seconds", "AGE", Q_AGE, 80,
	    "time in this state and command; of a process: since its start",
	    BY(labelcol_age), YIELDS(1)),
	COLUMN("wait", "WAIT", Q_TEXT, 80,
	    "event that it waited for most in the range, by sampling; see waits",
	    BY(labelcol_wait), .col.if_any = true, VARIES),
	COLUMN("wait_seconds", "WAITED", Q_SECONDS, 120,
	    "time that it waited for that event, by sampling", BY(labelcol_wait_seconds),
	    AMOUNT, .col.if_any = true),
	COLUMN("db_time_seconds", "DBTIME", Q_SECONDS, GRID_ON_REQUEST,
	    "time that it was active, on a CPU or waiting, by sampling",
	    BY(labelcol_db_time), AMOUNT, .dear = true),
	CORE_FIGURES,
	SPILL_FIGURE(120),
	STATEMENT_FIGURES,
	DETAIL_FIGURES,
	COLUMN("processes", "PROCS", Q_COUNT, 200, "living processes", BY(labelcol_procs), ADDS),
	COLUMN("hosts", "HOSTS", Q_COUNT, 200, "hosts on which it has processes",
	    BY(labelcol_hosts)),
	HOST_NAMES_FIGURE("hosts on which it has processes, by name"),
	MORE_WORK_FIGURES,
	OFFCPU_FIGURES(PROCESS),
	PROCESS_SCHED_FIGURES,
	LEADER_TITLE_FIGURE,
	TEXT_FIGURE("text of the query that it runs or ran last"),
};

const struct view view_sessions = {
	.name = "sessions",
	.help = "sessions of databases, and of the operating system",
	.grouping = GROUPING_SESSION,
	.segment_grouping = GROUPING_SESSION_SEGMENT,
	.known = KNOWN_SESSIONS,
	.entity = ENTITY_PROCESS,
	FIGURES(sessions),
	.sort = "cpu_seconds,cpu_percent",
};

static const struct figure queries[] = {
	COLUMN("query", "QUERY", Q_TEXT, 80,
	    "session and number of the query within the recording", BY(labelcol_query)),
	SERVER_FIGURE,
	SESSION_HOST_FIGURE,
	COLUMN("session", "SESSION", Q_TEXT, GRID_ON_REQUEST, "its session",
	    BY(labelcol_session)),
	COLUMN("command", "CMD", Q_TEXT, 80,
	    "command counter and activity; (mixed): ticks in which the command changed",
	    BY(labelcol_cmd), STANDS_FOR_IT, VARIES),
	COLUMN("user", "USER", Q_TEXT, 80, "database user", BY(labelcol_user)),
	DATABASE_FIGURE,
	COLUMN("state", "STATE", Q_TEXT, 80, "state of its session; ended", BY(labelcol_state), VARIES),
	COLUMN("began", "BEGAN", Q_TIME, 120, "tick that saw it first", BY(labelcol_began)),
	COLUMN("age_seconds", "AGE", Q_AGE, 80, "time for which it was seen", BY(labelcol_age)),
	CORE_FIGURES,
	SPILL_FIGURE(120),
	STATEMENT_FIGURES,
	DETAIL_FIGURES,
	COLUMN("hosts", "HOSTS", Q_COUNT, 200, "hosts on which it worked", BY(labelcol_hosts)),
	HOST_NAMES_FIGURE("hosts on which it worked, by name"),
	MORE_WORK_FIGURES,
	OFFCPU_FIGURES(PROCESS),
	PROCESS_SCHED_FIGURES,
	LEADER_TITLE_FIGURE,
	TEXT_FIGURE("text of the query"),
};

const struct view view_queries = {
	.name = "queries",
	.help = "queries of sessions",
	.grouping = GROUPING_QUERY,
	.segment_grouping = GROUPING_QUERY_SEGMENT,
	.known = KNOWN_QUERIES,
	.entity = ENTITY_PROCESS,
	FIGURES(queries),
	.sort = "cpu_seconds",
};

static const struct figure processes[] = {
	PID_FIGURE,
	HOST_FIGURE(MANY_HOSTS),
	SERVER_FIGURE,
	COLUMN("state", "STATE", Q_TEXT, 80,
	    "R runs, S sleeps, D waits for a disk, Z not reaped, T stopped; ended, left",
	    BY(labelcol_process_state), VARIES),
	SESSION_FIGURE,
	USER_FIGURE(120),
	COLUMN("started", "STARTED", Q_TIME, 200, "start of the process", BY(labelcol_started)),
	COLUMN("ended", "ENDED", Q_TIME, 120, "last sample of a process that is gone",
	    BY(labelcol_ended)),
	CORE_FIGURES,
	SPILL_FIGURE(120),
	DETAIL_FIGURES,
	METRIC_COLUMN(120, SUM(PROCESS, RSS)),
	MORE_WORK_FIGURES,
	OFFCPU_FIGURES(PROCESS),
	PROCESS_SCHED_FIGURES,
	COLUMN("segment", "SEG", Q_ID, GRID_ON_REQUEST,
	    "segment that it works on, by its title; -1: the coordinator", BY(labelcol_segment)),
	COLUMN("slice", "SLICE", Q_ID, GRID_ON_REQUEST, "slice that it works for, by its title",
	    BY(labelcol_slice)),
	COLUMN("command_counter", "CMDNO", Q_ID, GRID_ON_REQUEST,
	    "counter of the command that it works for, by its title",
	    BY(labelcol_command_counter)),
	NAMED_COLUMN("parent", "PPID", GRID_ON_REQUEST, CELL(PROCESS, PPID)),
	METRIC_COLUMN(GRID_ON_REQUEST, CELL(PROCESS, NICE)),
	METRIC_COLUMN(GRID_ON_REQUEST, CELL(PROCESS, PROCESSOR)),
	COMMAND_FIGURE,
	PROCESS_TITLE_FIGURE,
	TEXT_FIGURE("text of the query that its session runs or ran last"),
};

ROW_VIEW(processes, PROCESS, "processes; ended ones stay",
    "cpu_seconds,cpu_percent");

/* The columns after the keys of --group-by. */
static const struct figure groups[] = {
	PROCESSES_FIGURE,
	CORE_FIGURES,
	SPILL_FIGURE(120),
	DETAIL_FIGURES,
	COLUMN("hosts", "HOSTS", Q_COUNT, 200, "hosts on which it has processes",
	    BY(labelcol_hosts)),
	MORE_WORK_FIGURES,
	OFFCPU_FIGURES(PROCESS),
	WORK_COUNT_FIGURES,
	COLUMN("stay_percent", "STAY%", Q_PERCENT, GRID_ON_REQUEST,
	    "mean time for which a process was in the group, of the covered time",
	    BY(labelcol_stay)),
	PROCESS_SCHED_FIGURES,
	COLUMN("title", "TITLE", Q_TEXT, GRID_ON_REQUEST,
	    "of a process, or of the leading process of a session", BY(labelcol_group_title),
	    FLEXES, LEAST(24)),
	COLUMN("work_text", "TEXT", Q_TEXT, GRID_ON_REQUEST,
	    "text of a query, or of the one that a session runs or ran last; else the title or the program",
	    BY(labelcol_group_text), STATEMENT),
};

const struct figure *view_group_figures(enum entity_id e, size_t *ret_n)
{
	if (e == ENTITY_THREAD)
		return view_thread_group_figures(ret_n);
	if (e == ENTITY_CGROUP_IO)
		return view_cgroup_io_group_figures(ret_n);
	*ret_n = GS_LEN(groups);
	return groups;
}
