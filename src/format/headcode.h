/* SPDX-License-Identifier: Apache-2.0 */
/*
 * headcode.h - decodes the header of a key, from protobuf to struct header.
 * Private to src/format.
 */
#ifndef GS_FORMAT_HEADCODE_H
#define GS_FORMAT_HEADCODE_H

#include "base/err.h"
#include "gpsnap.pb-c.h"
#include "model/header.h"

/* *ret is the caller's to free.  GS_E_VERSION: a newer gpsnap is needed;
 * GS_E_FORMAT: it exceeds a limit. */
int headcode_read(const Gpsnap__V1__Header *m, struct header **ret,
	struct gs_err *err);

#endif
