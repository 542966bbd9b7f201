/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spill.h - temporary files of the database's processes, without SQL.
 *
 * The directories of places.h are listed; a file belongs to the process in
 * its name, if that descends from the server whose directory it is, and else
 * to no living process: an orphan.  Sizes are st_size, a process's sum
 * rounded up to KiB.  A process without files has 0 where all directories of
 * its server could be listed; else its cells are absent.
 *
 * A tick lists for SPILL_NS and SPILL_FILES at most, servers in turn.  What a
 * server's files were at its last full listing holds for as long as a quiet
 * process's memory does; it is never made up of two listings.
 *
 * Use: spill_tick() after servers_tick().
 */
#ifndef GS_AGENT_SPILL_H
#define GS_AGENT_SPILL_H

#include "agent/dirs.h"
#include "agent/servers.h"
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
	size_t first; /* server whose turn is first */
	int64_t end_ns; /* of this tick's time */
	uint32_t left; /* files */
	struct spill_part *part;
	size_t n_part, part_cap;
	struct proc *owner; /* of the file before; may be NULL */
	uint32_t owner_pid; /* 0: none */
	bool owner_new; /* alive, and not among the processes yet */
	struct dirs dir, sub; /* being listed */
	struct buf name; /* scratch */
};

void spill_release(struct spill *sp);

/* Lists; changes the rows of processes, and sets cells of the host's row. */
void spill_tick(struct spill *sp, const struct scan *sc,
	struct servers *servers, struct procs *ps, struct cells host);

#endif
