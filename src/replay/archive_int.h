/*
 * archive_int.h - what the files of the archive share: archive.c (the way
 * through the ticks), archive_files.c (which files there are),
 * archive_follow.c (which come while it is read).
 */
#ifndef GS_REPLAY_ARCHIVE_INT_H
#define GS_REPLAY_ARCHIVE_INT_H

#include "replay/archive.h"
#include "replay/recfile.h"
#include "replay/watch.h"

struct file {
	struct recfile is; /* first: recfile_sort() */
	int64_t after_ns; /* of a recording that overlaps others: their end */
	uint64_t until_seq; /* where another goes on from; 0: none of it is
	                     * read; of archive_find_pieces() */
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
	bool overlap; /* ticks are passed over until they are new */
	bool unknown_told; /* metrics that we do not know, of recording */
	bool has_pending;
	struct cursor_gap pending; /* at the end of the file before */
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

/* Files as they follow each other, and which of them are passed over. */
void archive_put_in_order(struct archive *a);

/* The last tick of a file, as far as its index tells. */
int64_t archive_file_end(struct file *f);

/* Before t, the next of its file, ticks are missing: goes to a key of another
 * file that has some of them; false: there is none. */
bool archive_leave_hole(struct archive *a, const struct tick *t);

/* Such a file has come to where the first goes on; and there. */
bool archive_is_back(const struct archive *a, const struct tick *t);
void archive_go_back(struct archive *a);

/* Up to where each file is read, where pieces of a recording overlap. */
void archive_find_pieces(struct archive *a);

#endif
