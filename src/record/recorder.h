/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder.h - the recorder: ticks, agents, the frames of a recording.
 *
 * At every tick it asks its agents, waits for the answers until a deadline,
 * makes a frame of those that came, and gives it to the writer.  It never waits
 * for an agent beyond the deadline, and never for the disk: a late answer
 * is part of the next frame, a frame that can't be written is a hole.
 *
 * Use: recorder_new(), recorder_run(), which returns when the recording has
 * ended, recorder_free().
 */
#ifndef GS_RECORD_RECORDER_H
#define GS_RECORD_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "record/recorder_options.h"

/* An answer is late after this share of the interval, or this long. */
#define RECORDER_DEADLINE_PERCENT 80
#define RECORDER_DEADLINE_MAX_NS (INT64_C(5) * 1000 * 1000 * 1000)

struct recorder;

/* Opens the output and finds the agent.  Everything in opt must outlive the
 * recorder.  Failure leaves no file.  SIGINT, SIGTERM and SIGHUP are
 * blocked in the calling thread until recorder_run() handles them, or
 * recorder_free(), so that an open file is finished or removed. */
struct recorder *recorder_new(const struct recorder_options *opt,
	struct gs_err *err);

/* Records until the end.  Negative status: it could not start, or ended with
 * an error; recorder_get_status() says what was recorded all the same. */
int recorder_run(struct recorder *r, struct gs_err *err);

void recorder_get_status(const struct recorder *r,
	struct recorder_status *ret);

/* Path of the newest file; valid until recorder_free(). */
const char *recorder_path(struct recorder *r);

/* After recorder_run(): the paths of all files, a line each. */
void recorder_files(struct recorder *r, struct buf *out);

/* Pid of the command once it was started; 0 before. */
uint32_t recorder_command_pid(const struct recorder *r);

/* Exit status of the command, if there was one and it has ended. */
bool recorder_command_status(const struct recorder *r, int *ret);

void recorder_free(struct recorder *r);

#endif
