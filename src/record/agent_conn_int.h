/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_conn_int.h - shared by agent_conn.c (its process and pipes),
 * agent_conn_receive.c (parses what it sends) and agent_conn_pool.c (state
 * that all agent connections share).
 *
 * A struct conn lives until libuv has closed its handles, which may be after
 * its agent_conn has started the next one or is gone: conn->link is NULL from
 * the moment the agent_conn has given it up.
 */
#ifndef GS_RECORD_AGENT_CONN_INT_H
#define GS_RECORD_AGENT_CONN_INT_H

#include "base/buf.h"
#include "record/allowance.h"
#include "record/agent_conn.h"

#define LINK_READ_BYTES (size_t)65536

enum {
	PIPE_IN,
	PIPE_OUT,
	PIPE_ERR,
	PIPE_COUNT
};

struct conn {
	struct agent_conn *link; /* NULL: given up */
	struct agent_conn *owner;
	struct conn *next_dying;
	uv_process_t proc;
	uv_pipe_t pipe[PIPE_COUNT];
	/* At most one write with each: libuv keeps them in a list. */
	uv_write_t script_write, image_write, request_write;
	struct buf script, request;
	int handles; /* not closed yet */
	bool spawned, exited, out_ended, err_ended;
	bool has_image; /* it has asked for the program */
	bool writing; /* libuv uses request_write and request */
	int64_t exit_status;
	int term_signal;
	int64_t given_up_ns; /* monotonic; SIGTERM was sent to its process */
};

struct agent_conn {
	struct agent_conn_pool *pool;
	const char *name;
	struct agent_conn_ops ops;
	enum agent_conn_way way;
	const struct deploy *deploy;
	struct conn *conn;
	struct conn *dying; /* given up, their processes not ended yet */
	uv_timer_t timer; /* waits for the last output */
	uv_timer_t pace; /* resumes reading */
	bool timers_open;
	/* Of the host, across connections: */
	struct allowance reading, opens;
	bool paced; /* reported: it is read slowly */
	size_t held, rows; /* as counted in the pool */
	struct world *world;
	struct gs_budget budget; /* the world's */
	struct buf rx;
	struct buf words; /* the end of its output other than answers */
	uint32_t connections;
	uint64_t sequence; /* of the last request */
	bool ready; /* takes requests */
	bool waiting;
	bool up;
	bool wants_deploy;
	int64_t sent_wall_ns, sent_mono_ns;
};

/* Keeps the end of its output other than answers. */
void agent_conn_keep_words(struct agent_conn *l, const char *p, size_t len);

/* Parses bytes that were read from its stdout.  A callback may end the
 * connection, which is no error; after an error the caller ends it. */
int agent_conn_receive(struct agent_conn *l, const char *p, size_t len,
	struct gs_err *err);

/* Counts the memory that the connection holds now; an error if that is too
 * much. */
int agent_conn_count(struct agent_conn *l, struct gs_err *err);

#endif
