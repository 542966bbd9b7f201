/* SPDX-License-Identifier: Apache-2.0 */
/*
 * title_names.h - what is known of the cluster_name that titles begin with;
 * title.h finds it out.
 */
#ifndef GS_TITLE_TITLE_NAMES_H
#define GS_TITLE_TITLE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a cluster_name; the server takes 63. */
#define TITLE_NAME_MAX 256

/* What titles of one server said of its cluster_name, which is the same in all
 * of them, and changes with its postmaster only. */
struct title_names {
	bool known;
	int role; /* whose title said so first, of enum title_role */
	size_t len;
	char name[TITLE_NAME_MAX]; /* "" with known: it has none */
};

#endif
