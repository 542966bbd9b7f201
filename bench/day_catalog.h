/* SPDX-License-Identifier: Apache-2.0 */
/*
 * day_catalog.h - what the server of make_day says of its sessions: a row of
 * pg_stat_activity for each backend, asked at every tick.
 */
#ifndef BENCH_DAY_CATALOG_H
#define BENCH_DAY_CATALOG_H

#include "model/world.h"

struct day_catalog;

/* n: backends have slots below that. */
struct day_catalog *day_catalog_new(size_t n);
void day_catalog_free(struct day_catalog *c);

/* A tick, in this order; slots ascend.  Times are of the recorder's clock. */
void day_catalog_begin(struct day_catalog *c, const struct sample_clock *clock);
void day_catalog_open(struct day_catalog *c, uint32_t slot, uint64_t pid,
	uint64_t session, uint64_t start_us, enum row_open how);
void day_catalog_close(struct day_catalog *c, uint32_t slot);
void day_catalog_run(struct day_catalog *c, uint32_t slot, unsigned statement);
void day_catalog_wait(struct day_catalog *c, uint32_t slot, unsigned wait);
void day_catalog_idle(struct day_catalog *c, uint32_t slot);

/* The world after it; exits if the tick can't be applied. */
const struct world *day_catalog_end(struct day_catalog *c);

#endif
