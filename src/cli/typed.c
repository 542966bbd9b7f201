/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/typed.h"

#include <string.h>

#include "base/quote.h"

void typed_word(const char *word, struct buf *to)
{
	const char *plain = "abcdefghijklmnopqrstuvwxyz"
	                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=%+@-";

	buf_add_char(to, ' ');
	if (word[0] != '\0' && strspn(word, plain) == strlen(word)) {
		buf_add_str(to, word);
		return;
	}
	quote_add(to, word);
}

void typed_line(int argc, char **argv, struct buf *to)
{
	int i;

	buf_add_str(to, "gpsnap");
	for (i = 0; i < argc; i++) {
		if (strncmp(argv[i], "--ds", 4) == 0) {
			buf_add_str(to, " --dsn ...");
			i += strchr(argv[i], '=') == NULL;
			continue;
		}
		typed_word(argv[i], to);
		if (strcmp(argv[i], "--") != 0)
			continue;
		if (i + 1 < argc)
			typed_word(argv[i + 1], to);
		if (i + 2 < argc)
			buf_add_str(to, " ...");
		return;
	}
}
