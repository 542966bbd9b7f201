/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ten ticks of a running Greenplum 6: the sessions from process titles equal
 * those of its catalog, and merging the catalog changes nothing, but adds
 * columns.
 */
#include <inttypes.h>

#include "analysis/sessions.h"
#include "base/buf.h"
#include "base/compiler.h"
#include "cases.h"
#include "model/tick_encoder.h"
#include "replay/archive.h"
#include "simhost.h"

#define RECORDING GS_SOURCE_DIR "/samples/greenplum6.gpsnap"
#define ACTIVITY GS_SOURCE_DIR "/samples/greenplum6.activity.tsv"

#define TICKS 10
#define ROWS 880 /* of ACTIVITY: as many session processes were there */
#define SETTLED 700 /* whose state is older than their process' sample */
#define FIELDS 12

/* A line of ACTIVITY. */
struct activity {
	long tick, content, pid, session;
	char application[32], state[40], reason[16], verb[16];
	long long start, query_start, xact_start, state_change;
	size_t row; /* in the made-up catalog */
};

struct lab {
	struct archive *archive;
	struct cursor cursor;
	struct activity *a;
	size_t n;
	/* as recorded, by titles alone */
	struct world *w;
	struct sessions *s;
	/* the same, with the catalog */
	struct simhost catalog;
	struct tick_encoder *encoder;
	struct world *both;
	struct sessions *merged;
};

static long long number(const char *s)
{
	return strcmp(s, "-") == 0 ? INT64_MIN : strtoll(s, NULL, 10);
}

static void read_line(struct activity *a, char *line)
{
	char *field[FIELDS], *at = line;
	int i;

	for (i = 0; i < FIELDS; i++) {
		field[i] = strsep(&at, "\t\n");
		assert_non_null(field[i]);
	}
	a->tick = strtol(field[0], NULL, 10);
	a->content = strtol(field[1], NULL, 10);
	a->pid = strtol(field[2], NULL, 10);
	a->session = strtol(field[3], NULL, 10);
	(void)snprintf(a->application, sizeof(a->application), "%s",
	    strcmp(field[4], "-") ? field[4] : "");
	(void)snprintf(a->state, sizeof(a->state), "%s", field[5]);
	(void)snprintf(a->reason, sizeof(a->reason), "%s", field[6]);
	a->start = number(field[7]);
	a->query_start = number(field[8]);
	a->xact_start = number(field[9]);
	a->state_change = number(field[10]);
	(void)snprintf(a->verb, sizeof(a->verb), "%s", field[11]);
}

static void read_activity(struct lab *l)
{
	FILE *f = fopen(ACTIVITY, "re");
	char *line = NULL;
	size_t cap = 0;

	assert_non_null(f);
	l->a = gs_calloc(ROWS, sizeof(*l->a));
	while (getline(&line, &cap, f) > 0) {
		if (line[0] == '#')
			continue;
		assert_true(l->n < ROWS);
		read_line(&l->a[l->n++], line);
	}
	assert_int_equal(l->n, ROWS);
	free(line);
	(void)fclose(f);
}

/* ---- the catalog ---------------------------------------------------------- */

#define SET(l, e, i, sym, v) simhost_set(&(l)->catalog, ENTITY_##e, (i), \
	COL(e, sym), (uint64_t)(v))
#define SET_TEXT(l, e, i, sym, v) simhost_set_text(&(l)->catalog, \
	ENTITY_##e, (i), COL(e, sym), (v))

static void make_segments(struct lab *l)
{
	static const struct {
		int content, port;
	} all[] = { { -1, 6000 }, { 0, 6002 }, { 1, 6003 }, { 2, 6004 } };
	size_t k;

	for (k = 0; k < GS_LEN(all); k++) {
		size_t i = simhost_open(&l->catalog, ENTITY_SEGMENT,
		    OPEN_APPEARED);

		SET_TEXT(l, SEGMENT, i, HOSTNAME, "localhost");
		SET_TEXT(l, SEGMENT, i, HOST, "gpdemo");
		SET_TEXT(l, SEGMENT, i, DATADIR, "/data");
		SET(l, SEGMENT, i, PORT, all[k].port);
		SET(l, SEGMENT, i, CONTENT, all[k].content);
		SET(l, SEGMENT, i, ROLE, 'p');
	}
}

static void set_instant(struct lab *l, size_t i, unsigned col, long long us)
{
	if (us == INT64_MIN)
		simhost_unset(&l->catalog, ENTITY_BACKEND, i, col);
	else
		simhost_set(&l->catalog, ENTITY_BACKEND, i, col,
		    (uint64_t)us);
}

