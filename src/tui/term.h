/* SPDX-License-Identifier: Apache-2.0 */
/*
 * term.h - the terminal itself, by ncurses: the only place that knows it.
 *
 * Use: term_open(), term_poll() until it says that it is over, term_close().
 * What was on the terminal before comes back with term_close(), and while the
 * program is stopped by SIGTSTP.
 */
#ifndef GS_TUI_TERM_H
#define GS_TUI_TERM_H

#include "tui/tui.h"

struct term;

/* colour: if the terminal has it.  GS_E_NOTFOUND: the terminal is not one that
 * screens can be drawn on.  The tui must outlive it. */
int term_open(struct tui *t, bool colour, struct term **ret,
	struct gs_err *err);
void term_close(struct term *t);

/* Takes all keys that were typed and shows what became of them; without any,
 * waits up to wait_ms for one (0: not).  Returns false if it is over. */
bool term_poll(struct term *t, int wait_ms);

/* A key was typed and not taken yet: for hurry() of the source. */
bool term_is_waiting(void);

/* To the end of a tui by itself; signals that end the program end this, and
 * *ret_signal says which; 0: none. */
void term_run(struct term *t, int *ret_signal);

#endif
