/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_set.h - all hosts of a recording.
 *
 * Keeps a host_conn per host, lets so many connect at a time, asks all at a
 * tick, and knows whom the tick waits for.  Names that turn out to be one host
 * are one host_conn; the others become its aliases.
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
};

#define HOST_SET_PARALLEL 32u
/* An agent that is silent for so long is taken for dead. */
#define HOST_SET_TIMEOUT_NS (INT64_C(60) * 1000 * 1000 * 1000)

/* Called from the loop, or from within the calls below. */
struct host_set_ops {
	/* A host is new, or is no longer one of its own: the header's hosts
	 * changed. */
	void (*listed)(void *arg, const struct host_conn *s, bool is);
	void (*answered)(void *arg, struct host_conn *s, const struct tick *t);
	void (*event)(void *arg, struct host_conn *s, enum event_kind kind,
		int64_t value, const char *text);
	/* The tick at hand waits for nobody any more. */
	void (*settled)(void *arg);
	void *arg;
};

struct host_set;

/* Options must outlive the host_set.  Fails if there is no agent here, or the
 * agent command is none. */
struct host_set *host_set_new(uv_loop_t *loop,
    const struct host_set_options *opt, const struct host_set_ops *ops,
    struct gs_err *err);

/* Adds a host: name is what the recording calls it, hostname what to connect
 * to, address (or NULL) what to connect to if that fails.  Names that mean
 * this host (self.h), or an address that is its own, use its own agent: one,
 * by whichever name was first.  A name that is there already stays as it is.
 * GS_E_LIMIT beyond TICK_HOSTS_MAX, GS_E_USAGE for what is no name. */
int host_set_add_host(struct host_set *f, const char *name,
    const char *hostname, const char *address, struct gs_err *err);

/* Adds this host, under its own name. */
int host_set_add_local(struct host_set *f, struct gs_err *err);

/* No more samples of it; unknown names are passed over. */
void host_set_remove_host(struct host_set *f, const char *name);

/* What the recording calls the host with that host name or address (either
 * may be NULL), aliases resolved; NULL if it has none. */
const char *host_set_host_of(const struct host_set *f, const char *hostname,
	const char *address);

/* Another number whenever host_set_host_of() may say something else. */
uint64_t host_set_names(const struct host_set *f);

/* An index of the recording that no host has or will have. */
uint32_t host_set_take_index(struct host_set *f);

/* Begins to connect. */
void host_set_start(struct host_set *f);

/* Asks every host that can be asked; wait_new: hosts that connect for the
 * first time are waited for, too. */
void host_set_request(struct host_set *f, bool wait_new);

/* Somebody is still waited for. */
bool host_set_is_waiting(const struct host_set *f);

/* Waits no longer: who has not answered is late.  Returns how many. */
size_t host_set_wait_no_more(struct host_set *f);

/* Sites ever added; of them many are removed or aliases (host_conn.state). */
size_t host_set_count(const struct host_set *f);
struct host_conn *host_set_host_conn(const struct host_set *f, size_t i);

/* Hosts that are to be recorded, and those of them that answer. */
size_t host_set_hosts(const struct host_set *f, size_t *ret_up);

/* True if it is about this host and no other. */
bool host_set_is_local(const struct host_set *f);

/* True once any host has answered. */
bool host_set_was_up(const struct host_set *f);

/* Ends all connections; the loop must run until it has nothing left, then
 * host_set_free(). */
void host_set_stop(struct host_set *f);
void host_set_free(struct host_set *f);

#endif
