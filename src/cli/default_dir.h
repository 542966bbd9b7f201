/* SPDX-License-Identifier: Apache-2.0 */
/*
 * default_dir.h - the default directory of recordings.
 */
#ifndef GS_CLI_DEFAULT_DIR_H
#define GS_CLI_DEFAULT_DIR_H

#include "base/buf.h"

/* Appends "HOME/gpsnap/" to path, which must be empty; returns its text. */
const char *default_dir(struct buf *path);

#endif
