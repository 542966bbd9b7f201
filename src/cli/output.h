/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output.h - tables to the standard output: which renderer, how wide, with
 * colour or without.
 */
#ifndef GS_CLI_OUTPUT_H
#define GS_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "render/render.h"
#include "view/show.h"

/* Beside enum render_format: the terminal, and the format that suits the
 * output. */
#define OUTPUT_TUI RENDER_FORMATS
#define OUTPUT_AUTO (-1)

enum output_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* For OPT_ENUM options that store an enum render_format, output_color. */
extern const char *const output_formats[];
extern const char *const output_colors[];

struct printer {
	struct render_options options;
	struct render *render;
	struct buf buf;
	bool redraws; /* a new table replaces all before it: set by the caller,
	               * for a terminal */
};

/*
 * width 0: that of the terminal, else COLUMNS, else 80.  COLOR_AUTO: headings
 * are bold on a terminal that can do it, unless NO_COLOR is set to anything.
 */
void output_init(struct printer *o, enum render_format format, size_t width,
	enum output_color color);
void output_release(struct printer *o);

/* Before it is begun: only rows, for text and CSV. */
void output_no_header(struct printer *o);
void output_crlf(struct printer *o);

/* Before it is begun: text shows whole texts of queries, below their rows. */
void output_wrap(struct printer *o);

/* Before it is begun: the tables are of no recording. */
void output_timeless(struct printer *o);

/* True if input and output are a terminal that screens can be drawn on. */
bool output_is_terminal(void);

/* The format that OUTPUT_AUTO means: tui if it is permitted and there is a
 * terminal for it, else text. */
int output_resolve(int format, bool may_tui);

/* Whether to use colour on a terminal. */
bool output_has_color(enum output_color color);

/* Each of its functions writes at once.  False: the standard output failed, which
 * has been reported; stop, and end with cli_finish() as usual. */
struct show_output output_for_show(struct printer *o);

#endif
