/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader over files that are not a single whole recording: joined, read
 * from a pipe, being written, foreign, crafted, of another version.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>

#include "base/bytes.h"
#include "gpsnap.pb-c.h"
#include "readback.h"
#include "simlife.h"

static void make(struct recording *r, uint8_t id, unsigned skip,
	unsigned ticks, unsigned rotate_at)
{
	struct simlife l;
	struct simhost *h[1] = { &l.host };
	unsigned i;

	recording_init(r, id);
	simlife_init(&l, "alpha", id, 4);
	for (i = 0; i < skip + ticks; i++) {
		simlife_step(&l, SIM_SECOND);
		if (i < skip) {
			uint64_t digest;

			(void)recording_make(r, h, 1, &digest);
			encoder_need_key(r->encoder);
			continue;
		}
		if (rotate_at && i == rotate_at) {
			recording_close(r);
			recording_rotate(r);
		}
		recording_tick(r, h, 1);
	}
	recording_close(r);
	simlife_release(&l);
}

/* ---- more than one file --------------------------------------------------- */

static void test_cat_of_rotated_files(void **state)
{
	struct recording r;
	const struct frame_entry *e;
	struct reader *rd;
	struct memfile m;
	struct got g;
	size_t n, i;

	(void)state;
	make(&r, 3, 0, 12, 5);
	memfile_make(&m, r.bytes.ptr, r.bytes.len);
	read_path(m.path, &r, &g);
	assert_true(g.ended);
	assert_int_equal(g.gaps, 0);
	assert_int_equal(g.n, 13);
	assert_int_equal(g.seq[4], 5);
	assert_int_equal(g.seq[5], 5); /* the seam: a file begins with it */
	assert_int_equal(g.seq[12], 12);
	assert_int_equal(reader_open(m.path, &rd, NULL), GS_OK);
	assert_int_equal(reader_index(rd, &e, &n, NULL), GS_OK);
	assert_int_equal(n, 13);
	for (i = 0; i < n; i++)
		assert_int_equal(e[i].offset, r.tick[i].at);
	assert_true(reader_is_closed(rd));
	reader_free(rd);
	memfile_close(&m);
	recording_release(&r);
}

/* Sequence numbers of another recording that are far away are not a hole. */
static void test_cat_of_two_recordings(void **state)
{
	struct recording a, b;
	struct buf both = BUF_INIT;
	struct got g;
	size_t i, n;

	(void)state;
	make(&a, 4, 0, 8, 0);
	make(&b, 5, 50, 6, 0);
	buf_add(&both, a.bytes.ptr, a.bytes.len);
	buf_add(&both, b.bytes.ptr, b.bytes.len);
	n = a.n;
	for (i = 0; i < b.n; i++)
		a.tick[a.n++] = b.tick[i];
	read_bytes(&both, &a, &g);
	assert_true(g.ended);
	assert_int_equal(g.n, n + b.n);
	assert_int_equal(g.gaps, 0);
	assert_int_equal(g.seq[n], 51);
	/* the first one torn: its rest is a gap, the second is whole */
	both.len = a.tick[n - 1].end - 5;
	buf_add(&both, b.bytes.ptr, b.bytes.len);
	read_bytes(&both, &a, &g);
	assert_int_equal(g.n, n - 1 + b.n);
	assert_int_equal(g.gaps, 1);
	assert_int_equal(g.first_gap.to_ns, b.tick[0].wall_ns);
	buf_release(&both);
	recording_release(&a);
	recording_release(&b);
}

/* Number, time and distance of a delta of another recording may match. */
static void test_delta_of_another_recording(void **state)
{
	struct recording a, b;
	struct frame_index ix;
	struct buf file = BUF_INIT;
	struct got g;
	char index[FRAME_INDEX_LEN];

	(void)state;
	make(&a, 4, 0, 8, 0);
	make(&b, 5, 0, 8, 0);
	buf_add(&file, a.bytes.ptr, a.tick[4].at);
	assert_int_equal(frame_index_get(b.bytes.ptr + b.tick[4].at, &ix), 0);
	assert_int_equal(ix.seq, 5);
	ix.back_key = file.len;
	frame_index_put(&ix, index);
	buf_add(&file, index, sizeof(index));
	buf_add(&file, b.bytes.ptr + b.tick[4].at + FRAME_INDEX_LEN,
	    ix.comp_len);
	read_bytes(&file, &a, &g);
	assert_true(g.ended);
	assert_int_equal(g.n, 4);
	assert_int_equal(g.gaps, 1);
	assert_int_equal(g.damages, 1);
	assert_string_equal(g.first_gap.why,
	    "tick 5 belongs to another key");
	buf_release(&file);
	recording_release(&a);
	recording_release(&b);
}

