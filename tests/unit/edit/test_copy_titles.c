/*
 * Pseudonyms in titles that can't be understood alone: what the recording
 * knows of their server, of users and databases, is used.
 */
#include "base/compiler.h"
#include "cases.h"
#include "edit/copy.h"
#include "format/reader.h"
#include "model/maker.h"
#include "model/ring.h"
#include "model/title.h"
#include "simhost.h"
#include "tempdir.h"

#define POSTMASTER_PID 60
#define CLUSTER "prod: DW con7 seg1 [local] idle: "

static const char *const titles[] = {
	"postgres: " CLUSTER "dtx recovery process   con1 ",
	"postgres: " CLUSTER "bi my db [local] SELECT",
	"postgres: " CLUSTER "checkpointer ",
	"postgres: " CLUSTER "walwriter ",
	"postgres: " CLUSTER "bi sales [local] idle",
	"postgres: " CLUSTER "autovacuum worker my db",
};

enum { RECOVERY, BLANKS, CHECKPOINTER, WALWRITER, PLAIN, VACUUM };

static void process(struct simhost *h, uint64_t pid, const char *title)
{
	size_t i = simhost_process(h, OPEN_APPEARED, pid, POSTMASTER_PID,
	    title);

	SIM_SET(h, i, ROLE, pid == POSTMASTER_PID ? 1 : 2);
	SIM_SET(h, i, POSTMASTER, POSTMASTER_PID);
}

static void record(struct ring *to)
{
	struct header *h = header_new();
	struct simhost host;
	struct maker *m;
	uint64_t i;

	h->interval_ns = SIM_SECOND;
	header_add_host(h, 0, "alpha");
	m = maker_new(h);
	simhost_init(&host, "alpha");
	process(&host, POSTMASTER_PID, "/pg/bin/postgres -D /pg -p 5432");
	for (i = 0; i < GS_LEN(titles); i++)
		process(&host, POSTMASTER_PID + 1 + i, titles[i]);
	simhost_tick(&host, SIM_SECOND);
	maker_begin(m, host.clock.wall_ns);
	maker_block(m, 0, host.world);
	ring_push(to, maker_end(m));
	maker_free(m);
	simhost_release(&host);
}

static void copy(struct ring *from, const char *path)
{
	struct sink_options so = { .path = path, .force = true, .level = 3 };
	struct aliases *aliases = aliases_new();
	struct anon *anon = anon_new(aliases);
	struct veil *veil = veil_new(anon, false);
	struct pick pick = { 0 };
	struct copy_options o = { .from_ns = INT64_MIN, .to_ns = INT64_MAX,
		.pick = &pick, .veil = veil, .command = "a test" };
	struct ring_cursor *c = ring_cursor_new(from);
	struct copy_result res;
	struct sink *s = NULL;
	struct gs_err err;

	assert_int_equal(pick_init(&pick, NULL, NULL, NULL, NULL, &err),
	    GS_OK);
	assert_int_equal(sink_open(&so, &io_posix, &s, &err), GS_OK);
	assert_int_equal(copy_run(&o, ring_cursor(c), SIM_SECOND, s, &res,
	    &err), GS_OK);
	assert_int_equal(sink_finish(s, &err), GS_OK);
	sink_free(s);
	pick_release(&pick);
	ring_cursor_free(c);
	veil_free(veil);
	anon_free(anon);
	aliases_free(aliases);
}

static struct world *read_back(const char *path)
{
	struct world *w = world_new();
	struct reader *rd = NULL;
	struct cursor_gap gap;
	struct tick *t;
	struct gs_err err;

	assert_int_equal(reader_open(path, &rd, &err), GS_OK);
	assert_int_equal(reader_next(rd, &t, &gap, &err), CURSOR_TICK);
	assert_int_equal(world_apply(w, t, &err), GS_OK);
	reader_free(rd);
	return w;
}

static struct span title_of(const struct world *w, size_t i)
{
	return row_text(w, world_host(w, 0)->table[ENTITY_PROCESS].slot[i + 1],
	    COL(PROCESS, TITLE));
}

static void check(const struct world *w, size_t i, enum title_kind kind,
	struct title *ret)
{
	title_parse(title_of(w, i), ret);
	print_message("%.*s\n", (int)span_len(title_of(w, i)),
	    title_of(w, i).ptr);
	assert_int_equal(ret->kind, kind);
	assert_true(span_eq(ret->cluster, "cluster-1"));
}

static void test_titles(void **state)
{
	struct ring *ring = ring_new(INT64_MAX, SIZE_MAX);
	struct title t, vacuum;
	struct tempdir dir;
	struct world *w;

	(void)state;
	tempdir_make(&dir);
	record(ring);
	copy(ring, tempdir_file(&dir, "out.gpsnap"));
	w = read_back(tempdir_file(&dir, "out.gpsnap"));
	check(w, RECOVERY, TITLE_BACKGROUND, &t);
	check(w, CHECKPOINTER, TITLE_BACKGROUND, &t);
	check(w, PLAIN, TITLE_BACKEND, &t);
	check(w, VACUUM, TITLE_BACKGROUND, &vacuum);
	check(w, BLANKS, TITLE_BACKEND, &t);
	assert_int_equal(span_len(t.database), span_len(vacuum.database));
	assert_memory_equal(t.database.ptr, vacuum.database.ptr,
	    span_len(t.database));
	world_free(w);
	ring_free(ring);
	tempdir_remove(&dir);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "titles", test_titles, NULL);
	return cases_run(&c, "copy_titles");
}
