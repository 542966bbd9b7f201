/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive_leap.c - stretches that can be passed over, with their summaries.
 *
 * Only where one file alone has the ticks: there the next tick is always the
 * next one of the file.
 */
#include "replay/archive_int.h"

#include "base/mem.h"

/* Of files that are not followed: looked for once, since each is compared with each. */
static int64_t end_of(struct file *f)
{
	if (!f->end_known)
		f->end_ns = archive_file_end(f);
	f->end_known = true;
	return f->end_ns;
}

static bool find_alone(struct archive *a, size_t at)
{
	int64_t from = a->file[at].is.first_ns;
	int64_t to = end_of(&a->file[at]);
	size_t i;

	for (i = 0; i < a->n_file; i++) {
		if (i != at && a->file[i].is.first_ns < to &&
		    end_of(&a->file[i]) > from)
			return false;
	}
	return true;
}

static bool is_alone(struct archive *a)
{
	struct file *f = &a->file[a->at];

	if (!f->judged)
		f->alone = a->n_file == 1 || find_alone(a, a->at);
	f->judged = true;
	return f->alone;
}

bool archive_may_leap(struct archive *a)
{
	return a->any && !a->held && !a->has_pending && !a->overlap &&
	    !a->gap_returned && !a->detour.on && a->n_feed == 0 &&
	    !a->in_gist && is_alone(a);
}

const struct summary *archive_ahead(void *archive, uint64_t seq,
	int64_t wall_ns)
{
	struct archive *a = archive;
	const struct summary *s;
	size_t cap = a->ahead.row_cap, i;
	struct summary_row *row = a->ahead.row;

	if (!archive_may_leap(a))
		return NULL;
	s = reader_summary(a->file[a->at].is.reader, seq, wall_ns);
	if (!s)
		return NULL;
	GS_GROW(row, &cap, s->n_row);
	for (i = 0; i < s->n_row; i++) {
		row[i] = s->row[i];
		if (row[i].host < a->n_map)
			row[i].host = a->map[row[i].host];
	}
	a->ahead = *s;
	a->ahead.row = row;
	a->ahead.row_cap = cap;
	return &a->ahead;
}

/* The last tick again, which is a key. */
static void stay(struct archive *a)
{
	struct file *f = &a->file[a->at];

	reader_enter(f->is.reader, archive_key_at(f, a->last_seq, a->last_ns));
}

bool archive_leap(void *archive, const struct summary *last)
{
	struct archive *a = archive;
	struct file *f = &a->file[a->at];
	const struct frame_entry *key = archive_key_at(f, last->to_seq,
	    last->to_ns);
	struct cursor_gap gap;
	struct tick *t = NULL;
	struct gs_err err;

	if (!key)
		return false;
	reader_enter(f->is.reader, key);
	if (reader_next(f->is.reader, &t, &gap, &err) != CURSOR_TICK ||
	    !t->key || t->seq != last->to_seq || (t->header &&
	    !archive_is_of(a, t->header))) {
		stay(a);
		return false;
	}
	a->held = t;
	a->file_seq = a->last_seq = last->to_seq - 1;
	a->detour.entered = true;
	return true;
}
