/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spool.h - text that waits until the text before it is complete: in memory,
 * and in a file once it is large.
 */
#ifndef GS_SYSSTAT_SPOOL_H
#define GS_SYSSTAT_SPOOL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"

/* Maximum of one spool in memory: for 100 hosts with 26 activities 170 MB. */
#define SPOOL_MEMORY ((size_t)1 << 16)

struct spool {
	struct buf memory; /* after the file's text */
	FILE *file; /* NULL: no file */
	int error; /* errno, if the file could not be made, written or read */
};

#define SPOOL_INIT { .memory = BUF_INIT }

void spool_release(struct spool *s);

void spool_add(struct spool *s, const char *p, size_t len);

/* Writes all text, and is empty then.  False: write() failed, or some text is
 * lost (error). */
bool spool_flush(struct spool *s,
	bool (*write)(void *arg, const char *p, size_t len), void *arg);

#endif
