/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/screen.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "render/layout.h"

void screen_reset(struct screen *s, size_t width, size_t height, bool utf8)
{
	size_t i, had = s->line_cap;

	/* one more: text beyond the last line goes there */
	GS_GROW(s->line, &s->line_cap, height + 1);
	if (s->line_cap > had)
		memset(s->line + had, 0, (s->line_cap - had) *
		    sizeof(*s->line));
	for (i = 0; i <= height; i++) {
		buf_reset(&s->line[i].text);
		s->line[i].width = s->line[i].n_run = 0;
		s->line[i].selected = false;
	}
	s->width = width;
	s->height = height;
	s->utf8 = utf8;
	s->cursor = false;
}

void screen_release(struct screen *s)
{
	size_t i;

	for (i = 0; i < s->line_cap; i++) {
		buf_release(&s->line[i].text);
		free(s->line[i].run);
	}
	free(s->line);
	*s = (struct screen) { 0 };
}

struct line *screen_line(struct screen *s, size_t i)
{
	return &s->line[GS_MIN(i, s->height)];
}

static void add_run(struct line *l, enum style style, size_t len)
{
	if (l->n_run > 0 && l->run[l->n_run - 1].style == style) {
		l->run[l->n_run - 1].len += len;
		return;
	}
	GS_GROW(l->run, &l->run_cap, l->n_run + 1);
	l->run[l->n_run++] = (struct run) { style, len };
}

void line_add(const struct screen *s, struct line *l, enum style style,
	const char *p, size_t len)
{
	size_t room = s->width - GS_MIN(l->width, s->width);
	size_t fit = len > 0 ? utf8_fit(p, len, room) : 0;

	if (fit == 0)
		return;
	buf_add(&l->text, p, fit);
	l->width += utf8_width(p, fit);
	add_run(l, style, fit);
}

void line_add_str(const struct screen *s, struct line *l, enum style style,
	const char *text)
{
	line_add(s, l, style, text, strlen(text));
}

void line_printf(const struct screen *s, struct line *l, enum style style,
	const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap); /* cut is fine */
	va_end(ap);
	line_add_str(s, l, style, text);
}

void line_add_cut(const struct screen *s, struct line *l, enum style style,
	const char *text, size_t room)
{
	struct buf cut = BUF_INIT;

	room = GS_MIN(room, s->width - GS_MIN(s->width, l->width));
	(void)layout_add_cut(&cut, text, strlen(text), room, s->utf8);
	line_add(s, l, style, buf_str(&cut), cut.len);
	buf_release(&cut);
}

void line_pad(const struct screen *s, struct line *l, enum style style,
	size_t to)
{
	size_t n;

	to = GS_MIN(to, s->width);
	if (l->width >= to)
		return;
	n = to - l->width;
	buf_add_fill(&l->text, ' ', n);
	l->width = to;
	add_run(l, style, n);
}
