/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pbarena.h - memory for protobuf-c messages that is freed all at once, and
 * their packed bytes.
 *
 * A message that was unpacked with pbarena.alloc lives until the next
 * pbarena_reset(); it must not be freed otherwise.  Memory is reused: after
 * the first few messages of a size nothing is allocated any more.  The memory
 * of a very large message is not kept.
 */
#ifndef GS_FORMAT_PBARENA_H
#define GS_FORMAT_PBARENA_H

#include <stddef.h>

#include <protobuf-c/protobuf-c.h>

#include "base/budget.h"
#include "base/buf.h"

/* Unpacking fails rather than use more than this: one-byte varints of a
 * frame of FRAME_RAW_MAX become eight bytes each. */
#define PBARENA_MAX ((size_t)768 << 20)

struct pbarena_chunk;

struct pbarena {
	struct pbarena_chunk *chunk; /* newest first */
	size_t used; /* bytes given out since the last reset */
	struct gs_budget *budget; /* not owned; charged for all chunks */
	bool refused; /* something did not fit since the last reset */
	ProtobufCAllocator alloc;
};

/* Charges the budget of the process, if it has one. */
void pbarena_init(struct pbarena *a);
void pbarena_release(struct pbarena *a);

/* Frees everything that was allocated. */
void pbarena_reset(struct pbarena *a);

/* NULL beyond PBARENA_MAX and where the budget ends. */
void *pbarena_alloc(struct pbarena *a, size_t len_bytes);

/* The error of a failed unpacking: GS_E_MEMORY if there was no memory for
 * `what`, else GS_E_FORMAT: the len bytes are not `what`. */
int pbarena_fail(const struct pbarena *a, size_t len_bytes, const char *what,
	struct gs_err *err);

/* Memory for a message that is encoded: never NULL, since encoding never comes
 * near PBARENA_MAX. */
void *pbarena_must_alloc(struct pbarena *a, size_t len_bytes);

/* Appends a packed message; as a field: after its number and its length. */
void pb_add(const ProtobufCMessage *m, struct buf *to);
void pb_add_field(const ProtobufCMessage *m, unsigned number, struct buf *to);

#endif
