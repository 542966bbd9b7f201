/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sqlshape.h - the shape of a query: its text without literals, and without what
 * depends on how many there are.
 */
#ifndef GS_BASE_SQLSHAPE_H
#define GS_BASE_SQLSHAPE_H

#include <stddef.h>

#include "base/buf.h"

/*
 * Appends the shape: the masked text (masktext.h) in which a list of literals
 * and parameters after IN, ANY, ARRAY or VALUES is "(?)", "[?]", however long it
 * is, and further rows of VALUES are left out; without a semicolon at its end.
 * The shape of a shape is the same.
 */
void sqlshape(const char *sql, size_t len, struct buf *out);

#endif
