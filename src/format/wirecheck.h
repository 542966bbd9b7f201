/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wirecheck.h - whether an answer is one that an agent may give: of its own
 * entities, within the limits of wire.h.  Private to src/format.
 */
#ifndef GS_FORMAT_WIRECHECK_H
#define GS_FORMAT_WIRECHECK_H

#include "base/err.h"
#include "gpsnap.pb-c.h"

/* GS_E_PROTOCOL for what is not an agent's to say, GS_E_LIMIT for too much. */
int wirecheck_answer(const Gpsnap__V1__Answer *m, struct gs_err *err);

#endif
