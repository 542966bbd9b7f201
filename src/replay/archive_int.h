/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive_int.h - shared by archive.c (iterates over ticks), archive_files.c
 * (the list of files), archive_holes.c and archive_runs.c (choose between
 * overlapping pieces), archive_follow.c (new files), archive_leap.c
 * (summaries), archive_gist.c (gists), archive_hosts.c (numbers of hosts that hold
 * for all files), archive_place.c (finds a time by the
 * indexes).
 */
#ifndef GS_REPLAY_ARCHIVE_INT_H
#define GS_REPLAY_ARCHIVE_INT_H

#include <string.h>

#include "base/buf.h"
#include "replay/archive.h"
#include "replay/recfile.h"
#include "replay/watch.h"

/* A range of undamaged ticks of a file, without a missing one. */
struct run {
	uint64_t from_seq, to_seq;
	int64_t from_ns, to_ns;
};

struct file {
	struct recfile is; /* first: recfile_sort() */
	bool all; /* of a directory: all its files are here */
	int64_t after_ns; /* of a recording that overlaps others: their end */
	uint64_t until_seq; /* another file goes on from there; 0: this one is
	                     * not read; set by archive_find_pieces() */
	bool runs_listed; /* it overlaps another: run[] is complete */
	struct run *run;
	size_t n_run, run_cap;
	bool end_known;
	int64_t end_ns; /* its last tick; archive_leap.c */
	bool judged; /* alone is known: */
	bool alone; /* no other file has ticks of its time */
	size_t n_ordered; /* so many entries of its index are checked: */
	bool disordered; /* times or numbers go back */
};

/* A source of new files while the archive is followed. */
struct feed {
	struct watch *watch;
	bool all; /* recordings of any kind, not only this one */
	uint8_t recording[RECORDING_ID_LEN];
	uint32_t number; /* of the file that was named */
};

/* A detour to another file that has ticks which the file home lacks. */
struct detour {
	bool on;
	bool any; /* there was one */
	bool entered; /* no tick of the other file was returned yet */
	uint64_t from_seq; /* the last tick before it */
	size_t home;
	struct frame_entry back; /* the next key in home */
};

/* After that tick the archive has gone to another file; once only, since what that
 * file's frames promise may not be in it. */
struct gone_once {
	bool any;
	uint64_t seq;
	int64_t ns;
};

/* Part of a recording that is skipped because another is shown. */
struct archive_overlap {
	const char *hidden; /* its first file */
	size_t hidden_files;
	const char *shown; /* the file that ends last */
	int64_t from_ns, to_ns;
};

struct archive {
	struct file *file;
	size_t n_file, file_cap;
	size_t at; /* file that is read */
	bool moved; /* it is no longer at the start */
	struct header *header; /* of the newest key */
	char **note;
	size_t n_note;
	size_t n_refused; /* files that are not recordings */
	struct archive_overlap *overlapping;
	size_t n_overlap, overlap_cap;
	struct feed *feed; /* n_feed 0: it is not followed */
	size_t n_feed;
	uint32_t *map; /* index of the recording to ours */
	size_t n_map;
	struct archive_number *number; /* archive_hosts.c */
	uint32_t n_host, n_cluster; /* of all files */
	struct buf key;
	bool any; /* a tick was returned */
	bool gap_returned; /* a gap was returned since */
	uint64_t n_harmless; /* damaged frames, no tick missing */
	bool overlap; /* ticks are skipped until they are new */
	bool left_thinned; /* for a file that begins between two of its ticks */
	bool unknown_noted; /* noted: unknown metrics of the recording */
	struct gone_once returned; /* by archive_return() */
	struct gone_once went; /* by archive_further() */
	bool runs_known; /* archive_find_runs() is done */
	uint64_t file_seq; /* the last tick read of the file, including
	                    * skipped ones */
	bool has_pending;
	struct cursor_gap pending; /* of a file; the next tick decides
	                            * whether it is a hole */
	size_t pending_file;
	uint64_t pending_seq; /* the last tick of its file before it */
	uint64_t last_seq;
	int64_t last_ns;
	uint32_t last_number;
	uint8_t recording[RECORDING_ID_LEN];
	struct detour detour;
	struct summary ahead; /* of archive_ahead(), with our hosts; only its rows
	                       * are owned */
	bool in_gist; /* the next tick is one of a gist */
	bool was_gist; /* the last one was */
	bool no_gists; /* one broke in the middle: no other is taken */
	struct tick *held; /* a tick to return after a gap, or peeked */
	int32_t utc_offset_s;
};

