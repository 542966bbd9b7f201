/* SPDX-License-Identifier: Apache-2.0 */
#include "base/wrap.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

static void new_line(struct buf *to, size_t indent)
{
	buf_add_char(to, '\n');
	buf_add_fill(to, ' ', indent);
}

/* Appends one word that may be longer than the room left in its line, which
 * begins at column at.  Returns the column after it. */
static size_t add_word(struct buf *to, const char *p, size_t len, size_t at,
	size_t indent, size_t width)
{
	for (;;) {
		size_t room = width > at ? width - at : 0;
		size_t fit = utf8_fit(p, len, room);

		if (fit == 0 && at <= indent && len > 0)
			fit = utf8_fit(p, len, 2); /* narrower than a char */
		buf_add(to, p, fit);
		at += utf8_width(p, fit);
		p += fit;
		len -= fit;
		if (len == 0)
			return at;
		new_line(to, indent);
		at = indent;
	}
}

void wrap_add(struct buf *to, const char *text, size_t at, size_t indent,
	size_t width)
{
	bool first = true;

	text += strspn(text, " ");
	while (*text) {
		size_t len = strcspn(text, " ");
		size_t columns = utf8_width(text, len);

		if (!first && at + 1 + columns > width) {
			new_line(to, indent);
			at = indent;
		} else if (!first) {
			buf_add_char(to, ' ');
			at++;
		}
		at = add_word(to, text, len, at, indent, width);
		first = false;
		text += len + strspn(text + len, " ");
	}
	buf_add_char(to, '\n');
}

void page_add(struct page *p, const char *label)
{
	struct buf safe = BUF_INIT;

	utf8_add_safe(&safe, buf_str(&p->line), p->line.len);
	buf_printf(p->to, "%-*s", (int)p->column, label);
	wrap_add(p->to, buf_str(&safe), p->column, p->column, p->width);
	buf_release(&safe);
	buf_reset(&p->line);
}
