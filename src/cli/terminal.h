/* SPDX-License-Identifier: Apache-2.0 */
/*
 * terminal.h - the tables of a source on a terminal, with keys to move in time:
 * terminal_run() until the user quits; or, of live samples, terminal_tick() and
 * terminal_serve() while they are made, then terminal_close().
 */
#ifndef GS_CLI_TERMINAL_H
#define GS_CLI_TERMINAL_H

#include "cli/show_opts.h"
#include "tui/term.h"
#include "view/show_source.h"

struct terminal {
	/* set by the caller, to what outlives it: */
	const struct replay_options *o;
	struct show_source *from;
	const char *name; /* of what is read */
	/* Looks for new ticks; ctx is from. */
	void (*refresh)(void *ctx, struct tui_source *s);
	bool grows; /* ticks keep coming */
	/* its own, zeroed: */
	struct tui_source source;
	struct tui *tui; /* NULL: there is no sample yet */
	struct term *term;
	bool over;
};

/* Runs until the user quits, and closes it.  A signal that ended it is raised
 * again after the terminal was restored. */
int terminal_run(struct terminal *t, const struct range *r,
	struct gs_err *err);

/* There is a new sample; the first one opens the terminal. */
int terminal_tick(struct terminal *t, struct gs_err *err);

/* Handles keys.  False: the user has quit. */
bool terminal_serve(struct terminal *t);

/* Shows a line; false: the terminal is not open. */
bool terminal_note(struct terminal *t, const char *text);

void terminal_close(struct terminal *t);

#endif
