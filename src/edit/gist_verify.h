/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gist_verify.h - whether the gists of a file fit its ticks.
 */
#ifndef GS_EDIT_GIST_VERIFY_H
#define GS_EDIT_GIST_VERIFY_H

#include <stddef.h>

#include "base/reading.h"

/* Follows the ticks of the file and, beside them, its gists; returns the number of
 * gists that say something else.  reading may be NULL. */
size_t gist_verify_file(const char *path, const struct reading *reading);

#endif
