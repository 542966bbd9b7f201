/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.h - memory allocated piece by piece and freed all at once.
 *
 * Pieces keep their address until arena_free(), or until arena_rewind() to a time
 * before them.
 */
#ifndef GS_BASE_ARENA_H
#define GS_BASE_ARENA_H

#include <stddef.h>

struct arena;
struct arena_block;

/* What was allocated up to then. */
struct arena_mark {
	struct arena_block *block;
	size_t used;
};

struct arena *arena_new(void);
void arena_free(struct arena *a);

/* len_bytes zeroed bytes, aligned for any type; never NULL. */
void *arena_zalloc(struct arena *a, size_t len_bytes);

/* A copy of len_bytes bytes, with a NUL after them. */
char *arena_dup(struct arena *a, const char *p, size_t len_bytes);

/* Drops all pieces that came after the mark: what comes next has their memory. */
struct arena_mark arena_mark(const struct arena *a);
void arena_rewind(struct arena *a, struct arena_mark to);

#endif
