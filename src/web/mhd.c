/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mhd.c - a table of libmicrohttpd's functions, filled by dlopen().
 *
 * A static program loads nothing: the library needs another C library.
 */
#include "web/mhd.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"

#define LIBRARY "libmicrohttpd.so.12"

static struct mhd table;
static bool loaded;

#ifdef GS_PORTABLE
static int load(struct gs_err *err)
{
	return gs_fail(err, GS_E_NOTFOUND, "nothing can be served: this is the "
	    "portable gpsnap, which loads no " LIBRARY);
}
#else
static const struct {
	const char *name;
	void *to; /* the address is stored there */
} functions[] = {
#define X(name) { #name, &table.name },
	MHD_FUNCTIONS(X)
#undef X
};

static int refuse(const char *why, struct gs_err *err)
{
	return gs_fail(err, GS_E_NOTFOUND, "nothing can be served: %s: install "
	    "the package libmicrohttpd12 (Debian), or libmicrohttpd (Red Hat)",
	    why);
}

static int load(struct gs_err *err)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	size_t i;

	if (!library)
		return refuse(dlerror(), err);
	for (i = 0; i < GS_LEN(functions); i++) {
		void *at = dlsym(library, functions[i].name);

		if (!at) {
			(void)dlclose(library); /* of no use */
			return refuse(LIBRARY " is too old", err);
		}
		/* a function's address as POSIX has it */
		memcpy(functions[i].to, &at, sizeof(at));
	}
	return GS_OK;
}
#endif

int mhd_load(struct gs_err *err)
{
	int r = loaded ? GS_OK : load(err);

	loaded = r == GS_OK;
	return r;
}

const struct mhd *mhd(void)
{
	return &table;
}
