/* SPDX-License-Identifier: Apache-2.0 */
/*
 * digest.h - what a tick says, as one number: to compare what was written
 * with what is read.
 */
#ifndef GS_EDIT_DIGEST_H
#define GS_EDIT_DIGEST_H

#include <stdint.h>

#include "model/tick.h"

/* Continues the number h (0 at first) with a tick. */
uint64_t digest_tick(uint64_t h, const struct tick *t);

#endif
