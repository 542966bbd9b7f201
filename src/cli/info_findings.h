/* SPDX-License-Identifier: Apache-2.0 */
/*
 * info_findings.h - what was wrong, in a few lines: for gpsnap info.
 */
#ifndef GS_CLI_INFO_FINDINGS_H
#define GS_CLI_INFO_FINDINGS_H

#include <stddef.h>

#include "base/buf.h"
#include "base/zone.h"

/* Appends lines about the n files of one recording, together called name; nothing if
 * they can't be read. */
void info_findings(const char *name, char *const *path, size_t n,
	const struct zone *zone, size_t width, struct buf *to);

#endif
