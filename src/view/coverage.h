/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coverage.h - what the tables of one pass cover together, for the lines above
 * one table that is made of all of them: --find, --series.
 *
 * Use: a zeroed struct; coverage_add() with each table; coverage_report() once;
 * coverage_release().
 */
#ifndef GS_VIEW_COVERAGE_H
#define GS_VIEW_COVERAGE_H

#include "query/engine.h"
#include "query/grid.h"
#include "query/range.h"
#include "view/asked.h"
#include "view/show_source.h"

struct coverage {
	int64_t from_ns, to_ns;
	int64_t blind_ns; /* without data */
	int64_t *host_ns; /* of each host, by index */
	size_t host_cap;
	size_t n_ticks, n_skipped, n_tables;
	struct report all; /* its holes and marks */
	size_t hole_cap, mark_cap;
	struct asked asked;
};

void coverage_add(struct coverage *c, const struct engine *e);

/* The lines above the table: of the whole range.  Takes the holes and marks. */
void coverage_report(struct coverage *c, const struct show_source *src,
	const struct range *r, const struct engine *e, struct report *ret);

void coverage_release(struct coverage *c);

#endif
