/* SPDX-License-Identifier: Apache-2.0 */
/*
 * complete.h - what may stand at the end of a command line, for the completion
 * of shells.
 */
#ifndef GS_CLI_COMPLETE_H
#define GS_CLI_COMPLETE_H

#include "base/buf.h"

/* Instead of candidates: a file is expected. */
#define COMPLETE_FILES ":files\n"

/* The same; recordings come first, where there are any. */
#define COMPLETE_RECORDINGS ":recordings\n"

/*
 * Appends a line per candidate for the last of n words, which follow the name of
 * the program: the whole word, a tab, what it means.  The shell takes those that
 * begin with what was typed.
 *
 * Hosts and sessions are those of the recording among the words: their list is
 * made by this program in place of the process, so that this does not return.
 */
void complete_words(char *const word[], size_t n, struct buf *to);

#endif
