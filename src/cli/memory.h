/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.h - the limit of memory of the commands that read recordings.
 *
 * What readers and worlds hold is charged to a budget, which names the tick
 * that does not fit.  In addition the kernel limits the whole process: tables,
 * sums and everything else that grows with a recording. Either way the command
 * ends with EXIT_CANNOT.
 */
#ifndef GS_CLI_MEMORY_H
#define GS_CLI_MEMORY_H

#include "cli/opt.h"

#define MEMORY_DEFAULT "256M"
#define MEMORY_MIN (UINT64_C(48) << 20)

/* The option's row; sar has another name for it, as --memory is a report
 * there. */
#define MEMORY_OPTION_AS(NAME, T, MEMBER) \
	{ OPT_SIZE, 0, NAME, "SIZE", \
	    "use at most SIZE of memory; a command that needs more fails", \
	    .dflt = MEMORY_DEFAULT, .group = "Limits", \
	    .offset = OPT_AT(T, MEMBER) }
#define MEMORY_OPTION(T, MEMBER) MEMORY_OPTION_AS("memory", T, MEMBER)

/* Limits the process from now on as the command's option says, if it has one.
 * GS_E_USAGE: too little. */
int memory_begin(const struct opt_cmd *c, const void *values,
	struct gs_err *err);

/* So many more bytes than the limit, for threads that were asked for; what is
 * read must still fit into the limit. */
void memory_add(size_t bytes);

/* For a command that does not follow a recording: the memory that is allocated from now
 * on stays, and is in large pages, where the kernel gives them.  Half of the time of a
 * short range was spent in getting small ones. */
void memory_prefer_large_pages(void);

/* For a program that lives long and needs much only now and then: what it frees goes
 * back to the kernel. */
void memory_give_back(void);

/* Around the start of another program, which has no such limit. */
void memory_lift(void);
void memory_lower(void);

#endif
