/* SPDX-License-Identifier: Apache-2.0 */
/*
 * index_keeper.h - a process that writes the index of a directory for a command
 * that has given up the right to.
 *
 * It is begun before any recording is read, and reads none: it takes bytes from
 * a pipe, and if they are a whole index, gives them the name .gpsnap.index.  So
 * a recording that takes over the command can't change another file there.
 */
#ifndef GS_CLI_INDEX_KEEPER_H
#define GS_CLI_INDEX_KEEPER_H

#include <stddef.h>

/* Of so many directories of one command; the others' are not written. */
#define INDEX_KEEPERS_MAX 8

struct index_keeper;

/* NULL: the directory can't be written to, or no process can be begun. */
struct index_keeper *index_keeper_begin(const char *dir);

/* Writes it; a failure costs time later, no more.  NULL: nothing. */
void index_keeper_keep(struct index_keeper *k, const void *bytes, size_t len);

/* Waits until it is written; without index_keeper_keep() nothing is.  NULL:
 * nothing. */
void index_keeper_end(struct index_keeper *k);

#endif
