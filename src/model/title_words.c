/*
 * title_words.c - what kinds, roles and states of titles are called.
 */
#include "base/compiler.h"
#include "model/title.h"

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
