/*
 * label_figures.h - columns that say which it is: names and states that
 * several tables show alike.  Private to src/view.
 */
#ifndef GS_VIEW_LABEL_FIGURES_H
#define GS_VIEW_LABEL_FIGURES_H

#include "view/figure.h"
#include "view/labelcol.h"
#include "view/view_int.h"

#define HOST_FIGURE(width) \
	{ .col = { .name = "host", .title = "HOST", .quantity = Q_TEXT, \
	    .min_width = (width), .help = "host" }, \
	  .fn = labelcol_host, .scale = 1 }

/* Which database server: usual only where there are several. */
#define SERVER_FIGURE_OF(...) \
	{ .col = { .name = "server", .title = "SERVER", .quantity = Q_TEXT, \
	    .min_width = MANY_SERVERS, .help = "database server: its cluster_name, else its port" }, \
	  __VA_ARGS__ }

#define SERVER_FIGURE \
	SERVER_FIGURE_OF(.fn = labelcol_server, .scale = 1)

#define PID_FIGURE \
	{ .col = { .name = "pid", .title = "PID", .quantity = Q_ID, \
	    .min_width = 80, .help = "process id" }, \
	  .fn = labelcol_pid, .scale = 1 }

#define PROCESSES_FIGURE \
	{ .col = { .name = "processes", .title = "PROCS", .quantity = Q_COUNT, \
	    .min_width = 80, .help = "living processes", .additive = true }, \
	  .fn = labelcol_procs, .scale = 1 }

#define SESSION_FIGURE \
	{ .col = { .name = "session", .title = "SESSION", .quantity = Q_TEXT, \
	    .min_width = 80, .help = "session it works for" }, \
	  .fn = labelcol_session, .scale = 1 }

#define USER_FIGURE(width) \
	{ .col = { .name = "user", .title = "USER", .quantity = Q_TEXT, \
	    .min_width = (width), .help = "database user; else uid" }, \
	  .fn = labelcol_user, .scale = 1 }

#define DATABASE_FIGURE \
	{ .col = { .name = "database", .title = "DB", .quantity = Q_TEXT, \
	    .min_width = 120, .help = "database" }, \
	  .fn = labelcol_database, .scale = 1 }

#define COMMAND_FIGURE \
	{ .col = { .name = "command", .title = "COMMAND", .quantity = Q_TEXT, \
	    .min_width = 80, .help = "name of the program" }, \
	  .fn = labelcol_command, .scale = 1 }

#define PROCESS_TITLE_FIGURE \
	{ .col = { .name = "title", .title = "TITLE", .quantity = Q_TEXT, \
	    .min_width = 120, .help = "title or command line, where recorded", .flexible = true }, \
	  .fn = labelcol_process_title, .scale = 1 }

/* Of the process that speaks for the others. */
#define LEADER_TITLE_FIGURE \
	{ .col = { .name = "title", .title = "TITLE", .quantity = Q_TEXT, \
	    .min_width = GRID_ON_REQUEST, .help = "title of the leading process", .flexible = true }, \
	  .fn = labelcol_title, .scale = 1 }

/* Of sessions and of their queries. */
#define STATEMENT_FIGURES \
	{ .col = { .name = "skew", .title = "SKEW", .quantity = Q_NUMBER, \
	    .min_width = 120, .help = "CPU time of the most loaded segment by that of the average one; see skew" }, \
	  .fn = labelcol_skew, .scale = 1 }, \
	{ .col = { .name = "blocker", .title = "BLOCKER", .quantity = Q_TEXT, \
	    .min_width = 120, .help = "session that it waits for in the end; see locks" }, \
	  .fn = labelcol_blocker, .scale = 1 }, \
	{ .col = { .name = "wait_segments", .title = "WAITSEG", .quantity = Q_TEXT, \
	    .min_width = GRID_ON_REQUEST, .help = "segments on which its processes wait; -1: the coordinator" }, \
	  .fn = labelcol_wait_segment, .scale = 1 }, \
	{ .col = { .name = "xact_age_seconds", .title = "XACT AGE", .quantity = Q_AGE, \
	    .min_width = 120, .help = "how long its transaction is open" }, \
	  .fn = labelcol_xact_age, .scale = 1 }, \
	{ .col = { .name = "application", .title = "APP", .quantity = Q_TEXT, \
	    .min_width = 200, .help = "application name" }, \
	  .fn = labelcol_application, .scale = 1 }, \
	{ .col = { .name = "group", .title = "GROUP", .quantity = Q_TEXT, \
	    .min_width = 200, .help = "resource group or queue" }, \
	  .fn = labelcol_group, .scale = 1 }

#endif
