/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive.c - iterates over the ticks of many files.
 */
#include "replay/archive_int.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "model/walk.h"

static void note_unknown(struct archive *a, const struct header *h)
{
	char text[256];

	if (!h || h->n_unknown == 0 || a->unknown_noted)
		return;
	a->unknown_noted = true;
	(void)snprintf(text, sizeof(text), "written by gpsnap %.40s: %zu "
	    "metrics that this version does not know are passed over (%.100s"
	    "%s)", h->program_version, h->n_unknown, h->unknown[0],
	    h->n_unknown > 1 ? ", ..." : "");
	archive_add_note(a, text);
}

/* ---- stepping ---------------------------------------------------------- */

static enum cursor_step return_tick(struct archive *a, struct tick *t, bool repeat,
	const struct tick **ret)
{
	a->any = true;
	a->gap_returned = false;
	a->last_seq = t->seq;
	a->last_ns = t->wall_ns;
	note_unknown(a, t->header);
	archive_translate(a, t);
	if (a->detour.entered)
		tick_clear_closed(t);
	a->detour.entered = false;
	*ret = t;
	return repeat ? CURSOR_REPEAT : CURSOR_TICK;
}

/* Returns a gap before t, which comes next. */
static enum cursor_step gap_before(struct archive *a, struct tick *t,
	const char *why, uint64_t ticks, struct cursor_gap *gap)
{
	a->held = t;
	a->gap_returned = true;
	*gap = (struct cursor_gap) { .from_ns = a->last_ns,
		.to_ns = t->wall_ns, .ticks = ticks,
		.file = reader_path(a->file[a->at].is.reader) };
	(void)snprintf(gap->why, sizeof(gap->why), "%s", why);
	return CURSOR_GAP;
}

/* Files or ticks are missing before t; number: of the previous file, 0:
 * there is none.  Ticks that the recorder wrote and that are not here count as
 * damage. */
static enum cursor_step give_missing(struct archive *a, struct tick *t,
	uint32_t number, uint64_t ticks, struct cursor_gap *gap)
{
	char why[80] = "";

	recfile_describe_missing(number, t->header ? t->header->file_number : 0,
	    why, sizeof(why));
	if (a->left_thinned)
		(void)snprintf(why, sizeof(why), "a thinned file has no tick "
		    "where the next one begins");
	a->left_thinned = false;
	(void)gap_before(a, t, why, ticks, gap);
	walk_describe_loss(t, gap);
	if (!a->any)
		gap->from_ns = t->header->started_ns;
	gap->damage = number == 0 || (ticks > tick_lost_before(t) &&
	    !header_is_edited(t->header) && !header_is_edited(a->header));
	return CURSOR_GAP;
}

static bool is_of_same(const struct archive *a, const struct tick *t)
{
	return a->any && (!t->header || archive_is_of(a, t->header));
}

/* Damage at the end of a file extends to t. */
static enum cursor_step give_pending(struct archive *a, struct tick *t,
	struct cursor_gap *gap)
{
	a->has_pending = false;
	a->gap_returned = true;
	a->held = t;
	*gap = a->pending;
	if (a->any)
		gap->from_ns = a->last_ns;
	if (!t) {
		gap->to_ns = INT64_MAX;
		return CURSOR_GAP;
	}
	gap->to_ns = t->wall_ns;
	if (t->header && is_of_same(a, t))
		gap->ticks = tick_missing(a->last_seq, t->seq, t->left_out);
	if (!gap->damage)
		walk_describe_loss(t, gap);
	return CURSOR_GAP;
}

/* The key of another recording is at a time whose ticks were returned already,
 * even if both are in one file. */
static bool is_covered(const struct archive *a, const struct tick *t)
{
	return t->wall_ns <= a->file[a->at].after_ns ||
	    (a->any && t->wall_ns < a->last_ns);
}

/* Files that were derived one by one from those of one recording begin with
 * the last tick of the previous file, like their sources. */
