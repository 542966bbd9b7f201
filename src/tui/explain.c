/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.c - what the columns of the table mean, as by --explain.
 */
#include <string.h>

#include "base/mem.h"
#include "tui/tui_int.h"
#include "view/explain.h"

void explain_open(struct tui *t, int arg)
{
	(void)arg;
	t->mode = MODE_EXPLAIN;
	t->scroll = 0;
}

/* Names of columns are indented by two, what they mean by more. */
static enum style style_of(const char *line)
{
	size_t indent = strspn(line, " ");

	return indent == 0 ? STYLE_TITLE : indent == 2 ? STYLE_NOTE
	                                          : STYLE_PLAIN;
}

static size_t count_lines(const struct buf *b)
{
	size_t n = 0, i;

	for (i = 0; i < b->len; i++)
		n += b->ptr[i] == '\n';
	return n;
}

void paint_explain(struct tui *t, struct screen *to, size_t first, size_t end)
{
	const struct level *l = tui_level(t);
	const struct view *v = view_find(l->view);
	struct buf b = BUF_INIT;
	const char *p;
	size_t n, i;

	t->room = end - first;
	explain_add(&b, v, l->group_by != NULL,
	    to->width - GS_MIN(to->width, (size_t)1));
	n = count_lines(&b);
	t->scroll = GS_MIN(t->scroll, n > t->room ? n - t->room : 0);
	p = buf_str(&b);
	for (i = 0; *p && first < end; i++) {
		size_t len = strcspn(p, "\n");

		if (i >= t->scroll) {
			struct line *line = screen_line(to, first++);

			line_add_str(to, line, STYLE_PLAIN, " ");
			line_add(to, line, style_of(p), p, len);
		}
		p += len + (p[len] == '\n');
	}
	buf_release(&b);
}
