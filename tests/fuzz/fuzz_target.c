/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_target.c - any text as the target of a request, and the command line that
 * it leads to: parameters never become words of their own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "fuzz.h"
#include "web/asks.h"

static void check_line(const struct asks_line *l, size_t n)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		const char *p;

		for (p = l->word[i]; *p; p++) {
			if ((unsigned char)*p < 0x20)
				abort();
		}
		/* gpsnap, the command, options, --, the path */
		if (i > 1 && i < l->n - 2 && strncmp(l->word[i], "--", 2) != 0)
			abort();
	}
	if (l->n < n + 4 || strcmp(l->word[l->n - 2], "--") != 0 ||
	    strcmp(l->word[l->n - 1], "file") != 0 || l->word[l->n])
		abort();
}

static void ask(const struct target *t, const char *name)
{
	char path[] = "file", *const paths[] = { path };
	const struct asks_of of = { paths, 1, "title", "256M" };
	struct asks_line line;
	struct gs_err err;

	if (asks_line(asks_find(name), t, &of, &line, &err) < 0)
		return;
	check_line(&line, t->n);
	asks_release(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf text = BUF_INIT;
	struct target t;
	struct gs_err err;

	buf_add(&text, data, size);
	if (target_parse(buf_str(&text), &t, &err) == GS_OK) {
		ask(&t, "view");
		ask(&t, "find");
		ask(&t, "data");
		target_release(&t);
	}
	buf_release(&text);
	return 0;
}
