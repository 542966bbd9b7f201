/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hostrow.h - rows of the host, its CPUs, disks and interfaces.
 */
#ifndef GS_AGENT_HOSTROW_H
#define GS_AGENT_HOSTROW_H

#include "agent/proc.h"
#include "model/rows.h"

#define HOSTROW_FILES 18

struct hostrow {
	struct rows host, cpu, disk, net;
	struct cells now; /* of the host's row, while a tick is made */
	struct cells facts; /* facts that are read only from time to time; owned */
	int fd[HOSTROW_FILES]; /* kept; -1: not open */
	int64_t read_ns[HOSTROW_FILES]; /* when each was read */
	uint32_t lacking; /* files that this kernel does not have: tried again
			   * by turns */
	struct buf nets; /* net/dev, while other files are read for its lines */
	struct buf nets_was; /* at the tick before */
	unsigned silent_ticks; /* for so many ticks they have been the same */
};

void hostrow_init(struct hostrow *h, struct sent_texts *sent);
void hostrow_release(struct hostrow *h);

/* Reads all; CPUs, disks and interfaces go to the block.  Detects a reboot
 * since the previous tick: DIR may be another tree. */
void hostrow_read(struct hostrow *h, struct scan *sc, struct block *b);

/* Name of a block device, a text of its row; false if it has none. */
bool hostrow_disk(const struct hostrow *h, uint64_t major, uint64_t minor,
	uint32_t *ret_name);

/* kernel.task_delayacct in the form of pid_stat_opt. */
int hostrow_delayacct(const struct hostrow *h);

/* Whether the kernel tells delays (enum delays_state), and the version of its
 * answers. */
void hostrow_set_taskstats(struct hostrow *h, int works, unsigned version);

/* True if the kernel reclaimed pages of processes since the previous tick. */
bool hostrow_memory_reclaimed(struct hostrow *h);

/* Adds the host's row to the block given to hostrow_read(). */
void hostrow_put(struct hostrow *h, uint64_t servers);

#endif
