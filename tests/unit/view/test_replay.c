/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One engine: ticks straight from the recorder and the same ticks from files
 * give the same tables, cell by cell; so do reading from the beginning and
 * entering the files at a key, for any range.
 */
#include <fcntl.h>
#include <inttypes.h>

#include "cases.h"
#include "query/range.h"
#include "query/sort.h"
#include "recording.h"
#include "replay/archive.h"
#include "simlife.h"
#include "tempdir.h"
#include "view/view.h"

#define TICKS 150
#define HOSTS 2

/* A recording in two files, and its ticks as the recorder made them. */
struct lab {
	struct tempdir dir;
	struct recording rec;
	struct simlife life[HOSTS];
	struct buf *raw; /* per tick, encoded alone */
	size_t n;
	size_t repeated; /* the one that a rotation repeats */
	int64_t first_ns, last_ns;
};

static void write_file(const struct lab *l, const char *name, const void *p,
	size_t len)
{
	int fd = open(tempdir_file(&l->dir, name), O_CREAT | O_WRONLY, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, p, len), (ssize_t)len);
	(void)close(fd);
}

/* Host beta reboots and is lost for a while; ticks jitter; some are not
 * written. */
static void one_tick(struct lab *l, unsigned i)
{
	struct tick_encoder *m = l->rec.encoder;
	const struct tick *t;
	int64_t wall = SIM_EPOCH + (int64_t)i * SIM_SECOND +
	    (int64_t)(i * 7919 % 13) * 10000000;

	simlife_step(&l->life[0], SIM_SECOND);
	if (i == 70) {
		simhost_reboot(&l->life[1].host, "boot 2");
		l->life[1].n = l->life[1].away = 0;
	}
	simlife_step(&l->life[1], SIM_SECOND);
	encoder_begin(m, wall);
	encoder_block(m, 0, l->life[0].host.world);
	if (i < 90 || i >= 95)
		encoder_block(m, 1, l->life[1].host.world);
	else
		encoder_host_lost(m, 1);
	if (i % 20 == 0)
		encoder_event(m, EVENT_NOTE, wall, 0, 0, "a note");
	t = encoder_end(m);
	if (i >= 40 && i < 44) {
		encoder_need_key(m);
		return;
	}
	recording_put(&l->rec, t, 0);
	buf_add(&l->raw[l->n++], l->rec.raw.ptr, l->rec.raw.len);
	l->last_ns = wall;
	if (l->n == 1)
		l->first_ns = wall;
}

static void set_up(struct lab *l, uint32_t seed)
{
	size_t start = 0;
	unsigned i;

	*l = (struct lab) { .n = 0 };
	tempdir_make(&l->dir);
	recording_init(&l->rec, 1);
	simlife_init(&l->life[0], "alpha", seed, 12);
	simlife_init(&l->life[1], "beta", seed + 1, 6);
	l->raw = gs_calloc(TICKS + 1, sizeof(*l->raw));
	for (i = 0; i < TICKS; i++) {
		if (i % 17 == 0)
			encoder_need_key(l->rec.encoder);
		if (i == 100) {
			recording_close(&l->rec);
			write_file(l, "1.gpsnap", l->rec.bytes.ptr,
			    l->rec.bytes.len);
			start = l->rec.bytes.len;
			recording_rotate(&l->rec);
			l->repeated = l->n;
			buf_add(&l->raw[l->n++], l->rec.raw.ptr,
			    l->rec.raw.len);
		}
		one_tick(l, i);
	}
	write_file(l, "2.gpsnap", l->rec.bytes.ptr + start,
	    l->rec.bytes.len - start);
}

static void tear_down(struct lab *l)
{
	size_t i;

	tempdir_remove(&l->dir);
	recording_release(&l->rec);
	for (i = 0; i < HOSTS; i++)
		simlife_release(&l->life[i]);
	for (i = 0; i <= TICKS; i++)
		buf_release(&l->raw[i]);
	free(l->raw);
}

