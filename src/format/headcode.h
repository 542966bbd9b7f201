/* SPDX-License-Identifier: Apache-2.0 */
/*
 * headcode.h - the header of a key: where it stands in its record, and from protobuf
 * to struct header.  Private to src/format.
 */
#ifndef GS_FORMAT_HEADCODE_H
#define GS_FORMAT_HEADCODE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/scan.h"
#include "gpsnap.pb-c.h"
#include "model/header.h"

/* *ret is the caller's to free.  GS_E_VERSION: a newer gpsnap is needed;
 * GS_E_FORMAT: it exceeds a limit. */
int headcode_read(const Gpsnap__V1__Header *m, struct header **ret,
	struct gs_err *err);

/* Finds the header of the first tick; record has the first bytes of a record or of a
 * group.  Returns false if the header ends after them, or the tick has no header. */
bool headcode_find(struct span record, struct span *ret);

#endif
