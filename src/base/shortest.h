/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shortest.h - doubles as decimal numbers, with as few digits as give the same
 * double again.
 */
#ifndef GS_BASE_SHORTEST_H
#define GS_BASE_SHORTEST_H

#include "base/buf.h"

/* As "%.*g" with the lowest precision from 15 on that strtod() reads back as v. */
void shortest_add(struct buf *to, double v);

#endif
