/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sandbox.h - a program drops, for good, the rights it does not need, so that
 * malicious input can't misuse them.
 *
 * Landlock limits files: only paths that were added can be read or created.
 * seccomp limits system calls: no new sockets, no programs, no access to
 * other processes, and no opening of an existing file for writing.  Each is
 * used if the kernel has it; without both the program goes on, and
 * sandbox_explain() says so.
 *
 * Use: sandbox_init(); sandbox_add() for each path; sandbox_enter(), once.
 * Open descriptors stay open: standard input and output, a connection.
 * A path that does not exist at that time can't be opened later.
 */
#ifndef GS_SANDBOX_SANDBOX_H
#define GS_SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "sandbox/rights.h"

struct sandbox {
	const char *name; /* of the program, for explanations */
	unsigned needs; /* enum sandbox_need */
	struct sandbox_path *path;
	size_t n, cap;
	/* Results: */
	const char *skipped; /* why nothing was tried; NULL: it was */
	int landlock; /* version, or -errno; 0: not used */
	bool no_new_privs;
	int seccomp; /* 0: in force, else -errno */
};

void sandbox_init(struct sandbox *s, const char *name, unsigned needs);
void sandbox_release(struct sandbox *s);

/* The path is copied; the text of what must outlive s. */
void sandbox_add(struct sandbox *s, const char *path, unsigned access,
	const char *what);

/* Allows reading the file of st, unless the path names another file by then. */
void sandbox_add_seen(struct sandbox *s, const char *path,
	const struct stat *st, const char *what);

/* Never fails: it drops the rights it can, and notes those it could not. */
void sandbox_enter(struct sandbox *s);

/* The sandbox was not asked for. */
void sandbox_skip(struct sandbox *s, const char *why);

/* True if files other than those that were added are refused. */
bool sandbox_holds_files(const struct sandbox *s);

/* True if this kernel can refuse paths that were not added. */
bool sandbox_can_hold_files(void);

/* Explains to a user which limits are in force. */
void sandbox_explain(const struct sandbox *s, size_t width, struct buf *to);

#endif
