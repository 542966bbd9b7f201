/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summarizer.h - has summaries added to files that are complete, by a program of low
 * priority that runs beside the recorder, one at a time.
 *
 * The recorder never waits for it.  What it can't do stays undone: the file is as it
 * was.  After a failure some files are left out, each time twice as many, so that
 * what can't be done is not tried, and told, again and again.
 *
 * Use: summarizer_begin(); summarizer_add() when a file is complete;
 * summarizer_close() before the loop ends; summarizer_release().
 */
#ifndef GS_RECORD_SUMMARIZER_H
#define GS_RECORD_SUMMARIZER_H

#include <stdbool.h>
#include <uv.h>

#include "base/buf.h"

/* Files of one run of the program. */
#define SUMMARIZER_FILES_MAX 64u

/* Files that are left out after a failure, at most. */
#define SUMMARIZER_SKIP_MAX 31u

struct summarizer {
	uv_loop_t *loop;
	char *const *command; /* NULL: nothing is done */
	uv_process_t proc;
	bool open; /* proc is a handle */
	bool closed; /* no more is begun */
	struct buf waiting; /* paths, each with its NUL */
	unsigned n_waiting;
	unsigned skip; /* so many files to come are left out */
	unsigned next_skip; /* after the next failure */
	/* How a run failed, for users. */
	void (*failed)(void *arg, const char *why);
	void *arg;
};

/* command: the program and its options, ended by NULL; the files come after it.
 * It must live as long as s. */
void summarizer_begin(struct summarizer *s, uv_loop_t *loop,
	char *const *command, void (*failed)(void *arg, const char *why),
	void *arg);

void summarizer_add(struct summarizer *s, const char *path);

/* A program that runs is stopped. */
void summarizer_close(struct summarizer *s);

/* After the loop has closed its handles. */
void summarizer_release(struct summarizer *s);

#endif
