/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choice.h - the options of commands that make recordings of recordings: which
 * part is wanted.
 */
#ifndef GS_CLI_CHOICE_H
#define GS_CLI_CHOICE_H

#include "cli/editing.h"

struct choice {
	struct times when;
	const char *hosts, *sessions, *entities, *metrics; /* NULL: all */
	struct editing out;
	struct pick pick; /* of these */
};

/* All options of such a command. */
#define CHOICE_OPTIONS \
	RANGE_OPTIONS(struct choice, when), \
	{ OPT_TEXT, 0, "hosts", "HOST,...", "only these hosts", \
	    .offset = OPT_AT(struct choice, hosts) }, \
	{ OPT_TEXT, 0, "sessions", "ID,...", \
	    "only processes and backends of these sessions, and postmasters: " \
	    "con7,12 or the pid of a backend", \
	    .offset = OPT_AT(struct choice, sessions) }, \
	{ OPT_TEXT, 0, "entities", "KIND,...", \
	    "only rows of these kinds, and hosts: process,disk", \
	    .offset = OPT_AT(struct choice, entities) }, \
	{ OPT_TEXT, 0, "metrics", "KIND.METRIC,...", \
	    "only these columns, and the identities, of the named kinds of " \
	    "rows: process.rss,disk.*", \
	    .offset = OPT_AT(struct choice, metrics) }, \
	EDITING_OPTIONS(struct choice, out), \
	TIME_IS_IN_OPTIONS(struct choice, when)

/* The whole command: it reads and writes what its operands and options name.
 * ask: what no option sets. */
int choice_main(const struct opt_cmd *cmd, int argc, char **argv,
	struct editing_ask *ask);

#endif
