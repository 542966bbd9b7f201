/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loop.h - the event loop of a recorder.
 */
#ifndef GS_RECORD_LOOP_H
#define GS_RECORD_LOOP_H

#include <uv.h>

#include "base/err.h"

/* Fails if there are too few file descriptors for the loop, its handles and an
 * agent.  libuv ends the program then. */
int loop_open(uv_loop_t *loop, struct gs_err *err);

#endif
