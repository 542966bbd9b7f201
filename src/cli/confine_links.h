/* SPDX-License-Identifier: Apache-2.0 */
/*
 * confine_links.h - links in a directory of recordings, which may be a
 * stranger's.
 */
#ifndef GS_CLI_CONFINE_LINKS_H
#define GS_CLI_CONFINE_LINKS_H

#include "sandbox/sandbox.h"

/*
 * Permits reading the targets of links in that directory: only recordings of
 * the user or of the directory's owner.  A notice names the others.
 */
void confine_links(struct sandbox *s, const char *dir);

#endif
