/* SPDX-License-Identifier: Apache-2.0 */
/*
 * families.h - metrics as a scrape wants them: OpenMetrics, or the text format
 * of Prometheus, without times.
 *
 * The two differ in the names of counters in their headings, in units, and in
 * the end.
 */
#ifndef GS_WEB_FAMILIES_H
#define GS_WEB_FAMILIES_H

#include <stdbool.h>

#include "base/buf.h"
#include "render/family.h"

struct families {
	struct buf *to;
	bool openmetrics;
	const struct family *now; /* its heading is written with its first
	                           * sample */
	bool headed;
};

/* A family begins; f must stay. */
void families_begin(struct families *x, const struct family *f);

/* A value that is not known is left out. */
void families_add(struct families *x, const char *labels, size_t len,
	const struct cell *c);
void families_add_real(struct families *x, const char *labels, size_t len,
	double v);
void families_end(struct families *x);

#endif
