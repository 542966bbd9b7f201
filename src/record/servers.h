/* SPDX-License-Identifier: Apache-2.0 */
/*
 * servers.h - finds the database servers of this host, and chooses which to
 * record.
 *
 * The local agent is asked once for the postmasters; the contents of
 * postmaster.pid are added if it may be read.
 */
#ifndef GS_RECORD_SERVERS_H
#define GS_RECORD_SERVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/world.h"

/* The role of a server in a cluster, by its command line. */
enum server_kind {
	SERVER_PLAIN, /* PostgreSQL */
	SERVER_COORDINATOR,
	SERVER_STANDBY, /* of a coordinator */
	SERVER_SEGMENT /* or a mirror: its coordinator is asked instead */
};

struct server {
	uint32_t pid;
	uint32_t port; /* 0: not known */
	char *datadir; /* texts are "" if not known */
	char *version; /* major, of the data directory */
	char *socket_dir;
	bool starting; /* its postmaster.pid does not name socket_dir yet */
	enum server_kind kind;
	bool own; /* runs as our OS user, who is not root */
};

struct servers {
	struct server *item;
	size_t n;
};

#define SERVERS_INIT { 0 }

void servers_release(struct servers *s);

/* Finds those that run.  It is no error if there are none. */
int servers_find(struct servers *ret, struct gs_err *err);

/* Adds those in a sample of this host. */
void servers_read(const struct world *w, struct servers *ret);

/* Adds the server of a data directory, by its postmaster.pid; fails if no
 * server runs there. */
int servers_add_datadir(struct servers *s, const char *dir,
	struct gs_err *err);

/* Maximum number of servers of a host whose catalogs are recorded; of the
 * others only processes are. */
#define SERVERS_ASKED_MAX 16

/* Maximum number of known servers of a host. */
#define SERVERS_MAX 1000

/*
 * The default choice: all PostgreSQL servers and coordinators that run as our
 * OS user; if there are none, all.  pid: 0, or the server of option --pid; if
 * that does not exist, fails with GS_E_NOTFOUND and adds a line for each
 * running server to ret_list.  At most max are in ret; *ret_n counts all.
 */
int servers_choose(const struct servers *s, uint32_t pid,
	const struct server **ret, size_t max, size_t *ret_n,
	struct buf *ret_list, struct gs_err *err);

#endif
