/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_set.h - all hosts of a recording.
 *
 * Keeps a host_conn per host, limits how many connect at a time, asks all at a
 * tick, and knows which hosts the tick waits for.  Of several names that turn
 * out to be one host, one keeps its host_conn; the others become its aliases.
 *
 * Hosts may be added and removed at any time.
 */
#ifndef GS_RECORD_HOST_SET_H
#define GS_RECORD_HOST_SET_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/err.h"
#include "model/tick.h"
#include "record/host_conn.h"

struct host_set_options {
	const char *nodename; /* this host's name */
	const char *version; /* of the agents */
	const char *root; /* of a captured tree, for this host; or NULL */
	const char *agent_command; /* NULL: REMOTE_COMMAND_DEFAULT */
	const char *agent_path; /* on other hosts; or NULL */
	enum deploy_want deploy;
	uint32_t connect_parallel; /* 0: HOST_SET_PARALLEL */
	int64_t timeout_ns; /* 0: HOST_SET_TIMEOUT_NS */
	int64_t interval_ns; /* of the recorder, which sets it */
	uint32_t with; /* enum wire_with */
	uint32_t busiest;
	uint32_t heap_interval_s; /* 0: the agent's own */
	/* Only processes that are named: pids of this host, patterns of names;
	 * none: as with and busiest say. */
	const uint32_t *pid;
	size_t n_pid;
	char *const *comm;
	size_t n_comm;
};

#define HOST_SET_PARALLEL 32u
/* An agent without an answer for so long is considered dead. */
#define HOST_SET_TIMEOUT_NS (INT64_C(60) * 1000 * 1000 * 1000)

/* Called from the loop, or from within the calls below. */
struct host_set_ops {
	/* A host was added, or removed or made an alias: the hosts of the
	 * header changed. */
	void (*listed)(void *arg, const struct host_conn *s, bool is);
	void (*answered)(void *arg, struct host_conn *s, const struct tick *t);
	void (*event)(void *arg, struct host_conn *s, enum event_kind kind,
		int64_t value, const char *text);
	/* The current tick waits for no host any more. */
	void (*all_answered)(void *arg);
	void *arg;
};

struct host_set;

/* Options must outlive the host_set.  Fails if there is no agent here, or the
 * agent command is invalid. */
struct host_set *host_set_new(uv_loop_t *loop,
    const struct host_set_options *opt, const struct host_set_ops *ops,
    struct gs_err *err);

/* Adds a host: name is its name in the recording, hostname what to connect
 * to, address (or NULL) what to connect to if that fails.  Names of
 * this host (self.h), or its own address, use its one local agent, under the
 * first such name.  A name that exists already is not changed.
 * GS_E_LIMIT beyond TICK_HOSTS_MAX, GS_E_USAGE for an invalid name. */
int host_set_add_host(struct host_set *f, const char *name,
    const char *hostname, const char *address, struct gs_err *err);

/* Adds this host, under its own name. */
int host_set_add_local(struct host_set *f, struct gs_err *err);

/* No more samples of it; unknown names are ignored. */
void host_set_remove_host(struct host_set *f, const char *name);

/* The name in the recording of the host with that host name or address (either
 * may be NULL), aliases resolved; NULL if there is no such host.  One that is held
 * (twins.h) has the name of the host that it may be. */
const char *host_set_host_of(const struct host_set *f, const char *hostname,
	const char *address);

/* Changes whenever the results of host_set_host_of() may change. */
uint64_t host_set_names(const struct host_set *f);

/* An index of the recording that no host has or will have. */
uint32_t host_set_new_index(struct host_set *f);

/* Begins to connect. */
void host_set_start(struct host_set *f);

/* Asks every host that can be asked; wait_new: the tick also waits for hosts
 * that connect for the first time. */
void host_set_request(struct host_set *f, bool wait_new);

/* True if an answer is outstanding. */
bool host_set_is_waiting(const struct host_set *f);

/* How many outstanding answers may be read together (gather.h): 0 if one has come in part
 * since the last call, as a long one does, of which more comes when that is read. */
size_t host_set_to_gather(struct host_set *f);

/* Stops waiting: hosts that have not answered are late.  Returns how many. */
size_t host_set_wait_no_more(struct host_set *f);

/* Number of host_conns ever added, including removed ones and aliases
 * (host_conn.state). */
size_t host_set_count(const struct host_set *f);
struct host_conn *host_set_host_conn(const struct host_set *f, size_t i);

/* Number of recorded hosts, and of those that answer. */
size_t host_set_hosts(const struct host_set *f, size_t *ret_up);

/* True if it has only this host. */
bool host_set_is_local(const struct host_set *f);

/* True once any host has answered. */
bool host_set_was_up(const struct host_set *f);

/* Ends all connections; run the loop until it has nothing left, then call
 * host_set_free(). */
void host_set_stop(struct host_set *f);
void host_set_free(struct host_set *f);

#endif
