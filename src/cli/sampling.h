/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampling.h - the options of whatever samples: what, how often, which hosts,
 * which database.
 *
 * A command that samples has a struct sampling named sampling in the struct of
 * its options, and the rows below in its table.
 */
#ifndef GS_CLI_SAMPLING_H
#define GS_CLI_SAMPLING_H

#include "base/clock.h"
#include "cli/host_list.h"
#include "cli/opt.h"
#include "cli/record_db.h"
#include "record/recorder.h"
#include "record/schedule.h"

struct sampling {
	int64_t interval_ns;
	int64_t count;
	int64_t duration_ns;
	bool all;
	bool arguments;
	bool threads;
	const char *with;
	int64_t busiest;
	bool no_quiet;
	const char *root;
	const char *hosts;
	const char *hosts_file;
	const char *agent_command;
	const char *agent_path;
	int deploy;
	int64_t connect_parallel;
	int64_t host_timeout_ns;
	struct record_db db;
};

/* In the order of enum deploy_want. */
extern const char *const sampling_deploy_values[];

/* T: the struct of the command's options. */
#define SAMPLING_WHEN(T) \
	{ OPT_DURATION, 'i', "interval", "INTERVAL", \
	    "time from sample to sample", .dflt = "5s", \
	    .offset = OPT_AT(T, sampling.interval_ns), \
	    .min = SCHEDULE_INTERVAL_MIN_NS, .max = SCHEDULE_INTERVAL_MAX_NS }, \
	{ OPT_INT, 'n', "count", "COUNT", "end after so many samples", \
	    .offset = OPT_AT(T, sampling.count), \
	    .min = 1, .max = INT64_MAX }, \
	{ OPT_DURATION, 'd', "duration", "DURATION", "end after so long", \
	    .offset = OPT_AT(T, sampling.duration_ns), \
	    .min = 1, .max = INT64_MAX }

