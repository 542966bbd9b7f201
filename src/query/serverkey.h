/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serverkey.h - which postmasters are one server: a server that was restarted
 * has another postmaster, on the same host, port and data directory.
 */
#ifndef GS_QUERY_SERVERKEY_H
#define GS_QUERY_SERVERKEY_H

#include "analysis/sessions.h"
#include "model/world.h"

/* Key of a server, valid as long as the table. */
struct serverkey {
	uint64_t of[3];
	bool has_port;
	uint64_t port;
};

struct serverkeys {
	struct serverkey_entry *by_pid;
	struct serverkey_holder *by_port;
};

void serverkeys_release(struct serverkeys *k);

/* The key of postmaster pid on the host of row, which is one of its processes;
 * p: the same process in its session, or NULL. */
const struct serverkey *serverkeys_of(struct serverkeys *k,
	const struct world *w, const struct row *row, const struct proc *p,
	uint64_t pid);

#endif
