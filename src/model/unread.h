/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unread.h - what an agent could not read, in words: what is missing, and what
 * would help.
 *
 * From a row of the entity source.  The table of remedies is in unread.c.
 */
#ifndef GS_MODEL_UNREAD_H
#define GS_MODEL_UNREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/scan.h"

struct unread {
	struct span file; /* "io" */
	uint64_t error; /* the most frequent one */
	uint64_t processes; /* that are concerned now */
};

/* Appends what is missing: "IO of 28 processes of other users is not
 * readable". */
void unread_add_what(const struct unread *u, struct buf *to);

/* Appends what would help: "the agent needs CAP_SYS_PTRACE; see
 * gpsnap-record(1)". */
void unread_add_remedy(const struct unread *u, struct buf *to);

/* "EACCES"; a number if it is a rare one. */
void unread_add_error(uint64_t error, struct buf *to);

#endif
