/* SPDX-License-Identifier: Apache-2.0 */
/*
 * confine_links.h - links in a directory of recordings, which may be a
 * stranger's.
 */
#ifndef GS_CLI_CONFINE_LINKS_H
#define GS_CLI_CONFINE_LINKS_H

#include "sandbox/sandbox.h"

/*
 * Adds what links of that directory lead to, to be read: recordings of the
 * user or of the directory's owner, nothing else.  A notice names the others.
 */
void confine_links(struct sandbox *s, const char *dir);

#endif
