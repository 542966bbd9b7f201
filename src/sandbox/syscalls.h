/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscalls.h - which system calls are left, by libseccomp.
 */
#ifndef GS_SANDBOX_SYSCALLS_H
#define GS_SANDBOX_SYSCALLS_H

#include <stdbool.h>

/*
 * From now on only what reading, computing and printing needs can be called;
 * with may_make also what makes and renames files.  needs: enum sandbox_need.
 * Returns 0 or -errno: then nothing is refused.
 */
int syscalls_restrict(unsigned needs, bool may_make);

#endif
