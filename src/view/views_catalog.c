/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views_catalog.c - plain tables of the catalog, and of servers found by
 * agents: one row per row that exists at the end.
 */
#include "base/compiler.h"
#include "query/columns.h"
#include "view/label_figures.h"
#include "view/view_int.h"

/* The catalog at the end of the range. */
#define CATALOG_VIEW(NAME, ENTITY, HELP, SORT) \
	const struct view view_##NAME = { .name = #NAME, .help = HELP, \
		.grouping = GROUPING_ROW, .entity = ENTITY, FIGURES(NAME), \
		.sort = SORT, .living = true, .catalog = true }

static const struct figure postmasters[] = {
	HOST_FIGURE(80),
	SERVER_FIGURE,
	COLUMN("pid", "PID", Q_ID, 80, "process id", CELL(POSTMASTER, PID)),
	COLUMN("port", "PORT", Q_ID, 80, "port it listens on", CELL(POSTMASTER, PORT)),
	COLUMN("version", "VERSION", Q_TEXT, 80, "major version of the data directory",
	    CELL(POSTMASTER, VERSION)),
	COLUMN("shared_memory", "SHMEM", Q_BYTES, 80,
	    "shared memory that its processes touched, lower bound", CELL(POSTMASTER, SHMEM)),
	COLUMN("datadir", "DATADIR", Q_TEXT, 80, "data directory",
	    CELL(POSTMASTER, DATADIR), FLEXES),
};

const struct view view_postmasters = {
	.name = "postmasters",
	.help = "database servers found on hosts",
	.grouping = GROUPING_ROW,
	.entity = ENTITY_POSTMASTER,
	FIGURES(postmasters),
	.sort = "+host,+port",
	.living = true,
};

static const struct figure clusters[] = {
	COLUMN("flavour", "FLAVOUR", Q_TEXT, 80, "postgresql, greenplum or cloudberry",
	    CELL(CLUSTER, FLAVOUR)),
	SERVER_FIGURE,
	COLUMN("version_num", "VERSIONNUM", Q_ID, 200, "version of the PostgreSQL that it is based on",
	    CELL(CLUSTER, VERSION_NUM)),
	COLUMN("name", "NAME", Q_TEXT, 120, "cluster_name", CELL(CLUSTER, NAME)),
	COLUMN("host", "HOST", Q_TEXT, 80, "recorded host on which the coordinator runs",
	    CELL(CLUSTER, HOST)),
	COLUMN("port", "PORT", Q_ID, 80, "port of the coordinator", CELL(CLUSTER, PORT)),
	COLUMN("start", "START", Q_TIME, 80, "start of the coordinator", CELL(CLUSTER, START)),
	COLUMN("max_connections", "MAXCONN", Q_COUNT, 80,
	    "connections that the coordinator allows", CELL(CLUSTER, MAX_CONNECTIONS)),
	COLUMN("reserved", "RESERVED", Q_COUNT, 120, "of those, for superusers only",
	    CELL(CLUSTER, RESERVED)),
	COLUMN("spare_connections", "SPARE", Q_COUNT, 80, "free connections",
	    CELL(CLUSTER, SPARE_CONNECTIONS)),
	COLUMN("recovery", "RECOVERY", Q_ID, 120, "1: a standby", CELL(CLUSTER, RECOVERY)),
	COLUMN("resource_manager", "RESMAN", Q_TEXT, 120, "queue or group",
	    CELL(CLUSTER, RESOURCE_MANAGER)),
	COLUMN("vmem_limit", "VMEMLIMIT", Q_BYTES, 120,
	    "memory that each segment may give to its sessions", CELL(CLUSTER, VMEM_LIMIT)),
	COLUMN("datadir", "DATADIR", Q_TEXT, 200, "data directory of the coordinator",
	    CELL(CLUSTER, DATADIR)),
	COLUMN("version", "VERSION", Q_TEXT, 80, "version of the server",
	    CELL(CLUSTER, VERSION), FLEXES),
};

CATALOG_VIEW(clusters, ENTITY_CLUSTER,
    "the database as its coordinator describes it", "+name");

