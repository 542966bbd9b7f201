/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option.h - options of gpsnap replay, typed while it runs: "sort memory",
 * "--where cpu > 50", "-V locks".
 */
#ifndef GS_TUI_OPTION_H
#define GS_TUI_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct option {
	const char *name;
	char letter; /* 0: none */
	enum option_is {
		OPTION_PROMPT, /* a prompt does the same: its kind */
		OPTION_TEXT, /* a text of struct level: its offset */
		OPTION_WINDOW,
		OPTION_QUIT
	} is;
	size_t of;
	bool table; /* of a view's table: the overview has none */
};

/* The option of "NAME VALUE", by its name's beginning; *ret_value is in text.
 * GS_E_USAGE lists the options. */
int option_find(const char *text, const struct option **ret,
	const char **ret_value, struct gs_err *err);

#endif
