/* SPDX-License-Identifier: Apache-2.0 */
/*
 * asks.h - what can be asked of a recording: which command answers, with which
 * options.
 *
 * A parameter is an option of that command, which judges its text: so answers
 * and errors are those of a terminal.
 */
#ifndef GS_WEB_ASKS_H
#define GS_WEB_ASKS_H

#include <stdbool.h>
#include <stddef.h>

#include "web/target.h"

struct asks_row {
	const char *name; /* of the path */
	const char *type; /* of the answer */
	const char *const *fixed; /* words of the command line, NULL at the
	                           * end */
	const char *const *param; /* names that may be given, NULL at the end */
	bool keeps; /* see asks_keeps() */
	bool titled; /* the answer has a heading */
};

/* NULL: there is no such. */
const struct asks_row *asks_find(const char *name);

#define ASKS_WORD_MAX 41

/* The command line; words are the caller's to free. */
struct asks_line {
	char *word[ASKS_WORD_MAX];
	size_t n; /* of words; word[n] is NULL */
};

#define ASKS_PATHS_MAX 8

/* What is asked; nothing is owned. */
struct asks_of {
	char *const *path;
	size_t n_path;
	const char *title; /* of a page */
	const char *memory; /* an option's text */
};

/* GS_E_USAGE: a parameter is not one of it. */
int asks_line(const struct asks_row *row, const struct target *t,
	const struct asks_of *of, struct asks_line *ret, struct gs_err *err);
/* The answer is worth keeping, and another one only if the recording is: its
 * times are none that depend on the day. */
bool asks_keeps(const struct asks_row *row, const struct target *t);

void asks_release(struct asks_line *l);

#endif
