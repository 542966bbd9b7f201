/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inherited.h - descriptors that the starting program left open.
 */
#ifndef GS_SANDBOX_INHERITED_H
#define GS_SANDBOX_INHERITED_H

/*
 * Closes all descriptors but the standard ones and those that a word of the
 * command line or of the environment names, as /dev/fd/3 or /proc/self/fd/3.
 * To be called before the first file is opened.
 */
void inherited_close(char *const *argv, char *const *env);

#endif
