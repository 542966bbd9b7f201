/* SPDX-License-Identifier: Apache-2.0 */
/*
 * digest.h - all cells of a world as one number, whatever the order of rows,
 * the slots they are in, or the numbers of texts.  Some tests spend most of their time
 * here, and are compiled without optimization: a cell is a few operations.
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

static inline uint64_t digest_number(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static inline uint64_t digest_row(const struct world *w, const struct row *r,
	uint64_t h)
{
	const struct entity *en = entity_get(r->entity);
	unsigned i, at;

	h = digest_number(h, en->id);
	for (i = 0; i < en->ncols; i += 64) {
		uint64_t has = r->now.present[i / 64];

		for (h = digest_number(h, has); has; has &= has - 1) {
			at = i + (unsigned)__builtin_ctzll(has);
			if (metric_is_text(&en->metrics[at])) {
				struct span s = row_text(w, r, at);

				h = digest_bytes(h, s.ptr, span_len(s));
			} else {
				h = digest_number(h, r->now.val[at]);
			}
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
		uint64_t name = digest_bytes(UINT64_C(0xcbf29ce484222325), h->name,
		    strlen(h->name));

		for (e = 0; e < ENTITY_COUNT; e++) {
			const struct table *t = &h->table[e];

			for (k = 0; k < t->n_slot; k++) {
				if (t->slot[k])
					sum += digest_row(w, t->slot[k], name);
			}
		}
	}
	return sum;
}

#endif
