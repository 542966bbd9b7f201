/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libpq_table.h - the functions of libpq that gpsnap calls: those of the
 * library, or those of psql.c.
 */
#ifndef GS_PG_LIBPQ_TABLE_H
#define GS_PG_LIBPQ_TABLE_H

#include <libpq-fe.h>

struct libpq {
#define FREES(name, parameters, arguments) void (*name) parameters;
#define ASKS(type, name, parameters, arguments) type (*name) parameters;
#include "pg/libpq.def"
#undef FREES
#undef ASKS
};

#endif
