/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runnable.h - can a command be run?  Asked before a recording is begun for
 * it, so that a slip of the pen leaves no file behind.
 */
#ifndef GS_RECORD_RUNNABLE_H
#define GS_RECORD_RUNNABLE_H

#include "base/err.h"

/* What a shell makes of it. */
#define RUNNABLE_NOT 126
#define RUNNABLE_NOT_FOUND 127

/* Looks for name as execvp() does: 0, or one of the above with a message.
 * What is there may still fail to start. */
int runnable_check(const char *name, struct gs_err *err);

#endif
