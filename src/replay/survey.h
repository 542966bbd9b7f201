/* SPDX-License-Identifier: Apache-2.0 */
/*
 * survey.h - one pass over a whole file, or all files of a recording: contents
 * and damage.
 *
 * A file is checked by its bytes, a recording as it is replayed: what one piece
 * lacks and another has is not missing.  A tick that a rotation repeats counts
 * once.  Every frame is decompressed, decoded and applied, so that what is
 * reported whole can be replayed.
 */
#ifndef GS_REPLAY_SURVEY_H
#define GS_REPLAY_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/reading.h"
#include "base/zone.h"
#include "metric/metric.h"
#include "model/cursor.h"
#include "model/header.h"
#include "replay/survey_file.h"

/* Gaps that are kept; all are counted. */
#define SURVEY_GAPS_MAX 1000

/* What is missing of one host while it was expected. */
struct survey_absence {
	char *host;
	bool never; /* it never answered; then no holes */
	size_t n; /* holes */
	int64_t missing_ns; /* all of them together */
	int64_t from_ns, to_ns; /* the first of them */
};

/* Ticks of one interval, which a recorder may change for a while. */
#define SURVEY_PACES_MAX 8
struct survey_pace {
	int64_t interval_ns;
	uint64_t ticks;
	uint64_t times; /* it became the interval */
};

struct survey {
	struct survey_pace pace[SURVEY_PACES_MAX]; /* the first ones */
	size_t n_pace, last_pace;
	struct header *header; /* of the newest key; NULL if none had one */
	uint32_t content; /* content_flag bits: what any key says is in it */
	uint32_t first_number; /* of the first file that has it */
	uint64_t first_seq, first_left_out; /* of the first tick */
	uint64_t first_lost; /* ticks that the recorder lost just before it, by
	                      * its own account */
	uint64_t last_seq;
	bool cut_begin, cut_end; /* the gap reaches beyond the edge */
	uint64_t ticks, keys;
	uint64_t skipped; /* ticks that were due and never sampled */
	int64_t first_ns, last_ns; /* of ticks */
	uint64_t rows[ENTITY_COUNT]; /* live, summed over ticks */
	size_t rows_max[ENTITY_COUNT]; /* live, in one tick */
	struct cursor_gap *gap;
	size_t n_gap, gap_cap;
	size_t n_gaps; /* also those that were not kept */
	size_t n_damaged; /* of them, by damage */
	uint64_t n_harmless; /* damaged places without a missing tick; only of a
	                      * recording: of a file they are gaps */
	uint64_t damaged_bytes;
	uint64_t missing_ticks; /* as far as that is known */
	int32_t utc_offset_s; /* of the first host that has it */
	char **host; /* names of the hosts */
	size_t n_host;
	struct survey_absence *absence; /* of absent hosts */
	size_t n_absence, absence_cap;
	uint64_t size_bytes;
	size_t n_file;
	size_t stretches; /* of all files */
	size_t summaries; /* stretches that have one */
	uint64_t summary_bytes; /* of these */
	size_t gists; /* each of one stretch or of many */
	uint64_t gist_bytes;
	uint64_t page_bytes; /* of what is kept of a report */
	uint64_t mended; /* damaged groups that were restored */
	uint64_t first_mended; /* offset */
	uint64_t bad_footer; /* damaged bytes of indexes at the end: damage, but
	                      * no tick is lost */
	uint64_t first_rows[ENTITY_COUNT]; /* live, in the first tick */
	bool first_late; /* the first tick says that it came late */
	bool steady; /* the same hosts all the time, all of which answered at the
	              * first and at the last tick */
	bool piped; /* some of it is no file: its end is not looked at */
	bool closed; /* ends with its index; of several files, each does */
	bool written; /* a recorder is writing it */
};

/* Checks a file, or "-".  Fails only if it can't be read or is not a recording.
 * It may be so damaged that it has no ticks.  reading may be NULL.  Release ret in
 * any case. */
int survey_read(const char *path, const struct reading *reading,
	struct survey *ret, struct gs_err *err);

/* The same of the files of one recording, in their order.  all: the files are
 * all of it in a directory, so that the first ones may be missing, too. */
int survey_recording(char *const *path, size_t n, bool all,
	struct survey *ret, struct gs_err *err);

/* What is missing between two files of a recording that follow each other;
 * false: nothing. */
bool survey_between(const struct survey *before, const struct survey *after,
	struct cursor_gap *ret);

/* Appends a page about the survey of what is called name, times in zone. */
void survey_page(const struct survey *s, const char *name,
	const struct zone *zone, size_t width, struct buf *to);

/* True if bytes are damaged, or were and could be mended.  Holes are in n_gaps. */
bool survey_is_damaged(const struct survey *s);

/* ", closed", or however the file ends; "" if it is not known. */
const char *survey_ending(const struct survey *s);
void survey_release(struct survey *s);

#endif
