/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What agents may not read: a question mark in place of a figure, and what helps.
 */
#include "cases.h"

#include <errno.h>
#include <string.h>

#include "simcluster.h"
#include "view/ask.h"
#include "view/uncounted.h"

struct lab {
	const char *name, *view;
	uint64_t unreadable; /* processes, as the agent says */
	char mine, others; /* marks of IO: of a process that is read, and not */
};

static const struct lab sources[] = {
	{ "readable", "processes", 0, 0, 0 },
	{ "processes", "processes", 1, 0, '?' },
	{ "sessions", "sessions", 1, 0, '?' },
};

static void add_source(struct simhost *h, uint64_t processes)
{
	size_t i = simhost_open(h, ENTITY_SOURCE, OPEN_APPEARED);

	SIM_TEXT(h, SOURCE, i, FILE, "io");
	SIM_CELL(h, SOURCE, i, PROCESSES, processes);
	if (processes > 0)
		SIM_CELL(h, SOURCE, i, ERROR, EACCES);
}

/* A process of a session of its own. */
static void add(struct simhost *h, uint64_t pid, bool readable)
{
	size_t i = simhost_process(h, OPEN_APPEARED, pid, 0, "sh");

	SIM_SET(h, i, ROLE, 0);
	SIM_SET(h, i, OS_SESSION, pid);
	SIM_SET(h, i, CPU, 1000000);
	if (!readable)
		return;
	SIM_SET(h, i, READ_BYTES, 0);
	SIM_SET(h, i, WRITE_BYTES, 0);
}

static const struct cell *io_of(const struct grid *g, const char *name)
{
	int io = grid_find_col(g, "io", 2);
	size_t i;

	assert_true(io >= 0);
	for (i = 0; i < g->n_row; i++) {
		const struct cell *c = &g->row[i].cell[0];

		if (c->kind == CELL_INT ? c->i == atoi(name)
		    : c->len > 2 && memcmp(cell_span(c).end - 2, name, 2) == 0)
			return &g->row[i].cell[io];
	}
	fail_msg("no %s", name);
	return NULL;
}

static void check_note(const struct lab *l, const struct engine *e,
	const struct view *v)
{
	struct buf b = BUF_INIT;
	bool said = uncounted_unread_note(e, v, &b);

	assert_int_equal(said, l->unreadable > 0);
	if (said && (!strstr(buf_str(&b), "IO of 1 process ") ||
	    !strstr(buf_str(&b), "CAP_SYS_PTRACE")))
		fail_msg("%s", buf_str(&b));
	buf_release(&b);
}

static void test_io(void **state)
{
	static const char *const hosts[] = { "alpha", NULL };
	const struct lab *l = *state;
	const struct ask_words words = { .view = l->view };
	struct ask *ask = NULL;
	struct simcluster c;
	struct view_use *use;
	struct grid *g;

	simcluster_init(&c, hosts, true);
	add(&c.host[0], 41, true);
	add(&c.host[0], 42, false);
	add_source(&c.host[0], l->unreadable);
	assert_int_equal(ask_new(&words, &ask, NULL), GS_OK);
	use = view_open(ask_view(ask), &c.engine, ask_of_view(ask));
	simcluster_tick(&c);
	engine_begin(&c.engine, true);
	simcluster_tick(&c);
	g = view_grid(use, &c.engine);
	assert_int_equal(io_of(g, "41")->kind, CELL_REAL);
	assert_int_equal(io_of(g, "41")->mark, l->mine);
	assert_int_equal(io_of(g, "42")->kind, CELL_ABSENT);
	assert_int_equal(io_of(g, "42")->mark, l->others);
	check_note(l, &c.engine, ask_view(ask));
	grid_free(g);
	view_close(use);
	ask_free(ask);
	simcluster_release(&c);
}

/* Two hosts, one of which could not list all temporary files in time. */
static void test_spill(void **state)
{
	static const char *const hosts[] = { "alpha", "beta", NULL };
	static const struct { const char *view; bool shows; } views[] = {
		{ "sessions", true }, { "queries", true }, { "spill", true },
		{ "processes", true }, { "hosts", false }, { "locks", false } };
	struct simcluster c;
	size_t i;

	(void)state;
	simcluster_init(&c, hosts, false);
	SIM_CELL(&c.host[0], HOST, 0, SPILL_CUT, 0);
	SIM_CELL(&c.host[1], HOST, 0, SPILL_CUT, 1);
	simcluster_tick(&c);
	for (i = 0; i < GS_LEN(views); i++) {
		struct buf b = BUF_INIT;
		const struct view *v = view_find(views[i].view);

		assert_int_equal(uncounted_spill_note(&c.engine, v, &b),
		    views[i].shows);
		assert_string_equal(buf_str(&b), !views[i].shows ? ""
		    : "spill: not all temporary files could be listed in time "
		    "on beta: sizes are those of the last complete list, or "
		    "not known");
		buf_release(&b);
	}
	simcluster_release(&c);
}

int main(void)
{
	static struct cases c;

	CASES_TABLE(&c, test_io, sources);
	cases_add(&c, "temporary files", test_spill, NULL);
	return cases_run(&c, "unread");
}