/* The header is of the recording of the last key returned. */
static inline bool archive_is_of(const struct archive *a,
	const struct header *h)
{
	return memcmp(a->recording, h->recording_id, RECORDING_ID_LEN) == 0;
}

static inline bool archive_has_gone(const struct archive *a,
	const struct gone_once *g)
{
	return g->any && g->seq == a->last_seq && g->ns == a->last_ns;
}

static inline struct gone_once archive_gone_now(const struct archive *a)
{
	return (struct gone_once) { true, a->last_seq, a->last_ns };
}

/* Gives hosts the numbers that hold for all files, also in the header of t, which
 * becomes that of the archive. */
void archive_translate(struct archive *a, struct tick *t);
void archive_forget_hosts(struct archive *a);

/* Adds a note, once. */
void archive_add_note(struct archive *a, const char *text);

/* Adds a file at the end; the archive takes ownership. */
void archive_add_file(struct archive *a, struct recfile *f);
void archive_drop_file(struct file *f);

/* Sorts the files and finds those that are skipped. */
void archive_put_in_order(struct archive *a);

/* A second recording begins in the current file, at a time that was shown
 * already: it is skipped up to the last tick that was returned. */
void archive_note_hidden(struct archive *a, int64_t from_ns);

/* Time of the last tick of a file, by its index. */
int64_t archive_file_end(struct file *f);

/* Ticks are missing before t, the next tick of its file: goes to a key of
 * another file that has some of them; false: there is no such file. */
bool archive_leave_hole(struct archive *a, const struct tick *t);

/* True if a detour has reached the tick where the home file goes on;
 * archive_go_back() returns to that file. */
bool archive_is_back(const struct archive *a, const struct tick *t);
void archive_go_back(struct archive *a);

/* Finds the undamaged ticks of overlapping files of a recording. */
void archive_find_runs(struct archive *a);

/* True if the tick is undamaged, or was not checked. */
bool archive_has_whole(const struct file *f, const struct frame_entry *e);

/* The key of a file with that number and time; NULL: none. */
const struct frame_entry *archive_key_at(struct file *f, uint64_t seq,
	int64_t wall_ns);

/* The key, at the last returned tick, of a file that goes on from there without
 * a hole for longer than the current file; NULL: there is no such file. */
const struct frame_entry *archive_further(struct archive *a, size_t *ret_file);

/* At the end of a file: goes back to an earlier file that goes on after the
 * last returned tick; false: there is no such file. */
bool archive_return(struct archive *a);

/* Continues in another file, from a key of it. */
void archive_go(struct archive *a, size_t file, const struct frame_entry *key);

/* Number of ticks of its recording that are missing before t, if t is the
 * first one that exists; else 0. */
uint64_t archive_missing_first(struct archive *a, const struct tick *t);

/* For the cursor: stretches that can be passed over (archive_leap.c). */
const struct summary *archive_ahead(void *archive, uint64_t seq,
	int64_t wall_ns);
bool archive_leap(void *archive, const struct summary *last);

/* Where it is, nothing but the ticks of one file comes next. */
bool archive_may_leap(struct archive *a);

/* The same by gists (archive_gist.c). */
bool archive_gist(void *archive, uint64_t seq, int64_t wall_ns,
	int64_t until_ns, int64_t *ret_to_ns);
bool archive_take_gist(void *archive, struct gist_about *ret);
void archive_drop_gist(void *archive);
bool archive_refuse_gist(void *archive);
/* GS_E_AGAIN: the gist can't be read on. */
int archive_gist_tick(struct archive *a, struct tick **ret, bool *ret_last,
	struct gs_err *err);

/* After the last one was returned: the file goes on with it again, which is a
 * key. */
void archive_leave_gist(struct archive *a);

/* A key of a file; NULL: its beginning. */
struct archive_place {
	size_t file;
	const struct frame_entry *key;
};

/* The last key that two ticks follow, before the first one that is later than
 * wall_ns. */
int archive_find_place(struct archive *a, int64_t wall_ns,
	struct archive_place *ret, struct gs_err *err);

/* For the cursor: cursor_beside(). */
bool archive_beside(void *archive, int64_t wall_ns, int64_t *ret_before_ns,
	int64_t *ret_after_ns);

/* Sets how far each file is read if pieces of a recording overlap. */
void archive_find_pieces(struct archive *a);

#endif
