/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscalls.h - which system calls stay allowed, by libseccomp.
 */
#ifndef GS_SANDBOX_SYSCALLS_H
#define GS_SANDBOX_SYSCALLS_H

#include <stdbool.h>

/*
 * From now on only system calls for reading, computing and printing work;
 * with may_make also those that create and rename files.  needs: enum
 * sandbox_need.
 * Returns 0 or -errno: then nothing is refused.
 */
int syscalls_restrict(unsigned needs, bool may_make);

#endif