static const struct figure backends[] = {
	COLUMN("segment", "SEG", Q_ID, 80, "segment; -1: the coordinator", CELL(BACKEND, CONTENT)),
	SERVER_FIGURE,
	COLUMN("pid", "PID", Q_ID, 80, "process id", CELL(BACKEND, PID)),
	COLUMN("session", "SESSION", Q_ID, 120, "session id; absent on PostgreSQL",
	    CELL(BACKEND, SESSION)),
	COLUMN("user", "USER", Q_TEXT, 80, "user", CELL(BACKEND, USER)),
	COLUMN("database", "DB", Q_TEXT, 80, "database", CELL(BACKEND, DATABASE)),
	COLUMN("application", "APP", Q_TEXT, 120, "application name", CELL(BACKEND, APPLICATION)),
	COLUMN("client", "CLIENT", Q_TEXT, 120, "address of the client",
	    CELL(BACKEND, CLIENT_ADDR)),
	COLUMN("client_port", "CLIENTPORT", Q_ID, GRID_ON_REQUEST,
	    "port of the client; -1: a socket of the host", CELL(BACKEND, CLIENT_PORT)),
	COLUMN("client_host", "CLIENTHOST", Q_TEXT, GRID_ON_REQUEST,
	    "name of the client, where the server looked it up", CELL(BACKEND, CLIENT_HOST)),
	COLUMN("type", "TYPE", Q_TEXT, 200, "kind of backend", CELL(BACKEND, TYPE)),
	COLUMN("state", "STATE", Q_TEXT, 80, "as the server names it", CELL(BACKEND, STATE)),
	COLUMN("wait_type", "WAITTYPE", Q_TEXT, 120, "class of its wait",
	    CELL(BACKEND, WAIT_TYPE)),
	COLUMN("wait_event", "WAITEVENT", Q_TEXT, 120, "event that it waits for",
	    CELL(BACKEND, WAIT_EVENT)),
	COLUMN("waiting", "WAITING", Q_ID, GRID_ON_REQUEST, "1: waits (servers before 9.6)",
	    CELL(BACKEND, WAITING)),
	COLUMN("start", "START", Q_TIME, 200, "start of the backend", CELL(BACKEND, START)),
	COLUMN("query_start", "QUERYSTART", Q_TIME, 120, "start of the query",
	    CELL(BACKEND, QUERY_START)),
	COLUMN("xact_start", "XACTSTART", Q_TIME, 200, "start of the transaction",
	    CELL(BACKEND, XACT_START)),
	COLUMN("state_change", "STATECHANGE", Q_TIME, 200, "last change of the state",
	    CELL(BACKEND, STATE_CHANGE)),
	COLUMN("xid", "XID", Q_ID, GRID_ON_REQUEST, "its transaction id", CELL(BACKEND, XID)),
	COLUMN("xid_age", "XIDAGE", Q_COUNT, 200, "transactions begun since its own",
	    CELL(BACKEND, XID_AGE)),
	COLUMN("xmin_age", "XMINAGE", Q_COUNT, 200,
	    "transactions whose dead rows it keeps from vacuum", CELL(BACKEND, XMIN_AGE)),
	COLUMN("leader", "LEADER", Q_ID, GRID_ON_REQUEST, "leader of its parallel group",
	    CELL(BACKEND, LEADER)),
	COLUMN("query_id", "QUERYID", Q_ID, GRID_ON_REQUEST, "identifier of the query",
	    CELL(BACKEND, QUERY_ID)),
	COLUMN("group", "GROUP", Q_TEXT, 200, "resource group or queue", CELL(BACKEND, GROUP)),
	COLUMN("group_wait_seconds", "GROUPWAIT", Q_SECONDS, GRID_ON_REQUEST,
	    "time it waited for its resource group", CELL(BACKEND, GROUP_WAIT)),
	COLUMN("blockers", "BLOCKERS", Q_TEXT, 200, "pids that block it",
	    CELL(BACKEND, BLOCKERS)),
	COLUMN("query", "QUERY", Q_TEXT, 80, "text of the query", CELL(BACKEND, QUERY), FLEXES),
};

CATALOG_VIEW(backends, ENTITY_BACKEND, "rows of pg_stat_activity",
    "+server,+segment,+pid");

