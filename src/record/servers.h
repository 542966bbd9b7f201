/* SPDX-License-Identifier: Apache-2.0 */
/*
 * servers.h - the database servers of this host, and which one is meant.
 *
 * The local agent is asked once for its postmasters; what they say of
 * themselves in postmaster.pid is added where it may be read.
 */
#ifndef GS_RECORD_SERVERS_H
#define GS_RECORD_SERVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/world.h"

/* What a server is to a cluster, as far as its command line tells. */
enum server_kind {
	SERVER_PLAIN, /* PostgreSQL */
	SERVER_COORDINATOR,
	SERVER_STANDBY, /* of a coordinator */
	SERVER_SEGMENT /* or a mirror: its coordinator speaks for it */
};

struct server {
	uint32_t pid;
	uint32_t port; /* 0: not known */
	char *datadir; /* the texts are "" where not known */
	char *version; /* major, of the data directory */
	char *socket_dir; /* where its socket is */
	bool starting; /* its postmaster.pid does not say that yet */
	enum server_kind kind;
	bool own; /* runs as our OS user, who is not root */
};

struct servers {
	struct server *item;
	size_t n;
};

#define SERVERS_INIT { 0 }

void servers_release(struct servers *s);

/* Finds those that run; root as in `gpsnap record --root`, or NULL.  None is
 * no error. */
int servers_find(const char *root, struct servers *ret, struct gs_err *err);

/* Adds those that a sample of this host has. */
void servers_read(const struct world *w, struct servers *ret);

/* Adds the server of a data directory, by its postmaster.pid; it fails if none
 * runs there. */
int servers_add_datadir(struct servers *s, const char *dir,
	struct gs_err *err);

/* Servers of a host whose catalogs are asked; of the others only processes are
 * recorded. */
#define SERVERS_ASKED_MAX 16

/* Servers that are known of a host at most. */
#define SERVERS_MAX 1000

/*
 * Which ones a user means who says nothing: all PostgreSQLs and coordinators
 * that run as our OS user; if there are none, all.  pid: 0, or the only one
 * that was asked for (GS_E_NOTFOUND) by the option of that name; that failure
 * adds to ret_list a line for each server that runs.  At most max are in ret;
 * *ret_n counts them all.
 */
int servers_choose(const struct servers *s, uint32_t pid,
	const struct server **ret, size_t max, size_t *ret_n,
	struct buf *ret_list, struct gs_err *err);

#endif
