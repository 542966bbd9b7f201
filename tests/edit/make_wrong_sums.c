/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_wrong_sums.c - writes an archived file again, with summaries that say that
 * a thousand samples more were skipped and that all figures were 0, and gists that
 * say that processes used more, so that it shows whether they are read:
 *
 *   make_wrong_sums FROM TO
 *
 * With a third argument, "right", both are right, and no gist is too large; with
 * "gists" there are no summaries, and gists are wrong; with "broken" there are none,
 * and gists can't be read to their end; with "torn" there are none, and gists are
 * right, but all after the first one break after a tick; with "invented" all is right,
 * and summaries that have no figures of sessions have one.
 * A page (format/pageframe.h) that the file has says another number of samples unless
 * all is right; with "other" it is also one of another layout, and gists are right.
 */
#include <stdio.h>
#include <string.h>

#include "edit/gist.h"
#include "edit/sink.h"
#include "format/gistframe.h"
#include "format/reader.h"
#include "format/tickcode.h"
#include "view/extremes.h"

#define MORE 1000

enum made { BOTH_WRONG, GISTS_WRONG, GISTS_BROKEN, GISTS_TORN, RIGHT,
	OTHER_PAGE, INVENTED };

/* What the processes of a tick used is more by MORE ms of CPU time. */
static void add_usage(struct tick *t)
{
	size_t i, k;

	for (i = 0; i < t->n_block && !t->key; i++) {
		struct delta_col *c =
		    &t->block[i]->ent[ENTITY_PROCESS].col[COL(PROCESS, CPU)];

		for (k = 0; k < c->n; k++)
			c->diff[k] += MORE * 1000;
	}
}

/* The checksum is right, and the last value of a column does not end. */
static void put_broken(struct sink *to, struct tickcode *code,
	const struct buf *gist)
{
	struct gist_base base = { .seq = 0 };
	struct gist g = { .census = NULL };
	struct buf frame = BUF_INIT;
	struct gs_err err;

	if (gistframe_read(code, gist->ptr, gist->len, &base, &g, &err) ==
	    GS_OK) {
		g.raw.ptr[g.record_len - 1] = (char)0x80;
		gistframe_put(code, &g, &base, &frame);
		sink_put_gist(to, &frame);
	}
	gist_release(&g);
	buf_release(&base.raw);
	buf_release(&frame);
}

/* The checksum is right, and all texts and clocks are missing.  The first one, which
 * others are compressed after, is as it was. */
static void put_torn(struct sink *to, struct tickcode *code,
	const struct buf *gist)
{
	static struct gist_base base;
	struct gist g = { .census = NULL };
	struct buf frame = BUF_INIT;
	struct gs_err err;

	if (base.raw.len == 0) {
		(void)gistframe_read_base(code, gist->ptr, gist->len, &base,
		    &err); /* else no other can be read */
		sink_put_gist(to, gist);
	} else if (gistframe_read(code, gist->ptr, gist->len, &base, &g,
	    &err) == GS_OK) {
		gistframe_put(code, &g, &base, &frame);
		sink_put_gist(to, &frame);
	}
	gist_release(&g);
	buf_release(&frame);
}

static void put(struct sink *to, struct tickcode *code, enum made made,
	const struct buf *gist)
{
	if (gist && made == GISTS_BROKEN)
		put_broken(to, code, gist);
	else if (gist && made == GISTS_TORN)
		put_torn(to, code, gist);
	else if (gist)
		sink_put_gist(to, gist);
}

/* Gists of other ticks. */
static void put_wrong(struct sink *to, struct gists *g, struct tickcode *code,
	enum made made, const struct tick *t)
{
	struct buf record = BUF_INIT;
	struct tick wrong = TICK_INIT;

	tick_copy(&wrong, t);
	add_usage(&wrong);
	tickcode_encode(code, &wrong, &record);
	put(to, code, made, gists_tick(g, &wrong,
	    span_of(record.ptr, record.len)));
	tick_release(&wrong);
	buf_release(&record);
}

static void put_page(struct sink *to, struct reader *r, struct tickcode *code,
	enum made made)
{
	static const char name[] = "\"ticks\":";
	struct page_kept k = { .raw = BUF_INIT };
	struct buf frame = BUF_INIT;
	char *p;

