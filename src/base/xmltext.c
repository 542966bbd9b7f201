/* SPDX-License-Identifier: Apache-2.0 */
#include "base/xmltext.h"

#include <string.h>

#include "base/utf8.h"

static void add_char(struct buf *to, char c)
{
	switch (c) {
	case '&':
		buf_add_str(to, "&amp;");
		break;
	case '<':
		buf_add_str(to, "&lt;");
		break;
	case '>':
		buf_add_str(to, "&gt;");
		break;
	case '"':
		buf_add_str(to, "&quot;");
		break;
	default:
		buf_add_char(to, c);
	}
}

void xml_add_text(struct buf *to, const char *s)
{
	struct buf safe = BUF_INIT;
	size_t i;

	utf8_add_safe(&safe, s, strlen(s));
	for (i = 0; i < safe.len; i++)
		add_char(to, safe.ptr[i]);
	buf_release(&safe);
}
