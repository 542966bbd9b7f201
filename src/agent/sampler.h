/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampler.h - takes one sample of everything and returns it as an answer.
 */
#ifndef GS_AGENT_SAMPLER_H
#define GS_AGENT_SAMPLER_H

#include <stdio.h>

#include "base/err.h"
#include "format/wire.h"

struct sampler;

/* Samples the files below dir; copies what it reads to dump (not owned) unless
 * that is NULL. */
struct sampler *sampler_new(const char *dir, FILE *dump);
void sampler_free(struct sampler *s);

/* Fills the answer; its strings and arrays belong to the sampler and are valid
 * until the next call. */
int sampler_answer(struct sampler *s, const struct request *req,
	struct answer *ret, struct gs_err *err);

#endif
