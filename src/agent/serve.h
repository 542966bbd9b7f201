/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serve.h - answers requests from one descriptor to another.
 */
#ifndef GS_AGENT_SERVE_H
#define GS_AGENT_SERVE_H

#include "agent/sampler.h"

/* Until the input ends, or nothing comes for idle_ms (negative: however
 * long): 0.  A cut or foreign request, or an output that takes
 * no more, is an error. */
int serve(struct sampler *s, int in_fd, int out_fd, int idle_ms,
	struct gs_err *err);

#endif
