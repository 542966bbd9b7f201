/* SPDX-License-Identifier: Apache-2.0 */
/*
 * title_names.h - the cluster_name that the titles of a server begin with;
 * title.h finds it.
 */
#ifndef GS_TITLE_TITLE_NAMES_H
#define GS_TITLE_TITLE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a cluster_name; a server allows 63. */
#define TITLE_NAME_MAX 256

/* What the titles of one server reveal about its cluster_name.  It is the same
 * in all of them, and changes only with the postmaster. */
struct title_names {
	bool known;
	int role; /* enum title_role of the process whose title showed it first */
	size_t len;
	char name[TITLE_NAME_MAX]; /* "" with known: the server has no name */
};

#endif
