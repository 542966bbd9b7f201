/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rights.h - what a program keeps: paths and kinds of system calls.
 */
#ifndef GS_SANDBOX_RIGHTS_H
#define GS_SANDBOX_RIGHTS_H

#include <stdbool.h>
#include <sys/stat.h>

/* Allowed access to a path; for a directory, to everything below it. */
enum sandbox_access {
	SANDBOX_READ = 1,
	SANDBOX_NEW = 2, /* a directory: create files that do not exist */
	SANDBOX_CHANGE = 4 /* a directory: read, create, rename, remove
	                    * files */
};

/* Needs other than reading and computing. */
enum sandbox_need {
	SANDBOX_TALKS = 1, /* through sockets that are open */
	SANDBOX_WAITS = 2, /* for a child that runs */
	SANDBOX_THREADS = 4, /* begins threads, with the same rights */
	SANDBOX_KEEPS = 8 /* gives open files another mode, group and times */
};

struct sandbox_path {
	char *path;
	unsigned access; /* enum sandbox_access */
	const char *what; /* its purpose; NULL: it was named by the user */
	struct stat is; /* of the file that was checked */
	bool was_seen; /* is is valid: the rule is for that file alone */
};

#endif
