/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <stdio.h>
#include <string.h>

#include "record/servers.h"
#include "simhost.h"
#include "tempdir.h"

#define PLAIN SERVER_PLAIN
#define MASTER SERVER_COORDINATOR
#define SEGMENT SERVER_SEGMENT

static const struct {
	const char *name;
	enum server_kind kind[2];
	bool own[2];
	size_t n;
	uint32_t pid; /* asked for */
	int status;
	size_t n_want;
	uint32_t want; /* the first; 0: none */
	const char *why;
} cases[] = {
	{ "none", { PLAIN }, { 0 }, 0, 0, GS_OK, 0, 0, NULL },
	{ "the only one", { PLAIN }, { 0 }, 1, 0, GS_OK, 1, 100, NULL },
	{ "a coordinator beside a PostgreSQL", { PLAIN, MASTER }, { 0 }, 2, 0,
	    GS_OK, 2, 100, NULL },
	{ "one of two", { PLAIN, PLAIN }, { 0 }, 2, 101, GS_OK, 1, 101,
	    NULL },
	{ "both", { PLAIN, PLAIN }, { 0 }, 2, 0, GS_OK, 2, 100, NULL },
	{ "two coordinators", { MASTER, MASTER }, { 0 }, 2, 0, GS_OK, 2, 100,
	    NULL },
	{ "no segment", { SEGMENT, MASTER }, { 0 }, 2, 0, GS_OK, 1, 101,
	    NULL },
	{ "our own of two", { PLAIN, PLAIN }, { false, true }, 2, 0, GS_OK, 1,
	    101, NULL },
	{ "our own, not a coordinator", { MASTER, PLAIN }, { false, true }, 2,
	    0, GS_OK, 1, 101, NULL },
	{ "two of our own", { PLAIN, PLAIN }, { true, true }, 2, 0, GS_OK, 2,
	    100, NULL },
	{ "another's, as was asked for", { PLAIN, PLAIN }, { true, false }, 2,
	    101, GS_OK, 1, 101, NULL },
	{ "another", { PLAIN }, { 0 }, 1, 7, GS_E_NOTFOUND, 0, 0,
	    "pid 7 is no database server" },
};

static void test_choose(void **state)
{
	const __typeof__(cases[0]) *c = *state;
	static char none[] = "";
	struct server item[2];
	struct servers s = { item, c->n };
	const struct server *chosen[SERVERS_ASKED_MAX] = { NULL };
	size_t n = 0;
	struct buf list = BUF_INIT;
	struct gs_err err;
	size_t i;

	for (i = 0; i < 2; i++)
		item[i] = (struct server) { .pid = 100 + (uint32_t)i,
			.datadir = none, .version = none,
			.socket_dir = none, .kind = c->kind[i],
			.own = c->own[i] };
	assert_int_equal(servers_choose(&s, c->pid, chosen,
	    SERVERS_ASKED_MAX, &n, &list, &err), c->status);
	assert_int_equal(n, c->n_want);
	assert_int_equal(n > 0 ? chosen[0]->pid : 0, c->want);
	if (c->why) {
		assert_string_equal(err.msg, c->why);
		assert_non_null(strstr(buf_str(&list), "pid 100, version ?"));
	}
	buf_release(&list);
}

/* postmaster.pid in the directory where the agent has found the server; %d: its pid. */
static const struct {
	const char *name;
	const char *pidfile; /* NULL: there is none */
	bool has_dir;
	bool starting;
	const char *socket_dir;
} placed[] = {
	{ "it has not gone to its data directory yet", NULL, true, true, "" },
	{ "a container's directory", NULL, false, false, "" },
	{ "its port is told first", "%d\n/data\n1\n5401\n\n", true, true, "" },
	{ "its socket is told", "%d\n/data\n1\n5401\n/run/s\n", true, false,
	    "/run/s" },
	{ "no socket", "%d\n/data\n1\n5401\n\n*\n7 8\nready\n", true, false,
	    "" },
	{ "another server's", "1%d\n/data\n1\n5401\n/run/s\n", true, true,
	    "" },
};

#define PID 10

static void write_pidfile(const struct tempdir *dir, const char *format)
{
	FILE *f = fopen(tempdir_file(dir, "postmaster.pid"), "w");
	const char *rest = strstr(format, "%d") + 2;

	assert_non_null(f);
	assert_true(fprintf(f, "%.*s%d%s", (int)(rest - 2 - format), format,
	    PID, rest) > 0);
	assert_int_equal(fclose(f), 0);
}

static void test_placed(void **state)
{
	const __typeof__(placed[0]) *c = *state;
	struct servers s = SERVERS_INIT;
	struct tempdir dir;
	struct simhost h;
	size_t i;

	tempdir_make(&dir);
	if (c->pidfile)
		write_pidfile(&dir, c->pidfile);
	simhost_init(&h, "alpha");
	i = simhost_open(&h, ENTITY_POSTMASTER, OPEN_BORN);
	simhost_set(&h, ENTITY_POSTMASTER, i, COL(POSTMASTER, PID), PID);
	simhost_set(&h, ENTITY_POSTMASTER, i, COL(POSTMASTER, START), 5);
	simhost_set(&h, ENTITY_POSTMASTER, i, COL(POSTMASTER, PORT), 5401);
	simhost_set_text(&h, ENTITY_POSTMASTER, i, COL(POSTMASTER, DATADIR),
	    c->has_dir ? dir.path : tempdir_file(&dir, "none"));
	simhost_tick(&h, SIM_SECOND);
	servers_read(h.world, &s);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.item[0].starting, c->starting);
	assert_string_equal(s.item[0].socket_dir, c->socket_dir);
	servers_release(&s);
	simhost_release(&h);
	tempdir_remove(&dir);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_choose, cases);
	CASES_TABLE(&c, test_placed, placed);
	return cases_run(&c, "servers");
}
