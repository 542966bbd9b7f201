/* SPDX-License-Identifier: Apache-2.0 */
/*
 * label_figures.h - identifying columns: names and states that several tables
 * share.  Private to src/view.
 */
#ifndef GS_VIEW_LABEL_FIGURES_H
#define GS_VIEW_LABEL_FIGURES_H

#include "query/columns.h"
#include "query/labelcol.h"
#include "view/view_int.h"

/* Texts of the label of a group, and of its session. */
#define LABEL_TEXT(MEMBER) \
	BY(labelcol_text_of_label), .member = offsetof(struct label, MEMBER)
#define SESSION_TEXT(MEMBER) \
	BY(labelcol_text_of_session), .member = offsetof(struct session, MEMBER)

#define HOST_FIGURE(width) \
	COLUMN("host", "HOST", Q_TEXT, width, "host", BY(labelcol_host))

/* Absent for a session of a database.  Not called host: with that, conditions of
 * --find are about sessions by host. */
#define SESSION_HOST_FIGURE \
	COLUMN("os_host", "NODE", Q_TEXT, MANY_HOSTS, \
	    "host of a session of the operating system, or of exited children", \
	    BY(labelcol_session_host), .col.if_any = true)

/* The database server: shown by default only if there are several. */
#define SERVER_FIGURE_OF(FN) \
	COLUMN("server", "SERVER", Q_TEXT, MANY_SERVERS, \
	    "database server: its cluster_name, else its port", FN)

#define SERVER_FIGURE SERVER_FIGURE_OF(BY(labelcol_server))

#define PID_FIGURE \
	COLUMN("pid", "PID", Q_ID, 80, "process id", BY(labelcol_pid))

#define PROCESSES_FIGURE \
	COLUMN("processes", "PROCS", Q_COUNT, 80, "living processes", BY(labelcol_procs), ADDS)

#define HOST_NAMES_FIGURE(HELP) \
	COLUMN("on_hosts", "ON", Q_TEXT, GRID_ON_REQUEST, HELP, BY(labelcol_host_names), \
	    FLEXES)

#define SESSION_FIGURE \
	COLUMN("session", "SESSION", Q_TEXT, 80, "session it works for", BY(labelcol_session))

#define USER_FIGURE(width) \
	COLUMN("user", "USER", Q_TEXT, width, "database user; else uid", BY(labelcol_user))

#define DATABASE_FIGURE \
	COLUMN("database", "DB", Q_TEXT, 120, "database", SESSION_TEXT(database), \
	    .col.also = "db")

#define STAY_FIGURE(WHAT) \
	COLUMN("stay_percent", "STAY%", Q_PERCENT, GRID_ON_REQUEST, \
	    "time for which " WHAT ", of the covered time", BY(labelcol_stay))

#define COMMAND_FIGURE \
	COLUMN("command", "COMMAND", Q_TEXT, 80, "name of the program", LABEL_TEXT(command), \
	    STANDS_FOR_IT)

#define PROCESS_TITLE_FIGURE \
	COLUMN("title", "TITLE", Q_TEXT, 120, "title or command line, where recorded", \
	    LABEL_TEXT(title), FLEXES)

/* Of the representative process. */
#define LEADER_TITLE_FIGURE \
	COLUMN("title", "TITLE", Q_TEXT, GRID_ON_REQUEST, "title of the leading process", \
	    BY(labelcol_title), FLEXES)

#define TEXT_FIGURE(HELP) \
	COLUMN("text", "TEXT", Q_TEXT, 80, HELP, BY(labelcol_text), STATEMENT)

/* Of sessions and of their queries. */
#define STATEMENT_FIGURES \
	COLUMN("skew", "SKEW", Q_NUMBER, 120, \
	    "CPU time of the most loaded segment divided by that of the average one; see skew", \
	    BY(labelcol_skew)), \
	COLUMN("blocker", "BLOCKER", Q_TEXT, 120, \
	    "session at the end of its wait chain; see locks", BY(labelcol_blocker), VARIES), \
	COLUMN("wait_segments", "WAITSEG", Q_TEXT, GRID_ON_REQUEST, \
	    "segments on which its processes wait; -1: the coordinator", \
	    BY(labelcol_wait_segment), VARIES), \
	COLUMN("xact_age_seconds", "XACT AGE", Q_AGE, 120, "how long its transaction is open", \
	    BY(labelcol_xact_age)), \
	COLUMN("application", "APP", Q_TEXT, 200, "application name", SESSION_TEXT(application)), \
	COLUMN("group", "GROUP", Q_TEXT, 200, "resource group or queue", SESSION_TEXT(group))

#endif
