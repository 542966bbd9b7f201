/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libpq.c - a table of libpq's functions, filled by dlopen(), and functions of
 * the same names that call them.
 *
 * dlopen() searches DT_RPATH of the program, too, before
 * LD_LIBRARY_PATH: an old libpq of a database's environment is not used.
 */
#include "pg/libpq.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libpq-fe.h>

#include "base/compiler.h"

#define LIBRARY "libpq.so.5"

static struct {
	bool loaded;
#define FREES(name, parameters, arguments) void (*name) parameters;
#define ASKS(type, name, parameters, arguments) type (*name) parameters;
#include "pg/libpq.def"
#undef FREES
#undef ASKS
} libpq;

static const struct {
	const char *name;
	void *to; /* the address is stored there */
} functions[] = {
#define FREES(name, parameters, arguments) { #name, &libpq.name },
#define ASKS(type, name, parameters, arguments) { #name, &libpq.name },
#include "pg/libpq.def"
#undef FREES
#undef ASKS
};

static int refuse(const char *why, struct gs_err *err)
{
	return gs_fail(err, GS_E_NOTFOUND, "no database can be asked: %s: "
	    "install the package libpq5 (Debian), or libpq (Red Hat)", why);
}

static int find_all(void *library, struct gs_err *err)
{
	size_t i;

	for (i = 0; i < GS_LEN(functions); i++) {
		void *at = dlsym(library, functions[i].name);

		if (!at)
			return refuse(LIBRARY " is too old", err);
		/* a function's address as POSIX has it */
		memcpy(functions[i].to, &at, sizeof(at));
	}
	return GS_OK;
}

int libpq_load(struct gs_err *err)
{
	void *library;
	int r;

	if (libpq.loaded)
		return GS_OK;
	library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return refuse(dlerror(), err);
	r = find_all(library, err);
	libpq.loaded = r == GS_OK;
	if (r < 0)
		(void)dlclose(library); /* of no use */
	return r;
}

/* Functions on objects of libpq: it is loaded then. */
static void need(void)
{
	if (!libpq.loaded && libpq_load(NULL) < 0)
		abort();
}

#define FREES(name, parameters, arguments)                                    \
	void name parameters                                                  \
	{                                                                     \
		if (libpq.loaded)                                             \
			libpq.name arguments;                                 \
	}
#define ASKS(type, name, parameters, arguments)                               \
	type name parameters                                                  \
	{                                                                     \
		need();                                                       \
		return libpq.name arguments;                                  \
	}
#include "pg/libpq.def"
