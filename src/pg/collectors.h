/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collectors.h - the list of collectors that a user asks for.
 */
#ifndef GS_PG_COLLECTORS_H
#define GS_PG_COLLECTORS_H

#include <stdint.h>

#include "base/err.h"
#include "metric/collectors.h"

/* Parses "locks,vmem" ("-locks" removes from the default, "+workfiles" adds to
 * it; "none") into bits 1 << collector_id.  GS_E_USAGE names the unknown word
 * and all collectors. */
int collectors_parse(const char *list, uint32_t *ret, struct gs_err *err);

#endif
