/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampling.h - the options of commands that sample: what, how often, which
 * hosts, which database.
 *
 * Such a command has a struct sampling named sampling in the struct of its
 * options, and the rows below in its table.
 */
#ifndef GS_CLI_SAMPLING_H
#define GS_CLI_SAMPLING_H

#include "base/clock.h"
#include "cli/named.h"
#include "cli/opt.h"
#include "record/database.h"
#include "record/host_list.h"
#include "record/recorder.h"
#include "record/schedule.h"

struct sampling {
	int64_t interval_ns;
	int64_t count;
	int64_t duration_ns;
	bool all;
	const char *pids;
	const char *comm;
	bool arguments;
	bool threads;
	const char *with;
	int64_t heap_interval_ns;
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
	struct opt_texts dsn;
	struct record_db db; /* without dsn and version */
};

/* The words of --with, in order; NULL beyond the last one. */
const char *sampling_with(size_t i);

/* In the order of enum deploy_want. */
extern const char *const sampling_deploy_values[];

/* T: the struct of the command's options. */
#define SAMPLING_WHEN(T) \
	{ OPT_DURATION, 'i', "interval", "INTERVAL", \
	    "time between samples", .dflt = "5s", \
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
	    "all processes, not only those of the database and the busiest", \
	    .group = "What is recorded", \
	    .offset = OPT_AT(T, sampling.all) }, \
	{ OPT_TEXT, 0, "pids", "PID,...", \
	    "only these processes of this host", \
	    .offset = OPT_AT(T, sampling.pids) }, \
	{ OPT_TEXT, 0, "comm", "NAME,...", \
	    "only processes with these names: postgres, 'pg_*'", \
	    .offset = OPT_AT(T, sampling.comm) }, \
	{ OPT_INT, 0, "busiest", "N", \
	    "also record this many of the busiest other processes", \
	    .dflt = "10", \
	    .offset = OPT_AT(T, sampling.busiest), \
	    .min = 0, .max = 1000000 }, \
	{ OPT_FLAG, 0, "arguments", NULL, \
	    "arguments of processes that are not the database's; they may " \
	    "contain passwords", \
	    .offset = OPT_AT(T, sampling.arguments) }, \
	{ OPT_FLAG, 0, "threads", NULL, \
	    "threads of the recorded processes, too", \
	    .offset = OPT_AT(T, sampling.threads) }, \
	{ OPT_TEXT, 0, "with", "LIST", \
	    "data that is expensive to read: any of fd,stack,smaps,sched," \
	    "threads,heap; or all", \
	    .offset = OPT_AT(T, sampling.with) }, \
	{ OPT_DURATION, 0, "heap-interval", "TIME", \
	    "--with heap: stop a thread at most this often to read it", \
	    .dflt = "60s", .offset = OPT_AT(T, sampling.heap_interval_ns), \
	    .min = GS_NSEC_PER_SEC, .max = INT64_C(86400) * GS_NSEC_PER_SEC }, \
	{ OPT_FLAG, 0, "no-quiet", NULL, \
	    "read every process at every sample, even idle ones", \
	    .offset = OPT_AT(T, sampling.no_quiet) }, \
	{ OPT_PATH, 0, "root", "DIR", \
	    "read DIR/proc and DIR/sys: a container's, or a captured tree", \
	    .offset = OPT_AT(T, sampling.root) }, \
	{ OPT_TEXT, 0, "hosts", "LIST", \
	    "record only these hosts, separated by commas", \
	    .group = "Hosts", .offset = OPT_AT(T, sampling.hosts) }, \
	{ OPT_PATH, 0, "hosts-file", "FILE", \
	    "as --hosts, one name per line; # begins a comment", \
	    .offset = OPT_AT(T, sampling.hosts_file) }, \
	{ OPT_TEXT, 0, "agent-command", "COMMAND", \
	    "command that starts the agent on another host; {host} is the " \
	    "host's name, {agent} the agent's command (default: ssh)", \
	    .offset = OPT_AT(T, sampling.agent_command) }, \
	{ OPT_PATH, 0, "agent-path", "FILE", \
	    "path of gpsnap-agent on the other hosts (default: from PATH " \
	    "there)", \
	    .offset = OPT_AT(T, sampling.agent_path) }, \
	{ OPT_ENUM, 0, "deploy", "WHEN", \
	    "copy the agent temporarily to hosts that lack this version", \
	    .dflt = "auto", .values = sampling_deploy_values, \
	    .offset = OPT_AT(T, sampling.deploy) }, \
	{ OPT_INT, 0, "connect-parallel", "N", \
	    "hosts to connect to at the same time", .dflt = "32", \
	    .offset = OPT_AT(T, sampling.connect_parallel), \
	    .min = 1, .max = TICK_HOSTS_MAX }, \
	{ OPT_DURATION, 0, "host-timeout", "TIME", \
	    "close a connection that is silent for so long", \
	    .dflt = "60s", .offset = OPT_AT(T, sampling.host_timeout_ns), \
	    .min = GS_NSEC_PER_SEC, .max = 3600 * GS_NSEC_PER_SEC }, \
	{ OPT_INT, pid_short, pid_name, "PID", \
	    "the database of the server with this process id", \
	    .group = "Database", .offset = OPT_AT(T, sampling.db.pid), \
	    .min = 1, .max = INT32_MAX }, \
	{ OPT_PATH, 'D', "pgdata", "DIR", \
	    "the database with this data directory", \
	    .offset = OPT_AT(T, sampling.db.pgdata) }, \
	{ OPT_TEXTS, 0, "dsn", "DSN", \
	    "the database by libpq keywords or URI; may be given again", \
	    .offset = OPT_AT(T, sampling.dsn) }, \
	{ OPT_FLAG, 0, "no-catalog", NULL, \
	    "query no database: sessions come from process titles only", \
	    .offset = OPT_AT(T, sampling.db.no_catalog) }, \
	{ OPT_TEXT, 0, "collect", "LIST", \
	    "what to query: activity, topology, locks, replication, groups, " \
	    "vmem, limits, databases, wal, slots, progress, pgstatements; " \
	    "segment_activity, workfiles; all but the last two without it; " \
	    "+NAME adds, -NAME takes away", \
	    .offset = OPT_AT(T, sampling.db.collect) }, \
	{ OPT_DURATION, 0, "sql-interval", "TIME", \
	    "query sessions at most this often (default at each sample)", \
	    .offset = OPT_AT(T, sampling.db.sql_interval_ns), \
	    .min = 0, .max = INT64_C(86400) * GS_NSEC_PER_SEC }, \
	{ OPT_DURATION, 0, "dispatch-interval", "TIME", \
	    "query what is sent to segments at most this often", \
	    .dflt = "30s", \
	    .offset = OPT_AT(T, sampling.db.dispatch_interval_ns), \
	    .min = GS_NSEC_PER_SEC, .max = INT64_C(86400) * GS_NSEC_PER_SEC }, \
	{ OPT_ENUM, 0, "query-text", "HOW", \
	    "texts of queries: masked (no literals), full, or none", \
	    .dflt = "masked", .values = record_query_texts, \
	    .offset = OPT_AT(T, sampling.db.query_text) }, \
	{ OPT_SIZE, 0, "query-text-size", "SIZE", \
	    "bytes of each text that are kept", .dflt = "1K", \
	    .offset = OPT_AT(T, sampling.db.query_text_size) }

/* What the recorder's options need beside their values. */
struct sampling_use {
	struct host_list hosts;
	struct database db;
	struct named named;
	char nodename[256];
};

#define SAMPLING_USE_INIT { .hosts = HOST_LIST_INIT, .db = DATABASE_INIT }

/* Sets the recorder's options; version, arg and functions are the caller's.
 * Both structs must outlive the recorder.  CLI_GO, or the exit status of the
 * error that was printed. */
int sampling_set(const struct opt_cmd *cmd, const struct sampling *o,
	struct sampling_use *use, struct recorder_options *ro);

/* Appends "gpsnap record ...", as it was typed, for the header of a recording:
 * of a command after "--" only its name and of --dsn nothing, since they may
 * contain passwords. */
void sampling_line(int argc, char **argv, struct buf *to);

/* Sets the output and its defaults: in a directory hourly files of the last
 * seven days, up to 5 GiB.  path must outlive the recorder. */
void sampling_output(const char *path, struct recorder_options *ro);

void sampling_release(struct sampling_use *use);

#endif