static bool is_again(const struct archive *a, const struct tick *t, bool same)
{
	return a->any && (same ? t->seq == a->last_seq
	                       : t->wall_ns == a->last_ns);
}

/* In place of a step, of what looks at a tick: it is not given, take the next one of the
 * file that is at hand now.  A reader's CURSOR_WAIT never gets there. */
#define GO_ON CURSOR_WAIT

/* The key t is not given: its ticks were, or another recording is shown at that
 * time.  The deltas after it are passed over with it (is_passed()). */
static bool is_overlap(struct archive *a, const struct tick *t, bool same)
{
	if (same)
		return a->any && t->seq < a->last_seq;
	if (!is_covered(a, t))
		return false;
	if (t->wall_ns > a->file[a->at].after_ns)
		archive_note_hidden(a, t->wall_ns); /* both are in this file */
	return true;
}

/* What is missing between the last tick and the key t.  CURSOR_TICK: nothing, or that
 * gap was given before and t, which was held, is here again.  GO_ON: another file has
 * what is missing, and is read next. */
static enum cursor_step look_before(struct archive *a, struct tick *t, bool same,
	struct cursor_gap *gap)
{
	uint64_t missing;

	if (a->gap_returned)
		return CURSOR_TICK;
	if (a->any && same) {
		missing = tick_missing(a->last_seq, t->seq, t->left_out);
		if (missing == 0)
			return CURSOR_TICK;
		return archive_leave_hole(a, t) ? GO_ON
		    : give_missing(a, t, a->last_number, missing, gap);
	}
	/* a recording begins; between two of them is a gap in any case */
	missing = archive_missing_first(a, t);
	if (missing > 0)
		return give_missing(a, t, 0, missing, gap);
	return a->any ? gap_before(a, t, "", 0, gap) : CURSOR_TICK;
}

/* What to do with a key: GO_ON (it is passed over, or another file is read before it), a
 * gap before it, or it is given. */
static enum cursor_step judge(struct archive *a, struct tick *t,
	const struct tick **ret, struct cursor_gap *gap)
{
	bool same = t->header == NULL || is_of_same(a, t);
	bool again = is_again(a, t, same);
	enum cursor_step s;

	a->overlap = is_overlap(a, t, same);
	if (a->overlap)
		return GO_ON;
	s = look_before(a, t, same, gap);
	if (s != CURSOR_TICK)
		return s;
	if (t->header) {
		memcpy(a->recording, t->header->recording_id,
		    RECORDING_ID_LEN);
		a->last_number = t->header->file_number;
	}
	if (!same)
		a->unknown_noted = false;
	return return_tick(a, t, again, ret);
}

/* The file with the pending gap has ticks after those returned. */
static bool names_more(const struct archive *a)
{
	const struct frame_entry *e;
	size_t k, n;

	/* pending_file stays valid while files are added and dropped */
	if (a->n_feed > 0 || reader_index(
	    a->file[a->pending_file].is.reader, &e, &n, NULL) < 0)
		return false;
	for (k = 0; k < n; k++) {
		if (e[k].wall_ns > a->last_ns && e[k].seq > a->last_seq)
			return true;
	}
	return false;
}

/* Ticks that are missing in one piece may have been returned from another: at
 * the end of all, the gap is a hole only if no tick after it was returned. */
static bool is_hole_at_end(const struct archive *a)
{
	if (!a->any || a->n_file < 2)
		return true;
	return a->pending.to_ns == INT64_MAX &&
	    (a->pending_seq >= a->last_seq || names_more(a));
}

/* Bytes are damaged, but no tick is missing. */
static bool may_be_harmless(const struct cursor_gap *gap)
{
	return gap->damage && gap->ticks == 0 && gap->from_ns != INT64_MIN &&
	    gap->to_ns != INT64_MAX;
}

/* The tick that comes next says why. */
static bool is_unwritten(const struct cursor_gap *gap)
{
	return !gap->damage && gap->ticks > 0 && gap->to_ns != INT64_MAX;
}

/* A gap that the reader reports: with several files, the next tick tells
 * whether another file had its ticks. */
