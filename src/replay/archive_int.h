/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archive_int.h - what the files of the archive share: archive.c (the way
 * through the ticks), archive_files.c (which files there are),
 * archive_holes.c and archive_runs.c (which of pieces that overlap is read),
 * archive_follow.c (which come while it is read).
 */
#ifndef GS_REPLAY_ARCHIVE_INT_H
#define GS_REPLAY_ARCHIVE_INT_H

#include "replay/archive.h"
#include "replay/recfile.h"
#include "replay/watch.h"

/* Ticks of a file that are whole, and none is missing between them. */
struct run {
	uint64_t from_seq, to_seq;
	int64_t from_ns, to_ns;
};

struct file {
	struct recfile is; /* first: recfile_sort() */
	bool all; /* of a directory: all of it is here */
	int64_t after_ns; /* of a recording that overlaps others: their end */
	uint64_t until_seq; /* where another goes on from; 0: none of it is
	                     * read; of archive_find_pieces() */
	bool looked; /* it stands beside another: run[] is all it has */
	struct run *run;
	size_t n_run, run_cap;
};

/* Where files may come to while it is followed. */
struct feed {
	struct watch *watch;
	bool all; /* recordings of any kind, not only this one */
	uint8_t recording[RECORDING_ID_LEN];
	uint32_t number; /* of the file that was named */
};

/* Away from a file in which ticks are missing that stand in another. */
struct detour {
	bool on;
	bool any; /* there was one */
	bool entered; /* of the file nothing was given yet */
	uint64_t from_seq; /* the last tick before it */
	size_t home;
	struct frame_entry back; /* the key there that comes next */
};

struct archive {
	struct file *file;
	size_t n_file, file_cap;
	size_t at; /* file that is read */
	struct header *header; /* of the newest key */
	char **note;
	size_t n_note;
	size_t n_refused; /* files that are no recordings */
	struct archive_overlap *overlapping;
	size_t n_overlap, overlap_cap;
	struct feed *feed; /* none: it is not followed */
	size_t n_feed;
	char **host; /* names by index of ours */
	size_t n_host;
	uint32_t *map; /* index of the recording to ours */
	size_t n_map;
	bool any; /* a tick was given */
	bool told; /* a gap was, since */
	uint64_t n_harmless; /* places that are damaged, nothing missing */
	bool overlap; /* ticks are passed over until they are new */
	bool unknown_told; /* metrics that we do not know, of recording */
	bool returned; /* archive_return() did, from here */
	uint64_t returned_seq;
	bool runs_known; /* archive_find_runs() was here */
	uint64_t file_seq; /* the last tick of the file that was read, also
	                    * one that was passed over */
	bool has_pending;
	struct cursor_gap pending; /* of a file, until the tick that comes
	                            * next tells whether it is a hole */
	size_t pending_file;
	uint64_t pending_seq; /* the last tick of its file before it */
	uint64_t last_seq;
	int64_t last_ns;
	uint32_t last_number;
	uint8_t recording[RECORDING_ID_LEN];
	struct detour detour;
	struct tick *held; /* a tick that a gap went before, or peeked */
	int32_t utc_offset_s;
};

/* Adds a note, once. */
void archive_add_note(struct archive *a, const char *text);

/* Adds a file, which the archive owns then, at the end. */
void archive_take_file(struct archive *a, struct recfile *f);

/* Gives a file back. */
void archive_drop_file(struct file *f);

/* Files as they follow each other, and which of them are passed over. */
void archive_put_in_order(struct archive *a);

/* The file at hand has a second recording, from a time on that was shown: it is
 * passed over up to the last tick that was. */
void archive_note_hidden(struct archive *a, int64_t from_ns);

/* The last tick of a file, as far as its index tells. */
int64_t archive_file_end(struct file *f);

/* Before t, the next of its file, ticks are missing: goes to a key of another
 * file that has some of them; false: there is none. */
bool archive_leave_hole(struct archive *a, const struct tick *t);

/* Such a file has come to where the first goes on; and there. */
bool archive_is_back(const struct archive *a, const struct tick *t);
void archive_go_back(struct archive *a);

/* Which ticks are whole of files of a recording that overlap. */
void archive_find_runs(struct archive *a);

/* The tick is whole, or nobody looked. */
bool archive_has_whole(const struct file *f, const struct frame_entry *e);

/* The key at the tick given last of a file that goes on from there further
 * without a hole than the one that is read; NULL: there is none. */
const struct frame_entry *archive_further(struct archive *a, size_t *ret_file);

/* At the end of a file: back to a file before it that goes on behind the tick
 * given last; false: there is none. */
bool archive_return(struct archive *a);

/* Reads on in another file, from a key of it on. */
void archive_go(struct archive *a, size_t file, const struct frame_entry *key);

/* Ticks of its recording that are missing before t, the first one there is;
 * 0: t is not that one, or none are. */
uint64_t archive_missing_first(struct archive *a, const struct tick *t);

/* Up to where each file is read, where pieces of a recording overlap. */
void archive_find_pieces(struct archive *a);

#endif
