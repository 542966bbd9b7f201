/* SPDX-License-Identifier: Apache-2.0 */
#include "pg/topology.h"

#include <string.h>

#include "cases.h"
#include "sheet.h"

#define HEAD "dbid|content|role|preferred_role|mode|status|port|hostname|" \
	"address|datadir\n"
/* As a Greenplum 6 answered. */
#define COORDINATOR "1|-1|p|p|n|u|6000|localhost|127.0.0.1|/data/gpseg-1\n"
#define SEG0 "2|0|p|p|s|u|6002|localhost|127.0.0.1|/data/gpseg0\n"
#define SEG1 "3|1|p|p|s|u|6003|localhost|127.0.0.1|/data/gpseg1\n"
#define MIRROR1 "7|1|m|m|s|u|7003|localhost|127.0.0.1|/data/mirror1\n"

struct step {
	const char *name;
	const char *before, *after;
	uint64_t generation;
	const char *events; /* joined by "; " */
};

static const struct step steps[] = {
	{ "the same", HEAD COORDINATOR SEG0, HEAD COORDINATOR SEG0, 1, "" },
	{ "another order", HEAD COORDINATOR SEG0, HEAD SEG0 COORDINATOR, 1,
	    "" },
	{ "one more", HEAD COORDINATOR, HEAD COORDINATOR SEG0, 2, "" },
	{ "one less", HEAD COORDINATOR SEG0 SEG1, HEAD COORDINATOR SEG1, 2,
	    "" },
	{ "moved", HEAD SEG0,
	    HEAD "2|0|p|p|s|u|6002|sdw2|127.0.0.1|/data/gpseg0\n", 2, "" },
	{ "another address", HEAD SEG0,
	    HEAD "2|0|p|p|s|u|6002|localhost|10.0.0.1|/data/gpseg0\n", 2, ""
	},
	{ "failover", HEAD COORDINATOR SEG1 MIRROR1, HEAD COORDINATOR
	    "3|1|m|p|n|d|6003|localhost|127.0.0.1|/data/gpseg1\n"
	    "7|1|p|m|n|u|7003|localhost|127.0.0.1|/data/mirror1\n", 2,
	    "segment 1 on localhost port 6003, role p is now m, mode s is now "
	    "n, status u is now d; "
	    "segment 1 on localhost port 7003, role m is now p, mode s is now "
	    "n" },
	{ "gone altogether", HEAD SEG0, HEAD, 2, "" },
};

static void take(struct topology *t, const char *text, struct tick *events)
{
	PGresult *r = sheet(text);

	topology_apply(t, r, events);
	PQclear(r);
}

static void changes(void **state)
{
	const struct step *row = *state;
	struct topology t = { 0 };
	struct tick events = TICK_INIT;
	struct buf b = BUF_INIT;
	size_t i;

	take(&t, row->before, &events);
	assert_int_equal(t.generation, 1);
	assert_int_equal(events.n_event, 0);
	take(&t, row->after, &events);
	assert_int_equal(t.generation, row->generation);
	for (i = 0; i < events.n_event; i++) {
		assert_int_equal(events.event[i].kind, EVENT_SEGMENT);
		buf_add_str(&b, i ? "; " : "");
		buf_add(&b, events.bytes.ptr + events.event[i].off,
		    events.event[i].len);
	}
	assert_string_equal(buf_str(&b), row->events);
	buf_release(&b);
	tick_release(&events);
	topology_release(&t);
}

static void limits(void **state)
{
	struct topology t = { 0 };
	PGresult *r = sheet("content|max_connections\n2|750\n0|700\n1|x\n");
	uint64_t v = 5;

	(void)state; /* none */
	assert_false(topology_limit(&t, 0, &v));
	topology_apply_limits(&t, r);
	PQclear(r);
	assert_true(topology_limit(&t, 2, &v));
	assert_int_equal(v, 750);
	assert_true(topology_limit(&t, 0, &v));
	assert_int_equal(v, 700);
	assert_false(topology_limit(&t, 1, &v));
	assert_false(topology_limit(&t, -1, &v));
	topology_release(&t);
}

static void coordinator(void **state)
{
	struct topology t = { 0 };
	struct tick events = TICK_INIT;

	(void)state; /* none */
	assert_null(topology_coordinator(&t));
	take(&t, HEAD SEG0 "9|-1|m|m|s|u|7000|smdw|smdw|/data/gpseg-1\n"
	    COORDINATOR, &events);
	assert_int_equal(topology_coordinator(&t)->port, 6000);
	tick_release(&events);
	topology_release(&t);
}

int main(void)
{
	struct cases c = { 0 };

	CASES_TABLE(&c, changes, steps);
	cases_add(&c, "limits", limits, NULL);
	cases_add(&c, "coordinator", coordinator, NULL);
	return cases_run(&c, "topology");
}
