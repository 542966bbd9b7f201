/*
 * link.h - one agent: a child process on three pipes.
 *
 * A link starts its carrier from an argument vector, asks for samples, and
 * applies each answer to a world of its own.  One request is under way at
 * most: an agent that has not answered gets no second one.  When the carrier
 * ends, or says what it should not, the link is down until somebody starts it
 * again.  When that is, and how long to wait for an answer, is the host_conn's
 * business.
 *
 * The other side is not trusted.  What it has not read is one script, one
 * program and one request at most; going on without reading them is an end.
 *
 * What the world knows is lost with the connection: link_world() begins empty
 * with each.
 */
#ifndef GS_RECORD_LINK_H
#define GS_RECORD_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/err.h"
#include "format/wire.h"
#include "model/world.h"
#include "record/deploy.h"

/* What all links of a loop share: only one of them is at work at a time. */
struct link_pool {
	uv_loop_t *loop;
	char **env; /* of the children; NULL-terminated, owned */
	struct wire_codec *codec;
	struct answer answer;
	char *read; /* what a pipe said just now */
	size_t n_link;
	size_t held; /* bytes of all links, about */
	size_t rows; /* of all links */
};

void link_pool_init(struct link_pool *p, uv_loop_t *loop);
void link_pool_release(struct link_pool *p);

/* What argv is. */
enum link_way {
	LINK_LOCAL, /* an agent, and nothing between */
	LINK_DIRECT, /* a carrier that starts an agent */
	LINK_SHELL /* a carrier that starts sh: see deploy.h */
};

struct link;

/* Called from the loop. */
struct link_ops {
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
struct link *link_new(struct link_pool *pool, const char *name,
	const struct link_ops *ops);

/* The agent's wall clock is that of a captured tree: no offset to ours. */
void link_ignore_offset(struct link *l);

/* Starts the carrier; argv is not needed afterwards.  deploy and want are
 * those of LINK_SHELL.  A failure leaves the link down, without a call of
 * down(). */
int link_start(struct link *l, char *const *argv, enum link_way way,
	const struct deploy *deploy, enum deploy_want want,
	struct gs_err *err);

/* Asks for a sample.  False if there is no agent yet, or if it has not
 * answered yet. */
bool link_request(struct link *l, uint32_t with, uint32_t busiest);

/* How long an answer is due; 0: none is. */
int64_t link_waiting_ns(const struct link *l);

const struct world *link_world(const struct link *l);

/* True if its agent is of another version (down() was called for it). */
bool link_wants_deploy(const struct link *l);

/* Closes the connection, if there is one, without a call of down(). */
void link_drop(struct link *l);

/* As link_drop(), for good: the loop must run until it has nothing left, then
 * link_free(). */
void link_stop(struct link *l);
void link_free(struct link *l);

#endif
