/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder_count.c - how many hosts there are, and how many answer.
 */
#include "record/recorder_int.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

bool recorder_is_waiting(const struct recorder *r)
{
	return host_set_is_waiting(r->host_set) ||
	    recorder_waits_for_database(r);
}

void recorder_count_hosts(struct recorder *r)
{
	struct recorder_status *s = &r->status;
	size_t i;

	s->processes = s->quiet = 0;
	s->hosts = host_set_hosts(r->host_set, &s->hosts_up);
	for (i = 0; i < host_set_count(r->host_set); i++) {
		const struct host_conn *c = host_set_host_conn(r->host_set, i);
		const struct world *w = host_conn_world(c);

		if (world_hosts(w) == 0 || c->held_for)
			continue;
		s->processes +=
		    world_host(w, 0)->table[ENTITY_PROCESS].n_live;
		s->quiet += host_conn_agent_sum(c, COL(AGENT, QUIET));
	}
}

/* The first ones by name, the others by number. */
void recorder_report_away(struct recorder *r)
{
	struct buf b = BUF_INIT;
	size_t i, more = 0;

	for (i = 0; i < host_set_count(r->host_set); i++) {
		const struct host_conn *s = host_set_host_conn(r->host_set, i);
		int64_t ns = s->away_ns + (s->left_ns == 0 ? 0
		    : gs_clock_mono_ns() - s->left_ns);

		if (ns == 0)
			continue;
		if (b.len + strlen(s->name) > sizeof(r->status.away) - 48)
			more++;
		else
			buf_printf(&b, "%s%s was away %.1fs",
			    b.len > 0 ? ", " : "", s->name, (double)ns / 1e9);
	}
	if (more > 0)
		buf_printf(&b, "%s%zu host%s away", b.len > 0 ? ", " : "",
		    more, more == 1 ? " was" : "s were");
	(void)snprintf(r->status.away, sizeof(r->status.away), "%s",
	    buf_str(&b));
	buf_release(&b);
}

size_t recorder_count_missed(const struct recorder *r)
{
	size_t n = 0, i;

	for (i = 0; i < host_set_count(r->host_set); i++) {
		const struct host_conn *s = host_set_host_conn(r->host_set, i);

		n += !s->removed && s->state != HOST_CONN_ALIAS && !s->was_up;
	}
	return n;
}
