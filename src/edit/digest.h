/* SPDX-License-Identifier: Apache-2.0 */
/*
 * digest.h - a hash of ticks, to compare the ticks read back with those
 * written.
 */
#ifndef GS_EDIT_DIGEST_H
#define GS_EDIT_DIGEST_H

#include <stdint.h>

#include "model/tick.h"

/* Adds a tick to the hash h (0 at first). */
uint64_t digest_tick(uint64_t h, const struct tick *t);

#endif
