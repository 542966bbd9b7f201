/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sink_part.h - one output file of a sink: under a temporary name until it was read
 * back.
 */
#ifndef GS_EDIT_SINK_PART_H
#define GS_EDIT_SINK_PART_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/err.h"

/* One file of the output. */
struct part {
	char *path; /* its final name */
	char *temp; /* its name until then; NULL: it has its final name */
	uint64_t dev, ino; /* of the file with that name */
	uint64_t ticks;
	uint64_t digest;
};

/* Whether a file may be made at path: nothing is there, or it may be replaced. */
int part_refuse(const char *path, bool force, struct gs_err *err);

/* Whoever removes or renames a part file has it open and taken meanwhile.  *ret_fd is to
 * be closed.  GS_E_BUSY: another command is writing it. */
int part_take(const char *temp, int *ret_fd, struct gs_err *err);

/* The part file that is there is this one, not another command's. */
bool part_is_ours(const struct part *p);

/* Reads the part file: it has the ticks that were put.  stopped: as in struct
 * sink_options. */
int part_verify(const struct part *p, bool (*stopped)(void),
	struct gs_err *err);

/* As in struct sink_options. */
struct part_naming {
	bool force;
	const struct stat *replaces;
	const char *like;
};

/* It gets its final name. */
int part_give_name(struct part *p, const struct part_naming *o,
	struct gs_err *err);

#endif
