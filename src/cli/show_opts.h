/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_opts.h - the options of commands that show tables: which view, which
 * rows, in which format; and their values.
 */
#ifndef GS_CLI_SHOW_OPTS_H
#define GS_CLI_SHOW_OPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/opt.h"
#include "cli/output.h"
#include "cli/times.h"

#define REPLAY_WINDOWS_MAX 5

/* The default of --top. */
#define SHOW_TOP_USUAL 3

struct replay_options {
	struct times when;
	int64_t every_ns; /* 0: one table for the whole range */
	bool ticks; /* a table for each tick */
	const char *find; /* a condition; NULL: tables */
	const char *series; /* figures over time; NULL: tables */
	bool spark; /* ... as lines */
	int64_t count; /* tables; 0: all */
	uint64_t memory_bytes;
	bool no_summaries; /* read every tick */
	bool follow; /* follow a recording that is being written */
	const char *baseline; /* a range to compare with, as written; NULL */
	const char *windows; /* as written; NULL: the view's */
	bool windows_by_view; /* window[] has the view's defaults */
	int64_t window[REPLAY_WINDOWS_MAX]; /* rising */
	size_t n_window;
	const char *view;
	const char *sort, *where, *group_by, *columns; /* NULL: the view's */
	bool nested; /* rows of --group-by at each of its keys */
	bool normalize; /* classes of names as keys */
	struct opt_texts flatten; /* globs of cgroups */
	const char *ema; /* time constants "5m,15m"; NULL: no averages */
	bool no_header; /* of text and CSV */
	bool crlf; /* of CSV */
	bool wrap; /* of text */
	const char *session, *server; /* only this one; NULL: all */
	/* selection of the views of waits; NULL, 0: everything */
	const char *event, *class, *query_id;
	const char *metric; /* of the histogram */
	int64_t pid, top;
	double min_percent; /* negative: the view's */
	bool explain; /* in place of tables */
	int64_t limit; /* rows of a list; 0: all */
	int format; /* enum render_format */
	int64_t width; /* 0: the terminal's */
	int color; /* enum output_color */
};

/* T: the struct of the command's options; MEMBER: "show." if the values are in
 * its member show, empty if T is struct show_options itself. */
