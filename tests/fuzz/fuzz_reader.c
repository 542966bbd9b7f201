/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_reader.c - any bytes as a file: read forward, by index, from its keys.
 *
 * Checksums would hide everything behind them, so those of index frames are
 * put right first where the first byte of the input says so.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "format/reader.h"
#include "fuzz.h"
#include "memfile.h"
#include "model/world.h"
#include "repair.h"

static void forward(struct reader *r)
{
	struct world *w = world_new();
	struct cursor_gap gap;
	struct gs_err err;
	struct tick *t = NULL;
	enum cursor_step s;

	while ((s = reader_next(r, &t, &gap, &err)) == CURSOR_TICK ||
	    s == CURSOR_GAP) {
		if (s == CURSOR_GAP)
			world_lost(w);
		else if (world_apply(w, t, &err) < 0)
			world_lost(w);
	}
	world_free(w);
}

static void use(const char *path)
{
	const struct frame_entry *e;
	struct frame_entry one;
	struct cursor_gap gap;
	struct reader *r = NULL;
	struct gs_err err;
	enum cursor_step s;
	size_t n, i;

	if (reader_open(path, &r, &err) < 0)
		return;
	forward(r);
	if (reader_index(r, &e, &n, &err) == GS_OK) {
		for (i = 0; i < n && i < 4; i++) {
			reader_enter(r, &e[i]);
			forward(r);
		}
	}
	reader_enter(r, NULL);
	do {
		s = reader_next_index(r, &one, &gap, &err);
	} while (s == CURSOR_TICK || s == CURSOR_GAP);
	(void)reader_is_closed(r); /* must not crash */
	reader_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy;

	if (size < 1)
		return 0;
	copy = gs_strndup((const char *)data + 1, size - 1);
	if (data[0] & 1)
		repair_index_frames(copy, size - 1);
	use(memfile(copy, size - 1));
	free(copy);
	return 0;
}
