/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_list.h - the hosts that are named on a command line.
 */
#ifndef GS_RECORD_HOST_LIST_H
#define GS_RECORD_HOST_LIST_H

#include <stddef.h>

#include "base/err.h"

struct host_list {
	char **name;
	size_t n, cap;
};

#define HOST_LIST_INIT { 0 }

/* Adds the names of "a,b,c", each once. */
int host_list_add(struct host_list *l, const char *names, struct gs_err *err);

/* Adds those of a file: a name per line, blanks around it; # begins a
 * comment. */
int host_list_read(struct host_list *l, const char *path, struct gs_err *err);

void host_list_release(struct host_list *l);

#endif
