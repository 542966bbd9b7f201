/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive_runs.c - the readable parts of overlapping pieces: runs of undamaged
 * ticks without a hole.  An index at the end also lists damaged ticks; so
 * checksums are verified for files that overlap others.
 */
#include "replay/archive_int.h"

#include "base/mem.h"

static void add_entry(struct file *f, const struct frame_entry *e, bool lost)
{
	struct run *r = f->n_run > 0 ? &f->run[f->n_run - 1] : NULL;

	/* files joined by cat(1) repeat a tick */
	if (r && !lost && e->seq >= r->to_seq &&
	    (e->seq > r->to_seq || e->wall_ns == r->to_ns) &&
	    tick_missing(r->to_seq, e->seq, e->left_out) == 0) {
		r->to_seq = e->seq;
		r->to_ns = GS_MAX(r->to_ns, e->wall_ns);
		return;
	}
	GS_GROW(f->run, &f->run_cap, f->n_run + 1);
	f->run[f->n_run++] = (struct run) { e->seq, e->seq, e->wall_ns,
		e->wall_ns };
}

/* Read errors are reported when the file is read. */
static void find_runs(struct file *f)
{
	struct reader *r = f->is.reader;
	struct frame_entry e;
	struct cursor_gap gap;
	struct gs_err err;
	bool lost = false;

	f->n_run = 0;
	reader_enter(r, NULL);
	for (;;) {
		enum cursor_step s = reader_next_index(r, &e, &gap, &err);

		if (s != CURSOR_TICK && s != CURSOR_GAP)
			break;
		if (s == CURSOR_TICK)
			add_entry(f, &e, lost);
		lost = s == CURSOR_GAP;
	}
	reader_rest(r);
	f->runs_listed = true;
}

/* Files of a recording are sorted by their beginning; a rotation repeats one
 * tick, which is no overlap. */
void archive_find_runs(struct archive *a)
{
	struct file *reach = NULL;
	int64_t reach_ns = INT64_MIN;
	size_t i;

	if (a->runs_known)
		return;
	a->runs_known = true;
	if (a->n_file < 2 || a->n_feed > 0)
		return;
	for (i = 0; i < a->n_file; i++) {
		struct file *f = &a->file[i];
		bool same = reach && recfile_same(&reach->is, &f->is);
		int64_t end = archive_file_end(f);

		if (same && f->is.first_ns < reach_ns) {
			if (!reach->runs_listed)
				find_runs(reach);
			if (!f->runs_listed)
				find_runs(f);
		}
		if (!same || end > reach_ns) {
			reach = f;
			reach_ns = end;
		}
	}
}

static const struct run *run_of(const struct file *f, uint64_t seq,
	int64_t wall_ns)
{
	size_t i;

	for (i = 0; i < f->n_run; i++) {
		const struct run *r = &f->run[i];

		if (r->from_seq <= seq && seq <= r->to_seq &&
		    r->from_ns <= wall_ns && wall_ns <= r->to_ns)
			return r;
	}
	return NULL;
}

bool archive_has_whole(const struct file *f, const struct frame_entry *e)
{
	return !f->runs_listed || run_of(f, e->seq, e->wall_ns);
}

const struct frame_entry *archive_key_at(struct file *f, uint64_t seq,
	int64_t wall_ns)
{
	const struct frame_entry *e;
	size_t k, n;

	if (reader_index(f->is.reader, &e, &n, NULL) < 0)
		return NULL;
	for (k = 0; k < n; k++) {
		if (e[k].kind == FRAME_KEY && e[k].seq == seq &&
		    e[k].wall_ns == wall_ns)
			return &e[k];
	}
	return NULL;
}

const struct frame_entry *archive_further(struct archive *a, size_t *ret_file)
{
	const struct frame_entry *best = NULL;
	const struct run *now = run_of(&a->file[a->at], a->last_seq,
	    a->last_ns);
	uint64_t reach = now ? now->to_seq : a->last_seq;
	size_t i;

	for (i = 0; a->file[a->at].runs_listed && i < a->n_file; i++) {
		struct file *f = &a->file[i];
		const struct run *r = i == a->at ||
		    !recfile_same(&f->is, &a->file[a->at].is) ? NULL
		    : run_of(f, a->last_seq, a->last_ns);
		const struct frame_entry *key = r && r->to_seq > reach
		    ? archive_key_at(f, a->last_seq, a->last_ns) : NULL;

		if (!key)
			continue;
		best = key;
		reach = r->to_seq;
		*ret_file = i;
	}
	return best;
}

/* The first key of a file after the last returned tick. */
static const struct frame_entry *key_after(const struct archive *a,
	struct file *f)
{
	const struct frame_entry *e, *best = NULL;
	const struct run *r;
	size_t k, n;

	if (reader_index(f->is.reader, &e, &n, NULL) < 0)
		return NULL;
	for (k = 0; k < n; k++) {
		if (e[k].kind != FRAME_KEY || e[k].seq < a->last_seq ||
		    e[k].wall_ns < a->last_ns || (best &&
		    best->seq <= e[k].seq))
			continue;
		r = run_of(f, e[k].seq, e[k].wall_ns);
		if (r && r->to_seq > a->last_seq)
			best = &e[k];
	}
	return best;
}

bool archive_return(struct archive *a)
{
	const struct frame_entry *key, *best = NULL;
	size_t i, at = 0;

	if (!a->any || !a->file[a->at].runs_listed ||
	    archive_has_gone(a, &a->returned) ||
	    !archive_is_of(a, a->file[a->at].is.header))
		return false;
	for (i = 0; i < a->at; i++) {
		if (!a->file[i].runs_listed ||
		    !recfile_same(&a->file[i].is, &a->file[a->at].is))
			continue;
		key = key_after(a, &a->file[i]);
		if (key && (!best || key->seq < best->seq)) {
			best = key;
			at = i;
		}
	}
	if (!best)
		return false;
	a->returned = archive_gone_now(a);
	archive_go(a, at, best);
	return true;
}

int64_t archive_file_end(struct file *f)
{
	int64_t last = f->is.first_ns;
	size_t k;

	for (k = 0; k < f->n_run; k++)
		last = GS_MAX(last, f->run[k].to_ns);
	return f->runs_listed ? last : GS_MAX(last, recfile_end(&f->is));
}

uint64_t archive_missing_first(struct archive *a, const struct tick *t)
{
	struct file *f = &a->file[a->at];
	int64_t newest = INT64_MIN;
	uint64_t bytes = 0;
	size_t i;

	/* it must not follow ticks returned from files derived from these */
	if (!f->all || !t->header || t->seq <= 1 ||
	    (a->any && a->last_ns > t->header->started_ns) ||
	    t->seq != f->is.first_seq || t->wall_ns != f->is.first_ns ||
	    (a->at > 0 && recfile_same(&f[-1].is, &f->is)))
		return 0;
	for (i = a->at; i < a->n_file; i++) {
		if (!recfile_same(&a->file[i].is, &f->is))
			break;
		newest = GS_MAX(newest, archive_file_end(&a->file[i]));
		bytes += reader_size(a->file[i].is.reader);
	}
	return recfile_missing_first(&f->is, tick_lost_before(t), newest,
	    bytes);
}

void archive_go(struct archive *a, size_t file, const struct frame_entry *key)
{
	reader_rest(a->file[a->at].is.reader);
	a->at = file;
	a->overlap = false;
	a->detour.entered = true;
	a->file_seq = 0;
	reader_enter(a->file[file].is.reader, key);
}