static bool accept_gap(struct archive *a, struct cursor_gap *gap)
{
	bool begins = gap->from_ns == INT64_MIN && a->any;

	if (begins)
		gap->from_ns = a->last_ns;
	a->gap_returned = true;
	if (!begins && a->n_file < 2 && !may_be_harmless(gap) &&
	    !is_unwritten(gap)) {
		a->has_pending = false; /* this one is more exact */
		return true;
	}
	if (a->has_pending && (!a->any || a->pending_seq >= a->last_seq ||
	    is_hole_at_end(a)))
		return false; /* one hole, from the previous file to this one */
	a->pending = *gap;
	a->pending_file = a->at;
	a->pending_seq = a->file_seq;
	a->has_pending = true;
	return false;
}

/* Ticks are missing in a file, but not in the recording. */
static bool is_gapless(const struct archive *a, const struct tick *t)
{
	if (!a->has_pending || !a->any)
		return false;
	if (!is_of_same(a, t))
		return a->n_file > 1 && !is_hole_at_end(a);
	return t->seq == a->last_seq ||
	    tick_missing(a->last_seq, t->seq, t->left_out) == 0;
}

/* The tick was returned from another file, or is next to one that was. */
static bool is_passed(const struct archive *a, const struct tick *t)
{
	if (!t->key)
		return a->overlap;
	return is_of_same(a, t) ? t->seq < a->last_seq : is_covered(a, t);
}

static void go_to_file(struct archive *a, size_t i)
{
	reader_rest(a->file[a->at].is.reader);
	a->at = i;
	a->overlap = false;
	a->file_seq = 0;
	reader_enter(a->file[a->at].is.reader, NULL);
}

/* A later piece of the recording that begins with one of these ticks, and ends later
 * than the current one, which so need not be read to its end: after that the other could
 * be entered only at its next key.  checked: also if both are checked for damage, where
 * archive_further() decides. */
static bool find_piece(const struct archive *a, uint64_t from_seq,
	uint64_t to_seq, bool checked, size_t *ret_file)
{
	struct file *now = &a->file[a->at];
	size_t i;

	for (i = a->at + 1; i < a->n_file; i++) {
		struct file *f = &a->file[i];

		if (!archive_is_of(a, f->is.header) ||
		    f->is.first_seq > to_seq)
			return false;
		if (f->is.first_seq < from_seq ||
		    (!checked && f->runs_listed && now->runs_listed) ||
		    archive_file_end(f) <= archive_file_end(now))
			continue;
		*ret_file = i;
		return true;
	}
	return false;
}

/* A thinned piece need not have the tick with which a later one begins: it is left
 * before its next tick t, which tells of time that the other has, too. */
static bool leave_thinned(struct archive *a, const struct tick *t)
{
	size_t i;

	if (!a->any || a->detour.on ||
	    a->file[a->at].is.header->thinned_ns == 0 || !is_of_same(a, t) ||
	    t->seq <= a->last_seq || t->seq - a->last_seq == 1 ||
	    !find_piece(a, a->last_seq + 1, t->seq - 1, true, &i))
		return false;
	go_to_file(a, i);
	a->left_thinned = true;
	return true;
}

/* What to do with the next tick of the file at hand, as judge(): first where to read,
 * then whether it is new, then whether a gap is before it. */
static enum cursor_step accept_tick(struct archive *a, struct tick *t,
	const struct tick **ret, struct cursor_gap *gap)
{
	if (leave_thinned(a, t))
		return GO_ON;
	if (archive_is_back(a, t)) {
		archive_go_back(a);
		return GO_ON;
	}
	a->file_seq = t->seq;
	if (is_passed(a, t))
		return t->key ? judge(a, t, ret, gap) : GO_ON;
	if (is_gapless(a, t)) {
		a->n_harmless += a->pending.damage;
		a->has_pending = a->gap_returned = false;
	}
	if (a->has_pending && archive_leave_hole(a, t))
		return GO_ON;
	if (a->has_pending)
		return give_pending(a, t, gap);
	if (t->key)
		return judge(a, t, ret, gap);
	return return_tick(a, t, false, ret);
}

