/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nolibpq.c - loaded by LD_PRELOAD: a host on which libpq is not installed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

void *dlopen(const char *name, int flags)
{
	static void *(*next)(const char *, int);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "dlopen");
	if (name && strncmp(name, "libpq.so", 8) == 0)
		name = "libpq.so.is-missing";
	return next(name, flags);
}