static void test_ticks_that_were_not_written(void **state)
{
	struct recording r;
	struct simlife l;
	struct simhost *h[1] = { &l.host };
	uint64_t digest;
	struct got g;
	unsigned i;

	(void)state;
	recording_init(&r, 6);
	simlife_init(&l, "alpha", 6, 4);
	for (i = 0; i < 10; i++) {
		simlife_step(&l, SIM_SECOND);
		if (i >= 4 && i < 7) {
			(void)recording_make(&r, h, 1, &digest);
			encoder_need_key(r.encoder);
			continue;
		}
		recording_tick(&r, h, 1);
	}
	recording_close(&r);
	read_bytes(&r.bytes, &r, &g);
	assert_int_equal(g.n, 7);
	assert_int_equal(g.gaps, 1);
	assert_int_equal(g.damages, 0);
	assert_int_equal(g.first_gap.ticks, 3);
	assert_string_equal(g.first_gap.why, "not written to this file");
	recording_release(&r);
	simlife_release(&l);
}

/* ---- pipes ----------------------------------------------------------------- */

struct feed {
	int fd;
	const char *p;
	size_t len, step;
};

static void *feed_main(void *arg)
{
	struct feed *f = arg;

	while (f->len > 0) {
		size_t n = f->len < f->step ? f->len : f->step;
		ssize_t done = write(f->fd, f->p, n);

		if (done < 0)
			break; /* the reader has seen enough */
		f->p += done;
		f->len -= (size_t)done;
	}
	(void)close(f->fd);
	return NULL;
}

static void read_pipe(const struct buf *b, size_t step,
	const struct recording *r, struct got *g)
{
	struct feed f = { .p = b->ptr, .len = b->len, .step = step };
	pthread_t thread;
	char path[64];
	int fd[2];

	assert_int_equal(pipe(fd), 0);
	f.fd = fd[1];
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd[0]);
	assert_int_equal(pthread_create(&thread, NULL, feed_main, &f), 0);
	read_path(path, r, g);
	(void)close(fd[0]);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(f.len, 0);
}

static void same(const struct got *a, const struct got *b)
{
	size_t i;

	assert_int_equal(a->err.status, b->err.status);
	assert_int_equal(a->n, b->n);
	for (i = 0; i < a->n; i++)
		assert_int_equal(a->seq[i], b->seq[i]);
	assert_int_equal(a->gaps, b->gaps);
	assert_int_equal(a->damages, b->damages);
	assert_int_equal(a->ended, b->ended);
	assert_int_equal(a->first_gap.bytes, b->first_gap.bytes);
	assert_int_equal(a->first_gap.offset, b->first_gap.offset);
	/* only the end of a file shows whether it was closed */
	if (a->first_gap.to_ns != INT64_MAX)
		assert_string_equal(a->first_gap.why, b->first_gap.why);
}

static void test_pipe_equals_file(void **state)
{
	static const size_t steps[] = { 1, 63, 64, 1000, 65536 };
	struct recording r;
	struct got file, piped;
	size_t i;

	(void)state;
	make(&r, 7, 0, 12, 5);
	read_bytes(&r.bytes, &r, &file);
	for (i = 0; i < GS_LEN(steps); i++) {
		read_pipe(&r.bytes, steps[i], &r, &piped);
		same(&file, &piped);
	}
	recording_release(&r);
}