/* The row of the same backend in the previous tick, else a new one. */
static size_t backend_row(struct lab *l, const struct activity *a)
{
	const struct activity *b;
	size_t i;

	for (b = l->a; b < a; b++) {
		if (b->tick == a->tick - 1 && b->pid == a->pid &&
		    b->content == a->content && b->start == a->start)
			return b->row;
	}
	i = simhost_open(&l->catalog, ENTITY_BACKEND, OPEN_APPEARED);
	SET(l, BACKEND, i, CONTENT, a->content);
	SET(l, BACKEND, i, PID, a->pid);
	set_instant(l, i, COL(BACKEND, START), a->start);
	return i;
}

static void set_backend(struct lab *l, struct activity *a)
{
	size_t i = a->row = backend_row(l, a);

	SET(l, BACKEND, i, SESSION, a->session);
	SET_TEXT(l, BACKEND, i, STATE, a->state);
	SET_TEXT(l, BACKEND, i, APPLICATION, a->application);
	SET_TEXT(l, BACKEND, i, QUERY, a->verb);
	SET_TEXT(l, BACKEND, i, WAIT_TYPE,
	    strcmp(a->reason, "-") ? a->reason : "");
	set_instant(l, i, COL(BACKEND, QUERY_START), a->query_start);
	set_instant(l, i, COL(BACKEND, XACT_START), a->xact_start);
	set_instant(l, i, COL(BACKEND, STATE_CHANGE), a->state_change);
}

static void close_others(struct lab *l, long tick)
{
	size_t k, i;

	for (k = 0; k < l->n; k++) {
		bool still = false;

		if (l->a[k].tick != tick - 1)
			continue;
		for (i = 0; i < l->n; i++)
			still |= l->a[i].tick == tick &&
			    l->a[i].row == l->a[k].row;
		if (!still)
			simhost_close(&l->catalog, ENTITY_BACKEND,
			    l->a[k].row, CLOSE_EXITED);
	}
}

static void merge_tick(struct lab *l, long tick, int64_t wall_ns)
{
	struct gs_err err;
	size_t i;

	for (i = 0; i < l->n; i++) {
		if (l->a[i].tick == tick)
			set_backend(l, &l->a[i]);
	}
	close_others(l, tick);
	simhost_tick(&l->catalog, 2 * SIM_SECOND);
	encoder_begin(l->encoder, wall_ns);
	encoder_block(l->encoder, 0, l->w);
	encoder_block(l->encoder, 1, l->catalog.world);
	if (world_apply(l->both, encoder_end(l->encoder), &err) < 0)
		fail_msg("%s", err.msg);
	sessions_tick(l->merged, l->both, wall_ns);
}

static void set_up(struct lab *l)
{
	char path[] = RECORDING, *paths[] = { path };
	struct header *h = header_new();
	struct gs_err err;

	*l = (struct lab) { .n = 0 };
	read_activity(l);
	if (archive_open(paths, 1, &l->archive, &err) < 0)
		fail_msg("%s", err.msg);
	l->cursor = archive_cursor(l->archive);
	l->w = world_new();
	l->s = sessions_new();
	simhost_init(&l->catalog, "catalog");
	l->catalog.row[ENTITY_HOST][0].closed = CLOSE_LEFT;
	make_segments(l);
	header_add_host(h, 0, "gpdemo");
	header_add_catalog(h, 1, "catalog");
	l->encoder = encoder_new(h);
	l->both = world_new();
	l->merged = sessions_new();
}

static void tear_down(struct lab *l)
{
	sessions_free(l->s);
	sessions_free(l->merged);
	world_free(l->both);
	world_free(l->w);
	encoder_free(l->encoder);
	simhost_release(&l->catalog);
	archive_free(l->archive);
	free(l->a);
}

/* ---- comparing ------------------------------------------------------------- */

static const struct proc *find(const struct world *w,
	const struct sessions *s, long pid)
{
	const struct table *t = &world_host(w, 0)->table[ENTITY_PROCESS];
	size_t i;

	for (i = 0; i < t->n_slot; i++) {
		if (t->slot[i] && t->slot[i]->now.val[COL(PROCESS, PID)] ==
		    (uint64_t)pid)
			return sessions_proc(s, t->slot[i]);
	}
	return NULL;
}

/* The catalog was read up to a second after the process. */
static bool is_settled(const struct activity *a, int64_t wall_ns)
{
	return a->state_change * 1000 < wall_ns;
}

static enum title_state state_of(const struct activity *a)
{
	if (strcmp(a->state, "active") == 0)
		return strcmp(a->reason, "lock") == 0 ? TITLE_WAITING
		                                      : TITLE_ACTIVE;
	if (strcmp(a->state, "idle") == 0)
		return TITLE_IDLE;
	return strcmp(a->state, "idle in transaction") == 0 ? TITLE_IDLE_TX
	                                                    : TITLE_IDLE_ABORTED;
}

static bool is_executor(const struct proc *p)
{
	return p->title.kind == TITLE_QE;
}

