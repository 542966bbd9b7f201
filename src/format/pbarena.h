/*
 * pbarena.h - memory for protobuf-c messages that is given back all at once.
 *
 * A message that was unpacked with pbarena_allocator() lives until the next
 * pbarena_reset(); it must not be freed otherwise.  After the first few
 * messages of a size nothing is allocated any more.
 */
#ifndef GS_FORMAT_PBARENA_H
#define GS_FORMAT_PBARENA_H

#include <stddef.h>

#include <protobuf-c/protobuf-c.h>

/* Unpacking fails rather than use more than this: one-byte varints of a
 * frame of FRAME_RAW_MAX become eight bytes each. */
#define PBARENA_MAX ((size_t)768 << 20)

struct pbarena_chunk;

struct pbarena {
	struct pbarena_chunk *chunk; /* newest first */
	size_t used; /* bytes given out since the last reset */
	ProtobufCAllocator alloc;
};

void pbarena_init(struct pbarena *a);
void pbarena_release(struct pbarena *a);

/* Takes back everything that was given out. */
void pbarena_reset(struct pbarena *a);

/* NULL beyond PBARENA_MAX. */
void *pbarena_alloc(struct pbarena *a, size_t len_bytes);

ProtobufCAllocator *pbarena_allocator(struct pbarena *a);

#endif
