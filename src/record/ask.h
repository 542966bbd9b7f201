/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask.h - the recorders that run on this host, and what they answer
 * (control.h is their side).
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
/* Anybody may bind as many names as he has descriptors: all are looked at. */
#define ASK_NAMES_MAX (1u << 20)

/* A recorder that may be asked: its own user's, or anybody's for root. */
struct ask_whom {
	char name[ASK_NAME_MAX]; /* of its socket */
	uid_t uid; /* as the name has it */
	uint64_t inode; /* of the socket */
	bool owned; /* a process of that uid has it: ask_owner.h */
};

#define ASK_SOCKETS "/proc/net/unix"

/* All there are, of a table of sockets; *ret is freed by the caller.
 * *ret_others: how many there are that may not be asked. */
int ask_list(const char *sockets, struct ask_whom **ret, size_t *ret_n,
	size_t *ret_others, struct gs_err *err);

/*
 * Sends a request of one line and appends the answer, without its "ok".  It
 * waits for some seconds at most.  GS_E_GONE: nobody listens there any more;
 * GS_E_DENIED: somebody else does; GS_E_USAGE: the recorder refused, and why;
 * GS_E_LIMIT: so many ask already that nobody knows who listens there.
 */
int ask(const struct ask_whom *whom, const char *request, struct buf *to,
	struct gs_err *err);

#endif
