/* SPDX-License-Identifier: Apache-2.0 */
/*
 * job.h - a command of gpsnap that reads a recording for a request: in a process
 * of its own, which has the sandbox of that command, and limits.
 *
 * A hostile recording can harm that process only, and its output: that goes to
 * a file in memory, which is sent when the process has ended well.
 */
#ifndef GS_WEB_JOB_H
#define GS_WEB_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

#define JOB_OUTPUT_MAX (UINT64_C(64) << 20)
#define JOB_SAID_MAX ((size_t)4096) /* of its messages */

struct job {
	pid_t pid; /* 0: none */
	int out, said_fd; /* its output; its messages, a pipe */
	int64_t end_ms; /* it is killed then */
	bool late;
	struct buf said;
};

/* LARGE: its output would be larger than JOB_OUTPUT_MAX. */
enum job_state {
	JOB_RUNS,
	JOB_DONE,
	JOB_REFUSED,
	JOB_FAILED,
	JOB_LATE,
	JOB_LARGE
};

/* argv[0] is "gpsnap".  It must not take longer than time_ms. */
int job_start(struct job *j, char *const argv[], int64_t time_ms,
	struct gs_err *err);

/* To be called when something may have happened, or it is late. */
enum job_state job_step(struct job *j);

/* DONE: its output, an open file that is the caller's; REFUSED, FAILED: what it
 * said, without its name. */
int job_take(struct job *j, uint64_t *ret_len);
void job_add_said(const struct job *j, struct buf *to);

/* Ends it, if it still runs. */
void job_release(struct job *j);

#endif
