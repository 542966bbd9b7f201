/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wirecheck.h - checks an agent's answer: only entities of an agent, within
 * the limits of wire.h.  Private to src/format.
 */
#ifndef GS_FORMAT_WIRECHECK_H
#define GS_FORMAT_WIRECHECK_H

#include "base/err.h"
#include "gpsnap.pb-c.h"

/* GS_E_PROTOCOL if an agent must not send it, GS_E_LIMIT if it is too much. */
int wirecheck_answer(const Gpsnap__V1__Answer *m, struct gs_err *err);

#endif
