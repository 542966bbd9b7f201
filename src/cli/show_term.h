/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_term.h - the tables of a source at a terminal, with keys to travel in
 * time.
 */
#ifndef GS_CLI_SHOW_TERM_H
#define GS_CLI_SHOW_TERM_H

#include "cli/show.h"
#include "tui/term.h"

/* A source for the terminal, of one for tables, which must outlive it; name is
 * what is read. */
void show_term_source(struct tui_source *to, struct show_source *from,
	const char *name);

/* What the options ask to be shown first.  Texts are those of o. */
struct tui_options show_term_options(const struct replay_options *o,
	const struct range *r);

/* Until the user has seen enough.  A signal that ended it is raised again,
 * when the terminal is as it was. */
int show_term(const struct replay_options *o, struct tui_source *s,
	const struct range *r, struct gs_err *err);

#endif
