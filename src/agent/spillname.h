/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spillname.h - parses the name of a temporary file.
 *
 *   pgsql_tmp5732.0                    PostgreSQL
 *   pgsql_tmp5732.0.sharedfileset      a directory (11 to 14)
 *   pgsql_tmp5732.0.fileset            a directory (since 15)
 *   pgsql_tmp_HashJoin_1_5732.7        Greenplum and Cloudberry
 *   i3of8.p0.0                         in such a directory: parallel hash
 *
 * The number before the counter, which is the last part of only digits, is the
 * pid of the process that created it.
 */
#ifndef GS_AGENT_SPILLNAME_H
#define GS_AGENT_SPILLNAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/scan.h"

#define SPILLNAME_OPERATOR_MAX 64

struct spillname {
	uint32_t pid; /* 0: not in the name */
	struct span op; /* operator; empty if not in the name */
};

/* False if it is not the name of a temporary file.  Keeps pointers into name. */
bool spillname_parse(struct span name, struct spillname *ret);

/* The operator in the name of a file in a directory of temporary files; may be
 * empty. */
struct span spillname_member(struct span name);

#endif
