/* SPDX-License-Identifier: Apache-2.0 */
/*
 * looks.h - configurable thresholds, colours, keys and mouse of the terminal.  To be called
 * before the terminal is opened.
 */
#ifndef GS_TUI_LOOKS_H
#define GS_TUI_LOOKS_H

#include <stdbool.h>

#include "base/err.h"

/* The values from which on a column, by its machine name, is worth a look, and
 * bad; if bad is less than watch: values below.  GS_E_USAGE: no view has it. */
int looks_set_threshold(const char *column, double watch, double bad,
	struct gs_err *err);

/* "bad", "watch", ... and "red", "bold", ...; GS_E_USAGE lists the valid
 * ones. */
int looks_set_colour(const char *style, const char *colour,
	struct gs_err *err);

/* "on" or "off": without it the terminal's own selection works. */
int looks_set_mouse(const char *value, struct gs_err *err);

/* "keep": the columns that are chosen are those of the next run, too; "forget". */
int looks_set_columns(const char *value, struct gs_err *err);
bool looks_keep_columns(void);

/* "less": letters as in less and vi; "below": as in below. */
int looks_set_keys(const char *name, struct gs_err *err);

#endif
