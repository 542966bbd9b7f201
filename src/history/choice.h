/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choice.h - selects entities, metrics and hosts of a recording.
 *
 * Lists are separated by commas; names may have * and ?.  A metric is named
 * with its entity ("process.rss") or without.
 */
#ifndef GS_HISTORY_CHOICE_H
#define GS_HISTORY_CHOICE_H

#include "base/err.h"
#include "metric/metric.h"

struct choice {
	bool entity[ENTITY_COUNT];
	bool events; /* those of the recording */
	uint64_t metric[ENTITY_COUNT][COL_WORDS_MAX];
	char **host; /* patterns; n_host 0: all */
	bool *fitted; /* by pattern: it has matched a host */
	size_t n_host;
};

/* NULL: all.  GS_E_USAGE: nothing has that name. */
int choice_init(struct choice *c, const char *entities, const char *metrics,
	const char *hosts, struct gs_err *err);
void choice_release(struct choice *c);

bool choice_has_metric(const struct choice *c, enum entity_id e,
	unsigned col);
bool choice_has_host(const struct choice *c, const char *name);

/* The first pattern that has matched no name in choice_has_host(); NULL: each
 * has matched one. */
const char *choice_unknown_host(const struct choice *c);

/* True if there are patterns, and none has matched. */
bool choice_found_none(const struct choice *c);

#endif
