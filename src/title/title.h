/* SPDX-License-Identifier: Apache-2.0 */
/*
 * title.h - parses the title of a database process.
 *
 * Processes of Greenplum 5 to 7, Cloudberry and PostgreSQL 9.4 to 18 write
 * their state over their command line.  The parser uses only this text: no
 * catalog, no other process.  Two questions are left to the caller, since a
 * title alone does not answer them.  A postmaster's command line may be that
 * of a child that has not set its title yet (the parent process decides).  And
 * update_process_title may be off (then titles are true but old).
 */
#ifndef GS_TITLE_TITLE_H
#define GS_TITLE_TITLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/scan.h"
#include "title/title_names.h"

enum title_kind {
	TITLE_NONE, /* not a database process, judging by the title */
	TITLE_POSTMASTER, /* command line of a server */
	TITLE_QD, /* session process of a Greenplum coordinator */
	TITLE_QE, /* Greenplum executor: has a segment */
	TITLE_BACKEND, /* any other client backend */
	TITLE_BACKGROUND,
	TITLE_WALSENDER
};

/* What a database process is for; PostgreSQL's backend types. */
enum title_role {
	ROLE_UNKNOWN,
	ROLE_CLIENT,
	ROLE_CHECKPOINTER,
	ROLE_BGWRITER,
	ROLE_WALWRITER,
	ROLE_AUTOVAC_LAUNCHER,
	ROLE_AUTOVAC_WORKER,
	ROLE_WALSENDER,
	ROLE_WALRECEIVER,
	ROLE_STARTUP,
	ROLE_LOGICAL_LAUNCHER,
	ROLE_LOGICAL_WORKER,
	ROLE_ARCHIVER,
	ROLE_LOGGER,
	ROLE_STATS,
	ROLE_PARALLEL_WORKER, /* of the backend leader_pid */
	ROLE_IO_WORKER,
	ROLE_SLOTSYNC,
	ROLE_WALSUMMARIZER,
	ROLE_BG_WORKER, /* its name is in name */
	ROLE_POSTMASTER
};

enum title_state {
	TITLE_STATE_NONE, /* the title does not say */
	TITLE_IDLE,
	TITLE_IDLE_TX,
	TITLE_IDLE_ABORTED, /* idle in a failed transaction */
	TITLE_ACTIVE,
	TITLE_WAITING, /* for a lock */
	TITLE_QUEUED, /* for a resource queue or group */
	TITLE_REPLICATION, /* for a standby or mirror */
	TITLE_STARTUP,
	TITLE_AUTHENTICATION
};

/* Spans point into the parsed text; a part that the title does not have is
 * empty. */
struct title {
	enum title_kind kind;
	enum title_role role;
	enum title_state state;
	bool has_port, has_session, has_seg, has_cmd, has_slice;
	bool has_leader;
	bool split; /* user and database were split by known names */
	uint32_t port; /* Greenplum's titles, postmaster with -p */
	uint32_t session; /* con */
	int32_t seg; /* -1: executor on the coordinator */
	uint32_t cmd;
	uint32_t slice;
	uint32_t leader_pid;
	struct span cluster; /* cluster_name */
	struct span user_db; /* "user database": either may contain blanks */
	struct span user; /* both only if user_db has exactly two words, or
			   * names were known (logins.h); */
	struct span database; /* database also of an autovacuum worker */
	struct span client; /* "[local]", "host(port)" or "host" */
	struct span name; /* of a background process: "checkpointer" */
	struct span activity; /* what it does: "SELECT waiting" */
	struct span datadir; /* postmaster with -D */
};

/* Processes one more title of a server.  Two different background processes
 * with nothing but blanks after their names make the cluster name known.  True
 * if it became known. */
bool title_learn(struct title_names *n, struct span text);

/* The name as the server itself reports it.  True if it became known. */
bool title_name_is(struct title_names *n, struct span name);

/* Parses a title: the bytes of /proc/<pid>/cmdline, with NULs or with blanks
 * in their place.  Never fails: text that it can't parse is TITLE_NONE.  Reads
 * nothing outside text, keeps pointers into it. */
void title_parse(struct span text, struct title *ret);

/* The same with the known cluster_name of its server; n may be NULL.  A known
 * name is removed exactly, even if it looks like something else; else its end
 * is guessed. */
void title_parse_named(struct span text, const struct title_names *n,
	struct title *ret);

/* "idle in transaction", "waiting", ...; "" for TITLE_STATE_NONE. */
const char *title_state_name(enum title_state state);

#endif