static void test_damaged_pipe_equals_file(void **state)
{
	struct recording r;
	struct got file, piped;
	size_t i;

	(void)state;
	make(&r, 8, 0, 16, 0);
	for (i = 0; i < r.bytes.len; i += 11) {
		struct buf b = r.bytes;

		if (i % 2 == 0)
			b.len = i + 1;
		else
			r.bytes.ptr[i] ^= 0x40;
		read_bytes(&b, &r, &file);
		read_pipe(&b, 4096, &r, &piped);
		same(&file, &piped);
		if (i % 2)
			r.bytes.ptr[i] ^= 0x40;
	}
	recording_release(&r);
}

/* ---- being written ---------------------------------------------------------- */

static void test_waits_while_a_recorder_holds_its_lock(void **state)
{
	struct recording r;
	struct memfile m;
	struct reader *rd = NULL;
	struct world *w = world_new();
	struct got g = { 0 };
	size_t half;
	int lock;

	(void)state;
	make(&r, 9, 0, 6, 0);
	half = r.tick[3].at + 70;
	memfile_make(&m, r.bytes.ptr, half);
	lock = open(m.path, O_RDWR);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	assert_int_equal(reader_open(m.path, &rd, &g.err), GS_OK);
	read_on(rd, &r, &g, w);
	assert_true(g.waits);
	assert_int_equal(g.n, 3);
	assert_int_equal(g.gaps, 0);
	/* the rest of the tick comes, and the next one */
	memfile_write(&m, r.bytes.ptr, r.tick[4].end);
	g.waits = false;
	read_on(rd, &r, &g, w);
	assert_true(g.waits);
	assert_int_equal(g.n, 5);
	memfile_write(&m, r.bytes.ptr, r.tick[5].at + 1);
	g.waits = false;
	read_on(rd, &r, &g, w);
	assert_true(g.waits);
	assert_int_equal(g.gaps, 0);
	/* the recorder is killed */
	(void)close(lock);
	g.waits = false;
	read_on(rd, &r, &g, w);
	assert_true(g.ended);
	assert_int_equal(g.gaps, 1);
	assert_int_equal(g.first_gap.bytes, 1);
	reader_free(rd);
	memfile_close(&m);
	world_free(w);
	recording_release(&r);
}

static void test_index_grows_with_the_file(void **state)
{
	struct recording r;
	struct memfile m;
	struct reader *rd = NULL;
	const struct frame_entry *e;
	size_t n, i;

	(void)state;
	make(&r, 10, 0, 8, 0);
	memfile_make(&m, r.bytes.ptr, r.tick[0].end);
	assert_int_equal(reader_open(m.path, &rd, NULL), GS_OK);
	for (i = 0; i < r.n; i++) {
		memfile_write(&m, r.bytes.ptr, r.tick[i].end + (i % 3) * 20);
		assert_int_equal(reader_index(rd, &e, &n, NULL), GS_OK);
		assert_int_equal(n, i + 1);
		assert_int_equal(e[i].offset, r.tick[i].at);
	}
	memfile_write(&m, r.bytes.ptr, r.bytes.len);
	assert_int_equal(reader_index(rd, &e, &n, NULL), GS_OK);
	assert_int_equal(n, r.n);
	reader_free(rd);
	memfile_close(&m);
	recording_release(&r);
}

/* ---- no recordings ----------------------------------------------------------- */

static const struct foreign {
	const char *name;
	const char *bytes;
	size_t len;
	const char *message; /* after the path */
	int status;
} foreigns[] = {
	{ "empty", "", 0, ": empty, not a recording", GS_E_FORMAT },
	{ "text", "hello\n", 6,
	    ": not a gpsnap recording (it has no whole tick)", GS_E_FORMAT },
	{ "only a magic", "\x5d\x2a\x4d\x18", 4,
	    ": not a gpsnap recording (it has no whole tick)", GS_E_FORMAT },
	{ "the beginning of a first tick",
	    "\x5d\x2a\x4d\x18\x38\0\0\0GPSN\1\0\0\0", 16,
	    ": no tick in it is whole: its first one is cut off, or damaged",
	    GS_E_FORMAT },
	{ "gzip", "\x1f\x8b\x08\0\0\0\0\0\0\x03", 10,
	    ": not a gpsnap recording (it has no whole tick)", GS_E_FORMAT },
	{ "index of no frames",
	    "\x5d\x2a\x4d\x18\x14\0\0\0\0\0\0\0\0\0\0\0\x1c\0\0\0"
	    "\0\0\0\0GPSE", 28,
	    ": not a gpsnap recording (it has no whole tick)", GS_E_FORMAT },
};

