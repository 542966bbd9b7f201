/* SPDX-License-Identifier: Apache-2.0 */
/*
 * landlock.h - calls the kernel's Landlock, which libc does not wrap.
 *
 * Kernels from 5.13 on may have it.  Each newer version can refuse more
 * operations; those that this kernel does not know are left out.
 */
#ifndef GS_SANDBOX_LANDLOCK_H
#define GS_SANDBOX_LANDLOCK_H

#include <stddef.h>

#include "sandbox/rights.h"

/* The kernel's version of Landlock, at least 1; or -errno. */
int landlock_version(void);

/*
 * From now on only these paths can be opened, with the access they name.  The
 * caller has set no_new_privs.  Returns 0 or -errno: then nothing is refused.
 */
int landlock_restrict(int version, const struct sandbox_path *path, size_t n);

#endif
