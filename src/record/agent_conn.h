/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_conn.h - one agent: a child process on three pipes.
 *
 * A link starts its remote from an argument vector, asks for samples, and
 * applies each answer to a world of its own.  One request is under way at
 * most: an agent that has not answered gets no second one.  When the remote
 * ends, or says what it should not, the link is down until somebody starts it
 * again.  When that is, and how long to wait for an answer, is the host_conn's
 * business.
 *
 * The other side is not trusted.  What it has not read is one script, one
 * program and one request at most; going on without reading them is an end.
 *
 * What the world knows is lost with the connection: agent_conn_world() begins
 * empty with each.
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

/* What all links of a loop share: only one of them is at work at a time. */
struct agent_conn_pool {
	uv_loop_t *loop;
	char **env; /* of the children; NULL-terminated, owned */
	struct wire_codec *codec;
	struct answer answer;
	char *read; /* what a pipe said just now */
	size_t n_link;
	size_t held; /* bytes of all links, about */
	size_t rows; /* of all links */
};

void agent_conn_pool_init(struct agent_conn_pool *p, uv_loop_t *loop);
void agent_conn_pool_release(struct agent_conn_pool *p);

/* What argv is. */
enum agent_conn_way {
	LINK_LOCAL, /* an agent, and nothing between */
	LINK_DIRECT, /* a remote that starts an agent */
	LINK_SHELL /* a remote that starts sh: see deploy.h */
};

struct agent_conn;

/* Called from the loop. */
struct agent_conn_ops {
	/* The agent was found or brought, and takes requests (LINK_SHELL). */
	void (*ready)(void *arg);
	/* An answer was applied to the world; tick holds its events. */
	void (*answered)(void *arg, const struct tick *tick);
	/* Something about the connection, which goes on; may be NULL. */
	void (*note)(void *arg, const char *text);
	/* The connection ended, or could not be made. */
	void (*down)(void *arg, const struct gs_err *why);
	void *arg;
};

/* The pool and the name (of the host, for messages) are not owned and must
 * outlive the link. */
struct agent_conn *agent_conn_new(struct agent_conn_pool *pool,
    const char *name, const struct agent_conn_ops *ops);

/* The agent's wall clock is that of a captured tree: no offset to ours. */
void agent_conn_ignore_offset(struct agent_conn *l);

/* Starts the remote; argv is not needed afterwards.  deploy and want are
 * those of LINK_SHELL.  A failure leaves the link down, without a call of
 * down(). */
int agent_conn_start(struct agent_conn *l, char *const *argv,
    enum agent_conn_way way, const struct deploy *deploy, enum deploy_want want,
    struct gs_err *err);

/* Asks for a sample.  False if there is no agent yet, or if it has not
 * answered yet. */
bool agent_conn_request(struct agent_conn *l, uint32_t with, uint32_t busiest);

/* How long an answer is due; 0: none is. */
int64_t agent_conn_waiting_ns(const struct agent_conn *l);

const struct world *agent_conn_world(const struct agent_conn *l);

/* True if its agent is of another version (down() was called for it). */
bool agent_conn_wants_deploy(const struct agent_conn *l);

/* Closes the connection, if there is one, without a call of down(). */
void agent_conn_drop(struct agent_conn *l);

/* As agent_conn_drop(), for good: the loop must run until it has nothing left,
 * then agent_conn_free(). */
void agent_conn_stop(struct agent_conn *l);
void agent_conn_free(struct agent_conn *l);

#endif