#define SHOW_OPTIONS(T, MEMBER) \
	{ OPT_TEXT, 'W', "window", "W,...", \
	    "the last W before the end, or before the end of each STEP: up " \
	    "to five, rising, side by side: 5s,1m,5m, which views of waits " \
	    "have while they are followed; off: none", \
	    .offset = OPT_AT(T, MEMBER windows) }, \
	{ OPT_TEXT, 'V', "view", "VIEW", \
	    VIEW_NAMES, \
	    .dflt = "overview", .group = "What to show", \
	    .offset = OPT_AT(T, MEMBER view) }, \
	{ OPT_TEXT, 'g', "group-by", "KEY,...", \
	    "one row for each value of: session, query, statement, process, user, " \
	    "database, client, state, host, server, segment, slice, command, cgroup, " \
	    "cgroup_cpu, cgroup_memory, thread, device", \
	    .offset = OPT_AT(T, MEMBER group_by) }, \
	{ OPT_FLAG, 0, "nested", NULL, \
	    "with --group-by: also a row for each value of the first key, " \
	    "with those of the next key below it", \
	    .offset = OPT_AT(T, MEMBER nested) }, \
	{ OPT_FLAG, 0, "normalize", NULL, \
	    "with --group-by command, cgroup or thread: names that differ only in " \
	    "numbers and identifiers are one row: kworker/{N}:{N}", \
	    .offset = OPT_AT(T, MEMBER normalize) }, \
	{ OPT_TEXTS, 0, "cgroup-flatten", "GLOB", \
	    "with --group-by cgroup: all that GLOB matches is one row; may " \
	    "be repeated", \
	    .offset = OPT_AT(T, MEMBER flatten) }, \
	{ OPT_TEXT, 'w', "where", "EXPR", \
	    "only rows for which EXPR holds: \"cpu > 50 and user = gpadmin\"", \
	    .offset = OPT_AT(T, MEMBER where) }, \
	{ OPT_TEXT, 0, "ema", "TIME,...", \
	    "also show moving averages of the rates, with these time " \
	    "constants: 5m,15m", \
	    .offset = OPT_AT(T, MEMBER ema) }, \
	{ OPT_TEXT, 0, "session", "ID", \
	    "only this session: 7, con7, or the pid of a backend", \
	    .offset = OPT_AT(T, MEMBER session) }, \
	{ OPT_TEXT, 0, "server", "NAME", \
	    "only this database server, by its name in the column server", \
	    .offset = OPT_AT(T, MEMBER server) }, \
	{ OPT_TEXT, 's', "sort", "[-+]COLUMN,...", \
	    "sort order; by default numbers descending, text ascending; -: " \
	    "descending, +: ascending", \
	    .offset = OPT_AT(T, MEMBER sort) }, \
	{ OPT_INT, 'l', "limit", "N", \
	    "rows of a list; a last row sums up the others; 0: all", \
	    .dflt = "20", .min = 0, .max = INT64_MAX, \
	    .offset = OPT_AT(T, MEMBER limit) }, \
	{ OPT_TEXT, 'c', "columns", "NAME,...", \
	    "these columns in this order; +NAME adds one to the default " \
	    "ones; also any metric of gpsnap-metrics(7)", \
	    .offset = OPT_AT(T, MEMBER columns) }, \
	{ OPT_TEXT, 0, "fields", "NAME,...", \
	    "the same as --columns", \
	    .offset = OPT_AT(T, MEMBER columns) }, \
	{ OPT_TEXT, 'E', "event", "EVENT", \
	    "only this event: Lock:transactionid, CPU*", \
	    .group = "What to show of waits", \
	    .offset = OPT_AT(T, MEMBER event) }, \
	{ OPT_TEXT, 'C', "class", "CLASS,...", \
	    "only events of these classes: IO,LWLock", \
	    .offset = OPT_AT(T, MEMBER class) }, \
	{ OPT_TEXT, 'Q', "query-id", "ID", \
	    "only this query: the server's identifier, or the beginning of " \
	    "its text", \
	    .offset = OPT_AT(T, MEMBER query_id) }, \
	{ OPT_INT, 'p', "pid", "PID", "only this backend", \
	    .offset = OPT_AT(T, MEMBER pid), \
	    .min = 1, .max = INT32_MAX }, \
	{ OPT_PERCENT, 0, "min-pct", "PERCENT", \
	    "only events of at least PERCENT of database time (default 1 in " \
	    "time_model)", \
	    .offset = OPT_AT(T, MEMBER min_percent) }, \
	{ OPT_INT, 0, "top", "N", \
	    "events below each class of time_model", .dflt = "3", \
	    .offset = OPT_AT(T, MEMBER top), \
	    .min = 0, .max = 1000 }, \
	{ OPT_TEXT, 0, "metric", "COLUMN", \
	    "in histogram: the distribution of this column over all " \
	    "processes: cpu, memory, io_bytes", \
	    .offset = OPT_AT(T, MEMBER metric) }, \
	{ OPT_FLAG, 0, "explain", NULL, \
	    "explain the figures of the view, in place of tables", \
	    .group = "How to show it", \
	    .offset = OPT_AT(T, MEMBER explain) }, \
	{ OPT_ENUM, 'f', "format", "FORMAT", \
	    "output format; default: interactive (tui) on a terminal, else " \
	    "text", .values = output_formats, \
	    .offset = OPT_AT(T, MEMBER format) }, \
	ZONE_OPTIONS(T, MEMBER when, 'u'), \
	{ OPT_FLAG, 0, "no-header", NULL, \
	    "text and CSV without headings", \
	    .offset = OPT_AT(T, MEMBER no_header) }, \
	{ OPT_FLAG, 0, "crlf", NULL, \
	    "CSV: lines end with CR LF", \
	    .offset = OPT_AT(T, MEMBER crlf) }, \
	{ OPT_FLAG, 0, "wrap", NULL, \
	    "text: whole texts of queries, below their rows if they are cut", \
	    .offset = OPT_AT(T, MEMBER wrap) }, \
	{ OPT_INT, 0, "width", "COLUMNS", \
	    "width of text; default: the terminal's, COLUMNS, or 80", \
	    .min = 20, .max = 4096, \
	    .offset = OPT_AT(T, MEMBER width) }, \
	{ OPT_ENUM, 0, "color", "WHEN", \
	    "bold headings", .dflt = "auto", .values = output_colors, \
	    .offset = OPT_AT(T, MEMBER color) }

#endif
