/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collectors.h - the parts of a server's catalog that the recorder asks for, and which
 * servers have them.
 */
#ifndef GS_METRIC_COLLECTORS_H
#define GS_METRIC_COLLECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/scan.h"
#include "metric/metric.h"

enum collector_id {
#define COLLECTOR(NAME, name, ENTITY, usual, pg, gp, cb, has) COLLECT_##NAME,
#include "metric/collectors.def"
#undef COLLECTOR
	COLLECTOR_COUNT
};

/* Products, as bits. */
enum flavour {
	FL_POSTGRES = 1 << 0,
	FL_GREENPLUM = 1 << 1,
	FL_CLOUDBERRY = 1 << 2
};

#define FLAVOURS 3

/* Those that are asked for by default, as bits 1 << collector_id. */
enum {
	COLLECTORS_DEFAULT = 0
#define COLLECTOR(NAME, name, ENTITY, usual, pg, gp, cb, has) \
	    | (usual) << COLLECT_##NAME
#include "metric/collectors.def"
#undef COLLECTOR
};

/* "activity", ...; in the order of the enum. */
const char *collector_name(enum collector_id c);

/* The collector of that name, or COLLECTOR_COUNT. */
enum collector_id collector_find(struct span name);

/* Whose rows it brings. */
enum entity_id collector_entity(enum collector_id c);

/* Those that bring rows of an entity, as bits. */
uint32_t collectors_of(enum entity_id e);

/* The first server_version_num of a product that has it, 0: each; negative: none. */
int collector_since(enum collector_id c, enum flavour f);

/* What a server must have besides; "": nothing. */
const char *collector_needs(enum collector_id c);

/* As in the metric cluster.flavour: "postgresql". */
const char *flavour_name(enum flavour f);

/* As people write it: "PostgreSQL". */
const char *flavour_title(enum flavour f);

/* By flavour_name(); false: unknown. */
bool flavour_find(struct span name, enum flavour *ret);

#endif
