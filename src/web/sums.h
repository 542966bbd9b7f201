/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sums.h - what is exposed of sessions: usage and waits, by labels that do not
 * change while something is what it is.
 *
 * Each is a view on the engine, whose table of a tick is added to series.
 */
#ifndef GS_WEB_SUMS_H
#define GS_WEB_SUMS_H

#include "query/engine.h"
#include "web/families.h"

struct sums;

/* Before the engine's first tick. */
struct sums *sums_new(struct engine *e);
void sums_free(struct sums *s);

/* The engine is at the end of a table of one tick. */
void sums_tick(struct sums *s, const struct engine *e);
void sums_put(const struct sums *s, struct families *x);

#endif
