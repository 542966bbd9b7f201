/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask_owner.h - whose the sockets are that can't be asked.
 *
 * A socket whose queue is full accepts nobody, so that the kernel does not
 * say whose it is; its name says what whoever bound it liked.  But the table
 * of sockets has its inode, and each process lists the inodes that it holds.
 */
#ifndef GS_RECORD_ASK_OWNER_H
#define GS_RECORD_ASK_OWNER_H

#include "record/ask.h"

/* Sets owned of those that a process of their uid holds, as far as this user
 * may see; the list is put in another order. */
void ask_find_owners(struct ask_whom *list, size_t n);

#endif
