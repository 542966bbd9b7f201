/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive_gist.c - the gists of stretches (model/cursor.h), in place of their
 * ticks.  Where archive_leap.c may pass over ticks.
 */
#include "replay/archive_int.h"

bool archive_gist(void *archive, uint64_t seq, int64_t wall_ns,
	int64_t until_ns, int64_t *ret_to_ns)
{
	struct archive *a = archive;

	return !a->no_gists && archive_may_leap(a) && seq == a->last_seq &&
	    wall_ns == a->last_ns && reader_gist(a->file[a->at].is.reader,
	    seq, wall_ns, until_ns, ret_to_ns);
}

bool archive_take_gist(void *archive, struct gist_about *ret)
{
	struct archive *a = archive;

	a->in_gist = reader_take_gist(a->file[a->at].is.reader, ret);
	return a->in_gist;
}

void archive_drop_gist(void *archive)
{
	struct archive *a = archive;

	a->in_gist = false;
	reader_pass_gist(a->file[a->at].is.reader);
}

bool archive_refuse_gist(void *archive)
{
	struct archive *a = archive;

	a->no_gists |= a->was_gist;
	return a->was_gist;
}

int archive_gist_tick(struct archive *a, struct tick **ret, bool *ret_last,
	struct gs_err *err)
{
	struct reader *r = a->file[a->at].is.reader;

	if (reader_next_gist(r, ret, ret_last, err) == GS_OK)
		return GS_OK;
	a->no_gists = true;
	(void)gs_err_again(err, "a gist is not made of ticks");
	gs_err_prefix(err, "%s", reader_path(r));
	return GS_E_AGAIN;
}

void archive_leave_gist(struct archive *a)
{
	struct file *f = &a->file[a->at];

	a->in_gist = false;
	reader_enter(f->is.reader, archive_key_at(f, a->last_seq,
	    a->last_ns));
	a->file_seq = a->last_seq - 1;
	a->detour.entered = true;
}
