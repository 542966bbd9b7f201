/* SPDX-License-Identifier: Apache-2.0 */
#include "base/quote.h"

#include <string.h>

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

void quote_add_word(struct buf *to, const char *word)
{
	const char *plain = "abcdefghijklmnopqrstuvwxyz"
	                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=%+@-";

	if (word[0] != '\0' && strspn(word, plain) == strlen(word))
		buf_add_str(to, word);
	else
		quote_add(to, word);
}
