/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gist_waits.h - what sessions waited for in a stretch, as a gist tells it: ticks that
 * show it are sampled by who reads them; of the others the sums are told.
 */
#ifndef GS_EDIT_GIST_WAITS_H
#define GS_EDIT_GIST_WAITS_H

#include "format/gistwaits.h"

struct dbtime;
struct engine;

/* The first tick of a stretch that need not show it, the key with which the stretch begins
 * being number 0; `all` has followed it.  0: there is no catalog. */
uint64_t gist_waits_from(const struct dbtime *all);

/* The engine of a gist, and its `told`, have taken its tick number i: adds what has to be
 * said in it, and says it to them. */
void gist_waits_tick(struct gistwaits *to, const struct dbtime *all,
	struct dbtime *told, const struct engine *e, uint32_t i, bool last);

/* Sessions have waited for the same, and as long. */
bool gist_waits_same(const struct dbtime *a, const struct dbtime *b);

#endif
