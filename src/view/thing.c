/*
 * thing.c - the table of things, in the order of views.  To add one: add a
 * row; a column that the view does not have is found by a test.
 */
#include "view/thing.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/near.h"

static const struct thing things[] = {
	{ "sessions", "session", { "session", "user", "database" } },
	{ "queries", "query", { "query", "user", "command" } },
	{ "processes", "process", { "pid", "host", "session", "command" } },
	{ "segments", "segment", { "segment", "role", "host", "port" } },
	{ "connections", "connection", { "segment", "role", "host",
	    "port" } },
	{ "locks", "lock", { "root", "session", "mode", "object" } },
	{ "hosts", "host", { "host" } },
	{ "cpus", "cpu", { "host", "cpu" } },
	{ "disks", "disk", { "host", "disk" } },
	{ "nets", "net", { "host", "net" } },
	{ "filesystems", "filesystem", { "host", "mount" } },
	{ "cgroups", "cgroup", { "host", "cgroup" } },
	{ "agents", "agent", { "host" } },
	{ "postmasters", "postmaster", { "host", "port", "datadir" } },
	{ "clusters", "cluster", { "name", "host", "port" } },
	{ "backends", "backend", { "segment", "pid", "user", "database" } },
	{ "pglocks", "pglock", { "segment", "pid", "mode", "object" } },
	{ "replicas", "replica", { "segment", "pid", "application" } },
	{ "groups", "group", { "group" } },
	{ "vmems", "vmem", { "segment", "session" } },
	{ "workfiles", "workfile", { "segment", "session", "command", "slice",
	    "prefix" } },
	{ "collectors", "collector", { "collector" } },
	{ "system_event", "wait", { "event" } },
};

const struct thing *thing_find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < GS_LEN(things); i++) {
		if (things[i].name && strlen(things[i].name) == len &&
		    memcmp(things[i].name, name, len) == 0)
			return &things[i];
	}
	return NULL;
}

const struct thing *thing_of_view(const char *view)
{
	size_t i;

	for (i = 0; i < GS_LEN(things); i++) {
		if (strcmp(things[i].view, view) == 0)
			return &things[i];
	}
	return NULL;
}

const struct thing *thing_at(size_t i)
{
	return i < GS_LEN(things) ? &things[i] : NULL;
}

int thing_none(const char *name, size_t len, struct gs_err *err)
{
	char list[512] = "", word[64];
	const char *near = NULL;
	size_t i, used = 0;

	(void)snprintf(word, sizeof(word), "%.*s", (int)GS_MIN(len, 60), name);
	for (i = 0; i < GS_LEN(things); i++) {
		const char *one = things[i].name;

		if (!one)
			continue;
		used += (size_t)snprintf(list + used, sizeof(list) - used,
		    "%s%s", used ? ", " : "", one);
		used = GS_MIN(used, sizeof(list) - 1);
		if (near_enough(word, one) && (!near ||
		    near_distance(word, one) < near_distance(word, near)))
			near = one;
	}
	if (near)
		return gs_fail(err, GS_E_USAGE,
		    "no thing \"%s\" (did you mean %s?); there are:\n%s",
		    word, near, list);
	return gs_fail(err, GS_E_USAGE, "no thing \"%s\"; there are:\n%s",
	    word, list);
}
