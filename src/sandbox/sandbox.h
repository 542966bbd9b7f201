/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sandbox.h - a program gives up, for good, what it does not need: whatever it
 * is made to do by what it reads afterwards, it can do no more than this.
 *
 * Files are Landlock's: those that were added can be read or made, no others.
 * System calls are seccomp's: no new sockets, no programs, no looking into
 * other processes, and no opening for writing of a file that exists.  Each is
 * used as far as the kernel has it; where it has neither the program goes on,
 * and sandbox_explain() says so.
 *
 * Use: sandbox_init(); sandbox_add() for each path; sandbox_enter(), once.
 * What is open before stays open: the standard input and output, a connection.
 * A path that does not exist then can't be opened later.
 */
#ifndef GS_SANDBOX_SANDBOX_H
#define GS_SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/buf.h"

/* What may be done with a path.  Of a directory it is said of all beneath. */
enum sandbox_access {
	SANDBOX_READ = 1,
	SANDBOX_NEW = 2, /* a directory: files that do not exist are made */
	SANDBOX_CHANGE = 4 /* a directory: files are read, made, renamed,
	                    * removed */
};

/* What beside reading and computing is needed. */
enum sandbox_need {
	SANDBOX_TALKS = 1, /* through sockets that are open */
	SANDBOX_WAITS = 2 /* for a child that runs */
};

struct sandbox_path {
	char *path;
	unsigned access; /* enum sandbox_access */
	const char *what; /* it is for; NULL: it was named by the user */
	struct stat is; /* what it was when it was looked at */
	bool was_seen; /* is: the rule is for that file alone */
};

struct sandbox {
	const char *name; /* of the program, for explanations */
	unsigned needs; /* enum sandbox_need */
	struct sandbox_path *path;
	size_t n, cap;
	/* how it went */
	const char *skipped; /* why nothing was tried; NULL: it was */
	int landlock; /* version, or -errno; 0: of no use */
	bool no_new_privs;
	int seccomp; /* 0: in force, else -errno */
};

void sandbox_init(struct sandbox *s, const char *name, unsigned needs);
void sandbox_release(struct sandbox *s);

/* The path is copied; what must outlive s. */
void sandbox_add(struct sandbox *s, const char *path, unsigned access,
	const char *what);

/* To read the file that st is of, unless another one has its name by then. */
void sandbox_add_seen(struct sandbox *s, const char *path,
	const struct stat *st, const char *what);

/* Never fails: it gives up what it can, and notes what it could not. */
void sandbox_enter(struct sandbox *s);

/* It was not asked for. */
void sandbox_skip(struct sandbox *s, const char *why);

/* True if files other than those that were added are refused. */
bool sandbox_holds_files(const struct sandbox *s);

/* True if this kernel can: what was not added will be refused. */
bool sandbox_can_hold_files(void);

/* In plain words, for a user: what is in force. */
void sandbox_explain(const struct sandbox *s, size_t width, struct buf *to);

#endif