/* Goes to the file to continue in after the last returned tick: pieces of a recording
 * may overlap, and one may begin with that tick. */
static void choose_file(struct archive *a)
{
	const struct frame_entry *key;
	size_t i;

	archive_find_runs(a);
	if (a->held || !a->any || a->has_pending || a->overlap ||
	    a->detour.on)
		return;
	key = archive_has_gone(a, &a->went) ? NULL : archive_further(a, &i);
	if (key) {
		a->went = archive_gone_now(a);
		archive_go(a, i, key);
	} else if (find_piece(a, a->last_seq, a->last_seq, false, &i)) {
		go_to_file(a, i);
	}
}

/* The gap at the end of all files. */
static enum cursor_step end_all(struct archive *a, enum cursor_step s,
	struct cursor_gap *gap)
{
	if (a->has_pending && is_hole_at_end(a))
		return give_pending(a, NULL, gap);
	a->has_pending = false;
	return s;
}

static enum cursor_step next_of_gist(struct archive *a, const struct tick **ret,
	struct gs_err *err)
{
	struct tick *t = NULL;
	enum cursor_step is;
	bool last = false;

	if (archive_gist_tick(a, &t, &last, err) < 0)
		return CURSOR_ERROR;
	is = return_tick(a, t, t->renumbers, ret);
	if (last)
		archive_leave_gist(a);
	return is;
}

static enum cursor_step next(void *self, const struct tick **ret,
	struct cursor_gap *gap, struct gs_err *err)
{
	struct archive *a = self;

	a->moved = true;
	a->was_gist = a->in_gist;
	if (a->in_gist)
		return next_of_gist(a, ret, err);
	choose_file(a);
	for (;;) {
		struct tick *t = a->held;
		enum cursor_step s = t ? CURSOR_TICK
		    : reader_next(a->file[a->at].is.reader, &t, gap, err);

		a->held = NULL;
		if (a->detour.on && s != CURSOR_TICK && s != CURSOR_ERROR) {
			archive_go_back(a);
		} else if (s == CURSOR_TICK) {
			s = accept_tick(a, t, ret, gap);
			if (s != GO_ON)
				return s;
		} else if (s == CURSOR_GAP) {
			if (accept_gap(a, gap))
				return s;
		} else if (s == CURSOR_ERROR ||
		    (s == CURSOR_WAIT && a->n_feed > 0)) {
			return s;
		} else if (archive_return(a)) {
			continue;
		} else if (a->at + 1 < a->n_file) {
			go_to_file(a, a->at + 1);
		} else {
			return end_all(a, s, gap);
		}
	}
}

/* ---- seeking ----------------------------------------------------------- */

static int seek(void *self, int64_t wall_ns, struct gs_err *err)
{
	struct archive *a = self;
	struct archive_place p = { 0 };
	int r;

	if (!reader_is_file(a->file[0].is.reader))
		return GS_OK; /* a pipe is read from its current position */
	if (wall_ns == INT64_MIN && !a->moved)
		return GS_OK;
	r = archive_find_place(a, wall_ns, &p, err);
	if (r < 0)
		return r;
	a->moved = true;
	if (a->at != p.file)
		reader_rest(a->file[a->at].is.reader);
	a->at = p.file;
	a->any = a->gap_returned = a->overlap = a->has_pending = false;
	a->left_thinned = false;
	a->returned.any = a->went.any = a->in_gist = a->was_gist = false;
	a->detour = (struct detour) { .on = false };
	a->held = NULL;
	reader_enter(a->file[a->at].is.reader, p.key);
	return GS_OK;
}

struct cursor archive_cursor(struct archive *a)
{
	static const struct cursor_ops ops = { next, seek, archive_ahead,
		archive_leap, archive_gist, archive_take_gist,
		archive_drop_gist,
		archive_refuse_gist, archive_beside };

	return (struct cursor) { &ops, a };
}
