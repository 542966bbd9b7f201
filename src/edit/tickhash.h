/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tickhash.h - a number for all that ticks say, to compare those that were written
 * with those that are read back.
 */
#ifndef GS_EDIT_TICKHASH_H
#define GS_EDIT_TICKHASH_H

#include <stdint.h>

#include "model/tick.h"

/* Adds a tick to the hash h, which is 0 at first. */
uint64_t tickhash_add(uint64_t h, const struct tick *t);

#endif
