/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive_holes.c - ticks that are missing in one piece of a recording, and
 * exist in another: the cursor goes there, and returns where the first goes on.
 */
#include "replay/archive_int.h"

/* The key is after the last returned tick and before t. */
static bool fills(const struct archive *a, const struct tick *t,
	const struct frame_entry *e, const struct frame_entry *end)
{
	uint64_t seq = e->seq;

	/* ticks left out before it must not include returned ones */
	if (e->kind != FRAME_KEY || seq < a->last_seq || seq >= t->seq ||
	    (seq > a->last_seq && e->left_out >= seq - a->last_seq) ||
	    e->wall_ns < a->last_ns || e->wall_ns > t->wall_ns)
		return false;
	while (seq == a->last_seq && ++e < end)
		seq = e->seq;
	return seq > a->last_seq && seq < t->seq;
}

static const struct frame_entry *find_in(const struct archive *a,
	struct file *f, const struct tick *t)
{
	const struct frame_entry *e, *best = NULL;
	size_t k, n;

	if (!archive_is_of(a, f->is.header) ||
	    reader_index(f->is.reader, &e, &n, NULL) < 0)
		return NULL;
	for (k = 0; k < n; k++) {
		if (fills(a, t, &e[k], e + n) &&
		    archive_has_whole(f, &e[k]) &&
		    (!best || e[k].seq < best->seq))
			best = &e[k];
	}
	return best;
}

bool archive_leave_hole(struct archive *a, const struct tick *t)
{
	struct detour *d = &a->detour;
	const struct frame_entry *best = NULL, *back;
	size_t i, at = 0;

	if (a->n_file < 2 || a->n_feed > 0 || d->on || !a->any || !t->key ||
	    (d->any && d->from_seq == a->last_seq))
		return false;
	for (i = 0; i < a->n_file; i++) {
		const struct frame_entry *e = i == a->at ? NULL
		    : find_in(a, &a->file[i], t);

		if (e && (!best || e->seq < best->seq)) {
			best = e;
			at = i;
		}
	}
	/* where the current file goes on with t */
	back = best ? archive_key_at(&a->file[a->at], t->seq, t->wall_ns)
	    : NULL;
	if (!back)
		return false;
	*d = (struct detour) { .any = true, .from_seq = a->last_seq,
		.home = a->at, .back = *back };
	/* prefer the file that ends later */
	d->on = at < a->at || archive_file_end(&a->file[at]) <=
	    archive_file_end(&a->file[a->at]);
	archive_go(a, at, best);
	a->gap_returned = a->has_pending = false;
	return true;
}

/* A tick in both is read from here: a key does not show the rows that ended
 * with it. */
bool archive_is_back(const struct archive *a, const struct tick *t)
{
	return a->detour.on && (t->seq > a->detour.back.seq ||
	    (t->header && !archive_is_of(a, t->header)));
}

void archive_go_back(struct archive *a)
{
	a->detour.on = false;
	archive_go(a, a->detour.home, &a->detour.back);
}
