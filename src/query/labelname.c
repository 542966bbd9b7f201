/* SPDX-License-Identifier: Apache-2.0 */
/*
 * labelname.c - names of label kinds, of sessions and of their states.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/scan.h"
#include "query/grid.h"
#include "query/grouping.h"

static const char *const label_names[LABEL_COUNT] = {
	[LABEL_SESSION] = "session",
	[LABEL_QUERY] = "query",
	[LABEL_PROCESS] = "process",
	[LABEL_USER] = "user",
	[LABEL_DATABASE] = "database",
	[LABEL_CLIENT] = "client",
	[LABEL_STATE] = "state",
	[LABEL_HOST] = "host",
	[LABEL_SERVER] = "server",
	[LABEL_SEGMENT] = "segment",
	[LABEL_COMMAND] = "command",
	[LABEL_CGROUP] = "cgroup",
};

const char *label_name(enum label_kind k)
{
	return label_names[k];
}

void label_name_keys(const enum label_kind *key, size_t n, struct grid *g)
{
	struct buf by = BUF_INIT;
	size_t i;

	for (i = 0; i < n; i++)
		buf_printf(&by, "%s%s", i ? ", " : "", label_name(key[i]));
	if (n > 0)
		g->by = grid_text(g, buf_str(&by), by.len + 1).ptr;
	buf_release(&by);
}

static int label_find(struct span s)
{
	int k;

	for (k = 0; k < LABEL_COUNT; k++) {
		if (span_eq(s, label_names[k]))
			return k;
	}
	return -1;
}

int label_parse(const char *list, enum label_kind ret[LABEL_COUNT],
	size_t *ret_n, struct gs_err *err)
{
	struct span s = span_str(list), w;
	size_t n = 0;

	do {
		int k;

		if (!scan_until(&s, ',', &w)) {
			w = s;
			s.ptr = s.end;
		}
		k = label_find(w);
		if (k < 0 || n == LABEL_COUNT)
			return gs_fail(err, GS_E_USAGE,
			    "group by \"%.*s\": expected a list of session, "
			    "query, process, user, database, client, state, "
			    "host, server, segment, command, cgroup",
			    (int)span_len(w), w.ptr);
		ret[n++] = (enum label_kind)k;
	} while (!span_empty(s));
	*ret_n = n;
	return GS_OK;
}

const char *state_text(enum title_state s)
{
	switch (s) {
	case TITLE_STATE_NONE:
		return "";
	case TITLE_IDLE:
		return "idle";
	case TITLE_IDLE_TX:
		return "idle-tx";
	case TITLE_IDLE_ABORTED:
		return "aborted";
	case TITLE_ACTIVE:
		return "active";
	case TITLE_WAITING:
		return "lock";
	case TITLE_QUEUED:
		return "queue";
	case TITLE_REPLICATION:
		return "repl";
	case TITLE_STARTUP:
		return "startup";
	case TITLE_AUTHENTICATION:
		return "auth";
	}
	return "";
}

void session_name(const struct session *s, char to[SESSION_NAME_MAX])
{
	static const char *const prefix[] = {
		[SESSION_GREENPLUM] = "con",
		[SESSION_POSTGRES] = "",
		[SESSION_OS] = "sid ",
	};

	if (s->kind == SESSION_OS && strcmp(s->name, "0") == 0)
		(void)snprintf(to, SESSION_NAME_MAX, "kernel");
	else
		(void)snprintf(to, SESSION_NAME_MAX, "%s%s", prefix[s->kind],
		    s->name);
}