static void test_foreign(void **state)
{
	const struct foreign *f = *state;
	struct memfile m;
	struct reader *rd = NULL;
	struct gs_err err;
	struct buf want = BUF_INIT;

	memfile_make(&m, f->bytes, f->len);
	assert_int_equal(reader_open(m.path, &rd, &err), f->status);
	buf_printf(&want, "%s%s", m.path, f->message);
	assert_string_equal(err.msg, buf_str(&want));
	buf_release(&want);
	memfile_close(&m);
}

static void test_directory_and_nothing(void **state)
{
	struct reader *rd = NULL;
	struct gs_err err;

	(void)state;
	assert_true(reader_open("/proc/self", &rd, &err) < 0);
	assert_string_equal(err.msg, "/proc/self: is a directory");
	assert_int_equal(reader_open("/proc/self/none", &rd, &err),
	    GS_E_NOTFOUND);
	assert_string_equal(err.msg,
	    "/proc/self/none: No such file or directory");
}

/* An index of no frames after a whole recording, and before one. */
static void test_empty_index_beside_a_recording(void **state)
{
	struct recording r;
	struct footer none = FOOTER_INIT;
	struct buf b = BUF_INIT;
	struct memfile m;
	struct reader *rd = NULL;
	const struct frame_entry *e;
	size_t n;
	struct got g;

	(void)state;
	make(&r, 11, 0, 5, 0);
	footer_put(&none, &b);
	buf_add(&b, r.bytes.ptr, r.bytes.len);
	footer_put(&none, &b);
	read_bytes(&b, &r, &g);
	assert_int_equal(g.n, 5);
	assert_int_equal(g.gaps, 0);
	memfile_make(&m, b.ptr, b.len);
	assert_int_equal(reader_open(m.path, &rd, NULL), GS_OK);
	assert_int_equal(reader_index(rd, &e, &n, NULL), GS_OK);
	assert_int_equal(n, 5);
	reader_free(rd);
	memfile_close(&m);
	buf_release(&b);
	footer_release(&none);
	recording_release(&r);
}

/* ---- huge claims --------------------------------------------------------------- */

static void put_false_frame(struct buf *b, uint32_t comp_len,
	uint32_t raw_len)
{
	struct frame_index ix = { .kind = FRAME_KEY, .seq = 1,
		.comp_len = comp_len, .raw_len = raw_len };

	ix.crc = frame_crc32c("12345678", 8);
	(void)buf_reserve(b, FRAME_INDEX_LEN);
	frame_index_put(&ix, b->ptr + b->len);
	b->len += FRAME_INDEX_LEN;
	buf_add_str(b, "12345678");
}

static void test_claims_are_not_believed(void **state)
{
	static const struct {
		uint32_t comp, raw;
		const char *why;
	} claims[] = {
		{ 8, FRAME_RAW_MAX, "frame holds" },
		{ 8, 100, "frame holds" },
		{ FRAME_RAW_MAX, FRAME_RAW_MAX, "" },
	};
	struct recording r;
	struct got g;
	size_t i;

	(void)state;
	make(&r, 12, 0, 5, 0);
	for (i = 0; i < GS_LEN(claims); i++) {
		struct buf b = BUF_INIT;

		put_false_frame(&b, claims[i].comp, claims[i].raw);
		buf_add(&b, r.bytes.ptr, r.bytes.len);
		read_bytes(&b, &r, &g);
		assert_int_equal(g.n, 5);
		assert_int_equal(g.damages, 1);
		assert_memory_equal(g.first_gap.why, claims[i].why,
		    strlen(claims[i].why));
		buf_release(&b);
	}
	recording_release(&r);
}