static const struct figure pglocks[] = {
	COLUMN("segment", "SEG", Q_ID, 80, "segment; -1: the coordinator", CELL(LOCK, CONTENT)),
	SERVER_FIGURE,
	COLUMN("pid", "PID", Q_ID, 80, "process that holds it or waits for it", CELL(LOCK, PID)),
	COLUMN("session", "SESSION", Q_ID, 80, "session id; absent on PostgreSQL",
	    CELL(LOCK, SESSION)),
	COLUMN("type", "TYPE", Q_TEXT, 80, "kind of object", CELL(LOCK, TYPE)),
	COLUMN("mode", "MODE", Q_TEXT, 80, "mode held or wanted", CELL(LOCK, MODE)),
	COLUMN("granted", "GRANTED", Q_ID, 80, "1: held, 0: waited for", CELL(LOCK, GRANTED)),
	COLUMN("wait_start", "WAITSTART", Q_TIME, 120, "start of the wait",
	    CELL(LOCK, WAIT_START)),
	COLUMN("database", "DB", Q_TEXT, 120, "database", CELL(LOCK, DATABASE_NAME)),
	COLUMN("database_oid", "DBOID", Q_ID, GRID_ON_REQUEST, "database, oid",
	    CELL(LOCK, DATABASE)),
	COLUMN("relation", "RELOID", Q_ID, 120, "relation, oid", CELL(LOCK, RELATION)),
	COLUMN("page", "PAGE", Q_ID, GRID_ON_REQUEST, "page", CELL(LOCK, PAGE)),
	COLUMN("tuple", "TUPLE", Q_ID, GRID_ON_REQUEST, "tuple within the page", CELL(LOCK, TUPLE)),
	COLUMN("virtualxid", "VXID", Q_TEXT, 200, "locked virtual transaction",
	    CELL(LOCK, VIRTUALXID)),
	COLUMN("xid", "XID", Q_ID, 120, "locked transaction", CELL(LOCK, XID)),
	COLUMN("classid", "CLASSID", Q_ID, GRID_ON_REQUEST, "catalog of the object, oid",
	    CELL(LOCK, CLASSID)),
	COLUMN("objid", "OBJID", Q_ID, GRID_ON_REQUEST, "object, oid", CELL(LOCK, OBJID)),
	COLUMN("objsubid", "OBJSUBID", Q_ID, GRID_ON_REQUEST, "column of the object",
	    CELL(LOCK, OBJSUBID)),
	COLUMN("virtual_transaction", "VXACT", Q_TEXT, 200, "transaction that holds or waits",
	    CELL(LOCK, VIRTUAL_TRANSACTION)),
	COLUMN("fastpath", "FASTPATH", Q_ID, GRID_ON_REQUEST, "1: taken on the fast path",
	    CELL(LOCK, FASTPATH)),
	COLUMN("object", "OBJECT", Q_TEXT, 80, "name of the relation, where it is known",
	    CELL(LOCK, OBJECT), FLEXES),
};

CATALOG_VIEW(pglocks, ENTITY_LOCK,
    "rows of pg_locks, recorded while somebody waits", "+server,+segment,+pid");

static const struct figure replicas[] = {
	COLUMN("segment", "SEG", Q_ID, 80, "segment; -1: the coordinator", CELL(REPLICA, CONTENT)),
	SERVER_FIGURE,
	COLUMN("pid", "PID", Q_ID, 80, "process that sends", CELL(REPLICA, PID)),
	COLUMN("application", "APP", Q_TEXT, 80, "who receives", CELL(REPLICA, APPLICATION)),
	COLUMN("client", "CLIENT", Q_TEXT, 120, "its address", CELL(REPLICA, CLIENT_ADDR)),
	COLUMN("state", "STATE", Q_TEXT, 80, "startup, catchup, streaming, ...",
	    CELL(REPLICA, STATE)),
	COLUMN("sync", "SYNC", Q_TEXT, 80, "sync, async, ...", CELL(REPLICA, SYNC_STATE)),
	COLUMN("sent_lag", "SENTLAG", Q_BYTES, 80, "WAL that is not sent yet",
	    CELL(REPLICA, SENT_LAG)),
	COLUMN("write_lag", "WRITELAG", Q_BYTES, 120, "WAL that is not written there yet",
	    CELL(REPLICA, WRITE_LAG)),
	COLUMN("flush_lag", "FLUSHLAG", Q_BYTES, 80, "WAL that is not durable there yet",
	    CELL(REPLICA, FLUSH_LAG)),
	COLUMN("replay_lag", "REPLAYLAG", Q_BYTES, 80, "WAL that is not applied there yet",
	    CELL(REPLICA, REPLAY_LAG)),
};

CATALOG_VIEW(replicas, ENTITY_REPLICA, "connections of standbys and mirrors",
    "+server,+segment,+pid");

static const struct figure groups[] = {
	COLUMN("group", "GROUP", Q_TEXT, 80, "name", CELL(GROUP, NAME)),
	SERVER_FIGURE,
	COLUMN("kind", "KIND", Q_TEXT, 80, "group or queue", CELL(GROUP, KIND)),
	COLUMN("running", "RUNNING", Q_COUNT, 80, "statements that run in it",
	    CELL(GROUP, RUNNING)),
	COLUMN("waiting", "WAITING", Q_COUNT, 80, "statements that wait for it",
	    CELL(GROUP, WAITING)),
	COLUMN("limit", "LIMIT", Q_COUNT, 80, "statements that may run at once",
	    CELL(GROUP, CONCURRENCY)),
	COLUMN("executed_per_second", "EXEC/s", Q_RATE, 80, "statements that started to run",
	    RATE(GROUP, EXECUTED)),
	COLUMN("queued_per_second", "QUEUED/s", Q_RATE, 80, "statements that had to wait",
	    RATE(GROUP, QUEUED)),
	COLUMN("queue_seconds", "QUEUETIME", Q_SECONDS, 120,
	    "time that statements waited, in the range", SUM(GROUP, QUEUE_TIME)),
	COLUMN("cpu_limit", "CPULIMIT", Q_ID, 120, "percent of CPU it may use",
	    CELL(GROUP, CPU_LIMIT)),
	COLUMN("memory_limit", "MEMLIMIT", Q_ID, 120, "percent of memory, or MB, it may use",
	    CELL(GROUP, MEMORY_LIMIT)),
};

