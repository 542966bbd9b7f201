/* SPDX-License-Identifier: Apache-2.0 */
/* jsoncheck.h - whether a text is JSON. */
#ifndef GS_RENDER_JSONCHECK_H
#define GS_RENDER_JSONCHECK_H

#include <stdbool.h>
#include <stddef.h>

/* One value in valid UTF-8, and nothing after it. */
bool json_is_whole(const char *p, size_t len);

#endif
