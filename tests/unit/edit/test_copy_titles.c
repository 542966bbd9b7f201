/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Titles that can't be parsed without context: pseudonyms in them, and merged
 * recordings, need the known server, its users and databases.
 */
#include "base/compiler.h"
#include "cases.h"
#include "edit/copy.h"
#include "format/reader.h"
#include "merge/merge.h"
#include "model/ring.h"
#include "model/tick_encoder.h"
#include "simhost.h"
#include "tempdir.h"
#include "title/title.h"

#define POSTMASTER_PID 60
#define CLUSTER "prod: DW con7 seg1 [local] idle: "

static const char *const named[] = {
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

static void record(struct ring *to, uint8_t id, const char *name,
	const char *const *titles, size_t n)
{
	struct header *h = header_new();
	struct simhost host;
	struct tick_encoder *m;
	uint64_t i;

	h->interval_ns = SIM_SECOND;
	memset(h->recording_id, id, sizeof(h->recording_id));
	header_add_host(h, 0, name);
	m = encoder_new(h);
	simhost_init(&host, name);
	process(&host, POSTMASTER_PID, "/pg/bin/postgres -D /pg -p 5432");
	for (i = 0; i < n; i++)
		process(&host, POSTMASTER_PID + 1 + i, titles[i]);
	simhost_tick(&host, SIM_SECOND);
	encoder_begin(m, host.clock.wall_ns);
	encoder_block(m, 0, host.world);
	ring_push(to, encoder_end(m));
	encoder_free(m);
	simhost_release(&host);
}

static void copy(struct ring *from, struct redact *redact, const char *path)
{
	struct sink_options so = { .path = path, .force = true, .level = 3 };
	struct pick pick = { 0 };
	struct copy_options o = { .from_ns = INT64_MIN, .to_ns = INT64_MAX,
		.pick = &pick, .redact = redact, .command = "a test" };
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
	struct aliases *aliases = aliases_new();
	struct anon *anon = anon_new(aliases);
	struct redact *redact = redact_new(anon, false);
	struct title t, vacuum;
	struct tempdir dir;
	struct world *w;

	(void)state;
	tempdir_make(&dir);
	record(ring, 1, "alpha", named, GS_LEN(named));
	copy(ring, redact, tempdir_file(&dir, "out.gpsnap"));
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
	redact_free(redact);
	anon_free(anon);
	aliases_free(aliases);
	ring_free(ring);
	tempdir_remove(&dir);
}

/* Two segments of one cluster: nothing there leads a session. */
#define SEGMENT "postgres:  6002, DW [local] con7 cmd1 x: "

static const char *const segment[] = {
	SEGMENT "startup process   recovering 00000001000000000000000D",
	SEGMENT "checkpointer process   ",
	SEGMENT "writer process   ",
	SEGMENT "ftsprobe process   ",
};

static void test_merge(void **state)
{
	static const char *const hosts[] = { "alpha", "beta" };
	struct merge_options o = { .command = "a test", .sessions = true };
	struct merge *m = NULL;
	struct tempdir dir;
	char *path[2];
	const struct tick *t;
	struct cursor_gap gap;
	struct gs_err err;
	uint8_t i;

	(void)state;
	tempdir_make(&dir);
	for (i = 0; i < 2; i++) {
		struct ring *ring = ring_new(INT64_MAX, SIZE_MAX);

		path[i] = gs_strdup(tempdir_file(&dir, hosts[i]));
		record(ring, i + 1, hosts[i], segment, GS_LEN(segment));
		copy(ring, NULL, path[i]);
		ring_free(ring);
	}
	assert_int_equal(merge_open(path, 2, &o, &m, &err), GS_OK);
	if (cursor_next(merge_cursor(m), &t, &gap, &err) != CURSOR_TICK)
		fail_msg("%s", err.msg);
	assert_int_equal(t->n_block, 2);
	for (i = 0; i < merge_notes(m); i++)
		assert_null(strstr(merge_note(m, i), "coordinators"));
	merge_free(m);
	free(path[0]);
	free(path[1]);
	tempdir_remove(&dir);
}

int main(void)
{
	static struct cases c;

	cases_add(&c, "pseudonyms", test_titles, NULL);
	cases_add(&c, "merged", test_merge, NULL);
	return cases_run(&c, "copy_titles");
}
