/*
 * full.h - reads everything about one process.
 *
 * All files are opened below one directory descriptor, which means the same
 * process for ever: after its end every read fails, even if the number is in
 * use again.  So a row never mixes two processes, and a row is given back
 * whole or not at all.
 *
 * Order: the CPU clock and schedstat, by which a quiet process is known,
 * come before what they vouch for.
 */
#ifndef GS_AGENT_FULL_H
#define GS_AGENT_FULL_H

#include "agent/proc.h"
#include "base/buf.h"

enum full_result {
	FULL_OK,
	FULL_LOST, /* it vanished */
	FULL_OTHER, /* another process has that number now */
	FULL_DENIED /* not even stat may be read */
};

struct full {
	struct buf title; /* the read before */
	unsigned missing; /* files that this kernel does not have */
	size_t n_kept, max_kept; /* descriptors of processes */
	size_t n_files; /* of these: files, which hold kernel memory */
	/* the columns that come from each file, by the registry */
	uint64_t cols[SOURCE_COUNT][COL_WORDS(NCOLS(PROCESS))];
};

/* Raises the limit of open descriptors as far as it goes. */
void full_init(struct full *f);
void full_release(struct full *f);

/* Fills now (cleared before).  Text cells hold references, also if the
 * result is not FULL_OK: then the caller forgets them.  *ret_refused: some
 * file may not be read. */
enum full_result full_read(struct full *f, const struct scan *sc,
	struct proc *p, struct cells now, bool *ret_refused);

/* Reads schedstat alone; false if there is none. */
bool full_read_sched(struct full *f, const struct scan *sc, struct proc *p,
	uint64_t ret[3]);

/* Closes what is kept of p. */
void full_close(struct full *f, struct proc *p);

/* Notes whether p ran since the tick before: files of one that runs all the
 * time stay open, since opening them costs as much as reading. */
void full_note_run(struct full *f, struct proc *p, bool ran);

#endif
