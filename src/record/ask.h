/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask.h - the client of running recorders: lists those of this host and sends
 * them requests (control.h is the server).
 */
#ifndef GS_RECORD_ASK_H
#define GS_RECORD_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

#define ASK_NAME_MAX 64
/* Any user may bind as many names as he has descriptors: all are checked. */
#define ASK_NAMES_MAX (1u << 20)

/* A recorder that may be asked: one of the same user; for root, any. */
struct ask_whom {
	char name[ASK_NAME_MAX]; /* of its socket */
	uid_t uid; /* in that name */
	uint64_t inode; /* of the socket */
	bool owned; /* a process of that uid holds it */
};

/* All recorders in a table of sockets; the caller frees *ret.
 * *ret_others: number of those that may not be asked. */
int ask_list(const char *sockets, struct ask_whom **ret, size_t *ret_n,
	size_t *ret_others, struct gs_err *err);

/* Sets owned where a process of the entry's uid holds the socket, as far as
 * this user may see; changes the order of the list. */
void ask_find_owners(struct ask_whom *list, size_t n);

/*
 * Sends a request of one line and appends the answer, without its "ok".  It
 * waits for some seconds at most.  GS_E_GONE: no process listens there any
 * more; GS_E_DENIED: another user's process does; GS_E_USAGE: the recorder
 * refused, err says why; GS_E_LIMIT: the socket has too many clients to find
 * out who listens there.
 */
int ask(const struct ask_whom *whom, const char *request, struct buf *to,
	struct gs_err *err);

#endif