/* ---- a recorder's cursor ------------------------------------------------- */

struct live {
	const struct lab *lab;
	struct tickcode *code;
	struct tick tick;
	size_t at;
	bool told;
};

static enum cursor_step live_next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct live *v = self;
	uint64_t before = v->tick.seq;

	if (v->at == v->lab->n)
		return CURSOR_END;
	if (tickcode_decode(v->code, v->lab->raw[v->at].ptr,
	    v->lab->raw[v->at].len, &v->tick, err) < 0)
		return CURSOR_ERROR;
	if (v->at > 0 && v->at == v->lab->repeated) {
		v->at++;
		*ret = &v->tick;
		return CURSOR_REPEAT;
	}
	if (!v->told && v->at > 0 && v->tick.seq != before + 1) {
		*gap = (struct cursor_gap) { .ticks = v->tick.seq - before -
			1, .to_ns = v->tick.wall_ns };
		gap->from_ns = v->lab->rec.tick[v->at - 1].wall_ns;
		(void)strcpy(gap->why, "not written to this file");
		v->told = true;
		return CURSOR_GAP;
	}
	v->told = false;
	v->at++;
	*ret = &v->tick;
	return CURSOR_TICK;
}

/* It does not seek: everything is read. */
static int live_seek(void *self, int64_t wall_ns, struct gs_err *err)
{
	(void)self;
	(void)wall_ns;
	(void)err;
	return GS_OK;
}

static void live_open(struct live *v, const struct lab *l)
{
	*v = (struct live) { .lab = l };
	v->code = tickcode_new(TICKCODE_LEVEL);
}

static void live_close(struct live *v)
{
	tickcode_free(v->code);
	tick_release(&v->tick);
}

/* ---- tables as text --------------------------------------------------------- */

static void add_cell(struct buf *to, const struct cell *c)
{
	if (c->mark)
		buf_add_char(to, c->mark);
	switch (c->kind) {
	case CELL_ABSENT:
		buf_add_str(to, "-");
		break;
	case CELL_INT:
		buf_printf(to, "%" PRId64, c->i);
		break;
	case CELL_REAL: /* sums may be in another order */
		buf_printf(to, "%.9g", c->r);
		break;
	case CELL_TEXT:
		buf_add(to, c->text, c->len);
		break;
	case CELL_MAX:
		buf_add_str(to, "max");
		break;
	}
}

static int by_text(const void *a, const void *b)
{
	const struct buf *x = a, *y = b;

	return strcmp(buf_str(x), buf_str(y));
}

struct printer {
	struct view_use *use;
	struct buf out;
};

static int print_grid(void *ctx, const struct engine *e)
{
	struct printer *p = ctx;
	struct grid *g = view_grid(p->use, e);
	struct buf *line = gs_calloc(g->n_row, sizeof(*line));
	size_t i, k;

	buf_printf(&p->out, "%s %" PRId64 " to %" PRId64 " covered %.9g, "
	    "%zu holes\n", g->name, g->from_ns, g->to_ns, g->covered_s,
	    e->n_hole);
	for (i = 0; i < g->n_row; i++) {
		for (k = 0; k < g->n_col; k++) {
			buf_printf(&line[i], " %s=", g->col[k].name);
			add_cell(&line[i], &g->row[i].cell[k]);
		}
	}
	/* slots, and so the order of rows, are a file's own */
	qsort(line, g->n_row, sizeof(*line), by_text);
	for (i = 0; i < g->n_row; i++) {
		buf_printf(&p->out, "%s\n", buf_str(&line[i]));
		buf_release(&line[i]);
	}
	free(line);
	grid_free(g);
	return 0;
}

static void print(struct cursor c, const char *view, const struct range *r,
	struct buf *out)
{
	struct printer p = { 0 };
	struct range_result res;
	static const struct view_ask plain = VIEW_ASK_INIT;
	struct engine e;
	struct gs_err err;

