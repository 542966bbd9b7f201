/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hostrow.h - the row of the host, and those of its CPUs, disks and
 * interfaces.
 */
#ifndef GS_AGENT_HOSTROW_H
#define GS_AGENT_HOSTROW_H

#include "agent/proc.h"
#include "model/rows.h"

#define HOSTROW_FILES 18

struct hostrow {
	struct rows host, cpu, disk, net;
	struct cells now; /* of the host's row, while a tick is made */
	struct cells facts; /* what is read now and then only; owned */
	int fd[HOSTROW_FILES]; /* kept; -1: not open */
	struct buf nets; /* net/dev, while more is read for its lines */
};

void hostrow_init(struct hostrow *h, struct sent_texts *told);
void hostrow_release(struct hostrow *h);

/* Reads all; CPUs, disks and interfaces go to the block.  Finds out whether
 * the host has been booted since the tick before: DIR may be another tree. */
void hostrow_read(struct hostrow *h, struct scan *sc, struct block *b);

/* kernel.task_delayacct as pid_stat_opt wants it. */
int hostrow_delayacct(const struct hostrow *h);

/* True if the kernel took pages from processes since the tick before. */
bool hostrow_memory_taken(struct hostrow *h);

/* The host's row goes to the block given to hostrow_read(). */
void hostrow_put(struct hostrow *h, uint64_t servers);

#endif
