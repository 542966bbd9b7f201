/* SPDX-License-Identifier: Apache-2.0 */
/*
 * term.h - the terminal itself, by ncurses: the only file that uses it.
 *
 * Use: term_open(), term_poll() until it returns false, term_close().
 * term_close() restores the terminal's former contents, as does a stop by
 * SIGTSTP.
 */
#ifndef GS_TUI_TERM_H
#define GS_TUI_TERM_H

#include "tui/tui.h"

struct term;

/* colour: if the terminal has it.  GS_E_NOTFOUND: the terminal can't draw
 * screens.  The tui must outlive it. */
int term_open(struct tui *t, bool colour, struct term **ret,
	struct gs_err *err);
void term_close(struct term *t);

/* Handles all typed keys and shows the result; without any, waits up to wait_ms
 * for one (0: does not wait).  Returns false after the end. */
bool term_poll(struct term *t, int wait_ms);

/* A typed key, or a stop, is pending: for hurry() of the source. */
bool term_is_waiting(void);

/* Runs a tui to its end; a signal that ends the program ends it, too, and is
 * stored in *ret_signal; 0: none. */
void term_run(struct term *t, int *ret_signal);

#endif