/* A small frame with one row in the last slot of every host. */
static void test_slots_of_all_hosts_are_bounded(void **state)
{
	struct tick t = TICK_INIT;
	struct world *w = world_new();
	struct tickcode *c = tickcode_new(TICKCODE_LEVEL);
	struct buf raw = BUF_INIT;
	struct tick back = TICK_INIT;
	struct rusage before, after;
	struct gs_err err;
	uint32_t i;

	(void)state;
	t.key = true;
	t.seq = 1;
	for (i = 0; i < 300; i++)
		delta_open_slot(&tick_add_block(&t, i)->ent[ENTITY_PROCESS],
		    TICK_SLOTS_MAX - 1, OPEN_CONTINUED);
	tickcode_encode(c, &t, &raw);
	assert_true(raw.len < 20000);
	assert_int_equal(tickcode_decode(c, raw.ptr, raw.len, &back, &err),
	    GS_OK);
	(void)getrusage(RUSAGE_SELF, &before);
	assert_int_equal(world_apply(w, &back, &err), GS_E_LIMIT);
	(void)getrusage(RUSAGE_SELF, &after);
	assert_true(after.ru_maxrss - before.ru_maxrss < 400 << 10);
	tick_release(&t);
	tick_release(&back);
	buf_release(&raw);
	tickcode_free(c);
	world_free(w);
}

/* ---- other versions -------------------------------------------------------------- */

static void test_newer_layout_is_refused(void **state)
{
	struct recording r;
	struct memfile m;
	struct got g;
	unsigned char *p;

	(void)state;
	make(&r, 13, 0, 5, 0);
	p = (unsigned char *)r.bytes.ptr;
	p[12] = 6;
	gs_put_le32(p + 60, frame_crc32c(p, 60));
	memfile_make(&m, r.bytes.ptr, r.bytes.len);
	read_path(m.path, &r, &g);
	assert_int_equal(g.err.status, GS_E_VERSION);
	assert_non_null(strstr(g.err.msg,
	    ": offset 0: frame of a newer layout: needs a newer gpsnap"));
	memfile_close(&m);
	recording_release(&r);
}

typedef void (*edit_fn)(Gpsnap__V1__Recording *m);

/* One key tick, edited as a message: what a newer version may write. */
static void make_edited(edit_fn edit, struct recording *r)
{
	struct simlife l;
	struct simhost *h[1] = { &l.host };
	Gpsnap__V1__Recording *m;
	uint64_t digest;
	const struct tick *t;

	recording_init(r, 14);
	simlife_init(&l, "alpha", 14, 3);
	simlife_step(&l, SIM_SECOND);
	t = recording_make(r, h, 1, &digest);
	tickcode_encode(r->code, t, &r->raw);
	m = gpsnap__v1__recording__unpack(NULL, r->raw.len,
	    (uint8_t *)r->raw.ptr);
	assert_non_null(m);
	edit(m);
	buf_reset(&r->raw);
	r->raw.len = gpsnap__v1__recording__pack(m, (uint8_t *)buf_reserve(
	    &r->raw, gpsnap__v1__recording__get_packed_size(m)));
	gpsnap__v1__recording__free_unpacked(m, NULL);
	recording_put_raw(r, t->seq, t->wall_ns, true);
	r->tick[r->n++] = (struct recording_tick) { .seq = t->seq,
		.wall_ns = t->wall_ns, .digest = digest };
	simlife_release(&l);
}

static Gpsnap__V1__Entity *described(Gpsnap__V1__Recording *m, size_t i)
{
	return m->record[0]->tick->header->entity[i];
}

static void unknown_metric(Gpsnap__V1__Recording *m)
{
	Gpsnap__V1__Entity *e = described(m, 0);
	Gpsnap__V1__EntityDelta *d = m->record[0]->tick->host[0]->entity[0];

	e->metric[e->n_metric - 1]->id = 60000;
	free(e->metric[e->n_metric - 1]->name);
	e->metric[e->n_metric - 1]->name = strdup("flux");
	/* a column without rows of its own has those of the previous one */
	d->column[d->n_column - 1]->metric = 60000;
	(void)e;
}

static void unknown_entity(Gpsnap__V1__Recording *m)
{
	Gpsnap__V1__HostBlock *b = m->record[0]->tick->host[0];
	Gpsnap__V1__Entity *e = described(m,
	    m->record[0]->tick->header->n_entity - 1);

	e->id = 5000;
	free(e->name);
	e->name = strdup("quark");
	b->entity[b->n_entity - 1]->entity = 5000;
}

