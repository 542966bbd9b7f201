/* SPDX-License-Identifier: Apache-2.0 */
/*
 * headcode.h - from the header of a key, as protobuf has it, to struct header.
 * Private to src/format.
 */
#ifndef GS_FORMAT_HEADCODE_H
#define GS_FORMAT_HEADCODE_H

#include "base/err.h"
#include "gpsnap.pb-c.h"
#include "model/header.h"

/* *ret is the caller's to free.  GS_E_VERSION: a newer gpsnap is needed;
 * GS_E_FORMAT: it names more than is believed. */
int headcode_read(const Gpsnap__V1__Header *m, struct header **ret,
	struct gs_err *err);

#endif
