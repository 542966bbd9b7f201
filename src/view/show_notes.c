/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_notes.c - what tables lack, and why one has no rows.  Where the output has a place
 * for notes, they are above the first table; else they are passed on.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "view/empty.h"
#include "view/report.h"
#include "view/show_int.h"
#include "view/uncounted.h"

bool show_is_only_table(const struct show *s)
{
	return s->range.every_ns == 0 && s->o->n_window == 0 && !s->streams;
}

/* What was asked for may be missing because it was not recorded. */
void show_note_unasked(struct show *s, const struct engine *e)
{
	struct asked now = { .n = 0 };
	struct buf b = BUF_INIT;

	asked_add(&now, e);
	asked_add(&s->asked, e);
	(void)asked_note(&now, ask_view(s->ask), &b); /* its text tells */
	if (b.len > 0) {
		report_add_note(&s->report, buf_str(&b));
		s->noted_unasked |= !s->begun || s->o->notes_each;
	}
	buf_release(&b);
	asked_release(&now);
}

/* What was asked for may be missing because the kernel did not count it, or
 * the agent may not read it, or could not in time. */
void show_note_uncounted(struct show *s, const struct engine *e)
{
	static bool (*const notes[])(const struct engine *e,
		const struct view *v, struct buf *to) = { uncounted_note,
		uncounted_unread_note, uncounted_spill_note };
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < GS_LEN(notes); i++) {
		buf_reset(&b);
		if (notes[i](e, ask_view(s->ask), &b))
			report_add_note(&s->report, buf_str(&b));
	}
	buf_release(&b);
}

static void put(struct show *s, const char *text)
{
	if (s->o->has_notes)
		report_add_note(&s->report, text);
	else
		s->out->note(s->out->ctx, text);
}

/* In steps, later ones may have what the first has not. */
void show_note_rare(struct show *s, const struct engine *e)
{
	struct asked now = { .n = 0 };
	struct buf b = BUF_INIT;

	if (!show_is_only_table(s))
		return;
	asked_add(&now, e);
	if (asked_rare_note(&now, ask_view(s->ask), view_is_still(s->use), &b))
		put(s, buf_str(&b));
	asked_release(&now);
	buf_release(&b);
}

void show_note_unjudged(struct show *s)
{
	const char *text = overview_unasked(s->overview);

	if (text && !s->o->for_people && (s->o->has_notes || !s->begun))
		put(s, text);
}

void show_note_empty(struct show *s, const struct engine *e,
	const struct grid *g)
{
	const struct ask_words *w = &s->o->words;
	struct buf b = BUF_INIT;

	s->any_row |= g->n_row > 0;
	free(s->why_empty);
	s->why_empty = NULL;
	/* a choice may be why there is no row */
	if (s->any_row || s->baseline.grid || w->session || w->server ||
	    w->where || g->unseen ||
	    !empty_note(e, &s->asked, ask_view(s->ask), &b))
		return;
	if (show_is_only_table(s))
		put(s, buf_str(&b));
	else
		s->why_empty = gs_strdup(buf_str(&b));
	buf_release(&b);
}

static void pass(const struct show *s, struct buf *text)
{
	if (text->len > 0)
		s->out->note(s->out->ctx, buf_str(text));
	buf_release(text);
}

/* If it is above no table.  Of several tables no note was made that all of them have too
 * few answers, or no row. */
void show_pass_unasked(const struct show *s)
{
	const struct view *v = ask_view(s->ask);
	struct buf b = BUF_INIT;

	if (!s->begun)
		return;
	if (!s->noted_unasked || !s->o->has_notes)
		(void)asked_note(&s->asked, v, &b); /* its text tells */
	pass(s, &b);
	if (!show_is_only_table(s))
		(void)asked_rare_notes(&s->asked, v, &b); /* the same */
	pass(s, &b);
	if (s->why_empty)
		s->out->note(s->out->ctx, s->why_empty);
}

bool show_is_unrecorded(const struct show *s)
{
	struct buf b = BUF_INIT;
	bool r = asked_note(&s->asked, ask_view(s->ask), &b);

	buf_release(&b);
	return r;
}
