/* SPDX-License-Identifier: Apache-2.0 */
/*
 * version.h - the program's version.
 */
#ifndef GS_CLI_VERSION_H
#define GS_CLI_VERSION_H

/* "0.1.0", from the build. */
const char *cli_version(void);

#endif
