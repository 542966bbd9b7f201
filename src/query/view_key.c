/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view_key.c - the table of keys, in the order of views.  To add one: add a row
 * with a name of its own; tests/unit/view/test_find.c finds columns that the
 * view lacks, and names that stand twice.
 */
#include "query/view_key.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/suggest.h"

/* Columns that only some forms of a view have are allowed. */
static const struct view_key keys[] = {
	{ "findings", NULL, { "finding", "subject" }, { NULL } },
	{ "sessions", "session", { "session", "os_host", "user", "database" },
	    { "session", "os_host", "user", "database", "client",
	    "application" } },
	{ "queries", "query", { "query", "os_host", "user", "command" },
	    { "user", "database", "~command", "text" } },
	{ "query", NULL, { "query", "user", "command" },
	    { "user", "database", "~command", "text" } },
	{ "statements", "statement", { "statement" }, { NULL } },
	{ "processes", "process", { "pid", "host", "session", "command" },
	    { "pid", "host", "started", "command" } },
	{ "threads", "thread", { "tid", "pid", "host", "thread" },
	    { "tid", "pid", "host", "started" } },
	{ "offcpu", "offcpu", { "pid", "host", "session", "command" },
	    { "pid", "host", "session", "command" } },
	{ "top", NULL, { "pid", "host", "session", "command" },
	    { "pid", "host", "command" } },
	{ "segments", "segment", { "segment", "role", "host", "port" },
	    { "segment", "host", "port" } },
	{ "connections", "connection", { "segment", "role", "host",
	    "port" }, { "segment", "host", "port" } },
	{ "locks", "lock", { "root", "session", "mode", "object" },
	    { "session", "mode", "object", "segment" } },
	{ "skew", NULL, { "query", "user", "command" },
	    { "query", "session", "user", "database" } },
	{ "matrix", NULL, { "session", "slice", "segment", "host" },
	    { NULL } },
	{ "spill", NULL, { "session", "host", "segment", "pid" },
	    { "session", "user", "host", "segment", "pid" } },
	{ "hosts", "host", { "host" }, { NULL } },
	{ "cpus", "cpu", { "host", "cpu" }, { NULL } },
	{ "disks", "disk", { "host", "disk" }, { NULL } },
	{ "nets", "net", { "host", "net" }, { NULL } },
	{ "filesystems", "filesystem", { "host", "mount" }, { NULL } },
	{ "cgroups", "cgroup", { "host", "cgroup" }, { NULL } },
	{ "cgroup_io", "cgroup_io", { "host", "cgroup", "device" },
	    { NULL } },
	{ "agents", "agent", { "host" }, { NULL } },
	{ "sources", "source", { "host", "file" }, { NULL } },
	{ "postmasters", "postmaster", { "host", "port", "datadir" },
	    { NULL } },
	{ "clusters", "cluster", { "name", "host", "port" }, { NULL } },
	{ "backends", "backend", { "segment", "pid", "user", "database" },
	    { "segment", "pid", "start" } },
	{ "pglocks", "pglock", { "segment", "pid", "mode", "object" },
	    { "segment", "pid", "type", "mode", "relation", "object" } },
	{ "replicas", "replica", { "segment", "pid", "application" },
	    { "segment", "application", "client" } },
	{ "databases", "database", { "database" }, { NULL } },
	{ "wal", "wal", { "server" }, { NULL } },
	{ "slots", "slot", { "slot" }, { NULL } },
	{ "progress", "progress", { "pid", "command", "phase" }, { NULL } },
	{ "pgstatements", "pgstatement", { "query_id", "user", "database" },
	    { NULL } },
	{ "groups", "group", { "group" }, { NULL } },
	{ "vmems", "vmem", { "segment", "session" }, { NULL } },
	{ "workfiles", "workfile", { "segment", "session", "command", "slice",
	    "prefix" }, { NULL } },
	{ "collectors", "collector", { "collector" }, { NULL } },
	{ "waits", NULL, { "kind", "stat" }, { NULL } },
	{ "time_model", NULL, { "stat" }, { NULL } },
	{ "system_event", "wait", { "event" }, { NULL } },
	{ "session_event", NULL, { "pid", "event", "user", "database" },
	    { NULL } },
	{ "query_event", NULL, { "query_id", "event", "query" }, { NULL } },
	{ "histogram", NULL, { "event", "longer_than_seconds",
	    "shorter_than_seconds" }, { "event", "^shorter_than_seconds" } },
	{ "active", NULL, { "pid", "segment", "user", "database" },
	    { NULL } },
};

const struct view_key *view_key_find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < GS_LEN(keys); i++) {
		if (keys[i].name && strlen(keys[i].name) == len &&
		    memcmp(keys[i].name, name, len) == 0)
			return &keys[i];
	}
	return NULL;
}

const struct view_key *view_key_of_view(const char *view)
{
	size_t i;

	for (i = 0; i < GS_LEN(keys); i++) {
		if (strcmp(keys[i].view, view) == 0)
			return &keys[i];
	}
	return NULL;
}

const struct view_key *view_key_at(size_t i)
{
	return i < GS_LEN(keys) ? &keys[i] : NULL;
}

int view_key_none(const char *name, size_t len, struct gs_err *err)
{
	char list[512] = "", word[64];
	const char *near = NULL;
	size_t i, used = 0;

	(void)snprintf(word, sizeof(word), "%.*s", (int)GS_MIN(len, 60), name);
	for (i = 0; i < GS_LEN(keys); i++) {
		const char *one = keys[i].name;

		if (!one)
			continue;
		used += (size_t)snprintf(list + used, sizeof(list) - used,
		    "%s%s", used ? ", " : "", one);
		used = GS_MIN(used, sizeof(list) - 1);
		if (suggest_is_close(word, one) && (!near ||
		    suggest_distance(word, one) < suggest_distance(word, near)))
			near = one;
	}
	if (near)
		return gs_fail(err, GS_E_USAGE,
		    "no kind of row \"%s\" (did you mean %s?); there are:\n%s",
		    word, near, list);
	return gs_fail(err, GS_E_USAGE, "no kind of row \"%s\"; there are:\n%s",
	    word, list);
}
