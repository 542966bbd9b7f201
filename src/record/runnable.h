/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runnable.h - checks that a command can be run, before its recording begins,
 * so that a typing error leaves no file.
 */
#ifndef GS_RECORD_RUNNABLE_H
#define GS_RECORD_RUNNABLE_H

#include "base/err.h"

/* Exit statuses of a shell. */
#define RUNNABLE_NOT 126
#define RUNNABLE_NOT_FOUND 127

/* Looks for name as execvp() does: 0, or one of the above with a message.
 * A command that passes may still fail to start. */
int runnable_check(const char *name, struct gs_err *err);

#endif
