/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export_dir.h - the files of export --wide: DIR/TABLE.csv, one per table.
 *
 * Each ends in .part, and gets its name when all are complete.
 */
#ifndef GS_CLI_EXPORT_DIR_H
#define GS_CLI_EXPORT_DIR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct export_file;

struct export_dir {
	const char *path; /* not owned */
	bool force; /* files of an earlier export may be replaced */
	struct export_file *file;
	size_t n, cap;
};

/* Appends to the file of a table; a new one is begun.  GS_E_EXISTS: there is
 * one already. */
int export_dir_add(struct export_dir *d, const char *table,
	const struct buf *text, struct gs_err *err);

/* Gives all files their names. */
int export_dir_finish(struct export_dir *d, struct gs_err *err);

/* Removes what was not finished. */
void export_dir_release(struct export_dir *d);

#endif