CATALOG_VIEW(groups, ENTITY_GROUP, "resource groups and resource queues",
    "waiting,group");

static const struct figure vmems[] = {
	COLUMN("segment", "SEG", Q_ID, 80, "segment; -1: the coordinator", CELL(VMEM, CONTENT)),
	SERVER_FIGURE,
	COLUMN("session", "SESSION", Q_ID, 80, "session id", CELL(VMEM, SESSION)),
	COLUMN("vmem", "VMEM", Q_BYTES, 80, "memory that it uses of the segment's limit",
	    CELL(VMEM, USED)),
	COLUMN("runaway", "RUNAWAY", Q_ID, 80, "1: is being ended because of its memory",
	    CELL(VMEM, RUNAWAY)),
	COLUMN("processes", "PROCS", Q_COUNT, 80, "its processes on the segment", CELL(VMEM, QES)),
	COLUMN("active_processes", "ACTIVE", Q_COUNT, 80, "of those, at work",
	    CELL(VMEM, ACTIVE_QES)),
};

CATALOG_VIEW(vmems, ENTITY_VMEM,
    "memory of sessions on segments, by session_state", "vmem");

static const struct figure collectors[] = {
	COLUMN("collector", "COLLECTOR", Q_TEXT, 80, "name, as options know it",
	    CELL(COLLECTOR, NAME)),
	SERVER_FIGURE,
	COLUMN("period_seconds", "PERIOD", Q_SECONDS, 80, "how often it runs",
	    CELL(COLLECTOR, PERIOD)),
	COLUMN("last", "LAST", Q_TIME, 80, "time of the last answer", CELL(COLLECTOR, LAST)),
	COLUMN("took_seconds", "TOOK", Q_SECONDS, 80, "duration of that query", CELL(COLLECTOR, TOOK)),
	COLUMN("rows", "ROWS", Q_COUNT, 80, "rows in that answer", CELL(COLLECTOR, ROWS)),
	COLUMN("cut", "CUT", Q_COUNT, 80, "rows above the limit, not recorded; lower bound",
	    CELL(COLLECTOR, CUT)),
	COLUMN("runs", "RUNS", Q_COUNT, 80, "times it was answered in the range",
	    SUM(COLLECTOR, RUNS)),
	COLUMN("errors", "ERRORS", Q_COUNT, 80, "times it failed in the range",
	    SUM(COLLECTOR, ERRORS)),
	COLUMN("timeouts", "TIMEOUTS", Q_COUNT, 80, "times it was cancelled in the range",
	    SUM(COLLECTOR, TIMEOUTS)),
};

CATALOG_VIEW(collectors, ENTITY_COLLECTOR,
    "queries of the recorder to the database: period, time, rows", "+server,+collector");

static const struct figure workfiles[] = {
	COLUMN("segment", "SEG", Q_ID, 80, "segment; -1: the coordinator", CELL(WORKFILE, CONTENT)),
	SERVER_FIGURE,
	COLUMN("session", "SESSION", Q_ID, 80, "session id", CELL(WORKFILE, SESSION)),
	COLUMN("command", "CMD", Q_ID, 80, "command counter of the executors",
	    CELL(WORKFILE, COMMAND)),
	COLUMN("slice", "SLICE", Q_ID, 80, "slice of the plan", CELL(WORKFILE, SLICE)),
	COLUMN("operator", "OPERATOR", Q_TEXT, 80, "kind of operator that spills",
	    CELL(WORKFILE, OPERATOR)),
	COLUMN("size", "SIZE", Q_BYTES, 80, "bytes in its files", CELL(WORKFILE, SIZE)),
	COLUMN("files", "FILES", Q_COUNT, 80, "files", CELL(WORKFILE, FILES)),
	COLUMN("prefix", "PREFIX", Q_TEXT, 120, "prefix of its files' names",
	    CELL(WORKFILE, PREFIX)),
};

CATALOG_VIEW(workfiles, ENTITY_WORKFILE,
    "spill files by operator, by gp_workfile_entries", "size");
