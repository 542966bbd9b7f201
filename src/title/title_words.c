/* SPDX-License-Identifier: Apache-2.0 */
/*
 * title_words.c - names of the states of titles, and the titles of background
 * processes.
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

const char *title_state_name(enum title_state state)
{
	static const char *const names[] = {
		[TITLE_STATE_NONE] = "",
		[TITLE_IDLE] = "idle",
		[TITLE_IDLE_TX] = "idle in transaction",
		[TITLE_IDLE_ABORTED] = "idle in transaction (aborted)",
		[TITLE_ACTIVE] = "active",
		[TITLE_WAITING] = "waiting",
		[TITLE_QUEUED] = "queued",
		[TITLE_REPLICATION] = "waiting for replication",
		[TITLE_STARTUP] = "startup",
		[TITLE_AUTHENTICATION] = "authentication",
	};

	return (size_t)state < GS_LEN(names) ? names[state] : "";
}
