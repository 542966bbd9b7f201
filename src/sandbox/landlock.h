/* SPDX-License-Identifier: Apache-2.0 */
/*
 * landlock.h - the kernel's Landlock, which has no functions in libc.
 *
 * Kernels from 5.13 on may have it.  Each newer version of it knows more that
 * can be refused; what a kernel does not know is left out.
 */
#ifndef GS_SANDBOX_LANDLOCK_H
#define GS_SANDBOX_LANDLOCK_H

#include "sandbox/sandbox.h"

/* The version that the kernel has, at least 1; or -errno. */
int landlock_version(void);

/*
 * From now on only these paths can be opened, in these ways.  The caller has
 * set no_new_privs.  Returns 0 or -errno: then nothing is refused.
 */
int landlock_restrict(int version, const struct sandbox_path *path, size_t n);

#endif
