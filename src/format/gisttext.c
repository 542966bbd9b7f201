/* SPDX-License-Identifier: Apache-2.0 */
#include "format/gisttext.h"

#include <string.h>

#include "format/blockcode.h"
#include "format/varint.h"

void gisttext_release(struct gisttext *g)
{
	size_t i;

	for (i = 0; i < GISTTEXT_COLUMNS; i++)
		buf_release(&g->col[i]);
	*g = (struct gisttext) { .last = 0 };
}

void gisttext_reset(struct gisttext *g)
{
	size_t i;

	for (i = 0; i < GISTTEXT_COLUMNS; i++)
		buf_reset(&g->col[i]);
	g->last = 0;
}

/* ---- writing ------------------------------------------------------------ */

/* With its 0 byte. */
static bool add_text(struct buf *to, const char *p, size_t len)
{
	buf_add(to, p, len);
	buf_add(to, "", 1);
	return len <= TICK_TEXT_BYTES_MAX &&
	    (len == 0 || memchr(p, '\0', len) == NULL);
}

bool gisttext_add(struct gisttext *g, const struct tick *t)
{
	size_t i;

	buf_add_varint(&g->col[GISTTEXT_COUNTS], t->n_text);
	for (i = 0; i < t->n_text; i++) {
		const struct text *text = &t->text[i];

		if (text->id != ++g->last || !add_text(&g->col[GISTTEXT_TEXTS],
		    tick_text_at(t, text->off), text->len))
			return false;
	}
	return true;
}

void gisttext_put(const struct gisttext *g, struct buf *to,
	struct breaks *breaks)
{
	size_t i;

	for (i = 0; i < GISTTEXT_COLUMNS; i++) {
		breaks_add(breaks, to->len);
		buf_add_varint(to, g->col[i].len);
		buf_add(to, g->col[i].ptr, g->col[i].len);
	}
	breaks_add(breaks, to->len);
}

/* ---- reading ------------------------------------------------------------ */

bool gisttext_open(struct gisttext *g, struct span *s)
{
	uint64_t len;
	size_t i;

	for (i = 0; i < GISTTEXT_COLUMNS; i++) {
		if (!varint_read(s, &len) || len > span_len(*s))
			return false;
		g->all[i] = span_of(s->ptr, (size_t)len);
		s->ptr += len;
	}
	gisttext_rewind(g);
	return true;
}

void gisttext_rewind(struct gisttext *g)
{
	memcpy(g->rest, g->all, sizeof(g->rest));
	g->last = 0;
}

static bool give_text(struct gisttext *g, struct tick *t)
{
	struct span *s = &g->rest[GISTTEXT_TEXTS];
	const char *end = span_empty(*s) ? NULL
	    : memchr(s->ptr, '\0', span_len(*s));
	size_t len = end ? (size_t)(end - s->ptr) : 0;

	if (!end || len > TICK_TEXT_BYTES_MAX ||
	    ++g->last >= TICK_TEXTS_MAX || !blockcode_room_of_texts(t, 1, len))
		return false;
	tick_add_text(t, g->last, s->ptr, len);
	s->ptr = end + 1;
	return true;
}

bool gisttext_give(struct gisttext *g, struct tick *t)
{
	uint64_t n;

	if (!varint_read(&g->rest[GISTTEXT_COUNTS], &n))
		return false;
	while (n > 0 && give_text(g, t))
		n--;
	return n == 0;
}
