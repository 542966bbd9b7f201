/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naming.h - names of output files.
 *
 * Rotated files are NAME-YYYYMMDDTHHMMSSZ.gpsnap, with -2, -3 before the
 * suffix if there are several in one second.  NAME is the recorder's host name
 * with every byte but letters, digits, '.', '-' and '_' made '_'.  If a single
 * file must be continued in another one, that gets -2, -3 in the same place.
 */
#ifndef GS_FORMAT_NAMING_H
#define GS_FORMAT_NAMING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define NAMING_SUFFIX ".gpsnap"

/* After the name of a file that is not finished, or not read again yet. */
#define NAMING_PART ".part"

/* Replaces out by the NAME of a host. */
void naming_host(const char *host, struct buf *out);

/* Replaces out by the name of a rotated file that begins at wall_ns; nth is
 * the number of the attempt, from 1. */
void naming_rotated(const char *name, int64_t wall_ns, unsigned nth,
	struct buf *out);

/* Replaces out by path, continued for the nth time (1: path itself). */
void naming_continued(const char *path, unsigned nth, struct buf *out);

/* True if file (without directory) is a rotated file of NAME.  ret_time and
 * ret_nth order the files of one NAME by age. */
bool naming_is_rotated(const char *name, const char *file, int64_t *ret_time_s,
	unsigned *ret_nth);

#endif
