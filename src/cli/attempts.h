/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attempts.h - a command with several pieces of work, each of which may end the
 * process: by too much memory, most of all.
 *
 * The work is done in a child.  If the child exits or is killed within a piece,
 * another child goes on with the pieces after it.  What a child knows of those
 * before is what is here.
 */
#ifndef GS_CLI_ATTEMPTS_H
#define GS_CLI_ATTEMPTS_H

#include <stdbool.h>

struct attempts;

/* fn does all of the work, and confines the process; it gets the attempts as its
 * first argument, and returns the exit status.  Returns the exit status of the
 * command: EXIT_CANNOT if a piece has ended a child.  To be called before threads
 * are started. */
int attempts_run(int (*fn)(struct attempts *a, void *ctx), void *ctx);

/* False: a child before has failed with the piece of that name, or ended in it: it
 * is left out. */
bool attempts_begin(struct attempts *a, const char *piece);
void attempts_end(struct attempts *a, bool done);

/* No child was before. */
bool attempts_is_first(const struct attempts *a);

#endif
