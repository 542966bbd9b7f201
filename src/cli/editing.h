/* SPDX-License-Identifier: Apache-2.0 */
/*
 * editing.h - shared by the commands that make files of recordings: options,
 * progress line, the run from PATH... to OUT.
 */
#ifndef GS_CLI_EDITING_H
#define GS_CLI_EDITING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "cli/memory.h"
#include "cli/opt.h"
#include "cli/times.h"
#include "edit/copy.h"

/* Where it goes. */
struct editing {
	const char *out;
	bool force, quiet;
	bool no_summaries;
	int64_t level; /* of zstd */
	uint64_t memory_bytes;
};

#define OUT_OPTIONS(T, MEMBER) \
	{ OPT_PATH, 'o', "output", "OUT", \
	    "the file to make, or - for the standard output; must not exist", \
	    .group = "What is made", \
	    .offset = OPT_AT(T, MEMBER.out) }, \
	{ OPT_FLAG, 0, "force", NULL, "replace OUT if it exists", \
	    .offset = OPT_AT(T, MEMBER.force) }, \
	{ OPT_INT, 'z', "level", "N", \
	    "compress with zstd's level N", .dflt = "3", \
	    .min = 1, .max = 19, \
	    .offset = OPT_AT(T, MEMBER.level) }, \
	{ OPT_FLAG, 'q', "quiet", NULL, \
	    "print no progress and nothing of what was made", \
	    .offset = OPT_AT(T, MEMBER.quiet) }

/* Of a command that leaves samples out, so that OUT can't have summaries. */
#define THINNING_OPTIONS(T, MEMBER) \
	OUT_OPTIONS(T, MEMBER), \
	MEMORY_OPTION(T, MEMBER.memory_bytes)

#define EDITING_OPTIONS(T, MEMBER) \
	OUT_OPTIONS(T, MEMBER), \
	{ OPT_FLAG, 0, "no-summaries", NULL, \
	    "make no summaries (gpsnap summarize): this is quicker, and OUT a few " \
	    "percent smaller, but long tables of it take longer", \
	    .offset = OPT_AT(T, MEMBER.no_summaries) }, \
	MEMORY_OPTION(T, MEMBER.memory_bytes)

/* What is to be made, beside struct editing. */
struct editing_ask {
	const char *command; /* as typed */
	const struct times *when; /* NULL: all of it, in the recording's zone */
	struct pick *pick; /* NULL: everything */
	bool report_gaps; /* each place, not only those that are damaged */
	bool merge; /* recordings of the same time are merged */
	struct redact *redact; /* NULL: none */
	int64_t thin_ns; /* one tick per interval stays; 0: all */
	const char *change[2]; /* directories in which it makes other files */
	bool waits; /* for a program that gets OUT */
	/* Called when all was written, before OUT gets its name; NULL: none. */
	int (*before)(void *ctx, struct gs_err *err);
	/* Appends more of the summary of OUT; NULL: nothing. */
	void (*more)(void *ctx, struct buf *to);
	void *ctx;
};

/* The words of a command line, before parsing reorders them. */
void editing_join(int argc, char **argv, struct buf *to);

/* Checks that there are a PATH and an OUT. */
int editing_check(const struct opt_cmd *cmd, const struct editing *e,
	const struct opt_rest *rest);

/* Makes OUT of the operands and reports the result; returns the exit status. */
int editing_run(const struct opt_cmd *cmd, const struct editing *e,
	const struct editing_ask *ask, const struct opt_rest *rest);

/* Sets of ask what the options at to say; CLI_GO, or the exit status. */
typedef int (*editing_prepare_fn)(const struct opt_cmd *cmd, void *to,
	struct editing_ask *ask);

/* The whole command: parses its options into the struct at to, which has e, and
 * runs it.  prepare may be NULL. */
int editing_main(const struct opt_cmd *cmd, int argc, char **argv, void *to,
	const struct editing *e, struct editing_ask *ask,
	editing_prepare_fn prepare);

#endif