static void same_place(const struct proc *p, const struct activity *a)
{
	if (!p || p->session->kind != SESSION_GREENPLUM)
		fail_msg("pid %ld is of no session", a->pid);
	if (p->session->session_id != (uint32_t)a->session ||
	    (is_executor(p) ? p->title.seg : -1) != (int32_t)a->content)
		fail_msg("tick %ld pid %ld: con%u seg%d, want con%ld seg%ld",
		    a->tick, a->pid, p->session->session_id, p->title.seg,
		    a->session, a->content);
}

/* The title of a coordinator process also has its statement. */
static void same_state(const struct proc *p, const struct activity *a,
	int64_t wall_ns, size_t *ret_compared)
{
	if (!is_settled(a, wall_ns))
		return;
	++*ret_compared;
	if (p->title.state != state_of(a))
		fail_msg("tick %ld pid %ld: %s, want %s", a->tick, a->pid,
		    title_state_name(p->title.state), a->state);
	if (!is_executor(p) && state_of(a) == TITLE_ACTIVE &&
	    strcmp(p->session->activity, a->verb) != 0)
		fail_msg("tick %ld pid %ld: %s, want %s", a->tick, a->pid,
		    p->session->activity, a->verb);
}

/* Columns that the catalog adds, and those that it must not change. */
static void same_merged(const struct proc *p, const struct proc *m,
	const struct activity *a, int64_t wall_ns)
{
	const struct session *n = p->session, *k = m->session;

	same_place(m, a);
	if (!m->tied)
		fail_msg("tick %ld pid %ld is not tied", a->tick, a->pid);
	assert_int_equal(k->n_procs, n->n_procs);
	assert_non_null(k->leader);
	assert_non_null(k->backend);
	assert_string_not_equal(k->application, "");
	assert_true(k->since_known);
	assert_string_equal(k->user, n->user);
	if (is_executor(m) || !is_settled(a, wall_ns))
		return;
	assert_int_equal(k->state, n->state);
	assert_int_equal(k->cmd, n->cmd);
	if (!k->query != !n->query)
		fail_msg("tick %ld con%ld: a query in one of both", a->tick,
		    a->session);
	if (k->query)
		assert_true(k->query->start_us == a->query_start);
}

/* All of a session work for one query, whatever their counters say. */
static size_t one_query_each(const struct sessions *s)
{
	size_t i, apart = 0;

	for (i = 0; i < sessions_count(s); i++) {
		const struct session *n = sessions_get(s, i);
		const struct proc *p;
		struct query_charge c;

		if (n->kind != SESSION_GREENPLUM || !n->procs)
			continue;
		c = sessions_charge_of(s, n->procs);
		for (p = n->procs; p; p = p->next) {
			struct query_charge d = sessions_charge_of(s, p);

			assert_ptr_equal(c.to, d.to);
			assert_ptr_equal(c.also, d.also);
			apart += n->query && n->has_cmd && p->title.has_cmd &&
			    p->title.cmd != n->cmd;
		}
	}
	return apart;
}

static size_t in_sessions(const struct sessions *s)
{
	size_t i, n = 0;

	for (i = 0; i < sessions_count(s); i++) {
		if (sessions_get(s, i)->kind == SESSION_GREENPLUM)
			n += sessions_get(s, i)->n_procs;
	}
	return n;
}

static void test_ten_ticks(void **state)
{
	size_t i, compared = 0, apart = 0, attributed = 0;
	const struct tick *t;
	struct gs_err err;
	struct lab l;
	long tick;

	(void)state;
	set_up(&l);
	for (tick = 0; tick < TICKS; tick++) {
		struct cursor_gap gap;
		int64_t wall;

		assert_int_equal(cursor_next(l.cursor, &t, &gap, &err),
		    CURSOR_TICK);
		assert_int_equal(world_apply(l.w, t, &err), 0);
		wall = world_host(l.w, 0)->clock.wall_ns;
		sessions_tick(l.s, l.w, wall);
		merge_tick(&l, tick, wall);
		for (i = 0; i < l.n; i++) {
			const struct activity *a = &l.a[i];
			const struct proc *p, *m;

			if (a->tick != tick)
				continue;
			p = find(l.w, l.s, a->pid);
			m = find(l.both, l.merged, a->pid);
			same_place(p, a);
			same_state(p, a, wall, &compared);
			assert_non_null(m);
			same_merged(p, m, a, wall);
		}
		attributed += in_sessions(l.s);
		apart += one_query_each(l.s);
		(void)one_query_each(l.merged);
	}
	/* they did differ, in many rows */
	assert_true(apart > 100);
	assert_int_equal(attributed, ROWS);
	/* the others changed while they were read */
	assert_int_equal(compared, SETTLED);
	tear_down(&l);
}

int main(void)
{
	struct cases c = { .n = 0 };

	cases_add(&c, "ten ticks", test_ten_ticks, NULL);
	return cases_run(&c, "ground truth");
}
