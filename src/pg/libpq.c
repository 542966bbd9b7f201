/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libpq.c - a table of libpq's functions, filled by dlopen() or by those of
 * psql.c, and functions of the same names that call them.
 *
 * A static program loads nothing: the library needs another C library.
 *
 * dlopen() searches DT_RPATH of the program, too, before
 * LD_LIBRARY_PATH: an old libpq of a database's environment is not used.
 */
#include "pg/libpq.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/buf.h"
#include "pg/libpq_table.h"
#include "pg/psql.h"

#define LIBRARY "libpq.so.5"

static struct libpq libpq;
static bool loaded, is_psql;

#ifdef GS_PORTABLE
static int load(struct gs_err *err)
{
	return gs_fail(err, GS_E_NOTFOUND, "no database can be asked: this is "
	    "the portable gpsnap, which loads no " LIBRARY);
}
#else
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

static int load(struct gs_err *err)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	int r;

	if (!library)
		return refuse(dlerror(), err);
	r = find_all(library, err);
	if (r < 0)
		(void)dlclose(library); /* of no use */
	return r;
}
#endif

int libpq_load(struct gs_err *err)
{
	int r;

	if (loaded && !is_psql)
		return GS_OK;
	if (is_psql) /* it has objects */
		return gs_fail(err, GS_E_NOTFOUND, "psql is in use");
	r = load(err);
	loaded = r == GS_OK;
	return r;
}

int libpq_choose(struct gs_err *err)
{
	struct gs_err why;

	if (loaded || libpq_load(&why) == GS_OK)
		return GS_OK;
	if (!psql_is_here())
		return gs_fail(err, GS_E_NOTFOUND, "%s; and no psql is in "
		    "GPHOME's bin or on PATH", why.msg);
	libpq = psql_functions;
	loaded = is_psql = true;
	return GS_OK;
}

bool libpq_is_psql(void)
{
	return is_psql;
}

/* Functions on objects of libpq: it is loaded then. */
static void need(void)
{
	if (!loaded && libpq_choose(NULL) < 0)
		abort();
}

#define FREES(name, parameters, arguments)                                    \
	void name parameters                                                  \
	{                                                                     \
		if (loaded)                                                   \
			libpq.name arguments;                                 \
	}
#define ASKS(type, name, parameters, arguments)                               \
	type name parameters                                                  \
	{                                                                     \
		need();                                                       \
		return libpq.name arguments;                                  \
	}
#include "pg/libpq.def"