static void unknown_feature(Gpsnap__V1__Recording *m)
{
	m->record[0]->tick->header->incompatible = UINT64_C(1) << 40;
}

static void newer_format(Gpsnap__V1__Recording *m)
{
	m->record[0]->tick->header->format_version = 2;
}

static void compatible_feature(Gpsnap__V1__Recording *m)
{
	m->record[0]->tick->header->compatible = UINT64_MAX;
}

static void test_compatible_feature_is_read(void **state)
{
	struct recording r;
	struct got g;

	(void)state;
	make_edited(compatible_feature, &r);
	read_bytes(&r.bytes, &r, &g);
	assert_int_equal(g.n, 1);
	assert_int_equal(g.gaps, 0);
	recording_release(&r);
}

static void refused(edit_fn edit, const char *message)
{
	struct recording r;
	struct got g;

	make_edited(edit, &r);
	read_bytes(&r.bytes, &r, &g);
	assert_int_equal(g.err.status, GS_E_VERSION);
	assert_string_equal(strchr(g.err.msg, ':'), message);
	recording_release(&r);
}

static void test_unknown_features_are_refused(void **state)
{
	(void)state;
	refused(unknown_feature, ": format 1 with features 0x10000000000 "
	    "needs a newer gpsnap (this one reads format 1)");
	refused(newer_format, ": format 2 with features 0x0 "
	    "needs a newer gpsnap (this one reads format 1)");
}

/* The cells differ, so only the names are compared. */
static void names_after(edit_fn edit, const char *name)
{
	struct recording r;
	struct tick back = TICK_INIT;
	struct world *w = world_new();

	make_edited(edit, &r);
	assert_int_equal(tickcode_decode(r.code, r.raw.ptr, r.raw.len, &back,
	    NULL), GS_OK);
	assert_int_equal(world_apply(w, &back, NULL), GS_OK);
	assert_int_equal(world_host(w, 0)->table[ENTITY_HOST].n_live, 1);
	assert_true(back.header->n_unknown >= 1);
	assert_string_equal(back.header->unknown[0], name);
	world_free(w);
	tick_release(&back);
	recording_release(&r);
}

static void test_unknown_metrics_are_passed_over(void **state)
{
	(void)state;
	names_after(unknown_metric, "host.flux");
	names_after(unknown_entity, "quark.pid");
}

int main(void)
{
	struct cases c = { .n = 0 };

	(void)signal(SIGPIPE, SIG_IGN); /* an early end is a failure */
	cases_add(&c, "cat of rotated files", test_cat_of_rotated_files,
	    NULL);
	cases_add(&c, "cat of two recordings", test_cat_of_two_recordings,
	    NULL);
	cases_add(&c, "delta of another recording",
	    test_delta_of_another_recording, NULL);
	cases_add(&c, "ticks that were not written",
	    test_ticks_that_were_not_written, NULL);
	cases_add(&c, "pipe equals file", test_pipe_equals_file, NULL);
	cases_add(&c, "damaged pipe equals file",
	    test_damaged_pipe_equals_file, NULL);
	cases_add(&c, "waits while a recorder holds its lock",
	    test_waits_while_a_recorder_holds_its_lock, NULL);
	cases_add(&c, "index grows with the file",
	    test_index_grows_with_the_file, NULL);
	CASES_TABLE(&c, test_foreign, foreigns);
	cases_add(&c, "directory and nothing", test_directory_and_nothing,
	    NULL);
	cases_add(&c, "empty index beside a recording",
	    test_empty_index_beside_a_recording, NULL);
	cases_add(&c, "claims are not believed",
	    test_claims_are_not_believed, NULL);
	cases_add(&c, "slots of all hosts are bounded",
	    test_slots_of_all_hosts_are_bounded, NULL);
	cases_add(&c, "newer layout is refused",
	    test_newer_layout_is_refused, NULL);
	cases_add(&c, "compatible feature is read",
	    test_compatible_feature_is_read, NULL);
	cases_add(&c, "unknown features are refused",
	    test_unknown_features_are_refused, NULL);
	cases_add(&c, "unknown metrics are passed over",
	    test_unknown_metrics_are_passed_over, NULL);
	return cases_run(&c, "reader");
}
