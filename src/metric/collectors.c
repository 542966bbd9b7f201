/* SPDX-License-Identifier: Apache-2.0 */
#include "metric/collectors.h"

#include "base/compiler.h"

#define NEVER (-1)

static const struct {
	const char *name, *needs;
	enum entity_id entity;
	int since[FLAVOURS];
} all[] = {
#define COLLECTOR(NAME, name_, ENTITY, usual, pg, gp, cb, has) \
	[COLLECT_##NAME] = { name_, has, ENTITY_##ENTITY, { pg, gp, cb } },
#include "metric/collectors.def"
#undef COLLECTOR
};

/* In the order of the bits. */
static const struct {
	enum flavour is;
	const char *name, *title;
} flavours[FLAVOURS] = {
	{ FL_POSTGRES, "postgresql", "PostgreSQL" },
	{ FL_GREENPLUM, "greenplum", "Greenplum" },
	{ FL_CLOUDBERRY, "cloudberry", "Cloudberry" },
};

const char *collector_name(enum collector_id c)
{
	return all[c].name;
}

enum collector_id collector_find(struct span name)
{
	size_t i;

	for (i = 0; i < GS_LEN(all); i++) {
		if (span_eq(name, all[i].name))
			break;
	}
	return (enum collector_id)i;
}

enum entity_id collector_entity(enum collector_id c)
{
	return all[c].entity;
}

uint32_t collectors_of(enum entity_id e)
{
	uint32_t bits = 0;
	size_t i;

	for (i = 0; i < GS_LEN(all); i++) {
		if (all[i].entity == e)
			bits |= UINT32_C(1) << i;
	}
	return bits;
}

static size_t place_of(enum flavour f)
{
	size_t i;

	for (i = 0; i + 1 < GS_LEN(flavours) && flavours[i].is != f; i++)
		;
	return i;
}

int collector_since(enum collector_id c, enum flavour f)
{
	return all[c].since[place_of(f)];
}

const char *collector_needs(enum collector_id c)
{
	return all[c].needs;
}

const char *flavour_name(enum flavour f)
{
	return flavours[place_of(f)].name;
}

const char *flavour_title(enum flavour f)
{
	return flavours[place_of(f)].title;
}

bool flavour_find(struct span name, enum flavour *ret)
{
	size_t i;

	for (i = 0; i < GS_LEN(flavours); i++) {
		if (!span_eq(name, flavours[i].name))
			continue;
		*ret = flavours[i].is;
		return true;
	}
	return false;
}
