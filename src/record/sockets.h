/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sockets.h - the Unix sockets of database servers of this machine.
 *
 * libpq looks for a server's socket in the one directory that it was built
 * with: Debian's is /var/run/postgresql, Greenplum's is /tmp.  The kernel's
 * list of sockets has its real directory.
 */
#ifndef GS_RECORD_SOCKETS_H
#define GS_RECORD_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/scan.h"

#define SOCKETS_TABLE "/proc/net/unix"

/* A line of the table: true for a socket that listens and has a name, which
 * begins with '/', or with '@' for the NUL of an abstract one. */
bool sockets_parse(struct span line, uint64_t *ret_inode,
	struct span *ret_path);

/* The directories with a listening ".s.PGSQL.PORT", as libpq's "host" wants
 * them: separated by commas, each once.  A line of the table that can't be
 * parsed, or a directory whose name holds a comma, is skipped. */
void sockets_scan(struct span table, uint32_t port, struct buf *to);

/* The same with the table of this machine; adds nothing if it can't be read. */
void sockets_find(uint32_t port, struct buf *to);

/* Keeps the directories of a list in which the socket of that port is owned by
 * the first of these users that owns any, and the directory by one of these
 * users or by root: another user could bind a socket of that name and receive
 * a password.  *ret_owner is the owner of the socket.  False if no directory is
 * left. */
bool sockets_keep(struct buf *list, uint32_t port, const uint32_t *uid,
	size_t n, uint32_t *ret_owner);

/* Adds a directory to such a list, unless it is in it. */
void sockets_add(struct buf *to, struct span dir);

#endif
