/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive_place.c - finds a time by the indexes of the files, without reading
 * ticks.
 *
 * An index may have millions of ticks.  Where times only grow, the search
 * begins some keys before the time; elsewhere it goes through all of them.
 */
#include "base/compiler.h"
#include "replay/archive_int.h"

#define TICKS_BETWEEN 2 /* a key and a time: as cursor_seek() promises */

/* Keys before the time at which the search begins: the last two, and one that
 * may be passed over. */
#define KEYS_BEFORE 3

/* A search in the index of one file. */
struct index_walk {
	int64_t after_ns;
	uint64_t until_seq;
	int64_t newest_ns;
	uint64_t seq;
	bool over; /* ticks are skipped up to the next key */
};

/* True if judge() will skip a tick because of those before it in its file.  The
 * index does not name recordings: within one, sequence numbers go on, whatever
 * its clock does. */
static bool passes_over(struct index_walk *w, const struct frame_entry *e)
{
	if (e->kind == FRAME_KEY)
		w->over = e->wall_ns <= w->after_ns ||
		    (e->wall_ns < w->newest_ns && e->seq != w->seq &&
		    e->seq - e->left_out != w->seq + 1);
	if (w->over || e->seq > w->until_seq)
		return true;
	w->seq = e->seq;
	w->newest_ns = GS_MAX(w->newest_ns, e->wall_ns);
	return false;
}

/* ---- where to begin ----------------------------------------------------- */

static bool is_ordered(struct file *f, const struct frame_entry *e, size_t n)
{
	size_t i;

	if (n < f->n_ordered)
		f->n_ordered = 0;
	for (i = f->n_ordered; i < n && !f->disordered; i++)
		f->disordered = i > 0 && (e[i].wall_ns < e[i - 1].wall_ns ||
		    e[i].seq < e[i - 1].seq);
	f->n_ordered = n;
	return !f->disordered;
}

/* The number of entries that are not later. */
static size_t count_to(const struct frame_entry *e, size_t n, int64_t wall_ns)
{
	size_t from = 0, end = n;

	while (from < end) {
		size_t middle = from + (end - from) / 2;

		if (e[middle].wall_ns <= wall_ns)
			from = middle + 1;
		else
			end = middle;
	}
	return from;
}

/* The entry to begin with: a key, since these do not depend on what is before
 * them, or the first. */
static size_t start_at(struct file *f, const struct frame_entry *e, size_t n,
	int64_t wall_ns)
{
	size_t keys = 0, i;

	if (!is_ordered(f, e, n))
		return 0;
	for (i = count_to(e, n, wall_ns); i > 0; i--) {
		keys += e[i - 1].kind == FRAME_KEY;
		if (keys == KEYS_BEFORE)
			return i - 1;
	}
	return 0;
}

/* ---- the search ---------------------------------------------------------- */

/* True: no later tick matters. */
typedef bool (*take_fn)(void *ctx, size_t file, const struct frame_entry *e);

/* The ticks near a time, those that would be passed over left out. */
static int each_near(struct archive *a, int64_t wall_ns, take_fn take,
	void *ctx, struct gs_err *err)
{
	size_t i, k, n;

	archive_find_pieces(a);
	for (i = 0; i < a->n_file; i++) {
		struct index_walk w = { .after_ns = a->file[i].after_ns,
			.until_seq = a->file[i].until_seq,
			.newest_ns = INT64_MIN };
		const struct frame_entry *e;
		int r = reader_index(a->file[i].is.reader, &e, &n, err);

		if (r < 0)
			return r;
		k = start_at(&a->file[i], e, n, wall_ns);
		for (; k < n; k++) {
			if (archive_has_whole(&a->file[i], &e[k]) &&
			    !passes_over(&w, &e[k]) && take(ctx, i, &e[k]) &&
			    !a->file[i].disordered)
				break;
		}
	}
	return GS_OK;
}

/* ---- a key ---------------------------------------------------------------- */

/* Ticks up to a time, the last of their keys, and the one before that. */
struct places {
	int64_t wall_ns;
	struct archive_place last, before;
	size_t after; /* ticks after the last key */
	bool over; /* a later tick was seen */
};

/* A piece may begin with the key that another ends with. */
static bool is_same_tick(const struct frame_entry *a,
	const struct frame_entry *b)
{
	return a && a->seq == b->seq && a->wall_ns == b->wall_ns;
}

static bool take_place(void *ctx, size_t file, const struct frame_entry *e)
{
	struct places *p = ctx;

	p->over |= p->last.key && e->wall_ns > p->wall_ns;
	if (p->over)
		return true;
	if (e->kind != FRAME_KEY) {
		p->after++;
		return false;
	}
	if (!is_same_tick(p->last.key, e))
		p->before = p->last;
	p->last = (struct archive_place) { file, e };
	p->after = 0;
	return false;
}

/* Ticks before the wanted one are read and applied in vain, so an earlier key
 * than needed is not taken. */
int archive_find_place(struct archive *a, int64_t wall_ns,
	struct archive_place *ret, struct gs_err *err)
{
	struct places p = { .wall_ns = wall_ns };
	int r = each_near(a, wall_ns, take_place, &p, err);

	if (r == GS_OK)
		*ret = p.before.key && p.after < TICKS_BETWEEN ? p.before
		                                               : p.last;
	return r;
}

/* ---- the ticks beside a time --------------------------------------------- */

struct beside {
	int64_t wall_ns, before_ns, after_ns;
};

static bool take_beside(void *ctx, size_t file, const struct frame_entry *e)
{
	struct beside *b = ctx;

	(void)file;
	if (e->wall_ns < b->wall_ns)
		b->before_ns = GS_MAX(b->before_ns, e->wall_ns);
	else if (e->wall_ns > b->wall_ns)
		b->after_ns = GS_MIN(b->after_ns, e->wall_ns);
	return e->wall_ns > b->wall_ns;
}

bool archive_beside(void *archive, int64_t wall_ns, int64_t *ret_before_ns,
	int64_t *ret_after_ns)
{
	struct archive *a = archive;
	struct beside b = { wall_ns, INT64_MIN, INT64_MAX };
	size_t i;

	archive_find_pieces(a);
	for (i = 0; i < a->n_file; i++) {
		if (a->file[i].runs_listed)
			return false; /* which are read depends on damage */
	}
	if (!reader_is_file(a->file[0].is.reader) ||
	    each_near(a, wall_ns, take_beside, &b, NULL) < 0)
		return false;
	*ret_before_ns = b.before_ns;
	*ret_after_ns = b.after_ns;
	return true;
}
