/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thin_steps.h - how days get coarser with age: AFTER:EVERY, as in --thin
 * 30d:1m --thin 400d:10m.
 */
#ifndef GS_EDIT_THIN_STEPS_H
#define GS_EDIT_THIN_STEPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define THIN_STEPS_MAX 64

struct thin_steps {
	struct thin_step {
		int64_t after_ns, every_ns;
	} step[THIN_STEPS_MAX];
	size_t n;
};

/* Parses at most THIN_STEPS_MAX texts.  GS_E_USAGE: one is not of that form, or
 * two contradict each other. */
int thin_steps_parse(const char *const *text, size_t n,
	struct thin_steps *ret, struct gs_err *err);

/* The interval of a day that ended so long ago; 0: unchanged. */
int64_t thin_steps_at(const struct thin_steps *s, int64_t age_ns);

#endif
