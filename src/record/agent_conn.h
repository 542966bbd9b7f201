/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_conn.h - one agent: a child process on three pipes.
 *
 * An agent_conn starts its remote command from an argument vector, asks for
 * samples, and applies each answer to its own world.  At most one request is
 * outstanding.  When the remote command ends, or breaks the protocol, the
 * connection is down until the caller starts it again.  host_conn.h decides
 * when, and how long to wait for an answer.
 *
 * The other side is not trusted.  At most one script, one program and one
 * request are unread by it; a peer that goes on without reading them is
 * disconnected.
 *
 * The world is lost with the connection: agent_conn_world() begins empty with
 * each.
 */
#ifndef GS_RECORD_AGENT_CONN_H
#define GS_RECORD_AGENT_CONN_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/err.h"
#include "format/wire.h"
#include "model/world.h"
#include "record/deploy.h"

/* Shared by all agent connections of a loop: only one works at a time. */
struct agent_conn_pool {
	uv_loop_t *loop;
	char **env; /* of the children; NULL-terminated, owned */
	struct wire_codec *codec;
	struct answer answer;
	char *read; /* buffer of the current read from a pipe */
	size_t n_link;
	size_t held; /* bytes of all connections, about */
	size_t rows; /* of all connections */
	bool in_part; /* agent_conn_pool_in_part() */
	bool ignores_offset; /* the wall clocks are those of captured trees */
};

void agent_conn_pool_init(struct agent_conn_pool *p, uv_loop_t *loop);
void agent_conn_pool_release(struct agent_conn_pool *p);

/* An answer has come in part since the last call. */
bool agent_conn_pool_in_part(struct agent_conn_pool *p);

/* What argv starts. */
enum agent_conn_way {
	LINK_LOCAL, /* the agent itself */
	LINK_DIRECT, /* a remote command that starts an agent */
	LINK_SHELL /* a remote command that starts sh: see deploy.h */
};

struct agent_conn;

/* Called from the loop. */
struct agent_conn_ops {
	/* The agent was found or copied, and takes requests (LINK_SHELL). */
	void (*ready)(void *arg);
	/* An answer was applied to the world; tick holds its events. */
	void (*answered)(void *arg, const struct tick *tick);
	/* A message about the connection, which goes on; may be NULL. */
	void (*note)(void *arg, const char *text);
	/* The connection ended, or could not be made. */
	void (*down)(void *arg, const struct gs_err *why);
	void *arg;
};

/* The pool and the name (of the host, for messages) are not owned and must
 * outlive the agent_conn. */
struct agent_conn *agent_conn_new(struct agent_conn_pool *pool,
    const char *name, const struct agent_conn_ops *ops);

/* Starts the remote command; argv is not needed afterwards.  deploy and want
 * are for LINK_SHELL.  A failure leaves the connection down, without a call
 * of down(). */
int agent_conn_start(struct agent_conn *l, char *const *argv,
    enum agent_conn_way way, const struct deploy *deploy, enum deploy_want want,
    struct gs_err *err);

/* Asks for a sample; the sequence is set here.  False if there is no agent yet,
 * or if it still owes an answer. */
bool agent_conn_request(struct agent_conn *l, const struct request *what);

/* How long an answer has been outstanding; 0: none is. */
int64_t agent_conn_waiting_ns(const struct agent_conn *l);

const struct world *agent_conn_world(const struct agent_conn *l);

/* True if its agent is of another version (down() was called for it). */
bool agent_conn_wants_deploy(const struct agent_conn *l);

/* Closes the connection, if there is one, without a call of down(). */
void agent_conn_drop(struct agent_conn *l);

/* As agent_conn_drop(), for good: run the loop until it has nothing left, then
 * call agent_conn_free(). */
void agent_conn_stop(struct agent_conn *l);
void agent_conn_free(struct agent_conn *l);

#endif