	engine_init(&e, SIM_SECOND);
	p.use = view_open(view_find(view), &e, &plain);
	if (range_run(r, c, &e, print_grid, &p, &res, &err) < 0)
		fail_msg("%s", err.msg);
	buf_printf(&p.out, "any %d clamped %d holes %zu tables %zu\n",
	    res.any, res.clamped, res.n_holes, res.n_tables);
	view_close(p.use);
	engine_release(&e);
	*out = p.out;
}

static void print_files(const struct lab *l, const char *view,
	const struct range *r, struct buf *out)
{
	char *path[1] = { (char *)(uintptr_t)l->dir.path };
	struct archive *a = NULL;

	assert_int_equal(archive_open(path, 1, &a, NULL), GS_OK);
	print(archive_cursor(a), view, r, out);
	archive_free(a);
}

static void print_live(const struct lab *l, const char *view,
	const struct range *r, struct buf *out)
{
	static const struct cursor_ops ops = { .next = live_next, .seek = live_seek };
	struct live v;

	live_open(&v, l);
	print((struct cursor) { &ops, &v }, view, r, out);
	live_close(&v);
}

/* Fails and shows the text around the first difference. */
static void expect_same(const char *view, const struct range *r,
	const struct buf *a, const struct buf *b)
{
	const char *x = buf_str(a), *y = buf_str(b);
	size_t i, from;

	if (strcmp(x, y) == 0)
		return;
	for (i = 0; x[i] && x[i] == y[i]; i++)
		;
	for (from = i; from > 0 && x[from - 1] != '\n' && i - from < 120;
	    from--)
		;
	fail_msg("%s from %" PRId64 " to %" PRId64 " every %" PRId64
	    ":\n%.300s\n%.300s", view, r->from_ns, r->to_ns, r->every_ns,
	    x + from, y + from);
}

static bool is_list(const char *name)
{
	return !view_is_overview(view_find(name));
}

static void test_live_equals_replay(void **state)
{
	static const int64_t everies[] = { 0, RANGE_EACH_TICK,
		7 * SIM_SECOND };
	const char *name;
	size_t k;
	struct lab l;
	size_t i;

	(void)state;
	set_up(&l, 1);
	for (i = 0; i < GS_LEN(everies); i++) {
		struct range r = { INT64_MIN, INT64_MAX, everies[i] };

		for (k = 0; (name = view_at(k)) != NULL; k++) {
			struct buf a, b;

			if (!is_list(name))
				continue;
			print_live(&l, name, &r, &a);
			print_files(&l, name, &r, &b);
			expect_same(name, &r, &a, &b);
			buf_release(&a);
			buf_release(&b);
		}
	}
	tear_down(&l);
}

static void test_stepping_equals_seeking(void **state)
{
	const char *name;
	size_t k;
	uint32_t rng = 99;
	struct lab l;
	int round;

	(void)state;
	set_up(&l, 2);
	for (k = 0; (name = view_at(k)) != NULL; k++) {
		if (!is_list(name))
			continue;
		for (round = 0; round < 12; round++) {
			struct range r = { .every_ns = round % 3 == 0 ?
				5 * SIM_SECOND : 0 };
			struct buf a, b;

			rng = rng * 1664525u + 1013904223u;
			r.from_ns = l.first_ns + (int64_t)(rng >> 8) %
			    (TICKS * 1000) * 1000000;
			rng = rng * 1664525u + 1013904223u;
			r.to_ns = r.from_ns + (int64_t)(rng >> 8) % 60000 *
			    1000000;
			print_live(&l, name, &r, &a);
			print_files(&l, name, &r, &b);
			expect_same(name, &r, &a, &b);
			buf_release(&a);
			buf_release(&b);
		}
	}
	tear_down(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_live_equals_replay),
		cmocka_unit_test(test_stepping_equals_seeking),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
