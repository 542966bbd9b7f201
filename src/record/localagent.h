/* SPDX-License-Identifier: Apache-2.0 */
/*
 * localagent.h - finds the agent program of this host.
 */
#ifndef GS_RECORD_LOCALAGENT_H
#define GS_RECORD_LOCALAGENT_H

#include "base/buf.h"
#include "base/err.h"

/* Replaces out by the path of gpsnap-agent: in this program, beside this program, in the
 * directory it is installed to, or on PATH.  GS_E_NOTFOUND names the places
 * that were searched. */
int localagent_find(struct buf *out, struct gs_err *err);

#endif
