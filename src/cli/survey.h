/*
 * survey.h - one pass over a whole file, or all files of a recording: what it
 * holds, what is damaged.
 *
 * A tick that a rotation repeats counts once, also where files were put
 * together.  Every frame is decompressed, decoded and applied, so that what a survey
 * calls whole can be replayed.
 */
#ifndef GS_CLI_SURVEY_H
#define GS_CLI_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "metric/metric.h"
#include "model/cursor.h"
#include "model/header.h"

/* So many gaps are kept; all are counted. */
#define SURVEY_GAPS_MAX 1000

struct survey {
	struct header *header; /* of the newest key; NULL if none had one */
	uint32_t first_number; /* of the first file that said it */
	uint64_t ticks, keys;
	int64_t first_ns, last_ns; /* of ticks */
	uint64_t rows[ENTITY_COUNT]; /* live, summed over ticks */
	size_t rows_max[ENTITY_COUNT]; /* live, in one tick */
	struct cursor_gap *gap;
	size_t n_gap, gap_cap;
	size_t n_gaps; /* also those that were not kept */
	size_t n_damaged; /* of them, by damage */
	uint64_t damaged_bytes;
	uint64_t missing_ticks; /* as far as that is known */
	int32_t utc_offset_s; /* of the first host that told */
	char **host; /* names of the hosts */
	size_t n_host;
	uint64_t size_bytes;
	size_t n_file;
	bool closed; /* ends with its index; of several files, each does */
	bool written; /* a recorder is at work on it */
};

/* Files of one recording, in their order.  Fails only if there is nothing to
 * tell: one can't be read or is no recording.  A recording may be so damaged
 * that it has no ticks.  Release ret in any case. */
int survey_read(const char *const *path, size_t n, struct survey *ret,
	struct gs_err *err);
void survey_release(struct survey *s);

#endif
