/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stop.h - signals that stop a long work, so that the command can say what it
 * leaves.
 */
#ifndef GS_CLI_STOP_H
#define GS_CLI_STOP_H

#include <stdbool.h>

/* From now on a signal that would end the program stops the work instead. */
void stop_catch(void);

/* The same of commands that make files: they remove unfinished ones, also if an
 * output can't be written. */
void stop_catch_writing(void);

bool stop_asked(void);

#endif
