/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampler.h - one sample of everything, as an answer.
 */
#ifndef GS_AGENT_SAMPLER_H
#define GS_AGENT_SAMPLER_H

#include <stdio.h>

#include "base/err.h"
#include "format/wire.h"

struct sampler;

/* Samples what is below dir; reads are copied to dump unless it is NULL (not
 * owned). */
struct sampler *sampler_new(const char *dir, FILE *dump);
void sampler_free(struct sampler *s);

/* Fills the answer; its strings and arrays are the sampler's and valid until
 * the next call. */
int sampler_answer(struct sampler *s, const struct request *req,
	struct answer *ret, struct gs_err *err);

#endif
