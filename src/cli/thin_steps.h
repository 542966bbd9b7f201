/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thin_steps.h - how days get coarser with age: AFTER:EVERY, as in --thin
 * 30d:1m --thin 400d:10m.
 */
#ifndef GS_CLI_THIN_STEPS_H
#define GS_CLI_THIN_STEPS_H

#include "cli/opt.h"

struct thin_steps {
	struct thin_step {
		int64_t after_ns, every_ns;
	} step[OPT_TEXTS_MAX];
	size_t n;
};

/* Parses the option's values.  GS_E_USAGE: not of that form, or two that
 * contradict each other. */
int thin_steps_read(const struct opt_texts *from, struct thin_steps *ret,
	struct gs_err *err);

/* The interval of a day that ended so long ago; 0: unchanged. */
int64_t thin_steps_at(const struct thin_steps *s, int64_t age_ns);

#endif
