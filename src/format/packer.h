/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packer.h - ticks that are encoded already, joined into groups.
 *
 * A group ends before a key when it has as many ticks or bytes as are worth
 * it, and anywhere when it would become too large.
 *
 * Use: packer_new(); packer_add() per tick; packer_flush(); packer_free().
 */
#ifndef GS_FORMAT_PACKER_H
#define GS_FORMAT_PACKER_H

#include "format/outfile.h"

#define PACKER_LEVEL 19 /* of zstd */
#define PACKER_TICKS 480u
#define PACKER_RAW ((size_t)2 << 20) /* whoever seeks reads half of that */
#define PACKER_RAW_MAX ((size_t)16 << 20)

struct packer;

struct packer *packer_new(int level);
void packer_free(struct packer *p);

/* A tick as tickcode_encode() makes it. */
struct packer_tick {
	enum frame_kind kind;
	bool first; /* a key that goes on from nothing that is before it in
	             * the file: it begins a group */
	uint64_t seq;
	uint64_t left_out; /* as in struct tick */
	int64_t wall_ns;
	const void *record;
	size_t len;
};

/* Adds a tick, before that perhaps the group that is full to the file. */
int packer_add(struct packer *p, const struct packer_tick *t,
	struct outfile *to, struct gs_err *err);

/* Appends what is left: before another file begins, and at the end. */
int packer_flush(struct packer *p, struct outfile *to, struct gs_err *err);

#endif
