/* SPDX-License-Identifier: Apache-2.0 */
#include "base/quote.h"

void quote_add(struct buf *to, const char *word)
{
	buf_add_char(to, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			buf_add_str(to, "'\\''");
		else
			buf_add_char(to, *word);
	}
	buf_add_char(to, '\'');
}