/* pid_short, pid_name: of the option that names a server. */
#define SAMPLING_WHAT(T, pid_short, pid_name) \
	{ OPT_FLAG, 'a', "all", NULL, \
	    "all processes, not only the database's and the busiest", \
	    .group = "What is recorded", \
	    .offset = OPT_AT(T, sampling.all) }, \
	{ OPT_INT, 0, "busiest", "N", \
	    "processes besides the database's to record", .dflt = "10", \
	    .offset = OPT_AT(T, sampling.busiest), \
	    .min = 0, .max = 1000000 }, \
	{ OPT_FLAG, 0, "arguments", NULL, \
	    "arguments of processes that are not the database's; they may " \
	    "hold passwords", \
	    .offset = OPT_AT(T, sampling.arguments) }, \
	{ OPT_FLAG, 0, "threads", NULL, \
	    "threads of the processes that are recorded, too", \
	    .offset = OPT_AT(T, sampling.threads) }, \
	{ OPT_TEXT, 0, "with", "LIST", \
	    "what costs more to read: any of fd,stack,smaps", \
	    .offset = OPT_AT(T, sampling.with) }, \
	{ OPT_FLAG, 0, "no-quiet", NULL, \
	    "read every process every time, even one that has not run", \
	    .offset = OPT_AT(T, sampling.no_quiet) }, \
	{ OPT_PATH, 0, "root", "DIR", \
	    "read DIR/proc and DIR/sys: a container's, or a captured tree", \
	    .offset = OPT_AT(T, sampling.root) }, \
	{ OPT_TEXT, 0, "hosts", "LIST", \
	    "record these hosts, separated by commas, and no other", \
	    .group = "Hosts", .offset = OPT_AT(T, sampling.hosts) }, \
	{ OPT_PATH, 0, "hosts-file", "FILE", \
	    "as --hosts, a name per line; # begins a comment", \
	    .offset = OPT_AT(T, sampling.hosts_file) }, \
	{ OPT_TEXT, 0, "agent-command", "COMMAND", \
	    "what reaches another host; {host} is its name, {agent} what to " \
	    "start there (default: ssh)", \
	    .offset = OPT_AT(T, sampling.agent_command) }, \
	{ OPT_PATH, 0, "agent-path", "FILE", \
	    "gpsnap-agent on the other hosts (default: on PATH there)", \
	    .offset = OPT_AT(T, sampling.agent_path) }, \
	{ OPT_ENUM, 0, "deploy", "WHEN", \
	    "copy the agent to hosts that have none of this version, for as " \
	    "long as it runs", .dflt = "auto", .values = sampling_deploy_values, \
	    .offset = OPT_AT(T, sampling.deploy) }, \
	{ OPT_INT, 0, "connect-parallel", "N", \
	    "connections that are made at a time", .dflt = "32", \
	    .offset = OPT_AT(T, sampling.connect_parallel), \
	    .min = 1, .max = TICK_HOSTS_MAX }, \
	{ OPT_DURATION, 0, "host-timeout", "TIME", \
	    "give up a connection that is silent for so long", \
	    .dflt = "60s", .offset = OPT_AT(T, sampling.host_timeout_ns), \
	    .min = GS_NSEC_PER_SEC, .max = 3600 * GS_NSEC_PER_SEC }, \
	{ OPT_INT, pid_short, pid_name, "PID", \
	    "the database of this server, by its process id", \
	    .group = "Database", .offset = OPT_AT(T, sampling.db.pid), \
	    .min = 1, .max = INT32_MAX }, \
	{ OPT_PATH, 'D', "pgdata", "DIR", \
	    "the database of this data directory", \
	    .offset = OPT_AT(T, sampling.db.pgdata) }, \
	{ OPT_TEXTS, 0, "dsn", "DSN", \
	    "the database that this names: libpq's keywords or URI; also " \
	    "several times", \
	    .offset = OPT_AT(T, sampling.db.dsn) }, \
	{ OPT_FLAG, 0, "no-catalog", NULL, \
	    "ask no database: sessions come from process titles alone", \
	    .offset = OPT_AT(T, sampling.db.no_catalog) }, \
	{ OPT_TEXT, 0, "collect", "LIST", \
	    "what to ask it: activity, topology, locks, replication, " \
	    "groups, vmem, limits, segment_activity, workfiles; all but the " \
	    "last two without it; +NAME adds, -NAME takes away", \
	    .offset = OPT_AT(T, sampling.db.collect) }, \
	{ OPT_DURATION, 0, "sql-interval", "TIME", \
	    "ask for sessions at most this often (default at each sample)", \
	    .offset = OPT_AT(T, sampling.db.sql_interval_ns), \
	    .min = 0, .max = INT64_C(86400) * GS_NSEC_PER_SEC }, \
	{ OPT_DURATION, 0, "dispatch-interval", "TIME", \
	    "ask what is sent to segments at most this often", \
	    .dflt = "30s", \
	    .offset = OPT_AT(T, sampling.db.dispatch_interval_ns), \
	    .min = GS_NSEC_PER_SEC, .max = INT64_C(86400) * GS_NSEC_PER_SEC }, \
	{ OPT_ENUM, 0, "query-text", "HOW", \
	    "texts of queries: masked (no literals), full, or none", \
	    .dflt = "masked", .values = record_query_texts, \
	    .offset = OPT_AT(T, sampling.db.query_text) }, \
	{ OPT_SIZE, 0, "query-text-size", "SIZE", \
	    "so much of each text", .dflt = "1K", \
	    .offset = OPT_AT(T, sampling.db.query_text_size) }

/* What the options of a recorder need beside their values. */
struct sampling_use {
	struct host_list hosts;
	struct database db;
	char nodename[256];
};

#define SAMPLING_USE_INIT { .hosts = HOST_LIST_INIT, .db = DATABASE_INIT }

/* Sets what the options say; version, arg and functions are the caller's.
 * Both structs must outlive the recorder.  CLI_GO, or the exit status of what
 * was told. */
int sampling_set(const struct opt_cmd *cmd, const struct sampling *o,
	struct sampling_use *use, struct recorder_options *ro);
/* Where it is recorded, and what is usual there: hourly files, of the last
 * seven days and 5 GiB, where that is a directory.  path must outlive the
 * recorder. */
void sampling_output(const char *path, struct recorder_options *ro);

void sampling_release(struct sampling_use *use);

#endif
