/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_term.h - live samples on a terminal with keys, which are handled between
 * two samples.
 */
#ifndef GS_CLI_LIVE_TERM_H
#define GS_CLI_LIVE_TERM_H

#include "cli/show_term.h"
#include "model/ring.h"

struct live_term {
	const struct replay_options *o;
	struct show_source *show;
	struct tui_source source;
	struct tui *tui; /* NULL: there is no sample yet */
	struct term *term;
	bool over;
};

void live_term_init(struct live_term *t, const struct replay_options *o,
	struct show_source *show);
void live_term_close(struct live_term *t);

/* There is a new sample; the first one opens the terminal. */
int live_term_tick(struct live_term *t, struct gs_err *err);

/* Handles keys.  False: the user has quit. */
bool live_term_serve(struct live_term *t);

/* Shows a line; false: the terminal is not open. */
bool live_term_tell(struct live_term *t, const char *text);

#endif
