/* SPDX-License-Identifier: Apache-2.0 */
/*
 * typed.h - a command line as it was typed: for the header of a recording,
 * and for the user to type again.
 */
#ifndef GS_CLI_TYPED_H
#define GS_CLI_TYPED_H

#include "base/buf.h"

/* Appends a space and the word, quoted for a shell where it needs to be. */
void typed_word(const char *word, struct buf *to);

/* Appends "gpsnap record ..."; of a command after "--" only its name and of
 * --dsn nothing, since they may contain passwords. */
void typed_line(int argc, char **argv, struct buf *to);

#endif
