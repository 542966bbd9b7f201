/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.h - where a program keeps what it learned from its user:
 * ~/.local/state/gpsnap (XDG_STATE_HOME).
 */
#ifndef GS_CLI_STATE_H
#define GS_CLI_STATE_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends the directory; false: there is no home. */
bool state_dir(struct buf *to);

/* The same, and makes it; false: it can't be made, or is not the user's own. */
bool state_make_dir(struct buf *to);

#endif
