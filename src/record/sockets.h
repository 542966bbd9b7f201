/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sockets.h - where database servers of this machine listen.
 *
 * libpq looks for a server's socket in the one directory that it was built
 * with: Debian's is /var/run/postgresql, Greenplum's is /tmp.  The kernel's
 * list of sockets says where one really is.
 */
#ifndef GS_RECORD_SOCKETS_H
#define GS_RECORD_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/scan.h"

#define SOCKETS_TABLE "/proc/net/unix"

/* The directories with a listening ".s.PGSQL.PORT", as libpq's "host" wants
 * them: separated by commas, each once.  A line of the table that can't be
 * read, or a directory whose name holds a comma, is passed over. */
void sockets_scan(struct span table, uint32_t port, struct buf *to);

/* Of the table of this machine; adds nothing where it can't be read. */
void sockets_find(const char *table, uint32_t port, struct buf *to);

/* Keeps the directories of a list where the socket of that port is owned by
 * one of these users, the first of them that has any, and the directory by one
 * of them or by root: anybody may bind a socket of that name, and be given a
 * password there.  *ret_owner is that user.  False if none is left. */
bool sockets_keep(struct buf *list, uint32_t port, const uint32_t *uid,
	size_t n, uint32_t *ret_owner);

/* Adds a directory to such a list, unless it is in it. */
void sockets_add(struct buf *to, struct span dir);

#endif
