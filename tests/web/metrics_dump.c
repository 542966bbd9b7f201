/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metrics_dump FILE: /metrics as it would be at the end of a recording, if its
 * ticks were a recorder's.
 */
#include <stdio.h>

#include "base/compiler.h"
#include "replay/archive.h"
#include "web/exporter.h"

static int push_all(struct archive *a, struct exporter *x)
{
	struct cursor c = archive_cursor(a);
	const struct tick *t = NULL;
	struct cursor_gap gap;
	struct gs_err err;
	uint64_t n = 0;

	for (;;) {
		switch (cursor_next(c, &t, &gap, &err)) {
		case CURSOR_TICK:
			exporter_push(x, t, false,
			    &(struct exporter_counts) { .ticks = ++n });
			break;
		case CURSOR_REPEAT:
			exporter_push(x, t, true, NULL);
			break;
		case CURSOR_GAP:
			break;
		case CURSOR_ERROR:
			return 2;
		case CURSOR_WAIT:
		case CURSOR_END:
			return 0;
		}
		exporter_turn(x);
	}
}

int main(int argc, char **argv)
{
	struct archive *a = NULL;
	struct gs_err err;
	struct exporter *x;
	const struct buf *text;
	int status;

	if (argc != 2 || archive_open(argv + 1, 1, &a, &err) < 0)
		return 2;
	x = exporter_new(archive_header(a)->interval_ns, "0");
	status = push_all(a, x);
	text = exporter_text(x, false, &err);
	if (!text || fwrite(text->ptr, 1, text->len, stdout) != text->len)
		status = 2;
	exporter_free(x);
	archive_free(a);
	return status;
}
