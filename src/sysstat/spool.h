/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spool.h - text that waits until what stands before it is complete: in
 * memory, and in a file of its own once there is much of it.
 */
#ifndef GS_SYSSTAT_SPOOL_H
#define GS_SYSSTAT_SPOOL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"

/* So much of one spool is in memory: of 100 hosts with 26 activities 170 MB. */
#define SPOOL_MEMORY ((size_t)1 << 16)

struct spool {
	struct buf memory; /* behind the file's */
	FILE *file; /* NULL: there is none */
	int error; /* errno, if the file could not be made, written or read */
};

#define SPOOL_INIT { .memory = BUF_INIT }

void spool_release(struct spool *s);

void spool_add(struct spool *s, const char *p, size_t len);

/* Hands out all there is, and is empty then.  False: write() took no more, or
 * some of it is lost (error). */
bool spool_flush(struct spool *s,
	bool (*write)(void *arg, const char *p, size_t len), void *arg);

#endif
