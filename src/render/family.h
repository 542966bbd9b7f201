/* SPDX-License-Identifier: Apache-2.0 */
/*
 * family.h - the registry's metrics as families of OpenMetrics text, with a
 * time for each sample.
 *
 * A counter is gpsnap_ENTITY_NAME_UNIT_total, all others that are numbers are
 * gauges gpsnap_ENTITY_NAME_UNIT; a unit that ends the name already is not
 * repeated.  Texts are labels of one family gpsnap_ENTITY_info of each entity.
 */
#ifndef GS_RENDER_FAMILY_H
#define GS_RENDER_FAMILY_H

#include <stdbool.h>

#include "base/buf.h"
#include "metric/metric.h"
#include "query/grid.h"

#define FAMILY_NAME_MAX 160

struct family {
	char name[FAMILY_NAME_MAX];
	char unit[32]; /* "": none */
	const char *type; /* "counter", "gauge", "info" */
	const char *ending; /* suffix of samples' names: "_total" */
	const char *help;
};

void family_of_metric(const struct metric *m, struct family *ret);
/* The same for sums over rows of the metric's entity: gpsnap_NAME_... */
void family_of_sum(const struct metric *m, const char *name,
	struct family *ret);

/* Of a figure that is no metric. */
void family_of_figure(const char *name, const char *figure, const char *unit,
	bool grows, const char *help, struct family *ret);
void family_of_texts(const struct entity *e, struct family *ret);

/* Writes TYPE, UNIT and HELP.  All samples of the family must follow; those
 * with the same labels must be consecutive and in time order. */
void family_add_head(const struct family *f, struct buf *to);

/* Adds one label, with a comma before it unless it is the first. */
void family_add_label(struct buf *labels, const char *name,
	struct span value);

/* labels: made with family_add_label().  A value that is not a finite number is
 * not written. */
void family_add_sample(const struct family *f, const char *labels,
	size_t len, const struct cell *value, int64_t time_ns,
	struct buf *to);

#endif
