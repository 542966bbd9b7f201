/* SPDX-License-Identifier: Apache-2.0 */
/*
 * select.h - which tasks are wanted, by number, name or user.
 */
#ifndef GS_SYSSTAT_SELECT_H
#define GS_SYSSTAT_SELECT_H

#include <regex.h>

#include "base/err.h"
#include "sysstat/tasks.h"

struct selection {
	bool all; /* those that did nothing, too */
	uint32_t self; /* the process "SELF"; 0: none */
	uint32_t *pid; /* rising; owned; none: active tasks */
	size_t n_pid;
	struct selection_name {
		bool given;
		regex_t regex;
	} comm, /* of the task itself; of its command line with line */
	process; /* of the process it belongs to */
	bool line;
	const char *user; /* NULL: any; not owned */
};

#define SELECTION_INIT { 0 }

void selection_release(struct selection *s);

/* "12,7", "ALL", "SELF".  GS_E_USAGE: not one of these. */
int selection_pids(struct selection *s, const char *list,
	struct gs_err *err);
void selection_pid(struct selection *s, uint32_t pid);
int selection_name(struct selection_name *n, const char *regex,
	struct gs_err *err);

/* True if tasks are shown whether they were active or not. */
bool selection_is_explicit(const struct selection *s);

/* By its process's number alone. */
bool selection_has_pid(const struct selection *s, const struct task *k);

/* By all but activity.  process is the task's, as a whole; NULL: none. */
bool selection_has(const struct selection *s, const struct task *k,
	const struct task *process);

#endif
