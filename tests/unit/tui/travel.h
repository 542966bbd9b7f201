/* SPDX-License-Identifier: Apache-2.0 */
/*
 * travel.h - the terminal without one: made-up ticks in a ring, keys in,
 * screens out as text.
 */
#ifndef TESTS_UNIT_TUI_TRAVEL_H
#define TESTS_UNIT_TUI_TRAVEL_H

#include "cases.h"
#include "model/tick_encoder.h"
#include "model/ring.h"
#include "simlife.h"
#include "tui/keys.h"
#include "tui/tui_int.h"

#define KEY_EVERY 10

struct lab {
	struct simlife life;
	struct tick_encoder *encoder;
	struct ring *ring;
	struct ring_cursor *cursor;
	unsigned pushed;
	struct tui_source source;
	struct tui *tui;
	struct screen screen;
	struct buf text; /* of the screen */
	size_t width, height;
};

static inline int64_t lab_instant(unsigned second)
{
	return SIM_EPOCH + (int64_t)second * SIM_SECOND;
}

/* One more second; a mark at every 100th. */
static inline void lab_push(struct lab *l)
{
	int64_t wall = lab_instant(l->pushed);
	char mark[32];

	if (l->pushed % KEY_EVERY == 0)
		encoder_need_key(l->encoder);
	simlife_step(&l->life, SIM_SECOND);
	encoder_begin(l->encoder, wall);
	encoder_block(l->encoder, 0, l->life.host.world);
	if (l->pushed % 100 == 50) {
		(void)snprintf(mark, sizeof(mark), "mark %u", l->pushed);
		encoder_event(l->encoder, EVENT_MARK, wall, EVENT_NO_HOST, 0,
		    mark);
	}
	ring_push(l->ring, encoder_end(l->encoder));
	l->pushed++;
}

/* Seconds that are not there. */
static inline void lab_skip(struct lab *l, unsigned seconds)
{
	l->pushed += seconds;
}

/* The ticks that there are, as a source's refresh(). */
static inline void lab_look(void *ctx, struct tui_source *s)
{
	(void)ring_range(((struct lab *)ctx)->ring, &s->first_ns,
	    &s->last_ns);
}

static inline void lab_open(struct lab *l, unsigned ticks)
{
	struct header *h = header_new();

	h->interval_ns = SIM_SECOND;
	*l = (struct lab) { .encoder = encoder_new(h), .width = 80,
		.height = 24 };
	simlife_init(&l->life, "alpha", 7, 12);
	l->ring = ring_new(INT64_MAX / 4, SIZE_MAX);
	l->source = (struct tui_source) { .name = "made-up.gpsnap",
		.interval_ns = SIM_SECOND, .zone = ZONE_UTC };
	while (l->pushed < ticks)
		lab_push(l);
	l->cursor = ring_cursor_new(l->ring);
	l->source.cursor = ring_cursor(l->cursor);
	lab_look(l, &l->source);
}

static inline void lab_begin(struct lab *l, const char *view)
{
	struct tui_options o = { .words = { .view = view,
		.wait = WAIT_ASK_INIT }, .from_ns = INT64_MIN,
		.to_ns = INT64_MAX };
	struct gs_err err;

	tui_free(l->tui);
	l->tui = NULL;
	assert_int_equal(tui_new(&o, &l->source, &l->tui, &err), GS_OK);
}

static inline void lab_close(struct lab *l)
{
	tui_free(l->tui);
	screen_release(&l->screen);
	buf_release(&l->text);
	ring_cursor_free(l->cursor);
	ring_free(l->ring);
	encoder_free(l->encoder);
	simlife_release(&l->life);
}

/* All of it as text, without blanks at the ends of lines. */
static inline void screen_text(const struct screen *s, struct buf *to)
{
	size_t i;

	for (i = 0; i < s->height; i++) {
		const struct line *l = &s->line[i];
		size_t len = l->text.len;

		while (len > 0 && l->text.ptr[len - 1] == ' ')
			len--;
		if (len > 0)
			buf_add(to, l->text.ptr, len);
		buf_add_char(to, '\n');
	}
}

static inline const char *lab_paint(struct lab *l)
{
	tui_paint(l->tui, &l->screen, l->width, l->height);
	buf_reset(&l->text);
	screen_text(&l->screen, &l->text);
	return buf_str(&l->text);
}

/* Each character is a key; the screen is painted in the end. */
static inline const char *lab_type(struct lab *l, const char *keys)
{
	for (; *keys; keys++)
		tui_key(l->tui, (unsigned char)*keys);
	return lab_paint(l);
}

static inline const char *lab_key(struct lab *l, int key)
{
	tui_key(l->tui, key);
	return lab_paint(l);
}

/* The line of the screen that has a text; "" if none has. */
static inline struct span lab_line(const struct lab *l, const char *with)
{
	struct span all = span_of(l->text.ptr, l->text.len), line;

	while (scan_line(&all, &line)) {
		char *copy = gs_strndup(line.ptr, span_len(line));
		bool found = strstr(copy, with) != NULL;

		free(copy);
		if (found)
			return line;
	}
	return span_str("");
}

/* The line of the row that is chosen. */
static inline struct span lab_chosen(const struct lab *l)
{
	struct span all = span_of(l->text.ptr, l->text.len), line;

	while (scan_line(&all, &line)) {
		if (span_len(line) > 0 && *line.ptr == '>')
			return line;
	}
	return span_str("");
}

static inline void lab_idle(struct lab *l)
{
	bool busy = true;

	while (busy)
		(void)tui_idle(l->tui, 0, &busy);
}

#define assert_shows(l, what) assert_non_null(strstr(buf_str(&(l)->text), what))
#define assert_hides(l, what) assert_null(strstr(buf_str(&(l)->text), what))

/* A table of two minutes, on a screen of 40 lines. */
static inline void lab_open_table(struct lab *l, const char *view)
{
	lab_open(l, 120);
	lab_begin(l, view);
	l->height = 40;
	(void)lab_paint(l);
}

#endif
