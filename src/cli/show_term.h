/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_term.h - the tables of a source on a terminal, with keys to move in
 * time.
 */
#ifndef GS_CLI_SHOW_TERM_H
#define GS_CLI_SHOW_TERM_H

#include "cli/show_opts.h"
#include "tui/term.h"
#include "view/show.h"

/* Makes a terminal's source of one for tables, which must outlive it; name: of
 * what is read. */
void show_term_source(struct tui_source *to, struct show_source *from,
	const char *name);

/* The initial state that the options ask for.  Texts belong to o. */
struct tui_options show_term_options(const struct replay_options *o,
	const struct range *r);

/* Runs until the user quits.  A signal that ended it is raised again after the
 * terminal was restored. */
int show_term(const struct replay_options *o, struct tui_source *s,
	const struct range *r, struct gs_err *err);

#endif
