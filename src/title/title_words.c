/* SPDX-License-Identifier: Apache-2.0 */
/*
 * title_words.c - names of kinds, roles and states of titles, and the titles
 * of background processes.
 */
#include "title/title_int.h"

#include "base/compiler.h"

/* Longer names before their beginnings.  PostgreSQL 9.4 to 10 and Greenplum
 * 5 and 6 have the names with "process", the others those without. */
const struct title_background title_backgrounds[] = {
	{ "autovacuum launcher process", ROLE_AUTOVAC_LAUNCHER },
	{ "autovacuum launcher", ROLE_AUTOVAC_LAUNCHER },
	{ "autovacuum worker process", ROLE_AUTOVAC_WORKER },
	{ "autovacuum worker", ROLE_AUTOVAC_WORKER },
	{ "wal sender process", ROLE_WALSENDER },
	{ "wal receiver process", ROLE_WALRECEIVER },
	{ "wal writer process", ROLE_WALWRITER },
	{ "checkpointer process", ROLE_CHECKPOINTER },
	{ "writer process", ROLE_BGWRITER },
	{ "startup process", ROLE_STARTUP },
	{ "archiver process", ROLE_ARCHIVER },
	{ "logger process", ROLE_LOGGER },
	{ "master logger process", ROLE_LOGGER },
	{ "stats collector process", ROLE_STATS },
	{ "background writer", ROLE_BGWRITER },
	{ "stats collector", ROLE_STATS },
	{ "logical replication launcher", ROLE_LOGICAL_LAUNCHER },
	{ "logical replication worker", ROLE_LOGICAL_WORKER },
	{ "logical replication apply worker", ROLE_LOGICAL_WORKER },
	{ "logical replication parallel apply worker", ROLE_LOGICAL_WORKER },
	{ "logical replication tablesync worker", ROLE_LOGICAL_WORKER },
	{ "logical replication sequencesync worker", ROLE_LOGICAL_WORKER },
	{ "parallel worker for PID", ROLE_PARALLEL_WORKER },
	{ "slotsync worker", ROLE_SLOTSYNC },
	{ "slot sync worker", ROLE_SLOTSYNC },
	{ "io worker", ROLE_IO_WORKER },
	{ "walsender", ROLE_WALSENDER },
	{ "checkpointer", ROLE_CHECKPOINTER },
	{ "walwriter", ROLE_WALWRITER },
	{ "walreceiver", ROLE_WALRECEIVER },
	{ "walsummarizer", ROLE_WALSUMMARIZER },
	{ "startup", ROLE_STARTUP },
	{ "archiver", ROLE_ARCHIVER },
	{ "logger", ROLE_LOGGER },
};

const size_t title_n_backgrounds = GS_LEN(title_backgrounds);

const char *title_kind_name(enum title_kind kind)
{
	switch (kind) {
	case TITLE_NONE:
		return "none";
	case TITLE_POSTMASTER:
		return "postmaster";
	case TITLE_QD:
		return "qd";
	case TITLE_QE:
		return "qe";
	case TITLE_BACKEND:
		return "backend";
	case TITLE_BACKGROUND:
		return "background";
	case TITLE_WALSENDER:
		return "walsender";
	}
	return "none";
}

const char *title_role_name(enum title_role role)
{
	static const char *const names[] = {
		[ROLE_UNKNOWN] = "unknown",
		[ROLE_CLIENT] = "client",
		[ROLE_CHECKPOINTER] = "checkpointer",
		[ROLE_BGWRITER] = "bgwriter",
		[ROLE_WALWRITER] = "walwriter",
		[ROLE_AUTOVAC_LAUNCHER] = "autovac_launcher",
		[ROLE_AUTOVAC_WORKER] = "autovac_worker",
		[ROLE_WALSENDER] = "walsender",
		[ROLE_WALRECEIVER] = "walreceiver",
		[ROLE_STARTUP] = "startup",
		[ROLE_LOGICAL_LAUNCHER] = "logical_launcher",
		[ROLE_LOGICAL_WORKER] = "logical_worker",
		[ROLE_ARCHIVER] = "archiver",
		[ROLE_LOGGER] = "logger",
		[ROLE_STATS] = "stats",
		[ROLE_PARALLEL_WORKER] = "parallel_worker",
		[ROLE_IO_WORKER] = "io_worker",
		[ROLE_SLOTSYNC] = "slotsync",
		[ROLE_WALSUMMARIZER] = "walsummarizer",
		[ROLE_BG_WORKER] = "bg_worker",
		[ROLE_POSTMASTER] = "postmaster",
	};

	return (size_t)role < GS_LEN(names) ? names[role] : "unknown";
}

const char *title_state_name(enum title_state state)
{
	switch (state) {
	case TITLE_STATE_NONE:
		return "";
	case TITLE_IDLE:
		return "idle";
	case TITLE_IDLE_TX:
		return "idle in transaction";
	case TITLE_IDLE_ABORTED:
		return "idle in transaction (aborted)";
	case TITLE_ACTIVE:
		return "active";
	case TITLE_WAITING:
		return "waiting";
	case TITLE_QUEUED:
		return "queued";
	case TITLE_REPLICATION:
		return "waiting for replication";
	case TITLE_STARTUP:
		return "startup";
	case TITLE_AUTHENTICATION:
		return "authentication";
	}
	return "";
}
