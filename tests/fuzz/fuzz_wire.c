/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_wire.c - any bytes as what an agent, or a recorder, sends: messages
 * are taken from the front as from a pipe.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "format/wire.h"
#include "fuzz.h"
#include "model/world.h"

static void take_all(struct wire_codec *c, const uint8_t *p, size_t size)
{
	struct world *w = world_new();
	struct answer a = { 0 };
	struct request r;
	struct gs_err err;

	while (size > 0) {
		int64_t n = wire_message_len(p, size, &err);

		if (n <= 0)
			break;
		if ((uint64_t)n > size)
			abort();
		if (wire_get_request(c, p, (size_t)n, &r, &err) < 0 &&
		    err.status == GS_OK)
			abort();
		if (wire_get_answer(c, p, (size_t)n, &a, &err) == GS_OK &&
		    world_apply(w, &a.tick, &err) < 0)
			world_lost(w);
		p += n;
		size -= (size_t)n;
	}
	tick_release(&a.tick);
	world_free(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct wire_codec *c; /* keeps nothing from message to message */

	if (!c)
		c = wire_codec_new();
	take_all(c, data, size);
	return 0;
}
