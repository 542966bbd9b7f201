/* SPDX-License-Identifier: Apache-2.0 */
/*
 * looks.h - what stands out in the terminal, and how: for whoever wants it
 * otherwise.  Before the terminal is opened.
 */
#ifndef GS_TUI_LOOKS_H
#define GS_TUI_LOOKS_H

#include "base/err.h"

/* From which value on a column, by its machine name, is worth a look, and bad;
 * bad below watch: from which value down.  GS_E_USAGE: no view has it. */
int looks_set_threshold(const char *column, double watch, double bad,
	struct gs_err *err);

/* "bad", "watch", ... and "red", "bold", ...; GS_E_USAGE tells which there
 * are. */
int looks_set_colour(const char *style, const char *colour,
	struct gs_err *err);

#endif