	if (reader_page(r, &k)) {
		p = memmem(k.raw.ptr, k.raw.len, name, strlen(name));
		if (p && made != RIGHT)
			p[strlen(name)] = p[strlen(name)] == '1' ? '2' : '1';
		k.layout += made == OTHER_PAGE;
		pageframe_put(code, &k, &frame);
		sink_set_page(to, &frame);
	}
	buf_release(&k.raw);
	buf_release(&frame);
}

static void put_summary(struct sink *to, const struct summary *sum,
	enum made made)
{
	struct summary wrong;
	size_t i;

	if (!sum || made == GISTS_WRONG || made == GISTS_BROKEN ||
	    made == GISTS_TORN)
		return;
	wrong = *sum;
	for (i = 0; made == BOTH_WRONG && i < wrong.n_figure; i++)
		wrong.figure[i].low = wrong.figure[i].high = 0;
	wrong.n_skipped += made == BOTH_WRONG ? MORE : 0;
	sink_put_summary(to, &wrong);
}

/* The end of a stretch; self of the one that is handed on to. */
struct inventing {
	struct stretch_also of;
};

static void begin(void *self)
{
	struct inventing *v = self;

	v->of.begin(v->of.self);
}

static void end_invented(void *self, struct summary *to)
{
	static const char name[] = "sessions.memory";
	struct inventing *v = self;

	v->of.end(v->of.self, to);
	if (to && !summary_find_figure(to, "sessions", "memory"))
		summary_add_figure(to, span_str(name), 0, 1);
}

static int copy(struct reader *r, struct sink *to, struct stretch *all,
	const struct follower *figures, enum made made, struct gs_err *err)
{
	struct cursor_gap gap;
	struct frame_entry e;
	struct gists *gists = gists_new(TICKCODE_LEVEL, 0);
	struct tickcode *code = tickcode_new(TICKCODE_LEVEL);
	enum cursor_step is = CURSOR_TICK;
	struct tick *t = NULL;
	int s = GS_OK;

	gists_follow(gists, figures);
	while (s == GS_OK && (is == CURSOR_TICK || is == CURSOR_GAP)) {
		bool first = is == CURSOR_GAP;

		is = reader_next(r, &t, &gap, err);
		if (is == CURSOR_GAP) {
			put(to, code, made, gists_end(gists));
			stretch_abandon(all);
		}
		if (is != CURSOR_TICK)
			continue;
		s = sink_put_record(to, t, reader_record(r, &e), first, err);
		if (made >= GISTS_TORN)
			put(to, code, made, gists_tick(gists, t,
			    reader_record(r, &e)));
		else
			put_wrong(to, gists, code, made, t);
		put_summary(to, stretch_tick(all, t), made);
	}
	put(to, code, made, gists_end(gists));
	put_page(to, r, code, made);
	gists_free(gists);
	tickcode_free(code);
	return s;
}

int main(int argc, char **argv)
{
	struct sink_options o = { .level = 3, .groups = true };
	struct extremes *figures = extremes_new();
	struct follower follower;
	struct stretch_also also = extremes_beside(figures, &follower);
	struct inventing inventing = { also };
	struct stretch *all;
	struct reader *r = NULL;
	struct sink *to = NULL;
	enum made made = BOTH_WRONG;
	struct gs_err err;
	int s;

	if (argc != 3 && argc != 4)
		return 64;
	if (argc == 4)
		made = strcmp(argv[3], "gists") == 0 ? GISTS_WRONG
		    : strcmp(argv[3], "broken") == 0 ? GISTS_BROKEN
		    : strcmp(argv[3], "torn") == 0 ? GISTS_TORN
		    : strcmp(argv[3], "other") == 0 ? OTHER_PAGE
		    : strcmp(argv[3], "invented") == 0 ? INVENTED : RIGHT;
	if (made == INVENTED)
		also = (struct stretch_also) { &inventing, NULL, end_invented, begin };
	all = stretch_new(&also);
	o.path = argv[2];
	s = reader_open(argv[1], &r, &err);
	if (s == GS_OK)
		s = sink_open(&o, &io_posix, &to, &err);
	if (s == GS_OK)
		s = copy(r, to, all, &follower, made, &err);
	if (s == GS_OK)
		s = sink_finish(to, &err);
	if (s < 0)
		(void)fprintf(stderr, "%s\n", err.msg);
	sink_free(to);
	reader_free(r);
	stretch_free(all);
	extremes_free(figures);
	return s < 0;
}
