/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choice.h - the options by which commands that make recordings of recordings
 * are told which part is wanted, and the way from there.
 */
#ifndef GS_CLI_CHOICE_H
#define GS_CLI_CHOICE_H

#include "cli/editing.h"

struct choice {
	struct times when;
	const char *hosts, *sessions, *entities, *metrics; /* NULL: all */
	struct editing out;
};

/* All options of such a command. */
#define CHOICE_OPTIONS \
	RANGE_OPTIONS(struct choice, when), \
	{ OPT_TEXT, 0, "hosts", "HOST,...", "only these hosts", \
	    .offset = OPT_AT(struct choice, hosts) }, \
	{ OPT_TEXT, 0, "sessions", "ID,...", \
	    "of processes and backends only those of these sessions: " \
	    "con7,12 or the pid of a backend; and postmasters", \
	    .offset = OPT_AT(struct choice, sessions) }, \
	{ OPT_TEXT, 0, "entities", "KIND,...", \
	    "only rows of these kinds: process,disk; and hosts", \
	    .offset = OPT_AT(struct choice, entities) }, \
	{ OPT_TEXT, 0, "metrics", "KIND.METRIC,...", \
	    "of the kinds of rows that are named only these columns: " \
	    "process.rss,disk.*; and what tells rows apart", \
	    .offset = OPT_AT(struct choice, metrics) }, \
	EDITING_OPTIONS(struct choice, out), \
	TIME_IS_IN_OPTIONS(struct choice, when)

/* The whole command: what it reads and writes is in its operands and options;
 * ask: whatever is no option. */
int choice_main(const struct opt_cmd *cmd, int argc, char **argv,
	struct editing_ask *ask);

#endif
