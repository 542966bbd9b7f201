/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask_owner.h - finds the owners of sockets that accept no connection.
 *
 * The kernel names the owner of a socket only to a client that is connected,
 * which fails while the queue is full; the socket's name is chosen by the
 * process that bound it.  But the table of sockets has its inode, and each
 * process lists the inodes that it holds.
 */
#ifndef GS_RECORD_ASK_OWNER_H
#define GS_RECORD_ASK_OWNER_H

#include "record/ask.h"

/* Sets owned where a process of the entry's uid holds the socket, as far as
 * this user may see; changes the order of the list. */
void ask_find_owners(struct ask_whom *list, size_t n);

#endif
