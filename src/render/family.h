/* SPDX-License-Identifier: Apache-2.0 */
/*
 * family.h - the registry's metrics as families of OpenMetrics text, with a
 * time for each sample.
 *
 * A counter is gpsnap_ENTITY_NAME_UNIT_total, all others that are numbers are
 * gauges gpsnap_ENTITY_NAME_UNIT; what the name says of the unit already is
 * not said again.  Texts are labels of one family gpsnap_ENTITY_info of each
 * entity.
 */
#ifndef GS_RENDER_FAMILY_H
#define GS_RENDER_FAMILY_H

#include "base/buf.h"
#include "metric/metric.h"
#include "query/grid.h"

#define FAMILY_NAME_MAX 160

struct family {
	char name[FAMILY_NAME_MAX];
	char unit[32]; /* "": none */
	const char *type; /* "counter", "gauge", "info" */
	const char *ending; /* of the names of samples: "_total" */
	const char *help;
};

void family_of_metric(const struct metric *m, struct family *ret);
void family_of_texts(const struct entity *e, struct family *ret);

/* TYPE, UNIT and HELP.  All samples of a family stand below, those of one set
 * of labels one after the other in the order of time. */
void family_add_head(const struct family *f, struct buf *to);

/* One label, with a comma before it unless it is the first. */
void family_add_label(struct buf *labels, const char *name,
	struct span value);

/* labels: as family_add_label() made them.  A value that is no number writes
 * nothing. */
void family_add_sample(const struct family *f, const char *labels,
	size_t len, const struct cell *value, int64_t time_ns,
	struct buf *to);

#endif
