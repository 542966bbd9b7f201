/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spill.h - temporary files of the database's processes, without SQL.
 *
 * The directories of places.h are listed.  A file belongs to the process in
 * its name, if that descends from the server of the directory; else it belongs
 * to no living process: an orphan.  Sizes are st_size, a process's sum rounded
 * up to KiB.  A process without files has 0 if all directories of its server
 * could be listed; else its cells are absent.
 *
 * A tick lists at most SPILL_FILES files and for at most SPILL_NS, servers in
 * turn.  The result of a server's last full listing is valid as long as the
 * memory of a quiet process; two listings are never mixed.
 *
 * Use: spill_tick() after postmasters_tick().
 */
#ifndef GS_AGENT_SPILL_H
#define GS_AGENT_SPILL_H

#include "agent/dirs.h"
#include "agent/postmasters.h"
#include "agent/spillname.h"

#define SPILL_NS (5 * GS_NSEC_PER_MSEC)
#define SPILL_FILES 10000u

/* Bytes of one operator of one process. */
struct spill_part {
	uint32_t next; /* of the same process, from 1; 0: none */
	char op[SPILLNAME_OPERATOR_MAX + 1];
	uint64_t bytes;
};

struct spill {
	size_t first; /* the server to begin with */
	int64_t end_ns; /* end of this tick's time */
	uint32_t left; /* files still allowed */
	struct spill_part *part;
	size_t n_part, part_cap;
	struct proc *owner; /* of the previous file; may be NULL */
	uint32_t owner_pid; /* 0: none */
	bool owner_new; /* alive, but not among the processes yet */
	struct dirs dir, sub; /* open for listing */
	struct buf name; /* scratch */
};

void spill_release(struct spill *sp);

/* Lists the files; changes the rows of processes, and sets cells of the host's
 * row. */
void spill_tick(struct spill *sp, const struct scan *sc,
	struct postmasters *servers, struct procs *ps, struct cells host);

#endif
