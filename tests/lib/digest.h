/* SPDX-License-Identifier: Apache-2.0 */
/*
 * digest.h - all cells of a world as one number, whatever the order of rows,
 * the slots they are in, or the numbers of texts.
 */
#ifndef TESTS_LIB_DIGEST_H
#define TESTS_LIB_DIGEST_H

#include "model/world.h"

static inline uint64_t digest_bytes(uint64_t h, const void *p, size_t len)
{
	const unsigned char *b = p;

	for (; len > 0; b++, len--)
		h = (h ^ *b) * UINT64_C(0x100000001b3);
	return h ^ h >> 29;
}

static inline uint64_t digest_row(const struct world *w, const struct row *r)
{
	const struct entity *en = entity_get(r->entity);
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	unsigned i;
	uint64_t v;

	h = digest_bytes(h, r->host->name, strlen(r->host->name));
	h = digest_bytes(h, &en->id, sizeof(en->id));
	for (i = 0; i < en->ncols; i++) {
		if (!row_get(r, i, &v))
			continue;
		h = digest_bytes(h, &i, sizeof(i));
		if (metric_is_text(&en->metrics[i])) {
			struct span s = row_text(w, r, i);

			h = digest_bytes(h, s.ptr, span_len(s));
		} else {
			h = digest_bytes(h, &v, sizeof(v));
		}
	}
	return h;
}

static inline uint64_t digest_world(const struct world *w)
{
	uint64_t sum = 0;
	size_t i, k;
	int e;

	for (i = 0; i < world_hosts(w); i++) {
		const struct host *h = world_host(w, i);

		for (e = 0; e < ENTITY_COUNT; e++) {
			const struct table *t = &h->table[e];

			for (k = 0; k < t->n_slot; k++) {
				if (t->slot[k])
					sum += digest_row(w, t->slot[k]);
			}
		}
	}
	return sum;
}

#endif
