/* SPDX-License-Identifier: Apache-2.0 */
/*
 * longform.h - one value of one row at one instant per line, for programs: CSV
 * and JSON of any number of values, which need not be in memory at once.
 *
 * csv   a heading, then one line per value (RFC 4180, as csv.c)
 * json  one object per line, no heading
 *
 * Order of use: longform_init(), longform_begin() once, longform_add() for
 * every value, longform_release().  Each appends to the buf.
 */
#ifndef GS_RENDER_LONGFORM_H
#define GS_RENDER_LONGFORM_H

#include "render/render.h"

struct longform_value {
	int64_t time_ns;
	/* constant as long as the pointer is the same */
	const char *host; /* "": none */
	const char *entity;
	struct span identity;
	const char *metric;
	struct cell value; /* never absent */
	const char *unit; /* "": none */
	double seconds; /* time that an increase covers; negative: not an
	                 * increase */
};

struct longform {
	enum render_format format;
	const char *eol; /* of CSV; "\n" unless it is set */
	struct buf *to; /* not owned */
	struct buf scratch, object;
	/* How lines of the last row begin, and of which row that is. */
	struct buf start, identity;
	int64_t time_ns;
	const char *host, *entity;
	struct yajl_gen_t *gen; /* json */
};

/* format is RENDER_CSV or RENDER_JSON; to must outlive it. */
void longform_init(struct longform *l, enum render_format format,
	struct buf *to);
void longform_release(struct longform *l);

void longform_begin(struct longform *l);

/* Infinity and NaN are left out. */
void longform_add(struct longform *l, const struct longform_value *v);

#endif
