/*
 * link.h - one agent: a child process on three pipes.
 *
 * A link starts its carrier from an argument vector, sends it a request per
 * tick, and applies each answer to a world of its own.  One request is under
 * way at most: an agent that has not answered gets no second one.  When the
 * carrier ends, or says what it should not, the link is down, and is started
 * again after a growing pause.
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

/* An agent that is silent for so long is taken for dead. */
#define LINK_SILENCE_MAX_NS (INT64_C(60) * 1000 * 1000 * 1000)

enum link_state {
	LINK_IDLE, /* not started, or stopped */
	LINK_CONNECTING, /* started, no answer yet */
	LINK_SAMPLING, /* answers */
	LINK_LATE, /* has not answered the last tick's request */
	LINK_RETRY /* ended; waits to be started again */
};

struct link;

/* Called from the loop. */
struct link_ops {
	/* An answer was applied to the world; tick holds its events. */
	void (*answered)(void *arg, struct link *l, const struct tick *tick);
	/* The connection ended, or could not be made. */
	void (*down)(void *arg, struct link *l, const struct gs_err *why);
	void *arg;
};

/* argv (NULL-terminated), name and ops are not owned and must outlive the
 * link. */
struct link *link_new(uv_loop_t *loop, const char *name, char *const *argv,
	const struct link_ops *ops);

/* The agent's wall clock is that of a captured tree: no offset to ours. */
void link_ignore_offset(struct link *l);

/* Starts the carrier.  A failure is told through down(), from the loop. */
void link_start(struct link *l);

/* Asks for a sample.  False if there is no connection, or if it has not
 * answered yet (its state is then LINK_LATE). */
bool link_request(struct link *l, uint32_t with, uint32_t busiest);

/* True from link_request() to the answer. */
bool link_is_waiting(const struct link *l);

enum link_state link_state(const struct link *l);
const char *link_name(const struct link *l);
const struct world *link_world(const struct link *l);

/* True once it has answered over this connection. */
bool link_is_up(const struct link *l);

/* Closes the connection for good; the loop must run until it has nothing
 * left, then link_free(). */
void link_stop(struct link *l);
void link_free(struct link *l);

#endif
