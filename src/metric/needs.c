/* SPDX-License-Identifier: Apache-2.0 */
#include "metric/needs.h"

static const struct {
	const char *kernel, *capability;
} files[SOURCE_COUNT] = {
#define FILE_NEEDS(SOURCE, kernel_, capability_) \
	[SOURCE_##SOURCE] = { kernel_, capability_ },
#define METRIC_NEEDS(...)
#include "metric/needs.def"
#undef FILE_NEEDS
#undef METRIC_NEEDS
};

static const char *const of_metrics[METRIC_COUNT] = {
#define FILE_NEEDS(...)
#define METRIC_NEEDS(ENTITY, SYM, kernel_) [POS_##ENTITY##_##SYM] = kernel_,
#include "metric/needs.def"
#undef FILE_NEEDS
#undef METRIC_NEEDS
};

/* All metrics are one list, in which those of the first entity come first. */
static size_t position(const struct metric *m)
{
	return (size_t)(m - metric_get((enum entity_id)0, 0));
}

const char *needs_of_source(enum metric_source source)
{
	return files[source].kernel ? files[source].kernel : "";
}

const char *needs_capability(enum metric_source source)
{
	return files[source].capability ? files[source].capability : "";
}

const char *needs_of_metric(const struct metric *m)
{
	const char *own = of_metrics[position(m)];

	return own ? own : needs_of_source((enum metric_source)m->source);
}
