#include "cli/output.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/start.h"

#define SCREEN_CLEAR "\033[H\033[2J\033[3J"

const char *const output_formats[] = {
	[RENDER_TEXT] = "text",
	[RENDER_JSON] = "json",
	[RENDER_CSV] = "csv",
	[RENDER_OPENMETRICS] = "openmetrics",
	NULL
};

const char *const output_colors[] = {
	[COLOR_AUTO] = "auto",
	[COLOR_ALWAYS] = "always",
	[COLOR_NEVER] = "never",
	NULL
};

static bool want_bold(enum output_color color)
{
	const char *term = getenv("TERM");
	const char *no_color = getenv("NO_COLOR");

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	if (no_color && *no_color)
		return false;
	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
}

void output_init(struct printer *o, enum render_format format, size_t width,
	enum output_color color)
{
	*o = (struct printer) { .buf = BUF_INIT, .options = {
		.format = format,
		.width = width ? width : cli_width(),
		.bold = want_bold(color),
		.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
	} };
	o->render = render_new(&o->options, &o->buf);
}

void output_again(struct printer *o)
{
	render_free(o->render);
	o->render = render_new(&o->options, &o->buf);
}

void output_release(struct printer *o)
{
	render_free(o->render);
	buf_release(&o->buf);
	o->render = NULL;
}

static bool flush(struct printer *o)
{
	bool ok = cli_write(buf_str(&o->buf), o->buf.len);

	buf_reset(&o->buf);
	return ok;
}

bool output_begin(struct printer *o, const struct report *report)
{
	if (o->redraws)
		buf_add_str(&o->buf, SCREEN_CLEAR);
	render_begin(o->render, report);
	return flush(o);
}

bool output_grid(struct printer *o, const struct grid *g)
{
	render_grid(o->render, g);
	return flush(o);
}

bool output_end(struct printer *o)
{
	render_end(o->render);
	return flush(o);
}
