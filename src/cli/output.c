/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/charset.h"
#include "cli/start.h"

#define SCREEN_CLEAR "\033[H\033[2J\033[3J"

const char *const output_formats[] = {
#define FORMAT(ID, name, abilities) [RENDER_##ID] = #name,
#include "render/formats.def"
#undef FORMAT
	[OUTPUT_TUI] = "tui",
	NULL
};

const char *const output_colors[] = {
	[COLOR_AUTO] = "auto",
	[COLOR_ALWAYS] = "always",
	[COLOR_NEVER] = "never",
	NULL
};

static bool is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !*term || strcmp(term, "dumb") == 0;
}

bool output_is_terminal(void)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !is_dumb();
}

int output_resolve(int format, bool may_tui)
{
	if (format != OUTPUT_AUTO)
		return format;
	return may_tui && output_is_terminal() ? OUTPUT_TUI : RENDER_TEXT;
}

bool output_has_color(enum output_color color)
{
	const char *no_color = getenv("NO_COLOR");

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	if (no_color && *no_color)
		return false;
	return isatty(STDOUT_FILENO) && !is_dumb();
}

static bool flush(struct printer *o)
{
	bool ok = cli_write(buf_str(&o->buf), o->buf.len);

	buf_reset(&o->buf);
	return ok;
}

/* A screen is drawn at once. */
static void write_part(void *printer)
{
	struct printer *o = printer;

	if (!o->redraws)
		(void)flush(o); /* the end of the table fails again */
}

void output_init(struct printer *o, enum render_format format, size_t width,
	enum output_color color)
{
	*o = (struct printer) { .buf = BUF_INIT, .options = {
		.format = (int)format == OUTPUT_TUI ? RENDER_TEXT : format,
		.width = width ? width : cli_width(),
		.height = cli_height(),
		.bold = output_has_color(color),
		.utf8 = charset_is_utf8(),
		.full = write_part,
		.full_ctx = o,
	} };
	o->render = render_new(&o->options, &o->buf);
}

static void start_again(struct printer *o)
{
	render_free(o->render);
	o->render = render_new(&o->options, &o->buf);
}

void output_no_header(struct printer *o)
{
	o->options.no_header = true;
	start_again(o);
}

void output_crlf(struct printer *o)
{
	o->options.crlf = true;
	start_again(o);
}

void output_wrap(struct printer *o)
{
	o->options.wrap = true;
	start_again(o);
}

void output_timeless(struct printer *o)
{
	o->options.timeless = true;
	start_again(o);
}

void output_release(struct printer *o)
{
	render_free(o->render);
	buf_release(&o->buf);
	o->render = NULL;
}

static bool begin(void *printer, const struct report *report)
{
	struct printer *o = printer;

	if (o->redraws)
		buf_add_str(&o->buf, SCREEN_CLEAR);
	render_begin(o->render, report);
	return flush(o);
}

static bool add_grid(void *printer, const struct grid *g)
{
	struct printer *o = printer;

	render_grid(o->render, g);
	return flush(o);
}

static bool end(void *printer)
{
	struct printer *o = printer;

	render_end(o->render);
	return flush(o);
}

/* Resets it, as if nothing had been written. */
static bool again(void *printer)
{
	struct printer *o = printer;

	if (!o->redraws)
		return false;
	render_free(o->render);
	o->render = render_new(&o->options, &o->buf);
	return true;
}

struct show_output output_for_show(struct printer *o)
{
	return (struct show_output) { begin, add_grid, end, again,
		cli_notice_text, o };
}
