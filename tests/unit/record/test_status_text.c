/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "record/status_text.h"

#define NOW_S 1000

static const struct {
	const char *name;
	int tick_s; /* of the last tick; 0: there was none */
	double interval_s;
	uint64_t hosts, hosts_up;
	const char *state; /* of its one host, */
	int since_s; /* and since when */
	const char *database;
	uint64_t losing;
	const char *want; /* "": nothing is wrong */
} cases[] = {
	{ "all is well", 999, 1, 1, 1, "up", 500, "up", 0, "" },
	{ "just late", 999, 1, 1, 1, "late", 990, "up", 0, "" },
	{ "silent", 999, 1, 1, 1, "late", 988, "up", 0, "1 host silent" },
	{ "slow, as often as it is asked", 900, 300, 1, 1, "late", 900, "up", 0,
	    "" },
	{ "up for long", 999, 1, 1, 1, "up", 1, "none", 0, "" },
	{ "late since it is not known when", 999, 1, 1, 1, "late", 0, "up", 0,
	    "" },
	{ "down", 999, 1, 2, 1, "down", 900, "up", 0,
	    "1 of 2 hosts not recorded" },
	{ "silent, and no database", 999, 1, 1, 1, "late", 900, "down", 0,
	    "1 host silent; the database can't be asked" },
	{ "a full disk", 999, 1, 1, 1, "up", 500, "up", 30,
	    "nothing is written: 30 ticks lost" },
	{ "overdue", 980, 1, 1, 1, "up", 500, "up", 0,
	    "the last tick is 20.0s old" },
};

static void test_troubles(void **state)
{
	const __typeof__(cases[0]) *c = *state;
	struct status_report b = { .now = NOW_S * GS_NSEC_PER_SEC,
		.started = GS_NSEC_PER_SEC,
		.last_tick = c->tick_s * GS_NSEC_PER_SEC,
		.interval_seconds = c->interval_s,
		.hosts = c->hosts, .hosts_up = c->hosts_up,
		.ticks_losing = c->losing };
	struct buf said = BUF_INIT;
	size_t n;

	b.database = (char *)(uintptr_t)c->database;
	status_report_add_host(&b, "sdw1", c->state,
	    c->since_s * GS_NSEC_PER_SEC, NULL);
	n = status_text_troubles(&b, &said);
	assert_string_equal(buf_str(&said), c->want);
	assert_int_equal(n > 0, c->want[0] != '\0');
	b.database = NULL;
	status_report_release(&b);
	buf_release(&said);
}

/* A line for each server; where one is down, since when and why. */
static void test_servers(void **state)
{
	struct status_report b = { .now = NOW_S * GS_NSEC_PER_SEC, .pid = 1,
		.last_tick = NOW_S * GS_NSEC_PER_SEC, .hosts = 1,
		.hosts_up = 1 };
	struct zone utc = zone_fixed(0);
	struct buf said = BUF_INIT;

	(void)state;
	b.database = (char *)(uintptr_t)"down";
	status_report_add_server(&b, "port 5501", "up", 10, NULL);
	status_report_add_server(&b, "port 5502", "down",
	    (NOW_S - 12) * GS_NSEC_PER_SEC, "refused");
	status_text(&b, &utc, 80, &said);
	assert_non_null(strstr(buf_str(&said), "state       1 of 2 database "
	    "servers can't be asked\n"));
	assert_non_null(strstr(buf_str(&said), "databases   port 5501 up\n"
	    "            port 5502 down for 12.0s: refused\n"));
	b.database = NULL;
	status_report_release(&b);
	buf_release(&said);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_troubles, cases);
	cases_add(&c, "servers", test_servers, NULL);
	return cases_run(&c, "status_text");
}
