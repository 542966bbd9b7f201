/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builtin.h - agents that are part of this program.
 *
 * tools/portable.sh builds gpsnap as one file: it has the agents of all
 * machines in it.  Other builds have none.
 */
#ifndef GS_RECORD_BUILTIN_H
#define GS_RECORD_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/scan.h"

struct builtin {
	const char *machine; /* as of uname -m */
	const char *image; /* not owned */
	size_t len;
};

/* The i-th; false: there are no more. */
bool builtin_at(size_t i, struct builtin *ret);

/* That of a machine; false: there is none. */
bool builtin_find(struct span machine, struct builtin *ret);

/* Replaces out by a path of this host's agent, which can be run and read as
 * long as this process lives.  GS_E_NOTFOUND: there is none. */
int builtin_path(struct buf *out, struct gs_err *err);

#endif
