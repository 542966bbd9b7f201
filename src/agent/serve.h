/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serve.h - answers requests from one descriptor to another.
 */
#ifndef GS_AGENT_SERVE_H
#define GS_AGENT_SERVE_H

#include "agent/sampler.h"

/* Returns 0 when the input ends, or if nothing comes for idle_ms (negative: no
 * limit).  A truncated or foreign request, or an output that fails, is an
 * error. */
int serve(struct sampler *s, int in_fd, int out_fd, int idle_ms,
	struct gs_err *err);

#endif
